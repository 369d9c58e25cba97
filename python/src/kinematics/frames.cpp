/// Poses, twists, accelerations and wrenches between frames: axode/kinematics/frames/frame_kinematics.hpp.
#include "src/kinematics/frames.hpp"

#include "axode/engine/frames.hpp"
#include "axode/lie/adjoint.hpp"

namespace axode::python {

Rep TwistArguments::representation() const {
  if (rep.is_none()) return Rep::hybrid;
  if (!expressed_in.is_none())
    throw Error("is given beside expressed_in", "rep", "give one of them");
  std::string_view name;
  if (!nb::try_cast(rep, name)) throw nb::type_error("rep: give 'body', 'spatial', ...");
  return python::representation(name);
}

TwistFrames TwistArguments::frames(const Tree& tree) const {
  const Rep form = representation();
  TwistFrames result{
      {.of = frame_of(tree, of, "of"), .relative_to = frame_of(tree, relative_to, "relative_to")},
      {}};
  FrameRoles& roles = result.linear;
  if (!expressed_in.is_none())
    roles.expressed_in = frame_of(tree, expressed_in, "expressed_in");
  else if (form != Rep::hybrid)
    roles.expressed_in = axode::expressed_in(form, roles.of, roles.relative_to);
  if (!base_velocity_in.is_none()) {
    frame_roles(tree, {.base_velocity_in = FrameName("world")});  // throws without a free base
    roles.base_velocity_in = frame_of(tree, base_velocity_in, "base_velocity_in");
  }
  if (form == Rep::mixed) {
    result.angular = roles;
    result.angular->expressed_in = roles.of;
  }
  return result;
}

namespace {

/// Poses of one frame in another at all states: calls take(i, T).
template <class Take>
void for_transforms(PyTree& py, const States& q, const Batching& batching, nb::handle of,
                    nb::handle relative_to, const char* of_name, const char* relative_name,
                    Take&& take) {
  const FrameChoice frame = frame_of(py.tree, of, of_name),
                    reference = frame_of(py.tree, relative_to, relative_name);
  const Borrowed work(py);
  for_states(batching, [&](std::size_t i) {
    check_configuration(py.tree, q[i]);
    take(i, transform(work->engine(), q[i], frame, reference));
  });
}

nb::object transform_of(PyTree& py, nb::handle q_argument, nb::handle of, nb::handle relative_to) {
  const States q = coordinates(py.tree, q_argument);
  if (q.batched())
    throw Error("has several states where one pose is asked for", "q",
                "use transform_matrix, which takes batches");
  SE3<double> result;
  for_transforms(py, q, Batching{&q}, of, relative_to, "of", "relative_to",
                 [&](std::size_t, const SE3<double>& T) { result = T; });
  return pose_result(result);
}

nb::object transform_matrix_of(PyTree& py, nb::handle q_argument, nb::handle of,
                               nb::handle relative_to) {
  const States q = coordinates(py.tree, q_argument);
  const Batching batching{&q};
  const Output result(batching, {4, 4});
  for_transforms(
      py, q, batching, of, relative_to, "of", "relative_to",
      [&](std::size_t i, const SE3<double>& T) { write_homogeneous(T, result[i].data()); });
  return finished(batching, result);
}

nb::object wrench_transform_of(PyTree& py, nb::handle q_argument, nb::handle wrench_argument,
                               nb::handle from, nb::handle to) {
  const States q = coordinates(py.tree, q_argument);
  const States wrench(wrench_argument, "wrench", 6, "torque and force");
  const Batching batching{&q, &wrench};
  const Output result(batching, {6});
  for_transforms(py, q, batching, to, from, "to", "from_",
                 [&](std::size_t i, const SE3<double>& T_from_to) {
                   check_numbers(wrench[i], "wrench");
                   const Vec6<double> W = read_six(wrench[i].data());
                   write_six(Ad_transpose(T_from_to, W), result[i].data());
                 });
  return finished(batching, result);
}

nb::object wrench_matrix_of(PyTree& py, nb::handle q_argument, nb::handle from, nb::handle to) {
  const States q = coordinates(py.tree, q_argument);
  const Batching batching{&q};
  const Output result(batching, {6, 6});
  for_transforms(py, q, batching, to, from, "to", "from_",
                 [&](std::size_t i, const SE3<double>& T_from_to) {
                   const Mat6<double> X = Ad_matrix(T_from_to);
                   for (int row = 0; row < 6; ++row)
                     for (int column = 0; column < 6; ++column)
                       result[i].data()[6 * row + column] = X(column, row);
                 });
  return finished(batching, result);
}

nb::object frame_twist_of(PyTree& py, nb::handle q_argument, nb::handle v_argument, nb::handle of,
                          nb::handle rep, nb::handle relative_to, nb::handle expressed_in) {
  const Tree& tree = py.tree;
  const States q = coordinates(tree, q_argument), v = velocities(tree, v_argument);
  const Batching batching{&q, &v};
  const TwistFrames frames =
      TwistArguments{of, rep, relative_to, expressed_in, nb::none()}.frames(tree);
  const Output result(batching, {6});
  const Borrowed work(py);
  for_states(batching, [&](std::size_t i) {
    check_configuration(tree, q[i]);
    check_velocity(tree, v[i]);
    write_six(frames([&](const FrameRoles& f) { return twist(work->engine(), q[i], v[i], f); }),
              result[i].data());
  });
  return finished(batching, result);
}

nb::object frame_acceleration_of(PyTree& py, nb::handle q_argument, nb::handle v_argument,
                                 nb::handle a_argument, nb::handle of, nb::handle rep,
                                 nb::handle relative_to, nb::handle expressed_in,
                                 std::string_view kind_name) {
  const Tree& tree = py.tree;
  const States q = coordinates(tree, q_argument), v = velocities(tree, v_argument),
               a = velocities(tree, a_argument, "a");
  const Batching batching{&q, &v, &a};
  const TwistFrames frames =
      TwistArguments{of, rep, relative_to, expressed_in, nb::none()}.frames(tree);
  const auto kind =
      static_cast<AccelerationKind>(choice(kind_name, "kind", {"apparent", "intrinsic"}));
  const Output result(batching, {6});
  const Borrowed work(py);
  for_states(batching, [&](std::size_t i) {
    check_configuration(tree, q[i]);
    check_velocity(tree, v[i]);
    check_velocity(tree, a[i], "a");
    write_six(frames([&](const FrameRoles& f) {
                return acceleration(work->engine(), q[i], v[i], a[i], f, kind);
              }),
              result[i].data());
  });
  return finished(batching, result);
}

}  // namespace

void bind_frame_kinematics(nb::module_& m) {
  TreeFunctions both(m, "Tree", "tree");
  const std::string pose_frames =
      "q: axode.typing.ArrayLike, of: axode.typing.FrameLike | int, "
      "relative_to: axode.typing.FrameLike | int = 'world')";
  const std::string wrench_frames =
      "from_: axode.typing.FrameLike | int = 'world', "
      "to: axode.typing.FrameLike | int = 'world') -> axode.typing.Array";
  const std::string twist_frames =
      "of: axode.typing.FrameLike | int, rep: axode.typing.Rep | None = None, *, "
      "relative_to: axode.typing.FrameLike | int | None = None, "
      "expressed_in: axode.typing.FrameLike | int | None = None";
  const auto of = nb::arg("of");
  const auto rep = nb::arg("rep") = nb::none();
  const auto relative_to = nb::arg("relative_to") = nb::none();
  const auto expressed_in = nb::arg("expressed_in") = nb::none();
  const auto from = nb::arg("from_") = "world", to = nb::arg("to") = "world";

  both.def("transform", &transform_of, pose_frames + " -> SE3",
           "Pose of one frame in another at one state q.", nb::arg("q"), of, relative_to);
  both.def("transform_matrix", &transform_matrix_of, pose_frames + " -> axode.typing.Array",
           "Pose of one frame in another as 4x4 matrix, (4, 4); takes batches of states.",
           nb::arg("q"), of, nb::arg("relative_to") = "world");
  both.def("twist", &frame_twist_of,
           "q: axode.typing.ArrayLike, v: axode.typing.ArrayLike, " + twist_frames +
               ") -> axode.typing.Array",
           "Twist of one frame relative to another, 'world' if left out, angular part first "
           "[rad/s, m/s], (6,): in a representation, hybrid if left out, or expressed in a third "
           "frame.",
           nb::arg("q"), nb::arg("v"), of, rep, nb::kw_only(), relative_to, expressed_in);
  both.def(
      "acceleration", &frame_acceleration_of,
      "q: axode.typing.ArrayLike, v: axode.typing.ArrayLike, a: axode.typing.ArrayLike, " +
          twist_frames +
          ", kind: typing.Literal['apparent', 'intrinsic'] = 'apparent') "
          "-> axode.typing.Array",
      "Acceleration of one frame relative to another [rad/s^2, m/s^2], (6,), with arguments as "
      "of twist: 'apparent' the derivative of the components of that twist, 'intrinsic' of "
      "those in the frame it is relative to, then expressed as requested.",
      nb::arg("q"), nb::arg("v"), nb::arg("a"), of, rep, nb::kw_only(), relative_to, expressed_in,
      nb::arg("kind") = "apparent");
  both.def("wrench_transform", &wrench_transform_of,
           "q: axode.typing.ArrayLike, wrench: axode.typing.ArrayLike, " + wrench_frames,
           "A wrench (torque about the frame's origin, force) [N m, N] given in frame from_, "
           "expressed in frame to, (6,).",
           nb::arg("q"), nb::arg("wrench"), from, to);
  both.def("wrench_matrix", &wrench_matrix_of, "q: axode.typing.ArrayLike, " + wrench_frames,
           "The matrix that expresses wrenches of frame from_ in frame to, (6, 6).", nb::arg("q"),
           from, to);
}

}  // namespace axode::python
