/// Trees pickled and copied: as text in the geometry form that reads back to the same bits, and
/// beside it what a file does not say.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "axode/core/error.hpp"
#include "axode/io/native/native.hpp"
#include "src/model/model.hpp"
#include "src/shared/arrays.hpp"

namespace axode::python {
namespace {

/// Geometry form, joint frame, and where meshes were found.
using BodyState = std::tuple<std::string, SE3<double>, std::vector<std::string>>;
using WarningState = std::pair<std::string, bool>;
using TreeState = std::tuple<std::string, std::string, std::vector<BodyState>,
                             std::vector<WarningState>, std::optional<std::uint32_t>>;

TreeState state_of(const Tree& tree) {
  TreeState state{native_text(tree, {.form = GeometryForm::body_screws, .parts = {}}),
                  tree.source,
                  {},
                  {},
                  tree.source_crc32};
  for (const Body& body : tree.bodies) {
    std::vector<std::string> found;
    for (const Shape& shape : body.shapes) found.push_back(shape.mesh_path);
    std::get<2>(state).emplace_back(name(body.form), body.T_BJ, std::move(found));
  }
  for (const Warning& w : tree.warnings) std::get<3>(state).emplace_back(w.text, w.impossible);
  return state;
}

Tree tree_of(const TreeState& state) {
  const auto& [text, source, bodies, warnings, source_crc32] = state;
  Tree tree = build(parse_native(text, source));
  tree.source_crc32 = source_crc32;
  const auto refuse = [] { throw Error("its parts do not fit together", "pickled tree"); };
  if (bodies.size() != tree.bodies.size()) refuse();
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const auto& [form, T_BJ, found] = bodies[i];
    Body& body = tree.bodies[i];
    if (found.size() != body.shapes.size()) refuse();
    body.form = geometry_form(form);
    body.T_BJ = T_BJ;
    for (std::size_t k = 0; k < found.size(); ++k) body.shapes[k].mesh_path = found[k];
  }
  tree.warnings.clear();
  for (const auto& [said, impossible] : warnings) tree.warnings.push_back({said, impossible});
  return tree;
}

}  // namespace

void bind_tree_pickle(nb::class_<PyTree>& type) {
  type.def(
          "__getstate__", [](const PyTree& t) { return state_of(t.tree); },
          nb::sig("def __getstate__(self) -> tuple[object, ...]"))
      .def(
          "__setstate__",
          [](PyTree& t, const TreeState& state) { new (&t) PyTree(tree_of(state)); },
          nb::sig("def __setstate__(self, state: tuple[object, ...], /) -> None"))
      // A tree does not change: it is its own copy.
      .def(
          "__copy__", [](nb::handle self) { return nb::borrow(self); },
          nb::sig("def __copy__(self) -> Tree"))
      .def(
          "__deepcopy__", [](nb::handle self, nb::handle) { return nb::borrow(self); },
          nb::arg("memo"), nb::sig("def __deepcopy__(self, memo: object) -> Tree"));
}

}  // namespace axode::python
