/// Vibrations and linearized equations of flexible trees: axode/flexible/tree/modal.hpp.
#include "axode/flexible/tree/modal.hpp"

#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>

#include "axode/core/error.hpp"
#include "src/flexible/flexible.hpp"
#include "src/shared/linearization.hpp"

namespace axode::python {
namespace {

std::vector<double> gains(nb::handle value, const char* argument) {
  if (value.is_none()) return {};
  std::vector<double> numbers = vector(value, argument);
  check_finite(numbers, argument);
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

nb::object linearize_of(const PyFlexibleTree& t, nb::handle q, nb::handle v, nb::handle tau,
                        std::string_view model, nb::handle exact_coordinates, nb::handle kp,
                        nb::handle kd) {
  const FlexibleTree& tree = t.tree();
  FlexibleLinearizeOptions options;
  options.dynamics.model = model_named(model);
  options.dynamics.exact_coordinates =
      coordinates_argument(tree, exact_coordinates, "exact_coordinates");
  options.kp = gains(kp, "kp");
  options.kd = gains(kd, "kd");
  const std::vector<double> at = one_state(tree, q, "q", t.setup.q),
                            moving = one_state(tree, v, "v", t.setup.v);
  if (!tau.is_none()) options.tau = one_state(tree, tau, "tau", {});
  FlexibleLinearization l;
  {
    const GilRelease release;
    l = linearize(tree, at, moving, options);
  }
  if (!l.solved) throw SingularError(l.message, tree.name, l.remedy);
  nb::list names;
  for (const std::string& name : tree.coordinate_names) names.append(name);
  return linearization(l, names);
}

}  // namespace

void bind_flexible_modal(nb::class_<PyFlexibleTree>& tree) {
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
      "linearize", &linearize_of, nb::arg("q") = nb::none(), nb::arg("v") = nb::none(),
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
              "axode._results.Linearization"),
      "Equations linearized about the motion through (q, v), by default the initial state of "
      "the tree; it need not be an equilibrium. Without tau, forces on all coordinates: at rest "
      "about the static deflection, the joints held; of a moving state zero. Servos: tau - kp "
      "dq - kd dv, gains for each joint. Raises SingularError where the mass matrix is not "
      "positive definite or no static deflection is found.");
}

}  // namespace axode::python
