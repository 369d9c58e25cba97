/// Contacts: Jacobians, accelerations with contact wrenches, impulses.
#include "src/dynamics/contacts.hpp"

#include "axode/dynamics/contact/contact.hpp"
#include "axode/dynamics/contact/contact_dynamics.hpp"
#include "axode/dynamics/contact/contact_impulse.hpp"
#include "src/dynamics/dynamics.hpp"
#include "src/kinematics/frame_names.hpp"

namespace axode::python {

Contact contact_argument(const Tree& tree, nb::handle value) {
  const auto part = [value](const char* name) { return member(value, "contact", name, "Contact"); };
  const nb::object at = part("at"), directions = part("directions"), link = part("link"),
                   against = part("against"), T_FC = part("T_FC"), V_FC = part("V_FC");
  const FrameNames names = frame_names(tree, at, "contact");
  bool held[6] = {};
  if (!nb::isinstance<nb::sequence>(directions) || nb::len(directions) != 6)
    throw nb::type_error("contact: give axode.dynamics.Directions, or six truth values");
  for (std::size_t i = 0; i < 6; ++i) {
    const nb::object one = directions[i];
    const int truth = PyObject_IsTrue(one.ptr());
    if (truth < 0) throw nb::python_error();
    held[i] = truth == 1;
  }
  std::string link_name, against_name;
  if (!nb::try_cast(link, link_name) || !nb::try_cast(against, against_name))
    throw nb::type_error("contact: name bodies by a str");
  Contact looked_up =
      contact(tree, {.at = names.name(),
                     .directions = {held[0], held[1], held[2], held[3], held[4], held[5]},
                     .link = link_name,
                     .against = against_name});
  if (!T_FC.is_none()) looked_up.T_FC = pose(T_FC, "T_FC");
  if (!V_FC.is_none()) looked_up.V_FC = vec6(V_FC, "V_FC");
  check_contact(tree, looked_up);
  return looked_up;
}

std::vector<Contact> contacts_argument(const Tree& tree, nb::handle value) {
  if (!nb::isinstance<nb::sequence>(value) || nb::isinstance<nb::str>(value) ||
      nb::hasattr(value, "directions"))
    throw nb::type_error("contacts: give a list of axode.dynamics.Contact");
  std::vector<Contact> contacts;
  for (const nb::handle item : value) contacts.push_back(contact_argument(tree, item));
  return contacts;
}

namespace {

nb::object contact_pose_of(PyTree& py, nb::handle q, nb::handle contact_value) {
  const Tree& tree = py.tree;
  const Contact contact = contact_argument(tree, contact_value);
  const Motions at(tree, q);
  const Borrowed work(py);
  const Output matrices(at.batching(), {4, 4});
  SE3<double> found;
  at.each([&](std::size_t i) {
    work->poses(at.q(i));
    found = contact_pose(work->poses(), contact);
    write_homogeneous(found, matrices[i].data());
  });
  const nb::object all = at.finished(matrices);
  return at.batching().batched ? all : nb::cast(found);
}

nb::object contact_jacobian_of(PyTree& py, nb::handle q, nb::handle contact_value) {
  const Tree& tree = py.tree;
  const Contact contact = contact_argument(tree, contact_value);
  const Motions at(tree, q);
  const std::size_t n = velocities_of(tree);
  const Output J(at.batching(), {6, n});
  const Borrowed work(py);
  std::vector<Vec6<double>> columns(n);
  at.each([&](std::size_t i) {
    work->poses(at.q(i));
    contact_jacobian<double>(tree, work->poses(), contact, columns);
    for (std::size_t k = 0; k < n; ++k) {
      double six[6];
      write_six(columns[k], six);
      for (std::size_t row = 0; row < 6; ++row) J[i][row * n + k] = six[row];
    }
  });
  return at.finished(J);
}

nb::object contact_twist_of(PyTree& py, nb::handle q, nb::handle v, nb::handle contact_value) {
  const Tree& tree = py.tree;
  const Contact contact = contact_argument(tree, contact_value);
  const Motions at(tree, q, {{"v", v}});
  const Output twist(at.batching(), {6});
  const Borrowed work(py);
  at.each([&](std::size_t i) {
    const Motion<Rep::body>& motion = motion_at(tree, work, at, i);
    write_six(contact_twist<double>(work->poses(), motion, contact), twist[i].data());
  });
  return at.finished(twist);
}

nb::object contact_bias_of(PyTree& py, nb::handle q, nb::handle v, nb::handle contact_value) {
  const Tree& tree = py.tree;
  const Contact contact = contact_argument(tree, contact_value);
  const Motions at(tree, q, {{"v", v}});
  const Output bias(at.batching(), {6});
  const Borrowed work(py);
  at.each([&](std::size_t i) {
    const Motion<Rep::body>& motion = motion_at(tree, work, at, i);
    write_six(contact_bias<double>(tree, work->poses(), motion, at(0, i), contact), bias[i].data());
  });
  return at.finished(bias);
}

nb::object contact_error_of(PyTree& py, nb::handle q, nb::handle contact_value,
                            nb::handle target_value) {
  const Tree& tree = py.tree;
  const Contact contact = contact_argument(tree, contact_value);
  const FrameChoice target = frame_choice(tree, target_value, "target");
  const Motions at(tree, q);
  const Output error(at.batching(), {6});
  const Borrowed work(py);
  at.each([&](std::size_t i) {
    work->poses(at.q(i));
    write_six(contact_error(work->poses(), contact, target), error[i].data());
  });
  return at.finished(error);
}

nb::object add_contact_wrench_of(PyTree& py, nb::handle q, nb::handle contact_value,
                                 nb::handle wrench_value, nb::handle wrenches_argument) {
  const Tree& tree = py.tree;
  const Contact contact = contact_argument(tree, contact_value);
  Wrenches wrenches(tree, wrenches_argument);
  States wrench(wrench_value, "wrench", 6, "torque and force in the contact frame");
  const Motions at(tree, q, {}, &wrenches);
  const States* one[] = {&wrench};
  if (wrench.batched() && Batching(one).count != at.batching().count)
    throw Error("has other states than q", "wrench", "give as many, or one for all");
  const Output sums(at.batching(), {bodies_of(tree), 6});
  const Borrowed work(py);
  std::vector<Wrench<Rep::body>> all(bodies_of(tree));
  at.each([&](std::size_t i) {
    check_numbers(wrench[i], "wrench");
    work->poses(at.q(i));
    std::ranges::fill(all, Wrench<Rep::body>{});
    std::ranges::copy(wrenches(i, work->poses()), all.begin());
    add_contact_wrench<double>(work->poses(), contact, read_six(wrench[i].data()), all);
    for (std::size_t b = 0; b < all.size(); ++b) write_six(all[b].six(), sums[i].data() + 6 * b);
  });
  return at.finished(sums);
}

}  // namespace

void bind_dynamics_contacts(nb::module_& m) {
  const std::string contact = "contact: axode._results.Contact";
  m.def("contact_pose", &contact_pose_of, nb::arg("tree"), nb::arg("q"), nb::arg("contact"),
        nb::sig(signature("contact_pose", {"q"}, contact, "SE3").c_str()),
        "Pose T_WC of the contact frame in the world; a batch gives (batch, 4, 4).");
  m.def("contact_jacobian", &contact_jacobian_of, nb::arg("tree"), nb::arg("q"), nb::arg("contact"),
        nb::sig(signature("contact_jacobian", {"q"}, contact).c_str()),
        "Jacobian of the twist of the link relative to the other body, in the contact frame, (6, "
        "nv): "
        "all rows, whatever directions are held.");
  m.def(
      "contact_twist", &contact_twist_of, nb::arg("tree"), nb::arg("q"), nb::arg("v"),
      nb::arg("contact"), nb::sig(signature("contact_twist", {"q", "v"}, contact).c_str()),
      "Twist J v of the link relative to the other body, in the contact frame [rad/s, m/s], (6,).");
  m.def("contact_bias", &contact_bias_of, nb::arg("tree"), nb::arg("q"), nb::arg("v"),
        nb::arg("contact"), nb::sig(signature("contact_bias", {"q", "v"}, contact).c_str()),
        "dJ/dt v, the rate of the contact's twist at dv/dt = 0 [rad/s^2, m/s^2], (6,).");
  m.def(
      "contact_error", &contact_error_of, nb::arg("tree"), nb::arg("q"), nb::arg("contact"),
      nb::arg("target"),
      nb::sig(
          signature("contact_error", {"q"}, contact + ", target: axode.typing.FrameLike").c_str()),
      "How far the contact frame is from `target` on the other body: rotation and displacement in "
      "the axes of the contact [rad, m], (6,).");
  m.def(
      "add_contact_wrench", &add_contact_wrench_of, nb::arg("tree"), nb::arg("q"),
      nb::arg("contact"), nb::arg("wrench"), nb::arg("wrenches") = nb::none(),
      nb::sig(signature("add_contact_wrench", {"q"},
                        contact + ", wrench: axode.typing.ArrayLike, " + wrenches_signature)
                  .c_str()),
      "Wrenches on the bodies, (bodies, 6) in their frames, with a contact wrench added, given in "
      "the contact frame: on the link, and the opposite on the other body.");
  bind_dynamics_contact_solutions(m);
}

}  // namespace axode::python
