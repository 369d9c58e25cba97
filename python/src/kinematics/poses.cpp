/// Poses, twists and accelerations of all bodies: axode/kinematics/{poses,motion}.hpp.
#include "axode/kinematics/poses.hpp"

#include <algorithm>

#include "axode/model/geometry.hpp"
#include "src/kinematics/kinematics.hpp"

namespace axode::python {
namespace {

/// In pieces, so that what the batch writes stays in the cache until it is turned.
void poses_of_batch(const Tree& tree, Batch& batch, const States& q, RunErrors& errors,
                    const Output& result) {
  constexpr std::size_t piece = 1024;
  const std::size_t nq = tree.nq, each = 12 * bodies_of(tree);
  std::vector<double> poses(each * std::min(piece, q.count()));
  for (std::size_t first = 0; first < q.count(); first += piece) {
    errors.throw_if_interrupted();
    const std::size_t count = std::min(piece, q.count() - first);
    axode::poses(batch, {q[first].data(), count * nq}, {poses.data(), count * each});
    write_homogeneous_all({poses.data(), count * each}, result[first].data());
  }
}

nb::object body_poses(PyTree& py, nb::handle q_argument) {
  const Tree& tree = py.tree;
  const States q = coordinates(tree, q_argument);
  const Batching batching{&q};
  const Output result(batching, {bodies_of(tree), 4, 4});
  const Borrowed work(py);
  if (!batching.batched) {
    check_configuration(tree, q[0]);
    std::vector<SE3<double>>& T_WB = work->poses().T_WB;
    axode::poses(work->engine(), q[0], T_WB);
    write_homogeneous_all({reinterpret_cast<const double*>(T_WB.data()), 12 * T_WB.size()},
                          result.data);
    return finished(batching, result);
  }
  for_states(batching, [&](std::size_t i) { check_configuration(tree, q[i]); });
  if (tree.nq > 0) {
    RunErrors errors;
    const GilRelease release;
    poses_of_batch(tree, work->batch(), q, errors, result);
  } else {
    for_states(batching, [&](std::size_t i) {  // the batch tells their number by the length of q
      axode::poses(work->engine(), q[i], work->poses().T_WB);
      for (std::size_t b = 0; b < bodies_of(tree); ++b)
        write_homogeneous(work->poses().T_WB[b], result[i].data() + 16 * b);
    });
  }
  return finished(batching, result);
}

nb::object body_twists(PyTree& py, nb::handle q_argument, nb::handle v_argument,
                       std::string_view rep) {
  const Tree& tree = py.tree;
  const States q = coordinates(tree, q_argument), v = velocities(tree, v_argument);
  const Batching batching{&q, &v};
  const Output result(batching, {bodies_of(tree), 6});
  const Borrowed work(py);
  Poses<double>& poses = work->poses();
  with_representation(representation(rep), [&]<Rep r>() {
    Motion<r>& motion = work->motion<r>();
    for_states(batching, [&](std::size_t i) {
      place(*work, q[i]);
      move(tree, poses, v[i], motion);
      write_sixes(std::span(std::as_const(motion.twists)), result[i].data());
    });
  });
  return finished(batching, result);
}

nb::object body_accelerations(PyTree& py, nb::handle q_argument, nb::handle v_argument,
                              nb::handle a_argument, std::string_view rep) {
  const Tree& tree = py.tree;
  const States q = coordinates(tree, q_argument), v = velocities(tree, v_argument),
               a = velocities(tree, a_argument, "a");
  const Batching batching{&q, &v, &a};
  const Output result(batching, {bodies_of(tree), 6});
  const Borrowed work(py);
  Poses<double>& poses = work->poses();
  with_representation(representation(rep), [&]<Rep r>() {
    Motion<r>& motion = work->motion<r>();
    for_states(batching, [&](std::size_t i) {
      place(*work, q[i]);
      move(tree, poses, v[i], a[i], motion);
      write_sixes(std::span(std::as_const(motion.accelerations)), result[i].data());
    });
  });
  return finished(batching, result);
}

/// One pose by a product of exponentials, `pose(q)`.
template <class Pose>
nb::object single_pose(const Tree& tree, nb::handle q_argument, Pose&& pose) {
  const std::vector<double> q = vector(q_argument, "q");
  check_configuration(tree, q);
  return pose_result(pose(std::span<const double>(q)));
}

nb::object by_body_screws(const PyTree& py, nb::handle q, nb::handle body) {
  const int i = body_number_of(py.tree, body);
  return single_pose(py.tree, q, [&](std::span<const double> at) {
    return pose_by_body_screws<double>(py.tree, at, i);
  });
}
nb::object by_zero_reference(const PyTree& py, nb::handle q, nb::handle body) {
  const int i = body_number_of(py.tree, body);
  return single_pose(py.tree, q, [&](std::span<const double> at) {
    return pose_by_zero_reference<double>(py.tree, zero_references(py.tree), at, i);
  });
}

}  // namespace

void bind_poses(nb::module_& m) {
  m.def("poses", &body_poses, nb::arg("tree"), nb::arg("q"),
        nb::sig("def poses(tree: Tree, q: axode.typing.ArrayLike) -> axode.typing.Array"),
        "Poses T_WB of all bodies in the world as 4x4 matrices, (bodies, 4, 4).");
  m.def(
      "twists", &body_twists, nb::arg("tree"), nb::arg("q"), nb::arg("v"),
      nb::arg("rep") = "hybrid",
      nb::sig("def twists(tree: Tree, q: axode.typing.ArrayLike, v: axode.typing.ArrayLike, "
              "rep: axode.typing.Rep = 'hybrid') -> axode.typing.Array"),
      "Twists of all bodies relative to the world, angular part first [rad/s, m/s], (bodies, 6).");
  m.def("accelerations", &body_accelerations, nb::arg("tree"), nb::arg("q"), nb::arg("v"),
        nb::arg("a"), nb::arg("rep") = "hybrid",
        nb::sig("def accelerations(tree: Tree, q: axode.typing.ArrayLike, "
                "v: axode.typing.ArrayLike, a: axode.typing.ArrayLike, "
                "rep: axode.typing.Rep = 'hybrid') -> axode.typing.Array"),
        "Time derivatives of the components of the twists of all bodies in the representation, "
        "without gravity [rad/s^2, m/s^2], (bodies, 6).");
  m.def("pose_by_body_screws", &by_body_screws, nb::arg("tree"), nb::arg("q"), nb::arg("body"),
        nb::sig("def pose_by_body_screws(tree: Tree, q: axode.typing.ArrayLike, "
                "body: str | int) -> SE3"),
        "The pose T_WB of one body (name or number) by the product of exponentials in body screws; "
        "q is one state, (nq,).");
  m.def("pose_by_zero_reference", &by_zero_reference, nb::arg("tree"), nb::arg("q"),
        nb::arg("body"),
        nb::sig("def pose_by_zero_reference(tree: Tree, q: axode.typing.ArrayLike, "
                "body: str | int) -> SE3"),
        "The pose T_WB of one body (name or number) by the product of exponentials in screws at "
        "the zero reference; q is one state, (nq,).");
}

}  // namespace axode::python
