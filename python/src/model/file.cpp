/// Trees from and to files and texts: axode/io/{model_file,urdf,native}.hpp.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "axode/core/error.hpp"
#include "axode/io/model_file.hpp"
#include "axode/io/native/native.hpp"
#include "axode/io/urdf/urdf.hpp"
#include "src/model/model.hpp"
#include "src/shared/arrays.hpp"

namespace axode::python {
namespace {

using Path = std::filesystem::path;
using Paths = std::vector<Path>;

/// Reads and builds without the GIL, as files may be large and far away.
template <class F>
PyTree* made(F&& read, bool merge_fixed_joints) {
  const GilRelease release;
  return new PyTree(build(read(), BuildOptions{merge_fixed_joints}));
}

UrdfOptions urdf_options(Paths mesh_roots, bool free_base, std::string_view base_velocity) {
  return {std::move(mesh_roots), free_base, free_velocity(base_velocity, "base_velocity")};
}

PyTree* load(const Path& path, bool free_base, std::string_view base_velocity, Paths mesh_roots,
             bool merge) {
  const LoadOptions options{std::move(mesh_roots), free_base,
                            free_velocity(base_velocity, "base_velocity"), BuildOptions{merge}};
  const GilRelease release;
  return new PyTree(load_tree(path, options));
}
void save(const PyTree& t, const Path& path, bool overwrite) {
  const GilRelease release;
  save_tree(t.tree, path, overwrite);
}
std::string to_text(const PyTree& t, const std::optional<std::string>& form) {
  NativeWriteOptions options;
  if (form) options.form = geometry_form(*form);
  return native_text(t.tree, options);
}
std::string to_urdf(const PyTree& t) { return urdf_text(t.tree); }

constexpr const char* save_text =
    "Writes the tree in the format of the ending, .urdf, .xml or .json, all or nothing. Raises "
    "IoError if the file exists, unless overwrite.";
constexpr const char* to_urdf_text =
    "The tree as URDF: the same bodies, inertias, shapes and poses, with massless links where URDF "
    "has no such joint. Raises Error on what it cannot say, such as quaternion joints.";
constexpr const char* to_text_text =
    "The tree in Axode's own format (JSON), all but its warnings. form: the geometry form of all "
    "bodies; None: that in which each was given. In 'body_screws' the geometry reads back to the "
    "same bits, in the others to rounding.";
constexpr const char* load_text =
    "Reads a model file, URDF (.urdf, .xml) or Axode's own format (.json). mesh_roots: folders in "
    "which meshes are looked for, beside that of the file. URDF only: free_base puts the root link "
    "on a free joint with that form of velocity. Raises IoError if the file cannot be read, Error "
    "\"file:line: problem; remedy\" if it is not a model.";

void bind_reading(nb::class_<PyTree>& type) {
  type.def_static(
          "from_urdf",
          [](const Path& path, bool free_base, std::string_view base_velocity, Paths mesh_roots,
             bool merge) {
            const auto options = urdf_options(std::move(mesh_roots), free_base, base_velocity);
            return made([&] { return read_urdf(path, options); }, merge);
          },
          nb::arg("path"), nb::kw_only(), nb::arg("free_base") = false,
          nb::arg("base_velocity") = "body", nb::arg("mesh_roots") = Paths{},
          nb::arg("merge_fixed_joints") = false,
          nb::sig("def from_urdf(path: str | os.PathLike[str], *, free_base: bool = False, "
                  "base_velocity: axode.typing.FreeVelocity = 'body', "
                  "mesh_roots: collections.abc.Sequence[str | os.PathLike[str]] = (), "
                  "merge_fixed_joints: bool = False) -> Tree"),
          "Reads a URDF file, of any ending. Links become bodies in their link frames. free_base: "
          "the root link is on a free joint, whose velocity has the form base_velocity, instead of "
          "being fixed to the world. mesh_roots: folders in which meshes are looked for, beside "
          "that of the file. What is only odd leaves warnings. Raises IoError if the file cannot "
          "be read, Error \"file:line: problem; remedy\" if it is not a model.")
      .def_static(
          "from_urdf_text",
          [](const std::string& text, std::string source, bool free_base,
             std::string_view base_velocity, Paths mesh_roots, bool merge) {
            const auto options = urdf_options(std::move(mesh_roots), free_base, base_velocity);
            return made([&] { return parse_urdf(text, std::move(source), options); }, merge);
          },
          nb::arg("text"), nb::kw_only(), nb::arg("source") = "", nb::arg("free_base") = false,
          nb::arg("base_velocity") = "body", nb::arg("mesh_roots") = Paths{},
          nb::arg("merge_fixed_joints") = false,
          nb::sig("def from_urdf_text(text: str, *, source: str = '', free_base: bool = False, "
                  "base_velocity: axode.typing.FreeVelocity = 'body', "
                  "mesh_roots: collections.abc.Sequence[str | os.PathLike[str]] = (), "
                  "merge_fixed_joints: bool = False) -> Tree"),
          "The model in a text of URDF. source: its name in messages.")
      .def_static("from_file", &load, nb::arg("path"), nb::kw_only(), nb::arg("free_base") = false,
                  nb::arg("base_velocity") = "body", nb::arg("mesh_roots") = Paths{},
                  nb::arg("merge_fixed_joints") = false,
                  nb::sig("def from_file(path: str | os.PathLike[str], *, free_base: bool = False, "
                          "base_velocity: axode.typing.FreeVelocity = 'body', "
                          "mesh_roots: collections.abc.Sequence[str | os.PathLike[str]] = (), "
                          "merge_fixed_joints: bool = False) -> Tree"),
                  load_text)
      .def_static(
          "from_text",
          [](const std::string& text, std::string source, Paths mesh_roots, bool merge) {
            const NativeOptions options{std::move(mesh_roots)};
            return made([&] { return parse_native(text, std::move(source), options); }, merge);
          },
          nb::arg("text"), nb::kw_only(), nb::arg("source") = "", nb::arg("mesh_roots") = Paths{},
          nb::arg("merge_fixed_joints") = false,
          nb::sig("def from_text(text: str, *, source: str = '', "
                  "mesh_roots: collections.abc.Sequence[str | os.PathLike[str]] = (), "
                  "merge_fixed_joints: bool = False) -> Tree"),
          "The model in a text of Axode's own format (JSON). source: its name in messages.");
}

void bind_free_functions(nb::module_& m) {
  m.def("load_tree", &load, nb::arg("path"), nb::kw_only(), nb::arg("free_base") = false,
        nb::arg("base_velocity") = "body", nb::arg("mesh_roots") = Paths{},
        nb::arg("merge_fixed_joints") = false,
        nb::sig("def load_tree(path: str | os.PathLike[str], *, free_base: bool = False, "
                "base_velocity: axode.typing.FreeVelocity = 'body', "
                "mesh_roots: collections.abc.Sequence[str | os.PathLike[str]] = (), "
                "merge_fixed_joints: bool = False) -> Tree"),
        load_text);
  m.def("save_tree", &save, nb::arg("tree"), nb::arg("path"), nb::arg("overwrite") = false,
        nb::sig("def save_tree(tree: Tree, path: str | os.PathLike[str], "
                "overwrite: bool = False) -> None"),
        save_text);
  m.def("urdf_text", &to_urdf, nb::arg("tree"), to_urdf_text);
  m.def("native_text", &to_text, nb::arg("tree"), nb::arg("form") = nb::none(),
        nb::sig("def native_text(tree: Tree, form: axode.typing.GeometryForm | None = None) -> "
                "str"),
        to_text_text);
  m.def(
      "model_format",
      [](const Path& path) { return model_format(path) == ModelFormat::urdf ? "urdf" : "native"; },
      nb::arg("path"),
      nb::sig("def model_format(path: str | os.PathLike[str]) -> "
              "typing.Literal['urdf', 'native']"),
      "The format of a model file, by its ending or else its first character.");
}

}  // namespace

void bind_tree_files(nb::module_& m, nb::class_<PyTree>& type) {
  bind_reading(type);
  type.def("save", &save, nb::arg("path"), nb::arg("overwrite") = false,
           nb::sig("def save(self, path: str | os.PathLike[str], overwrite: bool = False) -> None"),
           save_text)
      .def("to_urdf", &to_urdf, to_urdf_text)
      .def("to_text", &to_text, nb::arg("form") = nb::none(),
           nb::sig("def to_text(self, form: axode.typing.GeometryForm | None = None) -> str"),
           to_text_text);
  bind_free_functions(m);
}

}  // namespace axode::python
