/// Functions of beams and their modes: axode/flexible/beam/beam.hpp, mode_shape.hpp, ritz_modes.hpp,
/// modal_invariants.hpp.
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>

#include "axode/core/error.hpp"
#include "axode/flexible/beam/ritz_modes.hpp"
#include "src/flexible/flexible.hpp"
#include "src/shared/results.hpp"

namespace axode::python {
namespace {

using Modes = std::vector<BeamMode>;

/// Places along a beam: one number, or an array of them.
class Places {
 public:
  explicit Places(nb::handle value) : numbers_(value, "x") {
    if (numbers_.shape().size() > 1)
      throw Error("has more than one dimension", "x", "give one place or an array (n,) of them");
    check_finite(numbers_.all(), "x");
  }
  bool many() const noexcept { return numbers_.shape().size() == 1; }
  std::span<const double> all() const noexcept { return numbers_.all(); }
  Output output(std::initializer_list<std::size_t> shape) const {
    std::vector<std::size_t> whole(shape);
    if (many()) whole.insert(whole.begin(), all().size());
    return Output(whole);
  }
  nb::object of(const Output& output) const {
    return many() ? output.array : nb::object(nb::float_(output.data[0]));
  }

 private:
  Numbers numbers_;
};

nb::object values_of(const ModeShape& shape, nb::handle x_argument) {
  const Places x(x_argument);
  const Output value = x.output({}), slope = x.output({}), curvature = x.output({});
  for (std::size_t i = 0; i < x.all().size(); ++i) {
    const ShapeValue v = shape_at(shape, x.all()[i]);
    value.data[i] = v.value;
    slope.data[i] = v.slope;
    curvature.data[i] = v.curvature;
  }
  return result("ShapeValue", x.of(value), x.of(slope), x.of(curvature));
}

nb::object stations(const Beam& beam, const Modes& modes, nb::handle x_argument) {
  const Places x(x_argument);
  const std::size_t m = modes.size();
  const Output displacement = x.output({m}), angle = x.output({m}), shortening = x.output({m, m});
  for (std::size_t i = 0; i < x.all().size(); ++i) {
    const double place = x.all()[i];
    if (!(place >= 0 && place <= beam.length))
      throw Error("there is no section at " + std::to_string(place) + " m", "x",
                  "choose one in [0, " + std::to_string(beam.length) + "] m");
    const StationModes at = station_modes(beam, modes, place);
    std::ranges::copy(at.displacement, displacement.data + i * m);
    std::ranges::copy(at.angle, angle.data + i * m);
    std::ranges::copy(at.shortening, shortening.data + i * m * m);
  }
  const nb::object places = x.many() ? array(x.all()) : nb::object(nb::float_(x.all()[0]));
  return result("StationModes", places, displacement.array, angle.array, shortening.array);
}

nb::object invariants(const Beam& beam, const Modes& modes) {
  const ModalInvariants v = modal_invariants(beam, modes);
  const std::size_t m = v.modes;
  const auto square = [m](const std::vector<double>& numbers) { return matrix(numbers, m, m); };
  const auto count = [&](std::size_t d) {
    return static_cast<std::size_t>(v.first[d + 1] - v.first[d]);
  };
  const auto three = [](const auto& lists, std::initializer_list<std::size_t> shape) {
    std::vector<std::size_t> whole(shape);
    whole.insert(whole.begin(), 3);
    const Output all{std::span<const std::size_t>(whole)};
    double* to = all.data;
    for (const auto& list : lists) to = std::ranges::copy(list, to).out;
    return all.array;
  };
  nb::list nodes;
  for (const ModalInvariants::Node& node : v.nodes)
    nodes.append(result("InvariantNode", node.at.x, array(node.at.displacement),
                        array(node.at.angle), square(node.at.shortening), node.mass,
                        array(node.inertia)));
  return result("ModalInvariants", v.modes, std::vector<int>(v.first.begin(), v.first.end()),
                v.length, v.mass, v.first_moment, v.second_moment, array(v.mean), array(v.lever),
                square(v.product), array(v.rotary), three(v.angle, {m}),
                three(v.angle_product, {m, m}),
                three(v.angle_triple, {count(0), count(1), count(2)}), square(v.stiffness),
                square(v.shortening), square(v.shortening_lever), nodes);
}

}  // namespace

void bind_flexible_modes_of_beams(nb::module_& m) {
  m.def(
      "shape_at", &values_of, nb::arg("shape"), nb::arg("x"),
      nb::sig("def shape_at(shape: ModeShape, x: axode.typing.ArrayLike) -> "
              "axode._results.flexible.ShapeValue"),
      "Value, slope [1/m] and curvature [1/m^2] of a shape at x [m], one place or an array (n,).");
  m.def("polynomial_shape", &polynomial_shape, nb::arg("length"), nb::arg("coefficients"),
        "The shape sum of coefficients[n] (x/length)^n.");
  m.def("sampled_shape", &sampled_shape, nb::arg("length"), nb::arg("places"), nb::arg("values"),
        nb::arg("clamped") = true,
        "A twice differentiable shape through values at places [m] from 0 to the length; clamped "
        "ones have value and slope zero at x = 0.");
  m.def(
      "section_at",
      [](const Beam& beam, double x) {
        if (!(x >= 0 && x <= beam.length))
          throw Error("there is no section at " + std::to_string(x) + " m", "section_at",
                      "choose one in [0, " + std::to_string(beam.length) + "] m");
        return section_at(beam, x);
      },
      nb::arg("beam"), nb::arg("x"), "The section at x [m].");
  m.def("is_uniform", &is_uniform, nb::arg("beam"), "Whether all sections are equal.");
  m.def(
      "beam_modes",
      [](const Beam& beam, std::string_view direction, int count, const ModeBoundary& boundary) {
        return beam_modes(beam, direction_named(direction), count, boundary);
      },
      nb::arg("beam"), nb::arg("direction"), nb::arg("count"), nb::arg("boundary") = ModeBoundary{},
      nb::call_guard<GilRelease>(),
      nb::sig("def beam_modes(beam: Beam, direction: axode.typing.ModeDirection, count: int, "
              "boundary: ModeBoundary = ...) -> list[BeamMode]"),
      "The first `count` modes of a direction, with their frequencies. Uniform beams: roots of the "
      "characteristic equations to rounding; tapered ones: Ritz's method.");
  m.def(
      "ritz_modes",
      [](const Beam& beam, std::string_view direction, int count, const ModeBoundary& boundary) {
        if (count < 1 || count > 100)
          throw Error(std::to_string(count) + " modes", "ritz_modes", "ask for 1 to 100");
        for (const double tip : {boundary.tip_mass, boundary.tip_inertia})
          if (!(tip >= 0) || !std::isfinite(tip))
            throw Error("the mass or inertia at the tip is " + std::to_string(tip), "ritz_modes",
                        "give zero or a positive number");
        return ritz_modes(beam, direction_named(direction), count, boundary);
      },
      nb::arg("beam"), nb::arg("direction"), nb::arg("count"), nb::arg("boundary") = ModeBoundary{},
      nb::call_guard<GilRelease>(),
      nb::sig("def ritz_modes(beam: Beam, direction: axode.typing.ModeDirection, count: int, "
              "boundary: ModeBoundary = ...) -> list[BeamMode]"),
      "The same by Ritz's method for any beam, of unit largest value.");
  m.def(
      "orthogonality",
      [](const Beam& beam, const Modes& modes, const ModeBoundary& boundary) {
        const Orthogonality o = orthogonality(beam, modes, boundary);
        return result("Orthogonality", o.mass, o.stiffness);
      },
      nb::arg("beam"), nb::arg("modes"), nb::arg("boundary") = ModeBoundary{},
      nb::sig("def orthogonality(beam: Beam, modes: collections.abc.Sequence[BeamMode], "
              "boundary: ModeBoundary = ...) -> axode._results.flexible.Orthogonality"),
      "Largest cosine between modes by mass and by stiffness, which should be zero.");
  m.def(
      "check_modes",
      [](const Beam& beam, const Modes& modes, const ModeBoundary& boundary) {
        check_modes(beam, modes, boundary, "check_modes");
      },
      nb::arg("beam"), nb::arg("modes"), nb::arg("boundary") = ModeBoundary{},
      nb::sig("def check_modes(beam: Beam, modes: collections.abc.Sequence[BeamMode], "
              "boundary: ModeBoundary = ...) -> None"),
      "Raises Error if a shape does not meet what clamps or pins it.");
  m.def("station_modes", &stations, nb::arg("beam"), nb::arg("modes"), nb::arg("x"),
        nb::sig("def station_modes(beam: Beam, modes: collections.abc.Sequence[BeamMode], "
                "x: axode.typing.ArrayLike) -> axode._results.flexible.StationModes"),
        "All modes at x [m], one place or an array (n,) of them.");
  m.def("modal_invariants", &invariants, nb::arg("beam"), nb::arg("modes"),
        nb::sig("def modal_invariants(beam: Beam, modes: collections.abc.Sequence[BeamMode]) -> "
                "axode._results.flexible.ModalInvariants"),
        "The integrals over a beam that its equations of motion need; modes in the order torsion, "
        "bend_y, bend_z, axial.");
}

}  // namespace axode::python
