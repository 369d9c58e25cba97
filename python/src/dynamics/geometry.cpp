/// Dependence on the geometry: sensitivities and calibration.
#include <nanobind/stl/vector.h>

#include "axode/dynamics/parameters/calibration.hpp"
#include "src/dynamics/dynamics.hpp"
#include "src/kinematics/frame_names.hpp"

namespace axode::python {
namespace {

GeometricVariation variation_argument(const Tree& tree, nb::handle value) {
  const nb::object body = member(value, "variation", "body", "GeometricVariation"),
                   U = member(value, "variation", "U", "GeometricVariation");
  const GeometricVariation variation{body_argument(tree, body), vec6(U, "U")};
  if (variation.body < 0 || variation.body >= tree.size())
    throw Error("there is no body " + std::to_string(variation.body), "variation",
                "give a number from 0 to " + std::to_string(tree.size() - 1) + ", or a name");
  return variation;
}
std::vector<GeometricVariation> variations_argument(const Tree& tree, nb::handle value) {
  if (!nb::isinstance<nb::sequence>(value) || nb::isinstance<nb::str>(value) ||
      nb::hasattr(value, "U"))
    throw nb::type_error("variations: give a list of axode.dynamics.GeometricVariation");
  std::vector<GeometricVariation> all;
  for (const nb::handle item : value) all.push_back(variation_argument(tree, item));
  return all;
}
nb::list variation_tuples(const std::vector<GeometricVariation>& variations) {
  nb::list all;
  for (const GeometricVariation& v : variations)
    all.append(result("GeometricVariation", v.body, array(v.U)));
  return all;
}

nb::object force_sensitivities_of(PyTree& py, nb::handle q, nb::handle v, nb::handle a,
                                  nb::handle variations_value, nb::handle wrenches_argument,
                                  bool gravity, bool armature, bool damping, bool friction) {
  const Tree& tree = py.tree;
  const Effects effects{gravity, armature, damping, friction};
  const std::vector<GeometricVariation> variations = variations_argument(tree, variations_value);
  Wrenches wrenches(tree, wrenches_argument);
  const Motions at(tree, q, {{"v", v}, {"a", a}}, &wrenches);
  const std::size_t n = velocities_of(tree);
  const Output rows(at.batching(), {variations.size(), n});
  const Borrowed work(py);
  at.each([&](std::size_t i) {
    if (wrenches.by_name()) work->poses(at.q(i));
    const auto found = force_sensitivities(tree, at.q(i), at(0, i), at(1, i), variations,
                                           wrenches(i, work->poses()), effects);
    for (std::size_t k = 0; k < found.size(); ++k) write(found[k], rows[i].subspan(k * n, n));
  });
  return at.finished(rows);
}

nb::object pose_sensitivity_of(PyTree& py, nb::handle q, nb::handle variation_value) {
  const Tree& tree = py.tree;
  const GeometricVariation variation = variation_argument(tree, variation_value);
  const Motions at(tree, q);
  const Output displacements(at.batching(), {bodies_of(tree), 6});
  const Borrowed work(py);
  at.each([&](std::size_t i) {
    auto& s = work->get<GeometricSensitivity<double>>();
    work->poses(at.q(i));
    pose_sensitivity(tree, work->poses(), variation, s);
    for (std::size_t b = 0; b < bodies_of(tree); ++b)
      write_six(s.displacements[b], displacements[i].data() + 6 * b);
  });
  return at.finished(displacements);
}

nb::object motion_sensitivity_of(PyTree& py, nb::handle q, nb::handle v, nb::handle a,
                                 nb::handle variation_value) {
  const Tree& tree = py.tree;
  const GeometricVariation variation = variation_argument(tree, variation_value);
  const Motions at(tree, q, {{"v", v}, {"a", a}});
  const Batching& batching = at.batching();
  const std::size_t n = bodies_of(tree);
  const Output displacements(batching, {n, 6}), by_twists(batching, {n, 6}),
      by_accelerations(batching, {n, 6});
  const Borrowed work(py);
  at.each([&](std::size_t i) {
    auto& s = work->get<GeometricSensitivity<double>>();
    auto& motion = work->get<Motion<Rep::body>>();
    work->poses(at.q(i));
    twists(tree, work->poses(), at(0, i), motion);
    accelerations<Rep::body, double>(tree, work->poses(), at(0, i), at(1, i), motion);
    motion_sensitivity<double>(tree, work->poses(), at(0, i), motion, variation, s);
    for (std::size_t b = 0; b < n; ++b) {
      write_six(s.displacements[b], displacements[i].data() + 6 * b);
      write_six(s.twists[b].six(), by_twists[i].data() + 6 * b);
      write_six(s.accelerations[b].six(), by_accelerations[i].data() + 6 * b);
    }
  });
  return result("GeometricSensitivity", finished(batching, displacements),
                finished(batching, by_twists), finished(batching, by_accelerations));
}

nb::object calibrate_of(PyTree& py, nb::handle frame_value, nb::handle variations_value,
                        nb::handle measurements_value, bool position_only, double rotation_weight,
                        double translation_weight, int iterations, double tolerance,
                        double rank_tolerance) {
  const Tree& tree = py.tree;
  const FrameNames frame = frame_names(tree, frame_value);
  const std::vector<GeometricVariation> variations = variations_argument(tree, variations_value);
  if (!nb::isinstance<nb::sequence>(measurements_value) ||
      nb::isinstance<nb::str>(measurements_value))
    throw nb::type_error("measurements: give a list of axode.dynamics.PoseMeasurement");
  std::vector<PoseMeasurement> measurements;
  for (const nb::handle item : measurements_value) {
    const nb::object q = member(item, "measurements", "q", "PoseMeasurement"),
                     T_WF = member(item, "measurements", "T_WF", "PoseMeasurement");
    measurements.push_back({vector(q, "q"), pose(T_WF, "T_WF")});
  }
  CalibrationResult r;
  {
    const GilRelease release;
    r = calibrate(tree, frame.name(), variations, measurements,
                  {.position_only = position_only,
                   .rotation_weight = rotation_weight,
                   .translation_weight = translation_weight,
                   .iterations = iterations,
                   .tolerance = tolerance,
                   .rank_tolerance = rank_tolerance});
  }
  const Output null_space({r.null_space.size(), variations.size()});
  for (std::size_t k = 0; k < r.null_space.size(); ++k)
    write(r.null_space[k], null_space.all().subspan(k * variations.size(), variations.size()));
  return result("CalibrationResult", array(r.parameters), array(r.standard_deviations),
                array(r.ambiguities), r.not_identifiable, null_space.array, r.rank, r.condition,
                r.rotation_residual, r.translation_residual, r.iterations, r.converged);
}

}  // namespace

void bind_dynamics_geometry(nb::module_& m) {
  const std::string one = "variation: axode._results.GeometricVariation",
                    list = "list[axode._results.GeometricVariation]",
                    some =
                        "variations: collections.abc.Sequence[axode._results.GeometricVariation]";
  m.def(
      "six_variations", [](int body) { return variation_tuples(six_variations(body)); },
      nb::arg("body"), nb::sig(("def six_variations(body: int) -> " + list).c_str()),
      "The six variations of a body: rotations about, then translations along the axes of its "
      "frame.");
  m.def(
      "variations_at",
      [](const PyTree& py, nb::handle variations, nb::handle pi) {
        return variation_tuples(
            variations_at(py.tree, variations_argument(py.tree, variations), vector(pi, "pi")));
      },
      nb::arg("tree"), nb::arg("variations"), nb::arg("pi"),
      nb::sig(("def variations_at(tree: Tree, " + some + ", pi: axode.typing.ArrayLike) -> " + list)
                  .c_str()),
      "The variations of the tree whose geometry has the parameters pi.");
  def_with_effects(m, "force_sensitivities",
                   signature("force_sensitivities", {"q", "v", "a"},
                             some + ", " + wrenches_signature + ", " + effects_signature),
                   "Derivatives of the joint forces of the motion (q, v, a) by geometric "
                   "parameters, (variations, "
                   "nv).",
                   &force_sensitivities_of, nb::arg("q"), nb::arg("v"), nb::arg("a"),
                   nb::arg("variations"), nb::arg("wrenches") = nb::none());
  m.def("pose_sensitivity", &pose_sensitivity_of, nb::arg("tree"), nb::arg("q"),
        nb::arg("variation"), nb::sig(signature("pose_sensitivity", {"q"}, one).c_str()),
        "Displacements eta of all bodies by a geometric parameter, dT_WB = T_WB hat(eta), (bodies, "
        "6).");
  m.def("motion_sensitivity", &motion_sensitivity_of, nb::arg("tree"), nb::arg("q"), nb::arg("v"),
        nb::arg("a"), nb::arg("variation"),
        nb::sig(signature("motion_sensitivity", {"q", "v", "a"}, one,
                          "axode._results.GeometricSensitivity")
                    .c_str()),
        "The same with the derivatives of body twists and accelerations, (bodies, 6) each.");
  m.def(
      "calibrate", &calibrate_of, nb::arg("tree"), nb::arg("frame"), nb::arg("variations"),
      nb::arg("measurements"), nb::kw_only(), nb::arg("position_only") = false,
      nb::arg("rotation_weight") = 1.0, nb::arg("translation_weight") = 1.0,
      nb::arg("iterations") = 50, nb::arg("tolerance") = 1e-12, nb::arg("rank_tolerance") = 1e-8,
      nb::sig(("def calibrate(tree: Tree, frame: axode.typing.FrameLike, " + some +
               ", measurements: collections.abc.Sequence[axode._results.PoseMeasurement], *, "
               "position_only: bool = False, rotation_weight: float = 1.0, translation_weight: "
               "float = 1.0, iterations: int = 50, tolerance: float = 1e-12, rank_tolerance: float "
               "= 1e-08) -> axode._results.CalibrationResult")
                  .c_str()),
      "Errors of the geometry from measured poses of a frame: the parameters of the variations "
      "with least squares of the weighted residuals [1/rad, 1/m], by damped Gauss-Newton steps.");
  m.def(
      "apply_variations",
      [](const PyTree& py, nb::handle variations, nb::handle parameters) {
        return new PyTree(apply(py.tree, variations_argument(py.tree, variations),
                                vector(parameters, "parameters")));
      },
      nb::arg("tree"), nb::arg("variations"), nb::arg("parameters"),
      nb::sig(("def apply_variations(tree: Tree, " + some +
               ", parameters: axode.typing.ArrayLike) -> Tree")
                  .c_str()),
      "The tree with the parameters in its geometry.");
  const auto def_variations = [&](const char* name, auto function, const char* doc) {
    m.def(
        name,
        [function](const PyTree& py, nb::handle frame) {
          return variation_tuples(function(py.tree, frame_names(py.tree, frame).name()));
        },
        nb::arg("tree"), nb::arg("frame"),
        nb::sig(
            (std::string("def ") + name + "(tree: Tree, frame: axode.typing.FrameLike) -> " + list)
                .c_str()),
        doc);
  };
  def_variations("all_variations", &all_variations,
                 "All six variations of each body on the way to a frame.");
  def_variations("minimal_variations", &minimal_variations,
                 "Enough variations for every displacement of the bodies on the way to a frame, "
                 "without those that commute with the joint of the parent.");
}

}  // namespace axode::python
