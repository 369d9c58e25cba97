/// `axode view RUN`: the scene of a run, by the model that is kept in it.
#include <filesystem>

#include "axode/io/flexible_file.hpp"
#include "axode/io/json.hpp"
#include "axode/io/native.hpp"
#include "axode/io/run_file.hpp"
#include "axode/io/text_file.hpp"
#include "axode/io/urdf.hpp"
#include "cli/output.hpp"
#include "cli/view_scenes.hpp"

namespace axode::cli {

namespace {

bool is_xml(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '<';
}
bool is_flexible(const std::string& text, const std::string& source) {
  if (is_xml(text)) return false;
  const JsonDocument document(text, source);
  return document.root().kind() == JsonKind::object &&
         document.root().find("axode_flexible").has_value();
}

/// How the model was read when the run was made.
ModelOptions reading_options(const RunMetadata& metadata, const std::string& source) {
  ModelOptions how;
  const JsonDocument document(metadata.options, source);
  if (document.root().kind() != JsonKind::object) return how;
  const auto flag = [&](const char* key) {
    const auto value = document.root().find(key);
    return value && value->kind() == JsonKind::boolean && value->boolean();
  };
  how.merge_fixed = flag("merge_fixed");
  how.free_base = flag("free_base");
  const auto velocity = document.root().find("base_velocity");
  if (velocity && velocity->kind() == JsonKind::text) how.base_velocity = velocity->text();
  return how;
}

Tree tree_of(const RunMetadata& metadata, const std::string& source) {
  const LoadOptions how = load_options(reading_options(metadata, source));
  const std::filesystem::path folder = std::filesystem::path(metadata.model_file).parent_path();
  const std::vector<std::filesystem::path> roots{folder.empty() ? "." : folder};
  const std::string& text = metadata.model_text;
  return build(is_xml(text) ? parse_urdf(text, source, {roots, how.free_base, how.base_velocity})
                            : parse_native(text, source, {roots}),
               how.build);
}

/// Whether the file the run was made from is there and says something else by now.
bool has_changed(const RunMetadata& metadata) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(metadata.model_file, error)) return false;
  try {
    return read_text_file(metadata.model_file) != metadata.model_text;
  } catch (const Error&) {
    return false;  // it cannot be read: nothing is known about it
  }
}

void check_size(std::size_t coordinates, const Run& run, const std::string& file) {
  if (coordinates != run.nq())
    throw Error(fmt::format("the run has {} coordinates, its model {}", run.nq(), coordinates),
                file, "make the run anew with this version");
}

}  // namespace

std::string scene_of_run(const std::string& file) {
  const Run run = read_run(file);
  const RunMetadata& metadata = run.metadata;
  const std::string source = file + ": its model";
  SceneOptions how;
  how.title =
      fmt::format("{}: {}", metadata.model_name, std::filesystem::path(file).filename().string());
  if (has_changed(metadata))
    how.messages.push_back(
        fmt::format("{} has changed since this run was made; shown is the model of the run.",
                    metadata.model_file));
  if (!run.complete)
    how.messages.push_back(
        run.times.empty()
            ? std::string("The run file ends early, before its first sample.")
            : fmt::format("The run file ends early, at {:.6g} s; what is there is shown.",
                          run.times.back()));
  for (const std::string& message : how.messages) warn(message);
  const Clip clip = clip_of(run);
  if (is_flexible(metadata.model_text, source)) {
    const FlexibleSetup setup = parse_flexible(metadata.model_text, source);
    check_size(static_cast<std::size_t>(setup.tree.size), run, file);
    return flexible_scene(setup.tree, setup.q, clip, how);
  }
  const Tree tree = tree_of(metadata, source);
  check_size(static_cast<std::size_t>(tree.nq), run, file);
  const std::vector<double> start =
      run.times.empty() ? neutral(tree)
                        : std::vector<double>(run.q.begin(), run.q.begin() + tree.nq);
  return tree_scene(tree, start, clip, how);
}

}  // namespace axode::cli
