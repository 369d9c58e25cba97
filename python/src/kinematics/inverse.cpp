/// Inverse kinematics: axode/kinematics/{inverse_kinematics,box_step}.hpp.
#include <nanobind/stl/vector.h>

#include "axode/kinematics/inverse/inverse_kinematics.hpp"
#include "src/kinematics/targets.hpp"
#include "src/shared/callbacks.hpp"
#include "src/shared/results.hpp"

namespace axode::python {
namespace {

std::vector<Target> targets_of(nb::handle value) {
  if (nb::isinstance<Target>(value)) return {nb::cast<Target>(value)};
  std::vector<Target> targets;
  if (!PySequence_Check(value.ptr()) || PyUnicode_Check(value.ptr()))
    throw nb::type_error("targets: give an axode.kinematics.Target or a sequence of them");
  for (const nb::handle item : nb::borrow<nb::object>(value)) {
    if (!nb::isinstance<Target>(item))
      throw nb::type_error("targets: give an axode.kinematics.Target or a sequence of them");
    targets.push_back(nb::cast<Target>(item));
  }
  return targets;
}

nb::object result_of_search(const Tree& tree, const InverseKinematicsResult& r) {
  constexpr const char* reasons[] = {"converged", "local_minimum", "joint_limits",
                                     "iteration_limit", "out_of_reach"};
  nb::list residuals, limits;
  for (const TargetError& error : r.residuals) residuals.append(target_error_result(error));
  for (const LimitReached& limit : r.at_limits)
    limits.append(result("LimitReached", limit.velocity, limit.upper));
  return result("InverseKinematicsResult", r.success, reasons[static_cast<int>(r.reason)],
                array(r.q), residuals, r.iterations, r.starts, limits, r.smallest_singular_value,
                r.condition, explain(tree, r));
}

nb::object inverse_kinematics_of(const PyTree& py, nb::handle q_argument,
                                 nb::handle targets_argument, double rotation_tolerance,
                                 double translation_tolerance, int iterations, int starts,
                                 std::uint64_t seed, const std::vector<std::string>& hold,
                                 bool hold_base) {
  const std::vector<double> q = single_state(py.tree, q_argument);
  const std::vector<Target> targets = targets_of(targets_argument);
  RunErrors errors;
  const InverseKinematicsOptions options{rotation_tolerance,
                                         translation_tolerance,
                                         iterations,
                                         starts,
                                         seed,
                                         {hold, hold_base},
                                         [&errors] { return errors.interrupted(); }};
  InverseKinematicsResult found;
  {
    const GilRelease release;
    found = inverse_kinematics(py.tree, q, std::span<const Target>(targets), options);
  }
  errors.rethrow();
  return result_of_search(py.tree, found);
}

nb::object box_step_of(nb::handle H_argument, nb::handle g_argument, double damping,
                       nb::handle lower_argument, nb::handle upper_argument) {
  const std::vector<double> g = vector(g_argument, "g"), lower = vector(lower_argument, "lower"),
                            upper = vector(upper_argument, "upper");
  const std::size_t n = g.size();
  const States H = blocks(H_argument, "H", n, n, "a square matrix of the size of g");
  if (H.batched() || lower.size() != n || upper.size() != n)
    throw Error("H, g, lower and upper do not fit together", "box_step",
                "give (n, n), (n,), (n,), (n,)");
  check_numbers(H[0], "H");
  check_numbers(g, "g");
  if (!(damping > 0) || !std::isfinite(damping))
    throw Error("is not positive", "damping", "give a positive number");
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k)
      if (H[0][i * n + k] != H[0][k * n + i]) throw Error("is not symmetric", "H");
    if (!(lower[i] <= 0) || !(upper[i] >= 0))
      throw Error("the bounds of step " + std::to_string(i) + " do not hold zero", "box_step",
                  "give lower <= 0 <= upper");
  }
  BoxStepWork work(static_cast<int>(n));
  const Output d({n});
  const bool settled = box_step(H[0], g, damping, lower, upper, work, d.all());
  return result("BoxStep", d.array, settled);
}

}  // namespace

void bind_inverse_kinematics(nb::module_& m) {
  m.def("inverse_kinematics", &inverse_kinematics_of, nb::arg("tree"), nb::arg("q"),
        nb::arg("targets"), nb::kw_only(), nb::arg("rotation_tolerance") = 1e-8,
        nb::arg("translation_tolerance") = 1e-8, nb::arg("iterations") = 200,
        nb::arg("starts") = 20, nb::arg("seed") = 1, nb::arg("hold") = nb::make_tuple(),
        nb::arg("hold_base") = false,
        nb::sig("def inverse_kinematics(tree: Tree, q: axode.typing.ArrayLike, "
                "targets: Target | collections.abc.Sequence[Target], *, "
                "rotation_tolerance: float = 1e-8, translation_tolerance: float = 1e-8, "
                "iterations: int = 200, starts: int = 20, seed: int = 1, "
                "hold: collections.abc.Sequence[str] = (), hold_base: bool = False) "
                "-> axode._results.InverseKinematicsResult"),
        "Coordinates at which frames meet their targets (tolerances [rad, m] of each), within the "
        "joint limits, searched for from q (nq,) and then from random starts, repeatably for a "
        "seed; at most so many iterations from each start. Joints named in `hold` keep their "
        "coordinates, and free joints on the world with `hold_base`. What was not reached is told "
        "in the result, not raised.");
  m.def("box_step", &box_step_of, nb::arg("H"), nb::arg("g"), nb::arg("damping"), nb::arg("lower"),
        nb::arg("upper"),
        nb::sig("def box_step(H: axode.typing.ArrayLike, g: axode.typing.ArrayLike, "
                "damping: float, lower: axode.typing.ArrayLike, upper: axode.typing.ArrayLike) "
                "-> axode._results.BoxStep"),
        "The step d that minimises 1/2 d^T (H + damping I) d + g^T d within lower <= d <= upper; "
        "H (n, n) is symmetric and positive semidefinite, the bounds (n,) hold zero and may be "
        "infinite.");
}

}  // namespace axode::python
