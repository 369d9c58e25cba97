/// Forces, accelerations, matrices and their derivatives: axode/dynamics, axode/engine, axode/batch.
#include "axode/batch/batch.hpp"
#include "axode/engine/engine.hpp"
#include "src/arrays.hpp"
#include "src/py_tree.hpp"
#include "src/results.hpp"

namespace axode::python {
namespace {

nb::object inverse_dynamics_of(PyTree& py, nb::handle q_argument, nb::handle v_argument,
                               nb::handle a_argument) {
  const Tree& tree = py.tree;
  States q(q_argument, "q", tree.nq, "the tree's coordinates");
  States v(v_argument, "v", tree.nv, "the joint velocities");
  States a(a_argument, "a", tree.nv, "the joint accelerations");
  const Batching batching{&q, &v, &a};
  const Output tau(batching, {static_cast<std::size_t>(tree.nv)});
  const Borrowed work(py);
  if (!batching.batched) {
    check_configuration(tree, q[0]);
    check_velocity(tree, v[0]);
    check_velocity(tree, a[0], "a");
    inverse_dynamics(work->engine(), q[0], v[0], a[0], tau.all());
  } else {
    const auto all_q = q.repeated(batching.count), all_v = v.repeated(batching.count),
               all_a = a.repeated(batching.count);
    const nb::gil_scoped_release release;
    inverse_dynamics(work->batch(), all_q, all_v, all_a, tau.all());
  }
  return tau.array;
}

}  // namespace

void bind_dynamics(nb::module_& m) {
  m.def("inverse_dynamics", &inverse_dynamics_of, nb::arg("tree"), nb::arg("q"), nb::arg("v"),
        nb::arg("a"),
        nb::sig("def inverse_dynamics(tree: Tree, q: axode.typing.ArrayLike, "
                "v: axode.typing.ArrayLike, a: axode.typing.ArrayLike) -> axode.typing.Array"),
        "Joint forces [N m, N] of the motion (q, v, a), (nv,).");
}

}  // namespace axode::python
