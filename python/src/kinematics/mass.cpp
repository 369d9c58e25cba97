/// Centres of mass: axode/kinematics/centre_of_mass.hpp.
#include "axode/engine/energy.hpp"
#include "src/kinematics/kinematics.hpp"

namespace axode::python {
namespace {

void write_three(const Vec3<double>& v, double* numbers) noexcept {
  for (int i = 0; i < 3; ++i) numbers[i] = v[i];
}

nb::object com_of(PyTree& py, nb::handle q_argument, nb::handle body) {
  const Tree& tree = py.tree;
  const States q = coordinates(tree, q_argument);
  const Batching batching{&q};
  const int of = body_number_of(tree, body);
  const Output result(batching, {3});
  const Borrowed work(py);
  for_states(batching, [&](std::size_t i) {
    check_configuration(tree, q[i]);
    write_three(centre_of_mass(work->engine(), q[i], of), result[i].data());
  });
  return finished(batching, result);
}

nb::object com_velocity_of(PyTree& py, nb::handle q_argument, nb::handle v_argument,
                           nb::handle body) {
  const Tree& tree = py.tree;
  const States q = coordinates(tree, q_argument), v = velocities(tree, v_argument);
  const Batching batching{&q, &v};
  const int of = body_number_of(tree, body);
  const Output result(batching, {3});
  const Borrowed work(py);
  for_states(batching, [&](std::size_t i) {
    check_configuration(tree, q[i]);
    check_velocity(tree, v[i]);
    write_three(centre_of_mass_velocity(work->engine(), q[i], v[i], of), result[i].data());
  });
  return finished(batching, result);
}

nb::object com_acceleration_of(PyTree& py, nb::handle q_argument, nb::handle v_argument,
                               nb::handle a_argument, nb::handle body) {
  const Tree& tree = py.tree;
  const States q = coordinates(tree, q_argument), v = velocities(tree, v_argument),
               a = velocities(tree, a_argument, "a");
  const Batching batching{&q, &v, &a};
  const int of = body_number_of(tree, body);
  const Output result(batching, {3});
  const Borrowed work(py);
  for_states(batching, [&](std::size_t i) {
    check_configuration(tree, q[i]);
    check_velocity(tree, v[i]);
    check_velocity(tree, a[i], "a");
    write_three(centre_of_mass_acceleration(work->engine(), q[i], v[i], a[i], of),
                result[i].data());
  });
  return finished(batching, result);
}

nb::object com_jacobian_of(PyTree& py, nb::handle q_argument, nb::handle body) {
  const Tree& tree = py.tree;
  const States q = coordinates(tree, q_argument);
  const Batching batching{&q};
  const int of = body_number_of(tree, body);
  const std::size_t nv = velocities_of(tree);
  const Output result(batching, {3, nv});
  const Borrowed work(py);
  std::vector<Vec3<double>> columns(nv);
  for_states(batching, [&](std::size_t i) {
    check_configuration(tree, q[i]);
    centre_of_mass_jacobian(work->engine(), q[i], columns, of);
    for (std::size_t k = 0; k < nv; ++k)
      for (int row = 0; row < 3; ++row) result[i][std::size_t(row) * nv + k] = columns[k][row];
  });
  return finished(batching, result);
}

}  // namespace

void bind_centre_of_mass(nb::module_& m) {
  m.def(
      "total_mass",
      [](const PyTree& py, nb::handle body) {
        return total_mass(py.tree, body_number_of(py.tree, body));
      },
      nb::arg("tree"), nb::arg("body") = nb::none(),
      nb::sig("def total_mass(tree: Tree, body: str | int | None = None) -> float"),
      "Mass of the tree, or of a body and all it carries [kg].");
  m.def("centre_of_mass", &com_of, nb::arg("tree"), nb::arg("q"), nb::arg("body") = nb::none(),
        nb::sig("def centre_of_mass(tree: Tree, q: axode.typing.ArrayLike, "
                "body: str | int | None = None) -> axode.typing.Array"),
        "Centre of mass of the tree, or of a body and all it carries, in the world [m], (3,).");
  m.def("centre_of_mass_velocity", &com_velocity_of, nb::arg("tree"), nb::arg("q"), nb::arg("v"),
        nb::arg("body") = nb::none(),
        nb::sig("def centre_of_mass_velocity(tree: Tree, q: axode.typing.ArrayLike, "
                "v: axode.typing.ArrayLike, body: str | int | None = None) "
                "-> axode.typing.Array"),
        "Velocity of the centre of mass in world axes [m/s], (3,).");
  m.def("centre_of_mass_acceleration", &com_acceleration_of, nb::arg("tree"), nb::arg("q"),
        nb::arg("v"), nb::arg("a"), nb::arg("body") = nb::none(),
        nb::sig("def centre_of_mass_acceleration(tree: Tree, q: axode.typing.ArrayLike, "
                "v: axode.typing.ArrayLike, a: axode.typing.ArrayLike, "
                "body: str | int | None = None) -> axode.typing.Array"),
        "Acceleration of the centre of mass in world axes, without gravity [m/s^2], (3,).");
  m.def("centre_of_mass_jacobian", &com_jacobian_of, nb::arg("tree"), nb::arg("q"),
        nb::arg("body") = nb::none(),
        nb::sig("def centre_of_mass_jacobian(tree: Tree, q: axode.typing.ArrayLike, "
                "body: str | int | None = None) -> axode.typing.Array"),
        "Jacobian of the centre of mass, (3, nv): its velocity in world axes is J v.");
}

}  // namespace axode::python
