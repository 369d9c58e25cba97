/// Energies, power and forces that have a potential.
#include "axode/engine/energy.hpp"

#include "src/dynamics/dynamics.hpp"
#include "src/kinematics/frame_names.hpp"

namespace axode::python {
Springs springs_argument(const Tree& tree, nb::handle value) {
  Springs springs;
  if (value.is_none()) return springs;
  const nb::object joints = member(value, "springs", "joints", "Springs"),
                   lines = member(value, "springs", "lines", "Springs");
  for (const nb::handle s : joints) {
    const nb::object joint = member(s, "springs", "joint", "JointSpring"),
                     dof = member(s, "springs", "dof", "JointSpring"),
                     stiffness = member(s, "springs", "stiffness", "JointSpring"),
                     rest = member(s, "springs", "rest", "JointSpring");
    springs.joints.push_back({joint_argument(tree, joint), whole_number(dof, "dof"),
                              number(stiffness, "stiffness"), number(rest, "rest")});
  }
  for (const nb::handle s : lines) {
    const nb::object a = member(s, "springs", "a", "LineSpring"),
                     b = member(s, "springs", "b", "LineSpring"),
                     stiffness = member(s, "springs", "stiffness", "LineSpring"),
                     length = member(s, "springs", "length", "LineSpring");
    springs.lines.push_back({frame_choice(tree, a, "a").origin, frame_choice(tree, b, "b").origin,
                             number(stiffness, "stiffness"), number(length, "length")});
  }
  check_springs(tree, springs);
  return springs;
}

namespace {

nb::object energy_of(PyTree& py, nb::handle q, nb::handle v) {
  const Tree& tree = py.tree;
  const Motions at(tree, q, {{"v", v}});
  const Output kinetic(at.batching(), {}), armature(at.batching(), {}),
      potential(at.batching(), {});
  const Borrowed work(py);
  at.each([&](std::size_t i) {
    const Energy e = energy(work->engine(), at.q(i), at(0, i));
    kinetic.data[i] = e.kinetic, armature.data[i] = e.armature, potential.data[i] = e.potential;
  });
  return result("Energy", at.number(kinetic), at.number(armature), at.number(potential));
}

nb::object kinetic_energy_of(PyTree& py, nb::handle q, nb::handle v) {
  const Tree& tree = py.tree;
  const Motions at(tree, q, {{"v", v}});
  const Output kinetic(at.batching(), {});
  const Borrowed work(py);
  at.each(
      [&](std::size_t i) { kinetic.data[i] = kinetic_energy(work->engine(), at.q(i), at(0, i)); });
  return at.number(kinetic);
}

nb::object armature_energy_of(PyTree& py, nb::handle v_argument) {
  const Tree& tree = py.tree;
  const States v(v_argument, "v", tree.nv, "the joint velocities");
  const Batching batching{&v};
  const Output energies(batching, {});
  for_states(batching, [&](std::size_t i) {
    check_velocity(tree, v[i]);
    energies.data[i] = armature_energy<double>(tree, v[i]);
  });
  return number_or_array(batching, energies);
}

nb::object potential_energy_of(PyTree& py, nb::handle q, nb::handle springs_value) {
  const Tree& tree = py.tree;
  const Springs springs = springs_argument(tree, springs_value);
  const Motions at(tree, q);
  const Output potential(at.batching(), {});
  const Borrowed work(py);
  at.each([&](std::size_t i) {
    potential.data[i] = potential_energy(work->engine(), at.q(i), springs);
  });
  return at.number(potential);
}

nb::object gravity_of(PyTree& py, nb::handle q) {
  const Tree& tree = py.tree;
  const Motions at(tree, q);
  const Output forces(at.batching(), {velocities_of(tree)});
  const Borrowed work(py);
  at.each([&](std::size_t i) { gravity_forces(work->engine(), at.q(i), forces[i]); });
  return at.finished(forces);
}

nb::object spring_forces_of(PyTree& py, nb::handle q, nb::handle springs_value) {
  const Tree& tree = py.tree;
  const Springs springs = springs_argument(tree, springs_value);
  const Motions at(tree, q);
  const Output forces(at.batching(), {velocities_of(tree)});
  const Borrowed work(py);
  at.each([&](std::size_t i) { spring_forces(work->engine(), at.q(i), springs, forces[i]); });
  return at.finished(forces);
}

nb::object power_of(PyTree& py, nb::handle q, nb::handle v, nb::handle tau,
                    nb::handle wrenches_argument, bool gravity, bool armature, bool damping,
                    bool friction) {
  const Tree& tree = py.tree;
  const Effects effects{gravity, armature, damping, friction};
  Wrenches wrenches(tree, wrenches_argument);
  const Motions at(tree, q, {{"v", v}, {"tau", tau}}, &wrenches);
  const Output joints(at.batching(), {}), external(at.batching(), {}), losses(at.batching(), {});
  const Borrowed work(py);
  at.each([&](std::size_t i) {
    if (wrenches.by_name()) work->poses(at.q(i));
    const Power<> p =
        power(work->engine(), at.q(i), at(0, i), at(1, i), {effects, wrenches(i, work->poses())});
    joints.data[i] = p.joints, external.data[i] = p.external, losses.data[i] = p.losses;
  });
  return result("Power", at.number(joints), at.number(external), at.number(losses));
}

constexpr const char* number_result = "axode.typing.NumberOrArray";

}  // namespace

void bind_dynamics_energy(nb::module_& m) {
  m.def("energy", &energy_of, nb::arg("tree"), nb::arg("q"), nb::arg("v"),
        nb::sig(signature("energy", {"q", "v"}, "", "axode._results.Energy").c_str()),
        "Kinetic energy of the bodies, that of the drives, and potential energy of gravity [J].");
  m.def("kinetic_energy", &kinetic_energy_of, nb::arg("tree"), nb::arg("q"), nb::arg("v"),
        nb::sig(signature("kinetic_energy", {"q", "v"}, "", number_result).c_str()),
        "Kinetic energy of the bodies [J]; a batch gives (batch,).");
  m.def("armature_energy", &armature_energy_of, nb::arg("tree"), nb::arg("v"),
        nb::sig(signature("armature_energy", {"v"}, "", number_result).c_str()),
        "Kinetic energy of the drives [J], 1/2 armature v^2; a batch gives (batch,).");
  m.def(
      "potential_energy", &potential_energy_of, nb::arg("tree"), nb::arg("q"),
      nb::arg("springs") = nb::none(),
      nb::sig(signature("potential_energy", {"q"}, "springs: axode._results.Springs | None = None",
                        number_result)
                  .c_str()),
      "Potential energy of gravity, zero at the world's origin, and of springs [J]; a batch gives "
      "(batch,).");
  m.def("gravity_forces", &gravity_of, nb::arg("tree"), nb::arg("q"),
        nb::sig(signature("gravity_forces", {"q"}).c_str()),
        "Joint forces g(q) [N m, N], (nv,), that hold the tree at rest against gravity.");
  m.def("spring_forces", &spring_forces_of, nb::arg("tree"), nb::arg("q"), nb::arg("springs"),
        nb::sig(signature("spring_forces", {"q"}, "springs: axode._results.Springs").c_str()),
        "Forces of springs along the degrees of freedom [N m, N], (nv,): they act as joint forces "
        "do.");
  def_with_effects(
      m, "power",
      signature("power", {"q", "v", "tau"}, wrenches_signature + ", " + effects_signature,
                "axode._results.Power"),
      "The rate of the energy [W] by what it comes from: joint forces tau, wrenches on "
      "the bodies, damping and friction.",
      &power_of, nb::arg("q"), nb::arg("v"), nb::arg("tau"), nb::arg("wrenches") = nb::none());
}

}  // namespace axode::python
