/// Beams and the values that describe their modes: axode/flexible/beam/beam.hpp, mode_shape.hpp.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "axode/core/error.hpp"
#include "axode/core/finite.hpp"
#include "src/flexible/flexible.hpp"

namespace axode::python {
namespace {

constexpr std::array<const char*, 6> shape_names{"bending",    "pinned",   "sine",
                                                 "polynomial", "legendre", "samples"};
constexpr std::array<const char*, 2> root_names{"clamped", "pinned"};

void want(bool holds, const char* problem) {
  if (!holds) throw Error(problem, "ModeShape", "see its documentation");
}
/// What shape_at relies on.
void check_shape(const ModeShape& s) {
  want(std::isfinite(s.length) && s.length > 0, "the length is not positive");
  for (const double x : {s.wave_number, s.one_minus_sigma, s.tip_sinh, s.root_slope, s.scale})
    want(std::isfinite(x), "a number is not finite");
  for (const auto* numbers : {&s.numbers, &s.places, &s.slopes, &s.curvatures})
    want(axode::all_finite(*numbers), "a number is not finite");
  want(s.integrations >= 0 && s.integrations <= 2, "integrations are not 0, 1 or 2");
  if (s.kind == ModeShape::Kind::polynomial || s.kind == ModeShape::Kind::legendre)
    want(!s.numbers.empty() && s.numbers.size() <= 1000, "there are no coefficients, or too many");
  if (s.kind != ModeShape::Kind::samples) return;
  const std::size_t n = s.places.size();
  want(n >= 3 && s.numbers.size() == n && s.slopes.size() == n && s.curvatures.size() == n,
       "samples have not as many values, slopes and curvatures as places");
  want(std::ranges::is_sorted(s.places, std::less_equal<>{}), "places do not rise");
}

void bind_shape(nb::module_& m) {
  auto shape = nb::class_<ModeShape>(
      m, "ModeShape",
      "The shape of a mode along a beam of the length L. Kinds: \"bending\" C (cosh bx - cos bx - "
      "s (sinh bx - sin bx)), \"pinned\" C (sin bx + h sinh bx / sinh bL), \"sine\" C sin kx, "
      "\"polynomial\" C sum of c_n (x/L)^n, \"legendre\" C (root slope x + the series of P_n(2x/L "
      "- "
      "1), integrated from 0), \"samples\" C times splines (made by sampled_shape).");
  shape
      .def(
          "__init__",
          [](ModeShape* self, std::string_view kind, double length, double wave_number,
             double one_minus_sigma, double tip_sinh, double root_slope, int integrations,
             double scale, std::vector<double> places, std::vector<double> numbers,
             std::vector<double> slopes, std::vector<double> curvatures) {
            ModeShape made;
            made.kind = static_cast<ModeShape::Kind>(choice(
                kind, "kind", {"bending", "pinned", "sine", "polynomial", "legendre", "samples"}));
            made.length = length;
            made.wave_number = wave_number;
            made.one_minus_sigma = one_minus_sigma;
            made.tip_sinh = tip_sinh;
            made.root_slope = root_slope;
            made.integrations = integrations;
            made.scale = scale;
            made.places = std::move(places);
            made.numbers = std::move(numbers);
            made.slopes = std::move(slopes);
            made.curvatures = std::move(curvatures);
            check_shape(made);
            new (self) ModeShape(std::move(made));
          },
          nb::arg("kind") = "sine", nb::arg("length") = 1., nb::arg("wave_number") = 0.,
          nb::arg("one_minus_sigma") = 0., nb::arg("tip_sinh") = 0., nb::arg("root_slope") = 0.,
          nb::arg("integrations") = 0, nb::arg("scale") = 1.,
          nb::arg("places") = std::vector<double>{}, nb::arg("numbers") = std::vector<double>{},
          nb::arg("slopes") = std::vector<double>{}, nb::arg("curvatures") = std::vector<double>{})
      .def_prop_ro(
          "kind", [](const ModeShape& s) { return shape_names[std::size_t(s.kind)]; },
          "The kind, see the class.")
      .def_ro("length", &ModeShape::length, "L [m]")
      .def_ro("wave_number", &ModeShape::wave_number, "b or k [1/m]")
      .def_ro("one_minus_sigma", &ModeShape::one_minus_sigma, "1 - s of bending")
      .def_ro("tip_sinh", &ModeShape::tip_sinh, "h of pinned")
      .def_ro("root_slope", &ModeShape::root_slope, "of legendre [1/m]")
      .def_ro("integrations", &ModeShape::integrations, "of legendre: 0, 1 or 2")
      .def_ro("scale", &ModeShape::scale, "C")
      .def_ro("places", &ModeShape::places, "of samples [m]")
      .def_ro("numbers", &ModeShape::numbers, "coefficients, or values at the places")
      .def_ro("slopes", &ModeShape::slopes, "at the places [1/m]")
      .def_ro("curvatures", &ModeShape::curvatures, "at the places [1/m^2]");
  value_type(shape, {"kind", "length", "wave_number", "one_minus_sigma", "tip_sinh", "root_slope",
                     "integrations", "scale", "places", "numbers", "slopes", "curvatures"});
}

void bind_boundary(nb::module_& m) {
  auto boundary = nb::class_<ModeBoundary>(
      m, "ModeBoundary",
      "What holds a beam, and what hangs at its end; of modes of one direction.");
  boundary
      .def(
          "__init__",
          [](ModeBoundary* self, std::string_view root, double tip_mass, double tip_inertia) {
            new (self) ModeBoundary{
                static_cast<ModeBoundary::Root>(choice(root, "root", {"clamped", "pinned"})),
                tip_mass, tip_inertia};
          },
          nb::arg("root") = "clamped", nb::arg("tip_mass") = 0., nb::arg("tip_inertia") = 0.)
      .def_prop_ro(
          "root", [](const ModeBoundary& b) { return root_names[std::size_t(b.root)]; },
          "\"clamped\" or \"pinned\".")
      .def_ro("tip_mass", &ModeBoundary::tip_mass, "[kg], for bending and axial modes")
      .def_ro("tip_inertia", &ModeBoundary::tip_inertia,
              "about the tip and the axis the mode turns about [kg m^2]");
  value_type(boundary, {"root", "tip_mass", "tip_inertia"});
}

void bind_mode(nb::module_& m) {
  auto mode = nb::class_<BeamMode>(m, "BeamMode", "A mode of a beam: direction and shape.");
  mode.def(
          "__init__",
          [](BeamMode* self, std::string_view direction, const ModeShape& shape, double frequency) {
            new (self) BeamMode{direction_named(direction), shape, frequency};
          },
          nb::arg("direction"), nb::arg("shape"), nb::arg("frequency") = 0.)
      .def_prop_ro(
          "direction", [](const BeamMode& b) { return std::string(name(b.direction)); },
          "\"torsion\", \"bend_y\", \"bend_z\" or \"axial\".")
      .def_ro("shape", &BeamMode::shape, "Its shape along the beam.")
      .def_ro("frequency", &BeamMode::frequency,
              "Of the beam alone with the boundary it was made for [rad/s]; 0: not known.");
  value_type(mode, {"direction", "shape", "frequency"});

  using Modes = std::vector<BeamMode>;
  auto request = nb::class_<ModeRequest>(
      m, "ModeRequest",
      "Which modes a beam gets: how many of each direction, for which boundaries, and `given` "
      "shapes beside them. x: of torsion (tip inertia about x) and axial motion (tip mass); y, z: "
      "of bending along y and z. With outboard_mass and outboard_inertia tip masses and inertias "
      "are those of all that hangs at the tip.");
  request
      .def(
          "__init__",
          [](ModeRequest* self, int torsion, int bend_y, int bend_z, int axial,
             const ModeBoundary& y, const ModeBoundary& z, const ModeBoundary& x,
             bool outboard_mass, bool outboard_inertia, Modes given) {
            new (self) ModeRequest{torsion, bend_y,        bend_z,           axial,           y, z,
                                   x,       outboard_mass, outboard_inertia, std::move(given)};
          },
          nb::arg("torsion") = 2, nb::arg("bend_y") = 2, nb::arg("bend_z") = 2,
          nb::arg("axial") = 0, nb::arg("y") = ModeBoundary{}, nb::arg("z") = ModeBoundary{},
          nb::arg("x") = ModeBoundary{}, nb::arg("outboard_mass") = false,
          nb::arg("outboard_inertia") = false, nb::arg("given") = Modes{},
          nb::sig("def __init__(self, torsion: int = 2, bend_y: int = 2, bend_z: int = 2, "
                  "axial: int = 0, y: ModeBoundary = ..., z: ModeBoundary = ..., "
                  "x: ModeBoundary = ..., outboard_mass: bool = False, "
                  "outboard_inertia: bool = False, "
                  "given: collections.abc.Sequence[BeamMode] = ()) -> None"))
      .def_ro("torsion", &ModeRequest::torsion, "How many modes of torsion.")
      .def_ro("bend_y", &ModeRequest::bend_y, "How many of bending along y.")
      .def_ro("bend_z", &ModeRequest::bend_z, "How many of bending along z.")
      .def_ro("axial", &ModeRequest::axial, "How many of axial motion.")
      .def_ro("y", &ModeRequest::y, "Boundary of bending along y; tip inertia about z.")
      .def_ro("z", &ModeRequest::z, "Boundary of bending along z; tip inertia about y.")
      .def_ro("x", &ModeRequest::x, "Boundary of torsion and of axial motion.")
      .def_ro("outboard_mass", &ModeRequest::outboard_mass, "Tip masses of what hangs there.")
      .def_ro("outboard_inertia", &ModeRequest::outboard_inertia, "Tip inertias of the same.")
      .def_ro("given", &ModeRequest::given, "Shapes of the user, beside those.");
  value_type(request, {"torsion", "bend_y", "bend_z", "axial", "y", "z", "x", "outboard_mass",
                       "outboard_inertia", "given"});
}

}  // namespace

void bind_flexible_beams(nb::module_& m) {
  auto material = nb::class_<Material>(m, "Material", "What a beam is made of.");
  material
      .def(
          "__init__",
          [](Material* self, double E, double G, double density) {
            new (self) Material{E, G, density};
          },
          nb::arg("E"), nb::arg("G"), nb::arg("density"))
      .def_ro("E", &Material::E, "Young's modulus [Pa]")
      .def_ro("G", &Material::G, "shear modulus [Pa]")
      .def_ro("density", &Material::density, "[kg/m^3]");
  value_type(material, {"E", "G", "density"});

  auto beam = nb::class_<Beam>(
      m, "Beam",
      "A beam along x from 0 to its length; sections at root and tip are of one kind, and equal if "
      "the tip is not told.");
  beam.def(
          "__init__",
          [](Beam* self, double length, const Material& material_, const SectionOutline& root,
             const std::optional<SectionOutline>& tip) {
            const Beam made{length, material_, root, tip.value_or(root)};
            check_beam(made, "Beam");
            new (self) Beam(made);
          },
          nb::arg("length"), nb::arg("material"), nb::arg("root"), nb::arg("tip") = nb::none())
      .def_ro("length", &Beam::length, "[m]")
      .def_ro("material", &Beam::material, "What it is made of.")
      .def_ro("root", &Beam::root, "The section at x = 0.")
      .def_ro("tip", &Beam::tip, "The section at x = length.");
  value_type(beam, {"length", "material", "root", "tip"});
  bind_shape(m);
  bind_boundary(m);
  bind_mode(m);
}

}  // namespace axode::python
