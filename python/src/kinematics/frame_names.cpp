/// Names of frames read from text, and axode.Frame.
#include "src/kinematics/frame_names.hpp"

#include <nanobind/operators.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

namespace axode::python {
namespace {

bool known(const Tree& tree, std::string_view name) {
  return name == world_name || tree.body_names.contains(name) || tree.frame_names.contains(name);
}

/// The two names in "tool[world]"; names may hold brackets, so the whole text is tried first.
FrameNames names_in(const Tree& tree, const std::string& text) {
  if (known(tree, text)) return {text, text};
  for (std::size_t open = text.find('['); open != std::string::npos;
       open = text.find('[', open + 1)) {
    const std::string origin = text.substr(0, open),
                      axes = text.substr(open + 1, text.size() - std::min(text.size(), open + 2));
    if (text.back() == ']' && known(tree, origin) && known(tree, axes)) return {origin, axes};
  }
  frame_from_text(tree, text);  // throws, saying which of the names is wrong
  return {};
}

std::string names_text(const FrameNames& f) {
  return f.axes == f.origin ? f.origin : f.origin + "[" + f.axes + "]";
}

}  // namespace

FrameNames frame_names(const Tree& tree, nb::handle value, const char* argument) {
  std::string text;
  if (nb::try_cast(value, text, false)) return names_in(tree, text);
  if (!nb::isinstance<FrameNames>(value))
    throw nb::type_error(
        (std::string(argument) + ": no frame; give a name, \"NAME[AXES]\" or axode.Frame").c_str());
  FrameNames names = nb::cast<FrameNames>(value);
  frame(tree, names.name());
  return names;
}

FrameChoice frame_choice(const Tree& tree, nb::handle value, const char* argument) {
  const FrameNames names = frame_names(tree, value, argument);
  return frame(tree, names.name());
}

void bind_frames(nb::module_& m) {
  nb::class_<FrameNames>(
      m, "Frame",
      "A frame by names: with the origin of one and the axes of another, or of the same.\n\n"
      "Frame(\"tool\", \"world\") is tool[world]: at the tool, parallel to the world. Names are "
      "those "
      "of bodies, of named frames, or \"world\"; a tree looks them up when the frame is used.")
      .def(
          "__init__",
          [](FrameNames* self, const std::string& origin, const std::optional<std::string>& axes) {
            new (self) FrameNames{origin, axes.value_or(origin)};
          },
          nb::arg("origin"), nb::arg("axes") = nb::none(),
          "Names of the frames that give the origin and the axes (None: the same).")
      .def_ro("origin", &FrameNames::origin, "The name of the frame whose origin it has.")
      .def_ro("axes", &FrameNames::axes, "The name of the frame whose axes it has.")
      .def(
          "axes_of",
          [](const FrameNames& f, const std::string& name) {
            return FrameNames{f.origin, name};
          },
          nb::arg("name"), "The frame with the same origin and the axes of the one named.")
      .def(nb::self == nb::self, nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__",
           [](const FrameNames& f) { return nb::hash(nb::make_tuple(f.origin, f.axes)); })
      .def("__str__", &names_text)
      .def("__repr__",
           [](const FrameNames& f) {
             const nb::object origin = nb::cast(f.origin), axes = nb::cast(f.axes);
             const nb::str a = nb::repr(origin), b = nb::repr(axes);
             return std::string("Frame(") + a.c_str() +
                    (f.axes == f.origin ? "" : std::string(", ") + b.c_str()) + ")";
           })
      .def(
          "__reduce__",
          [](nb::handle self) {
            const auto& f = nb::cast<const FrameNames&>(self);
            const nb::object type = nb::borrow(self.type());
            return nb::make_tuple(type, nb::make_tuple(f.origin, f.axes));
          },
          nb::sig("def __reduce__(self) -> tuple[type[Frame], tuple[str, str]]"));
  m.def(
      "origin_of",
      [](const std::string& name) {
        return FrameNames{name, name};
      },
      nb::arg("name"),
      "origin_of(\"tool\").axes_of(\"world\") is tool[world]; alone it is the frame itself.");
}

}  // namespace axode::python
