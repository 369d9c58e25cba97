/// Equations of motion on a free base, with its velocity in the form asked for.
#include "axode/dynamics/matrices/moving_base.hpp"

#include "src/dynamics/dynamics.hpp"

namespace axode::python {
namespace {

using Change = BaseChange<double>;

nb::object mat6(const Mat6<double>& m) {
  const Output all({6, 6});
  for (int k = 0; k < 6; ++k) {
    Vec6<double> unit{};
    (k < 3 ? unit.angular[k] : unit.linear[k - 3]) = 1;
    double column[6];
    write_six(m * unit, column);
    for (int i = 0; i < 6; ++i) all.data[6 * i + k] = column[i];
  }
  return all.array;
}

/// Numbers of shape (n,) with n at least six, finite.
std::vector<double> base_vector(nb::handle value, const char* argument) {
  std::vector<double> numbers = vector(value, argument);
  if (numbers.size() < 6)
    throw Error("has " + std::to_string(numbers.size()) + " numbers", argument,
                "give one for each velocity, six of the base first");
  if (!all_finite(numbers)) throw Error("has a number that is not finite", argument);
  return numbers;
}
DenseMatrix<double> base_matrix(nb::handle value, const char* argument) {
  const Numbers numbers(value, argument);
  const auto shape = numbers.shape();
  if (shape.size() != 2 || shape[0] != shape[1] || shape[0] < 6)
    throw Error("is not a square matrix of six rows or more", argument,
                "give one of shape (nv, nv)");
  if (!all_finite(numbers.all())) throw Error("has a number that is not finite", argument);
  return {static_cast<int>(shape[0]),
          static_cast<int>(shape[1]),
          {numbers.all().begin(), numbers.all().end()}};
}
const Change& regular(const Change& change) {
  if (change.singular)
    throw SingularError("the coordinates of the free joint are in a singularity", "base change",
                        "use another configuration, or a quaternion");
  return change;
}

Change base_change_of(PyTree& py, nb::handle q, nb::handle v, std::string_view form_name) {
  const Tree& tree = py.tree;
  const Rep form = representation(form_name);
  check_free_base(tree, "base change");
  const Motions at(tree, q, {{"v", v}});
  if (at.batching().batched) throw Error("is a batch", "q", "give one state");
  at.check(0);
  const Borrowed work(py);
  work->poses(at.q(0));
  return base_change<double>(tree, work->poses(), at(0, 0), form);
}

nb::object moving_base_of(PyTree& py, nb::handle q, nb::handle v, std::string_view form_name,
                          bool gravity, bool armature, bool damping, bool friction) {
  const Tree& tree = py.tree;
  const Effects effects{gravity, armature, damping, friction};
  const Rep form = representation(form_name);
  check_free_base(tree, "moving base dynamics");
  const Motions at(tree, q, {{"v", v}});
  const Batching& b = at.batching();
  const std::size_t n = velocities_of(tree);
  const Output nu(b, {n}), M(b, {n, n}), coriolis(b, {n}), g(b, {n});
  std::vector<Change> changes(b.count);
  const Borrowed work(py);
  at.each([&](std::size_t i) {
    auto& d = work->get<MovingBaseDynamics<double>>();
    work->poses(at.q(i));
    moving_base_dynamics<double>(tree, work->poses(), at(0, i), form, d, effects);
    changes[i] = regular(d.change);
    write(d.nu, nu[i]), write(d.coriolis, coriolis[i]), write(d.gravity, g[i]);
    spread(d.M, d.M.values.data(), M[i]);
  });
  nb::object change;
  if (b.batched) {
    nb::list all;
    for (const Change& c : changes) all.append(c);
    change = all;
  } else {
    change = nb::cast(changes[0]);
  }
  return result("MovingBaseDynamics", change, at.finished(nu), at.finished(M),
                at.finished(coriolis), at.finished(g));
}

nb::object change_jacobian_of(const Change& change, nb::handle value) {
  const Numbers J(value, "jacobian");
  const auto shape = J.shape();
  if (shape.size() != 2 || shape[0] != 6 || shape[1] < 6)
    throw Error("has another shape than (6, nv)", "jacobian");
  const std::size_t n = shape[1];
  std::vector<Vec6<double>> columns(n);
  for (std::size_t k = 0; k < n; ++k) {
    double six[6];
    for (std::size_t row = 0; row < 6; ++row) six[row] = J.all()[row * n + k];
    columns[k] = read_six(six);
  }
  change_jacobian<double>(change, columns);
  const Output changed({6, n});
  for (std::size_t k = 0; k < n; ++k) {
    double six[6];
    write_six(columns[k], six);
    for (std::size_t row = 0; row < 6; ++row) changed.data[row * n + k] = six[row];
  }
  return changed.array;
}

void bind_changes(nb::module_& m) {
  using nb::arg;
  const auto sig = [](const char* name, const char* arguments) {
    return std::string("def ") + name + "(change: BaseChange, " + arguments +
           ") -> axode.typing.Array";
  };
  m.def(
      "change_velocity",
      [](const Change& change, nb::handle v) {
        std::vector<double> x = base_vector(v, "v");
        change_velocity<double>(change, x, x);
        return array(x);
      },
      arg("change"), arg("v"), nb::sig(sig("change_velocity", "v: axode.typing.ArrayLike").c_str()),
      "New velocities nu = Y^-1 v, (nv,).");
  m.def(
      "change_acceleration",
      [](const Change& change, nb::handle nu, nb::handle a) {
        const std::vector<double> velocity = base_vector(nu, "nu");
        std::vector<double> x = base_vector(a, "a");
        if (x.size() != velocity.size())
          throw Error("has another length than nu", "a", "give one number for each velocity");
        change_acceleration<double>(change, velocity, x, x);
        return array(x);
      },
      arg("change"), arg("nu"), arg("a"),
      nb::sig(sig("change_acceleration", "nu: axode.typing.ArrayLike, a: axode.typing.ArrayLike")
                  .c_str()),
      "New accelerations Y^-1 (a - dY/dt nu), (nv,); nu is the new velocity.");
  m.def(
      "change_force",
      [](const Change& change, nb::handle force) {
        std::vector<double> x = base_vector(force, "force");
        change_force<double>(change, x, x);
        return array(x);
      },
      arg("change"), arg("force"),
      nb::sig(sig("change_force", "force: axode.typing.ArrayLike").c_str()),
      "Generalized forces on the new velocities, Y^T force, (nv,).");
  m.def("change_jacobian", &change_jacobian_of, arg("change"), arg("jacobian"),
        nb::sig(sig("change_jacobian", "jacobian: axode.typing.ArrayLike").c_str()),
        "The Jacobian by the new velocities, J Y, (6, nv).");
  m.def(
      "change_mass_matrix",
      [](const Change& change, nb::handle M) {
        DenseMatrix<double> changed = base_matrix(M, "M");
        change_mass_matrix(change, changed);
        return matrix(changed);
      },
      arg("change"), arg("M"),
      nb::sig(sig("change_mass_matrix", "M: axode.typing.ArrayLike").c_str()),
      "The mass matrix of the new velocities, Y^T M Y, (nv, nv).");
  m.def(
      "change_coriolis_matrix",
      [](const Change& change, nb::handle M, nb::handle C) {
        const DenseMatrix<double> mass = base_matrix(M, "M");
        DenseMatrix<double> changed = base_matrix(C, "C");
        if (changed.rows != mass.rows) throw Error("has another shape than M", "C");
        change_coriolis_matrix(change, mass, changed);
        return matrix(changed);
      },
      arg("change"), arg("M"), arg("C"),
      nb::sig(sig("change_coriolis_matrix", "M: axode.typing.ArrayLike, C: axode.typing.ArrayLike")
                  .c_str()),
      "The Coriolis matrix of the new velocities, Y^T (C Y + M dY/dt), (nv, nv); M is the old "
      "one.");
  m.def(
      "force_of_joints",
      [](nb::handle tau) {
        const std::vector<double> joints = vector(tau, "tau");
        std::vector<double> force(joints.size() + 6);
        force_of_joints<double>(joints, force);
        return array(force);
      },
      arg("tau"), nb::sig("def force_of_joints(tau: axode.typing.ArrayLike) -> axode.typing.Array"),
      "Forces on all velocities, (6 + n,), from those of the n joints behind the base.");
}

}  // namespace

void bind_dynamics_moving_base(nb::module_& m) {
  nb::class_<Change>(
      m, "BaseChange",
      "A change of the velocity of a free base, v = Y nu, from old velocities v to new "
      "ones nu; Y is 6x6, the other velocities stay.")
      .def_prop_ro(
          "Y", [](const Change& c) { return mat6(c.Y); },
          nb::sig("def Y(self) -> axode.typing.Array"), "(6, 6).")
      .def_prop_ro(
          "Y_inverse", [](const Change& c) { return mat6(c.Y_inverse); },
          nb::sig("def Y_inverse(self) -> axode.typing.Array"), "(6, 6).")
      .def_prop_ro(
          "Y_rate", [](const Change& c) { return mat6(c.Y_rate); },
          nb::sig("def Y_rate(self) -> axode.typing.Array"), "dY/dt along the motion, (6, 6).")
      .def(
          "inverse", [](const Change& c) { return inverse(c); },
          nb::sig("def inverse(self) -> BaseChange"), "The change back, nu = Y^-1 v.")
      .def("__repr__", [](const Change&) { return "BaseChange()"; });
  m.def(
      "has_free_base", [](const PyTree& py) { return has_free_base(py.tree); }, nb::arg("tree"),
      "Whether the first body moves freely in the world.");
  m.def(
      "base_change",
      [](PyTree& py, nb::handle q, nb::handle v, std::string_view form) {
        return regular(base_change_of(py, q, v, form));
      },
      nb::arg("tree"), nb::arg("q"), nb::arg("v"), nb::arg("form"),
      nb::sig(signature("base_change", {"q", "v"}, "form: axode.typing.Rep", "BaseChange").c_str()),
      "The change from the tree's own velocities to those with the twist of the base in a form. "
      "One "
      "state; raises Error if the tree has no free base.");
  m.def(
      "base_change",
      [](nb::handle T_WB, nb::handle V, std::string_view old_form, std::string_view new_form) {
        const Vec6<double> twist = vec6(V, "V");
        return base_change<double>(pose(T_WB, "T_WB"), {twist.angular, twist.linear},
                                   representation(old_form), representation(new_form));
      },
      nb::arg("T_WB"), nb::arg("V"), nb::arg("old_form"), nb::arg("new_form"),
      nb::sig("def base_change(T_WB: axode.typing.PoseLike, V: axode.typing.ArrayLike, old_form: "
              "axode.typing.Rep, new_form: axode.typing.Rep) -> BaseChange"),
      "The change of a body's twist from one form to another; V is its body twist.");
  def_with_effects(
      m, "moving_base_dynamics",
      signature("moving_base_dynamics", {"q", "v"}, "form: axode.typing.Rep, " + effects_signature,
                "axode._results.MovingBaseDynamics"),
      "Terms of M nu' + C nu + G = S tau + sum J^T f with the twist of the base in a form, at the "
      "tree's own velocity v. Raises Error if the tree has no free base.",
      &moving_base_of, nb::arg("q"), nb::arg("v"), nb::arg("form"));
  bind_changes(m);
}

}  // namespace axode::python
