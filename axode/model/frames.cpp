#include "axode/model/frames.hpp"

#include <optional>

#include "axode/core/error.hpp"

namespace axode {

namespace {

std::optional<Frame> find_frame(const Tree& tree, std::string_view name) {
  if (name == world_name) return Frame{};
  if (const auto body = tree.body_names.find(name); body != tree.body_names.end())
    return Frame{body->second, {}};
  if (const auto named = tree.frame_names.find(name); named != tree.frame_names.end()) {
    const NamedFrame& f = tree.frames[named->second];
    return Frame{f.body, f.T_BF};
  }
  return {};
}

}  // namespace

Frame simple_frame(const Tree& tree, std::string_view name) {
  if (const std::optional<Frame> found = find_frame(tree, name)) return *found;
  throw Error("there is no frame or body '" + std::string(name.substr(0, 60)) + "'",
              tree.name.empty() ? "tree" : "tree '" + tree.name + "'",
              detail::remedy_for_name(name, {&tree.body_names, &tree.frame_names}));
}

FrameChoice frame(const Tree& tree, const FrameName& name) {
  const Frame origin = simple_frame(tree, name.origin);
  return {origin, name.axes == name.origin ? origin : simple_frame(tree, name.axes)};
}

FrameChoice frame_from_text(const Tree& tree, std::string_view text) {
  const auto known = [&](std::string_view name) {
    return name == world_name || tree.body_names.contains(name) || tree.frame_names.contains(name);
  };
  if (const std::optional<Frame> found = find_frame(tree, text)) return {*found, *found};
  if (text.ends_with(']'))
    for (std::size_t open = text.find('['); open != std::string_view::npos;
         open = text.find('[', open + 1)) {
      const std::string_view origin = text.substr(0, open),
                             axes = text.substr(open + 1, text.size() - open - 2);
      if (known(origin) && known(axes)) return frame(tree, origin_of(origin).axes_of(axes));
    }
  // Not there: say which of the two names is wrong.
  const std::size_t open = text.find('[');
  if (open == std::string_view::npos) return frame(tree, text);
  if (open == 0 || text.back() != ']' || text.size() - open < 3)
    throw Error("'" + std::string(text.substr(0, 60)) + "' names no frame", "frame",
                "write NAME, or NAME[AXES] for the origin of one with the axes of another");
  return frame(
      tree, origin_of(text.substr(0, open)).axes_of(text.substr(open + 1, text.size() - open - 2)));
}

}  // namespace axode
