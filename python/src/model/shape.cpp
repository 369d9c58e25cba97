/// Shapes of bodies, for drawing and collision.
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include "axode/core/error.hpp"
#include "axode/model/description.hpp"
#include "src/lie/lie.hpp"
#include "src/model/model.hpp"

namespace axode::python {
namespace {

constexpr const char* kinds[] = {"box", "cylinder", "sphere", "capsule", "mesh"};

/// A box has three sides, a cylinder and a capsule radius and length, a sphere its radius.
Vec3<double> size_of(Shape::Kind kind, nb::handle value) {
  constexpr std::size_t numbers_of[] = {3, 2, 1, 2, 0};
  const std::size_t wanted = numbers_of[static_cast<int>(kind)];
  if (value.is_none()) {
    if (kind == Shape::Kind::mesh) return {};
    throw Error("is missing for a " + std::string(kinds[static_cast<int>(kind)]), "size",
                "give the sides of a box, radius and length, or a radius [m]");
  }
  const Numbers numbers(value, "size");
  const auto given = numbers.all();
  const auto zero = [](double x) { return x == 0; };
  if (numbers.shape().size() > 1 || given.size() > 3 || given.size() < wanted ||
      !std::all_of(given.begin() + static_cast<std::ptrdiff_t>(wanted), given.end(), zero))
    throw Error("a " + std::string(kinds[static_cast<int>(kind)]) + " has " +
                    std::to_string(wanted) + " lengths",
                "size", "give the sides of a box, radius and length, or a radius [m]");
  Vec3<double> size{};
  for (std::size_t i = 0; i < wanted; ++i) size[static_cast<int>(i)] = given[i];
  return size;
}

std::optional<std::array<double, 4>> colour_of(nb::handle value) {
  if (value.is_none()) return {};
  const std::vector<double> c = vector(value, "rgba");
  if (c.size() != 4) throw Error("has " + std::to_string(c.size()) + " numbers", "rgba", "give 4");
  for (const double x : c)
    if (!(x >= 0 && x <= 1)) throw Error("has a number outside 0 to 1", "rgba");
  return std::array{c[0], c[1], c[2], c[3]};
}

/// What a shape is made of, in the order of its members.
using Numbers3 = std::array<double, 3>;
using ShapeState =
    std::tuple<int, bool, std::string, SE3<double>, Numbers3, std::string, std::string, Numbers3,
               std::string, std::optional<std::array<double, 4>>, std::string>;
ShapeState state_of(const Shape& s) {
  return {static_cast<int>(s.kind),
          s.collision,
          s.name,
          s.pose,
          {s.size.x, s.size.y, s.size.z},
          s.mesh,
          s.mesh_path,
          {s.scale.x, s.scale.y, s.scale.z},
          s.material,
          s.rgba,
          s.texture};
}
Shape shape_of(const ShapeState& state) {
  const auto& [kind, collision, name, pose, size, mesh, mesh_path, scale, material, rgba, texture] =
      state;
  if (kind < 0 || kind >= static_cast<int>(std::size(kinds)))
    throw Error("its parts do not fit together", "pickled shape");
  return {static_cast<Shape::Kind>(kind),
          collision,
          name,
          pose,
          {size[0], size[1], size[2]},
          mesh,
          mesh_path,
          {scale[0], scale[1], scale[2]},
          material,
          rgba,
          texture};
}

}  // namespace

void bind_shapes(nb::module_& m) {
  nb::class_<Shape>(m, "Shape",
                    "The shape of a body for drawing or collision, at a pose T_BS in the body "
                    "frame. It plays no part in kinematics and dynamics.")
      .def(
          "__init__",
          [](Shape* self, std::string_view kind, nb::handle size, nb::handle at, bool collision,
             std::string name, std::string mesh, nb::handle scale, std::string material,
             nb::handle rgba, std::string texture) {
            Shape shape;
            shape.kind = static_cast<Shape::Kind>(
                choice(kind, "kind", {kinds[0], kinds[1], kinds[2], kinds[3], kinds[4]}));
            shape.size = size_of(shape.kind, size);
            shape.pose = pose_or_identity(at, "pose");
            shape.collision = collision;
            shape.name = std::move(name);
            shape.mesh = std::move(mesh);
            if (!scale.is_none()) shape.scale = vec3(scale, "scale");
            shape.material = std::move(material);
            shape.rgba = colour_of(rgba);
            shape.texture = std::move(texture);
            if ((shape.kind == Shape::Kind::mesh) != !shape.mesh.empty())
              throw Error("a shape of kind 'mesh' has a file, and no other", "mesh",
                          "give mesh=\"part.stl\" with it");
            new (self) Shape(std::move(shape));
          },
          nb::arg("kind"), nb::arg("size") = nb::none(), nb::kw_only(),
          nb::arg("pose") = nb::none(), nb::arg("collision") = false, nb::arg("name") = "",
          nb::arg("mesh") = "", nb::arg("scale") = nb::none(), nb::arg("material") = "",
          nb::arg("rgba") = nb::none(), nb::arg("texture") = "",
          nb::sig("def __init__(self, kind: axode.typing.ShapeKind, "
                  "size: float | axode.typing.ArrayLike | None = None, *, "
                  "pose: axode.typing.PoseLike | None = None, collision: bool = False, "
                  "name: str = '', mesh: str = '', scale: axode.typing.ArrayLike | None = None, "
                  "material: str = '', rgba: axode.typing.ArrayLike | None = None, "
                  "texture: str = '') -> None"),
          "size [m]: the three sides of a box; radius and length along z of a cylinder or capsule; "
          "the radius of a sphere. mesh: a file, such as \"package://arm/link1.stl\", and scale "
          "its factors (3,). rgba: four numbers from 0 to 1.")
      .def_prop_ro(
          "kind", [](const Shape& s) { return kinds[static_cast<int>(s.kind)]; },
          nb::sig("def kind(self) -> axode.typing.ShapeKind"), "'box', 'cylinder', ...")
      .def_ro("collision", &Shape::collision, "For collision; else visual.")
      .def_ro("name", &Shape::name, "May be empty.")
      .def_prop_ro(
          "pose", [](const Shape& s) { return s.pose; }, "T_BS in the body frame.")
      .def_prop_ro(
          "size", [](const Shape& s) { return array(s.size); },
          nb::sig("def size(self) -> axode.typing.Array"),
          "Three numbers [m]: sides; radius, length; or radius; the rest zero.")
      .def_ro("mesh", &Shape::mesh, "The file as written.")
      .def_ro("mesh_path", &Shape::mesh_path, "Where that file was found; empty if it was not.")
      .def_prop_ro(
          "scale", [](const Shape& s) { return array(s.scale); },
          nb::sig("def scale(self) -> axode.typing.Array"), "Factors of the mesh, (3,).")
      .def_ro("material", &Shape::material, "Its name; may be empty.")
      .def_prop_ro(
          "rgba", [](const Shape& s) -> nb::object { return s.rgba ? array(*s.rgba) : nb::none(); },
          nb::sig("def rgba(self) -> axode.typing.Array | None"), "Four numbers from 0 to 1.")
      .def_ro("texture", &Shape::texture, "A file; may be empty.")
      .def(
          "__eq__", [](const Shape& a, const Shape& b) { return state_of(a) == state_of(b); },
          nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def(
          "__getstate__", [](const Shape& s) { return state_of(s); },
          nb::sig("def __getstate__(self) -> tuple[object, ...]"))
      .def(
          "__setstate__",
          [](Shape& s, const ShapeState& state) { new (&s) Shape(shape_of(state)); },
          nb::sig("def __setstate__(self, state: tuple[object, ...], /) -> None"))
      .def("__repr__", [](const Shape& s) {
        const bool mesh = s.kind == Shape::Kind::mesh;
        return std::string("Shape('") + kinds[static_cast<int>(s.kind)] +
               (mesh ? "', mesh='" + s.mesh + "')" : "', " + text(s.size) + ")");
      });
}

}  // namespace axode::python
