/// Derivatives of twists and poses of any order: axode/kinematics/higher_order.hpp.
#include "axode/kinematics/higher_order.hpp"

#include <cmath>

#include "src/kinematics/kinematics.hpp"

namespace axode::python {
namespace {

/// v and its derivatives, (order + 1, nv) or (batch, order + 1, nv), as pointers to each.
struct Derivatives {
  Derivatives(const Tree& tree, nb::handle value)
      : nv(velocities_of(tree)),
        count(rows(value)),
        states(blocks(value, "velocities", count, nv,
                      "v, a, j, ... one after the other, each of nv numbers")),
        pointers(count) {}
  std::span<const double* const> operator[](std::size_t state) {
    check_numbers(states[state], "velocities");
    for (std::size_t k = 0; k < count; ++k) pointers[k] = states[state].data() + k * nv;
    return pointers;
  }
  int order() const { return static_cast<int>(count) - 1; }

  std::size_t nv, count;
  States states;
  std::vector<const double*> pointers;

 private:
  static std::size_t rows(nb::handle value) {
    const Numbers numbers(value, "velocities");
    const auto shape = numbers.shape();
    const std::size_t n = shape.size() < 2 ? 0 : shape[shape.size() - 2];
    if (n == 0)
      throw Error("is not of shape (order + 1, nv)", "velocities",
                  "give v, a, j, ... one after the other: numpy.stack([v, a, j])");
    if (n > 57)
      throw Error("has derivatives beyond order 56", "velocities", "give 57 rows at most");
    return n;
  }
};

nb::object twist_derivatives_of(PyTree& py, nb::handle q_argument, nb::handle velocities_argument,
                                std::string_view rep) {
  const Tree& tree = py.tree;
  const States q = coordinates(tree, q_argument);
  Derivatives velocities(tree, velocities_argument);
  const Batching batching{&q, &velocities.states};
  const Output result(batching, {bodies_of(tree), velocities.count, 6});
  const Borrowed work(py);
  Poses<double>& poses = work->poses();
  with_representation(representation(rep), [&]<Rep r>() {
    HigherOrder<r> motion(tree, velocities.order());
    for_states(batching, [&](std::size_t i) {
      place(*work, q[i]);
      twist_derivatives<r, double>(tree, poses, velocities[i], motion);
      write_sixes(std::span(std::as_const(motion.derivatives)), result[i].data());
    });
  });
  return finished(batching, result);
}

/// The highest derivative alone: all arguments are those of one state or of a batch.
nb::object highest_derivative(PyTree& py, std::span<const nb::handle> arguments,
                              std::span<const char* const> names, std::string_view rep) {
  const Tree& tree = py.tree;
  const States q = coordinates(tree, arguments[0]);
  std::vector<States> given;
  given.reserve(arguments.size());
  for (std::size_t k = 1; k < arguments.size(); ++k)
    given.push_back(velocities(tree, arguments[k], names[k]));
  const auto* g = given.data();
  const Batching batching{&q, g, g + 1, g + 2, given.size() > 3 ? g + 3 : nullptr};
  const Output result(batching, {bodies_of(tree), 6});
  const Borrowed work(py);
  Poses<double>& poses = work->poses();
  const int order = static_cast<int>(given.size()) - 1;
  std::vector<const double*> pointers(given.size());
  with_representation(representation(rep), [&]<Rep r>() {
    HigherOrder<r> motion(tree, order);
    for_states(batching, [&](std::size_t i) {
      place(*work, q[i]);
      for (std::size_t k = 0; k < given.size(); ++k) {
        check_velocity(tree, given[k][i], names[k + 1]);
        pointers[k] = given[k][i].data();
      }
      twist_derivatives<r, double>(tree, poses, pointers, motion);
      for (int b = 0; b < tree.size(); ++b)
        write_six(motion.derivative(b, order), result[i].data() + 6 * b);
    });
  });
  return finished(batching, result);
}
nb::object jerks_of(PyTree& py, nb::handle q, nb::handle v, nb::handle a, nb::handle j,
                    std::string_view rep) {
  return highest_derivative(py, std::array{q, v, a, j}, std::array{"q", "v", "a", "j"}, rep);
}
nb::object snaps_of(PyTree& py, nb::handle q, nb::handle v, nb::handle a, nb::handle j,
                    nb::handle s, std::string_view rep) {
  return highest_derivative(py, std::array{q, v, a, j, s}, std::array{"q", "v", "a", "j", "s"},
                            rep);
}

nb::object pose_derivatives_of(PyTree& py, nb::handle q_argument, nb::handle velocities_argument) {
  const Tree& tree = py.tree;
  const States q = coordinates(tree, q_argument);
  Derivatives velocities(tree, velocities_argument);
  const Batching batching{&q, &velocities.states};
  const Output result(batching, {bodies_of(tree), velocities.count + 1, 4, 4});
  const Borrowed work(py);
  Poses<double>& poses = work->poses();
  HigherOrder<Rep::body> motion(tree, velocities.order());
  PoseDerivatives<double> derivatives(tree, velocities.order() + 1);
  for_states(batching, [&](std::size_t i) {
    place(*work, q[i]);
    twist_derivatives<Rep::body, double>(tree, poses, velocities[i], motion);
    pose_derivatives(tree, poses, motion, derivatives);
    double* matrix = result[i].data();
    for (std::size_t n = 0; n < derivatives.derivatives.size(); ++n, matrix += 16) {
      const PoseDerivative<double>& T = derivatives.derivatives[n];
      write_homogeneous({{T.R}, T.p}, matrix);
      if (n % (velocities.count + 1) != 0) matrix[15] = 0;  // the constant last row is gone
    }
  });
  return finished(batching, result);
}

nb::object taylor_pose_of(nb::handle poses_argument, nb::handle body_argument, double dt) {
  const Numbers poses(poses_argument, "poses");
  const auto shape = poses.shape();
  if (shape.size() != 4 || shape[1] == 0 || shape[2] != 4 || shape[3] != 4)
    throw Error("is not of shape (bodies, order + 1, 4, 4)", "poses",
                "give the result of pose_derivatives of one state");
  check_numbers(poses.all(), "poses");
  if (!std::isfinite(dt)) throw Error("is not finite", "dt", "give a time in s");
  const Py_ssize_t body = PyNumber_AsSsize_t(body_argument.ptr(), nullptr);
  if (PyErr_Occurred() != nullptr) throw nb::python_error();
  if (body < 0 || static_cast<std::size_t>(body) >= shape[0])
    throw Error("there is no body " + std::to_string(body), "body",
                "there are " + std::to_string(shape[0]));
  const double* of_body = poses.all().data() + std::size_t(body) * shape[1] * 16;
  const Output result({4, 4});
  for (std::size_t n = 0; n < 16; ++n) {
    double sum = 0;
    for (std::size_t k = shape[1]; k-- > 0;)
      sum = of_body[16 * k + n] + sum * dt / static_cast<double>(k + 1);
    result.data[n] = sum;
  }
  check_result(result.all());
  return result.array;
}

}  // namespace

void bind_higher_order(nb::module_& m) {
  m.def("jerks", &jerks_of, nb::arg("tree"), nb::arg("q"), nb::arg("v"), nb::arg("a"), nb::arg("j"),
        nb::arg("rep") = "hybrid",
        nb::sig("def jerks(tree: Tree, q: axode.typing.ArrayLike, v: axode.typing.ArrayLike, "
                "a: axode.typing.ArrayLike, j: axode.typing.ArrayLike, "
                "rep: axode.typing.Rep = 'hybrid') -> axode.typing.Array"),
        "Second time derivatives of the components of the twists of all bodies [rad/s^3, m/s^3], "
        "(bodies, 6); a and j are the derivatives of v.");
  m.def("snaps", &snaps_of, nb::arg("tree"), nb::arg("q"), nb::arg("v"), nb::arg("a"), nb::arg("j"),
        nb::arg("s"), nb::arg("rep") = "hybrid",
        nb::sig("def snaps(tree: Tree, q: axode.typing.ArrayLike, v: axode.typing.ArrayLike, "
                "a: axode.typing.ArrayLike, j: axode.typing.ArrayLike, s: axode.typing.ArrayLike, "
                "rep: axode.typing.Rep = 'hybrid') -> axode.typing.Array"),
        "Third time derivatives of the components of the twists of all bodies [rad/s^4, m/s^4], "
        "(bodies, 6); a, j and s are the derivatives of v.");
  m.def("twist_derivatives", &twist_derivatives_of, nb::arg("tree"), nb::arg("q"),
        nb::arg("velocities"), nb::arg("rep") = "hybrid",
        nb::sig("def twist_derivatives(tree: Tree, q: axode.typing.ArrayLike, "
                "velocities: axode.typing.ArrayLike, rep: axode.typing.Rep = 'hybrid') "
                "-> axode.typing.Array"),
        "Twists of all bodies and their time derivatives up to any order: velocities are v, a, j, "
        "... as rows, (order + 1, nv) or (batch, order + 1, nv); of the result (bodies, order + 1, "
        "6) entry [b, k] is the k-th derivative of the twist of body b [rad/s^(k+1), m/s^(k+1)]. "
        "Order 56 at most.");
  m.def(
      "pose_derivatives", &pose_derivatives_of, nb::arg("tree"), nb::arg("q"),
      nb::arg("velocities"),
      nb::sig("def pose_derivatives(tree: Tree, q: axode.typing.ArrayLike, "
              "velocities: axode.typing.ArrayLike) -> axode.typing.Array"),
      "Poses of all bodies and their time derivatives as 4x4 matrices, (bodies, order + 2, 4, 4), "
      "with the velocities v, a, j, ... as rows, (order + 1, nv) or (batch, order + 1, nv).");
  m.def(
      "taylor_pose", &taylor_pose_of, nb::arg("poses"), nb::arg("body"), nb::arg("dt"),
      nb::sig("def taylor_pose(poses: axode.typing.ArrayLike, body: int, dt: float) "
              "-> axode.typing.Array"),
      "The Taylor polynomial of the pose of a body after the time dt [s], (4, 4), from the result "
      "of pose_derivatives of one state. Its rotation is one only to the polynomial's order.");
}

}  // namespace axode::python
