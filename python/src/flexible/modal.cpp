/// Vibrations and linear state equations of flexible trees: axode/flexible/tree/modal.hpp.
#include "axode/flexible/tree/modal.hpp"

#include <nanobind/stl/complex.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>

#include "axode/core/error.hpp"
#include "src/flexible/flexible.hpp"
#include "src/shared/results.hpp"

namespace axode::python {
namespace {

nb::object complex_array(const std::vector<std::complex<double>>& numbers) {
  const nb::module_ numpy = nb::module_::import_("numpy");
  const nb::object made = numpy.attr("array")(numbers, nb::arg("dtype") = "complex128");
  return made;
}

std::vector<double> gains(nb::handle value, const char* argument) {
  if (value.is_none()) return {};
  std::vector<double> numbers = vector(value, argument);
  for (const double x : numbers)
    if (!std::isfinite(x)) throw Error("has a number that is not finite", argument);
  return numbers;
}

FlexibleModesResult found_modes(const PyFlexibleTree& t, nb::handle q, std::string_view model,
                                std::string_view joints, nb::handle kp, nb::handle kd, bool gravity,
                                bool settle, bool damping) {
  FlexibleModesOptions options;
  options.model = model_named(model);
  options.joints = static_cast<FlexibleModesOptions::Joints>(
      choice(joints, "joints", {"locked", "free", "servo"}));
  options.kp = gains(kp, "kp");
  options.kd = gains(kd, "kd");
  if (options.joints == FlexibleModesOptions::Joints::servo && options.kp.empty() &&
      options.kd.empty()) {
    const FlexibleControl& control = t.setup.forces.control;
    if (control.kp.empty())
      throw Error("servos have no gains, and the tree has no control", "joints",
                  "give kp and kd for each joint");
    options.kp = control.kp;
    options.kd = control.kd;
  }
  options.gravity = gravity;
  options.settle = settle;
  options.damping = damping;
  const std::vector<double> at = one_state(t.tree(), q, "q", t.setup.q);
  const GilRelease release;
  return find_flexible_modes(t.tree(), at, options);
}

nb::object modes_result(const PyFlexibleTree& t, const FlexibleModesResult& r) {
  const std::size_t n = t.size(), m = r.modes.size();
  const Output frequency({m}), damping({m}), shape({m, n}), quadrature({m, n});
  std::vector<std::complex<double>> eigenvalues;
  for (std::size_t k = 0; k < m; ++k) {
    const FlexibleMode& mode = r.modes[k];
    frequency.data[k] = mode.frequency;
    damping.data[k] = mode.damping_ratio;
    eigenvalues.push_back(mode.eigenvalue);
    std::ranges::copy(mode.shape, shape.data + k * n);
    std::fill_n(quadrature.data + k * n, n, 0.);
    std::ranges::copy(mode.quadrature, quadrature.data + k * n);
  }
  return result("FlexibleModes", r.solved, r.message, frequency.array, damping.array,
                complex_array(eigenvalues), shape.array, quadrature.array, array(r.q));
}

nb::object modes(const PyFlexibleTree& t, nb::handle q, std::string_view model,
                 std::string_view joints, nb::handle kp, nb::handle kd, bool gravity, bool settle,
                 bool damping) {
  const FlexibleModesResult r = found_modes(t, q, model, joints, kp, kd, gravity, settle, damping);
  if (!r.solved) throw Error(r.message, t.tree().name, "choose another pose or model");
  return modes_result(t, r);
}
nb::object find_modes(const PyFlexibleTree& t, nb::handle q, std::string_view model,
                      std::string_view joints, nb::handle kp, nb::handle kd, bool gravity,
                      bool settle, bool damping) {
  return modes_result(t, found_modes(t, q, model, joints, kp, kd, gravity, settle, damping));
}

nb::object deflection(const PyFlexibleTree& t, nb::handle q, std::string_view model) {
  const FlexibleModel chosen = model_named(model);
  const std::vector<double> at = one_state(t.tree(), q, "q", t.setup.q);
  StaticDeflection rest;
  {
    const GilRelease release;
    rest = static_deflection(t.tree(), at, chosen);
  }
  return result("StaticDeflection", rest.converged, rest.iterations, array(rest.q),
                array(rest.joint_forces));
}

struct StatePoint {
  std::vector<double> q, v, tau;
};
nb::object space_at(const PyFlexibleTree& t, const StatePoint& at,
                    const FlexibleStateOptions& options) {
  const std::size_t n = t.size();
  FlexibleStateSpace space;
  {
    const GilRelease release;
    space = flexible_state_space(t.tree(), at.q, at.v, at.tau, options);
  }
  if (!space.solved)
    throw SingularError("the mass matrix is not positive definite here", t.tree().name,
                        "choose smaller deflections, or model=\"nonlinear\"");
  const Output C({2 * n, 2 * n}), D({2 * n, n});
  std::ranges::fill(C.all(), 0.);
  std::ranges::fill(D.all(), 0.);
  for (std::size_t i = 0; i < 2 * n; ++i) C.data[i * (2 * n + 1)] = 1;
  return result("FlexibleStateSpace", matrix(space.A, 2 * n, 2 * n), matrix(space.B, 2 * n, n),
                C.array, D.array, array(space.rates), array(at.q), array(at.v), array(at.tau));
}
FlexibleStateOptions state_options(const FlexibleTree& tree, std::string_view model,
                                   nb::handle exact_coordinates, nb::handle kp, nb::handle kd) {
  FlexibleStateOptions options;
  options.dynamics.model = model_named(model);
  options.dynamics.exact_coordinates =
      coordinates_argument(tree, exact_coordinates, "exact_coordinates");
  options.kp = gains(kp, "kp");
  options.kd = gains(kd, "kd");
  return options;
}

nb::object state_space(const PyFlexibleTree& t, nb::handle q, nb::handle v, nb::handle tau,
                       std::string_view model, nb::handle exact_coordinates, nb::handle kp,
                       nb::handle kd) {
  const FlexibleTree& tree = t.tree();
  const std::vector<double> zeros(t.size());
  return space_at(t,
                  {one_state(tree, q, "q", zeros), one_state(tree, v, "v", zeros),
                   one_state(tree, tau, "tau", zeros)},
                  state_options(tree, model, exact_coordinates, kp, kd));
}

/// About the initial state; without rates and forces at rest, deflected by gravity and held.
nb::object linearize(const PyFlexibleTree& t, nb::handle q, nb::handle v, nb::handle tau,
                     std::string_view model, nb::handle exact_coordinates, nb::handle kp,
                     nb::handle kd) {
  const FlexibleTree& tree = t.tree();
  const FlexibleStateOptions options = state_options(tree, model, exact_coordinates, kp, kd);
  StatePoint at{one_state(tree, q, "q", t.setup.q), one_state(tree, v, "v", t.setup.v),
                one_state(tree, tau, "tau", std::vector<double>(t.size()))};
  const bool still = std::ranges::all_of(at.v, [](double x) { return x == 0; });
  if (tau.is_none() && still) {
    const StaticDeflection rest = static_deflection(tree, at.q, options.dynamics.model);
    if (!rest.converged)
      throw Error("the static deflection was not found", tree.name, "give q, and the forces tau");
    at.q = rest.q;
    std::ranges::copy(rest.joint_forces, at.tau.begin());
  }
  return space_at(t, at, options);
}

nb::object spectrum_of(nb::handle system) {
  const nb::object A =
      nb::hasattr(system, "A") ? nb::object(nb::getattr(system, "A")) : nb::borrow(system);
  const Numbers numbers(A, "system");
  const auto shape = numbers.shape();
  if (shape.size() != 2 || shape[0] != shape[1] || shape[0] % 2 != 0)
    throw Error("has no square matrix A of even size", "system",
                "give what state_space or linearize returned");
  FlexibleStateSpace space;
  space.solved = true;
  space.size = static_cast<int>(shape[0] / 2);
  space.A.assign(numbers.all().begin(), numbers.all().end());
  for (const double x : space.A)
    if (!std::isfinite(x)) throw Error("has a number that is not finite", "system");
  return complex_array(spectrum(space));
}

}  // namespace

void bind_flexible_modal(nb::module_& m, nb::class_<PyFlexibleTree>& tree) {
  const auto with_modes = [&](const char* name, auto function, const char* signature,
                              const char* text) {
    tree.def(name, function, nb::arg("q") = nb::none(), nb::kw_only(),
             nb::arg("model") = "nonlinear", nb::arg("joints") = "locked",
             nb::arg("kp") = nb::none(), nb::arg("kd") = nb::none(), nb::arg("gravity") = true,
             nb::arg("settle") = true, nb::arg("damping") = true, nb::sig(signature), text);
  };
  with_modes("modes", &modes,
             "def modes(self, q: axode.typing.ArrayLike | None = None, *, "
             "model: axode.typing.FlexibleModel = 'nonlinear', "
             "joints: typing.Literal['locked', 'free', 'servo'] = 'locked', "
             "kp: axode.typing.ArrayLike | None = None, "
             "kd: axode.typing.ArrayLike | None = None, gravity: bool = True, "
             "settle: bool = True, damping: bool = True) -> "
             "axode._results.flexible.FlexibleModes",
             "Vibrations about the joint angles of q, by default of the initial state. Joints are "
             "locked, free about constant forces, or have servos with gains kp [N m/rad], kd "
             "[N m s/rad] for each joint (those of the tree's control if not told). `gravity`: its "
             "stiffness and static deflection; `settle`: about the static deflection, else about q "
             "itself; `damping`: that of the tree. Raises Error where they are not found.");
  with_modes("find_modes", &find_modes,
             "def find_modes(self, q: axode.typing.ArrayLike | None = None, *, "
             "model: axode.typing.FlexibleModel = 'nonlinear', "
             "joints: typing.Literal['locked', 'free', 'servo'] = 'locked', "
             "kp: axode.typing.ArrayLike | None = None, "
             "kd: axode.typing.ArrayLike | None = None, gravity: bool = True, "
             "settle: bool = True, damping: bool = True) -> "
             "axode._results.flexible.FlexibleModes",
             "The same; where they are not found, `solved` is False and `message` says why.");
  tree.def("static_deflection", &deflection, nb::arg("q") = nb::none(), nb::kw_only(),
           nb::arg("model") = "nonlinear",
           nb::sig("def static_deflection(self, q: axode.typing.ArrayLike | None = None, *, "
                   "model: axode.typing.FlexibleModel = 'nonlinear') -> "
                   "axode._results.flexible.StaticDeflection"),
           "Elastic coordinates at rest under gravity with the joints of q held, and the forces "
           "that hold them [N m, N].");
  tree.def(
      "state_space", &state_space, nb::arg("q").none() = nb::none(), nb::arg("v") = nb::none(),
      nb::arg("tau") = nb::none(), nb::kw_only(), nb::arg("model") = "linear",
      nb::arg("exact_coordinates") = nb::make_tuple(), nb::arg("kp") = nb::none(),
      nb::arg("kd") = nb::none(),
      nb::sig("def state_space(self, q: axode.typing.ArrayLike | None = None, "
              "v: axode.typing.ArrayLike | None = None, "
              "tau: axode.typing.ArrayLike | None = None, *, "
              "model: axode.typing.FlexibleModel = 'linear', "
              "exact_coordinates: axode.typing.CoordinateNames = (), "
              "kp: axode.typing.ArrayLike | None = None, "
              "kd: axode.typing.ArrayLike | None = None) -> "
              "axode._results.flexible.FlexibleStateSpace"),
      "x' = A x + B tau, y = C x + D tau about (q, v, tau), which need not be an equilibrium; "
      "x = (dq, du), the output is the state. What is not given is zero. Servos: tau - kp dq - "
      "kd dv, gains for each joint. Raises SingularError where the mass matrix is not positive "
      "definite.");
  tree.def("linearize", &linearize, nb::arg("q") = nb::none(), nb::arg("v") = nb::none(),
           nb::arg("tau") = nb::none(), nb::kw_only(), nb::arg("model") = "nonlinear",
           nb::arg("exact_coordinates") = nb::make_tuple(), nb::arg("kp") = nb::none(),
           nb::arg("kd") = nb::none(),
           nb::sig("def linearize(self, q: axode.typing.ArrayLike | None = None, "
                   "v: axode.typing.ArrayLike | None = None, "
                   "tau: axode.typing.ArrayLike | None = None, *, "
                   "model: axode.typing.FlexibleModel = 'nonlinear', "
                   "exact_coordinates: axode.typing.CoordinateNames = (), "
                   "kp: axode.typing.ArrayLike | None = None, "
                   "kd: axode.typing.ArrayLike | None = None) -> "
                   "axode._results.flexible.FlexibleStateSpace"),
           "The same as the command `axode linearize FILE`: about the initial state of the "
           "tree if q and v are not told, and at rest without tau about the static deflection, the "
           "joints held.");
  m.def("spectrum", &spectrum_of, nb::arg("system"),
        nb::sig("def spectrum(system: axode._results.flexible.FlexibleStateSpace | "
                "axode.typing.ArrayLike) -> axode.typing.ComplexArray"),
        "Eigenvalues of A [1/s], by rising magnitude.");
}

}  // namespace axode::python
