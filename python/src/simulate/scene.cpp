/// Scenes: tree, forces and initial state from one model file.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/vector.h>

#include "axode/io/scene_file.hpp"
#include "src/simulate/simulate.hpp"

namespace axode::python {
namespace {

nb::object scene_tuple(Scene scene) {
  auto* tree = new PyTree(std::move(scene.tree));
  const nb::object tree_object = nb::cast(tree, nb::rv_policy::take_ownership);
  return nb::make_tuple(tree_object,
                        nb::cast(PyForces{tree_object, &tree->tree, std::move(scene.forces)}),
                        array(scene.initial.q), array(scene.initial.v));
}

}  // namespace

void bind_scene(nb::module_& m) {
  m.def(
      "_load_scene",
      [](const std::filesystem::path& path, const std::vector<std::filesystem::path>& mesh_roots,
         bool free_base, std::string_view base_velocity, bool merge_fixed) {
        LoadOptions options;
        options.mesh_roots = mesh_roots;
        options.free_base = free_base;
        options.base_velocity = representation(base_velocity);
        options.build.merge_fixed_joints = merge_fixed;
        return scene_tuple(load_scene(path, options));
      },
      nb::arg("path"), nb::arg("mesh_roots"), nb::arg("free_base"), nb::arg("base_velocity"),
      nb::arg("merge_fixed"));
  m.def(
      "_parse_scene",
      [](std::string_view text, const std::string& source) {
        return scene_tuple(parse_scene(text, source));
      },
      nb::arg("text"), nb::arg("source"));
}

}  // namespace axode::python
