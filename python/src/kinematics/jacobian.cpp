/// Jacobians and their derivatives: axode/kinematics/{jacobian,screw_derivatives}.hpp and those of
/// frame_kinematics.hpp.
#include "src/kinematics/jacobian.hpp"

#include <nanobind/stl/vector.h>

#include "axode/engine/frames.hpp"
#include "axode/kinematics/screw_derivatives.hpp"

namespace axode::python {
namespace {

nb::object jacobian_of_frame(PyTree& py, nb::handle q_argument, nb::handle of, nb::handle rep,
                             nb::handle relative_to, nb::handle expressed_in,
                             nb::handle base_velocity_in) {
  const Tree& tree = py.tree;
  const States q = coordinates(tree, q_argument);
  const Batching batching{&q};
  const Output result(batching, {6, velocities_of(tree)});
  const Borrowed work(py);
  const TwistFrames frames =
      TwistArguments{of, rep, relative_to, expressed_in, base_velocity_in}.frames(tree);
  for_states(batching, [&](std::size_t i) {
    check_configuration(tree, q[i]);
    write_jacobian(*work, q[i], frames, result[i]);
  });
  return finished(batching, result);
}

nb::object jacobian_rate_of(PyTree& py, nb::handle q_argument, nb::handle v_argument, nb::handle of,
                            std::string_view rep) {
  const Tree& tree = py.tree;
  const States q = coordinates(tree, q_argument), v = velocities(tree, v_argument);
  const Batching batching{&q, &v};
  const Frame frame = simple_frame_of(tree, of, "of");
  const Output result(batching, {6, velocities_of(tree)});
  const Borrowed work(py);
  with_representation(representation(rep), [&]<Rep r>() {
    std::vector<Acceleration<r>> columns(velocities_of(tree));
    for_states(batching, [&](std::size_t i) {
      check_configuration(tree, q[i]);
      check_velocity(tree, v[i]);
      jacobian_rate<r>(work->engine(), q[i], v[i], frame, columns);
      write_columns(std::span(std::as_const(columns)), result[i].data());
    });
  });
  return finished(batching, result);
}

nb::object rate_times_velocity_of(PyTree& py, nb::handle q_argument, nb::handle v_argument,
                                  nb::handle of, nb::handle rep, nb::handle relative_to,
                                  nb::handle expressed_in, nb::handle base_velocity_in) {
  const Tree& tree = py.tree;
  const States q = coordinates(tree, q_argument), v = velocities(tree, v_argument);
  const Batching batching{&q, &v};
  const Output result(batching, {6});
  const Borrowed work(py);
  const TwistFrames frames =
      TwistArguments{of, rep, relative_to, expressed_in, base_velocity_in}.frames(tree);
  for_states(batching, [&](std::size_t i) {
    check_configuration(tree, q[i]);
    check_velocity(tree, v[i]);
    write_six(frames([&](const FrameRoles& f) {
                return jacobian_rate_times_velocity(work->engine(), q[i], v[i], f);
              }),
              result[i].data());
  });
  return finished(batching, result);
}

nb::object spatial_columns_of(PyTree& py, nb::handle q_argument) {
  const Tree& tree = py.tree;
  const States q = coordinates(tree, q_argument);
  const Batching batching{&q};
  const Output result(batching, {6, velocities_of(tree)});
  const Borrowed work(py);
  Poses<double>& poses = work->poses();
  std::vector<Twist<Rep::spatial>> columns(velocities_of(tree));
  for_states(batching, [&](std::size_t i) {
    place(*work, q[i]);
    spatial_columns<double>(tree, poses, columns);
    write_columns(std::span(std::as_const(columns)), result[i].data());
  });
  return finished(batching, result);
}

nb::object spatial_column_rates_of(PyTree& py, nb::handle q_argument, nb::handle v_argument) {
  const Tree& tree = py.tree;
  const States q = coordinates(tree, q_argument), v = velocities(tree, v_argument);
  const Batching batching{&q, &v};
  const Output result(batching, {6, velocities_of(tree)});
  const Borrowed work(py);
  Poses<double>& poses = work->poses();
  Motion<Rep::spatial>& motion = work->motion<Rep::spatial>();
  std::vector<Acceleration<Rep::spatial>> columns(velocities_of(tree));
  for_states(batching, [&](std::size_t i) {
    place(*work, q[i]);
    move(tree, poses, v[i], motion);
    spatial_column_rates<double>(tree, poses, motion, v[i], columns);
    write_columns(std::span(std::as_const(columns)), result[i].data());
  });
  return finished(batching, result);
}

nb::object screw_partial_derivative_of(PyTree& py, nb::handle q_argument, nb::handle body,
                                       int column, const std::vector<int>& by,
                                       std::string_view rep) {
  const Tree& tree = py.tree;
  const States q = coordinates(tree, q_argument);
  const Batching batching{&q};
  const int i_body = body_number_of(tree, body);
  const Output result(batching, {6});
  const Borrowed work(py);
  Poses<double>& poses = work->poses();
  with_representation(representation(rep), [&]<Rep r>() {
    for_states(batching, [&](std::size_t i) {
      place(*work, q[i]);
      write_six(screw_partial_derivative<r>(tree, poses, i_body, column, by), result[i].data());
    });
  });
  return finished(batching, result);
}

nb::object jacobian_partial_derivative_of(PyTree& py, nb::handle q_argument, nb::handle body,
                                          const std::vector<int>& by, std::string_view rep) {
  const Tree& tree = py.tree;
  const States q = coordinates(tree, q_argument);
  const Batching batching{&q};
  const int i_body = body_number_of(tree, body);
  const Output result(batching, {6, velocities_of(tree)});
  const Borrowed work(py);
  Poses<double>& poses = work->poses();
  std::vector<Vec6<double>> columns(velocities_of(tree));
  with_representation(representation(rep), [&]<Rep r>() {
    for_states(batching, [&](std::size_t i) {
      place(*work, q[i]);
      jacobian_partial_derivative<r, double>(tree, poses, i_body, by, columns);
      write_columns(std::span(std::as_const(columns)), result[i].data());
    });
  });
  return finished(batching, result);
}

constexpr const char* jacobian_text =
    "Jacobian of a frame, (6, nv), angular part first: its twist is J v, relative to another "
    "frame, "
    "'world' if left out, in a representation, hybrid if left out, or expressed in a third frame. "
    "On "
    "a free base the first six velocities may be the twist of the base, expressed in "
    "base_velocity_in.";
constexpr const char* rate_text =
    "Time derivative dJ/dt of the Jacobian of a frame in a representation, along the velocity v, "
    "(6, nv).";
constexpr const char* rate_times_velocity_text =
    "dJ/dt v of the Jacobian of the same arguments: the acceleration of the frame at constant v "
    "[rad/s^2, m/s^2], (6,).";

}  // namespace

void bind_jacobians(nb::module_& m) {
  TreeFunctions both(m, "Tree", "tree");
  both.def("jacobian", &jacobian_of_frame,
           "q: axode.typing.ArrayLike, of: axode.typing.FrameLike | int, "
           "rep: axode.typing.Rep | None = None, *, "
           "relative_to: axode.typing.FrameLike | int | None = None, "
           "expressed_in: axode.typing.FrameLike | int | None = None, "
           "base_velocity_in: axode.typing.FrameLike | int | None = None) -> axode.typing.Array",
           jacobian_text, nb::arg("q"), nb::arg("of"), nb::arg("rep") = nb::none(), nb::kw_only(),
           nb::arg("relative_to") = nb::none(), nb::arg("expressed_in") = nb::none(),
           nb::arg("base_velocity_in") = nb::none());
  both.def("jacobian_rate", &jacobian_rate_of,
           "q: axode.typing.ArrayLike, v: axode.typing.ArrayLike, "
           "of: axode.typing.FrameLike | int, rep: axode.typing.Rep = 'hybrid') "
           "-> axode.typing.Array",
           rate_text, nb::arg("q"), nb::arg("v"), nb::arg("of"), nb::arg("rep") = "hybrid");
  both.def("jacobian_rate_times_velocity", &rate_times_velocity_of,
           "q: axode.typing.ArrayLike, v: axode.typing.ArrayLike, "
           "of: axode.typing.FrameLike | int, rep: axode.typing.Rep | None = None, *, "
           "relative_to: axode.typing.FrameLike | int | None = None, "
           "expressed_in: axode.typing.FrameLike | int | None = None, "
           "base_velocity_in: axode.typing.FrameLike | int | None = None) -> axode.typing.Array",
           rate_times_velocity_text, nb::arg("q"), nb::arg("v"), nb::arg("of"),
           nb::arg("rep") = nb::none(), nb::kw_only(), nb::arg("relative_to") = nb::none(),
           nb::arg("expressed_in") = nb::none(), nb::arg("base_velocity_in") = nb::none());
  m.def("spatial_columns", &spatial_columns_of, nb::arg("tree"), nb::arg("q"),
        nb::sig("def spatial_columns(tree: Tree, q: axode.typing.ArrayLike) "
                "-> axode.typing.Array"),
        "The spatial Jacobian columns of all joints at once, (6, nv): the spatial Jacobian of a "
        "body has those of the joints on the path to it, and zeros elsewhere.");
  m.def("spatial_column_rates", &spatial_column_rates_of, nb::arg("tree"), nb::arg("q"),
        nb::arg("v"),
        nb::sig("def spatial_column_rates(tree: Tree, q: axode.typing.ArrayLike, "
                "v: axode.typing.ArrayLike) -> axode.typing.Array"),
        "Time derivatives of the spatial Jacobian columns along the velocity v, (6, nv).");
  m.def("screw_partial_derivative", &screw_partial_derivative_of, nb::arg("tree"), nb::arg("q"),
        nb::arg("body"), nb::arg("column"), nb::arg("coordinates"), nb::arg("rep") = "hybrid",
        nb::sig("def screw_partial_derivative(tree: Tree, q: axode.typing.ArrayLike, "
                "body: str | int, column: int, coordinates: collections.abc.Sequence[int], "
                "rep: axode.typing.Rep = 'hybrid') -> axode.typing.Array"),
        "Partial derivative of one column of the Jacobian of a body with respect to all the "
        "coordinates, (6,); column and coordinates are numbers of velocities, one may stand there "
        "several times, none gives the column itself.");
  m.def("jacobian_partial_derivative", &jacobian_partial_derivative_of, nb::arg("tree"),
        nb::arg("q"), nb::arg("body"), nb::arg("coordinates"), nb::arg("rep") = "hybrid",
        nb::sig("def jacobian_partial_derivative(tree: Tree, q: axode.typing.ArrayLike, "
                "body: str | int, coordinates: collections.abc.Sequence[int], "
                "rep: axode.typing.Rep = 'hybrid') -> axode.typing.Array"),
        "The same of all columns of the Jacobian of the body, (6, nv).");
}

}  // namespace axode::python
