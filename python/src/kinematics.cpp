/// Poses, motions, Jacobians: axode/kinematics.
#include "axode/kinematics/motion.hpp"
#include "src/arrays.hpp"
#include "src/py_tree.hpp"

namespace axode::python {
namespace {

nb::object poses_of(PyTree& py, nb::handle q_argument) {
  const Tree& tree = py.tree;
  const States q(q_argument, "q", tree.nq, "the tree's coordinates");
  const Batching batching{&q};
  const auto bodies = static_cast<std::size_t>(tree.size());
  const Output result(batching, {bodies, 4, 4});
  const Borrowed work(py);
  Poses<double>& poses = work->poses();
  for (std::size_t i = 0; i < batching.count; ++i) {
    check_configuration(tree, q[i]);
    axode::poses(tree, q[i], poses);
    for (std::size_t b = 0; b < bodies; ++b)
      write_homogeneous(poses.T_WB[b], result[i].data() + 16 * b);
  }
  return result.array;
}

nb::object twists_of(PyTree& py, nb::handle q_argument, nb::handle v_argument,
                     std::string_view rep) {
  const Tree& tree = py.tree;
  const States q(q_argument, "q", tree.nq, "the tree's coordinates");
  const States v(v_argument, "v", tree.nv, "the joint velocities");
  const Batching batching{&q, &v};
  const auto bodies = static_cast<std::size_t>(tree.size());
  const Output result(batching, {bodies, 6});
  const Borrowed work(py);
  Poses<double>& poses = work->poses();
  with_representation(representation(rep), [&]<Rep r>() {
    Motion<r> motion(tree);
    for (std::size_t i = 0; i < batching.count; ++i) {
      check_configuration(tree, q[i]);
      check_velocity(tree, v[i]);
      axode::poses(tree, q[i], poses);
      twists(tree, poses, v[i], motion);
      for (std::size_t b = 0; b < bodies; ++b)
        write_six(motion.twists[b].six(), result[i].data() + 6 * b);
    }
  });
  return result.array;
}

}  // namespace

void bind_kinematics(nb::module_& m) {
  m.def("poses", &poses_of, nb::arg("tree"), nb::arg("q"),
        nb::sig("def poses(tree: Tree, q: axode.typing.ArrayLike) -> axode.typing.Array"),
        "Poses T_WB of all bodies in the world as 4x4 matrices, (bodies, 4, 4).");
  m.def(
      "twists", &twists_of, nb::arg("tree"), nb::arg("q"), nb::arg("v"), nb::arg("rep") = "body",
      nb::sig("def twists(tree: Tree, q: axode.typing.ArrayLike, v: axode.typing.ArrayLike, "
              "rep: axode.typing.Rep = 'body') -> axode.typing.Array"),
      "Twists of all bodies relative to the world, angular part first [rad/s, m/s], (bodies, 6).");
}

}  // namespace axode::python
