/// The displacement of one joint and its screws: axode/model/joint_map.hpp.
#include "axode/model/joint_map.hpp"

#include "axode/core/error.hpp"
#include "axode/model/state.hpp"
#include "src/model/model.hpp"
#include "src/shared/arrays.hpp"

namespace axode::python {
namespace {

/// D(q) of the joint and its screws then, S(q).
struct JointAt {
  JointAt(const Tree& tree, int i, In<double> q)
      : D(joint_displacement(tree, i, q.data())), S(tree.links[i].nv) {
    axode::joint_screws(tree, i, q.data(), D, S.data());
  }
  SE3<double> D;
  std::vector<Vec6<double>> S;
};

nb::object displacement_of(const PyTree& t, nb::handle body, nb::handle q_argument) {
  const int i = body_argument(t.tree, body);
  const States q(q_argument, "q", t.tree.nq, "the tree's coordinates");
  const Batching batching{&q};
  const Output result(batching, {4, 4});
  for (std::size_t k = 0; k < batching.count; ++k) {
    check_configuration(t.tree, q[k]);
    write_homogeneous(joint_displacement(t.tree, i, q[k].data()), result[k].data());
  }
  return result.array;
}

nb::object screws_at(const PyTree& t, nb::handle body, nb::handle q_argument) {
  const int i = body_argument(t.tree, body);
  const States q(q_argument, "q", t.tree.nq, "the tree's coordinates");
  const Batching batching{&q};
  const Output result(batching, {std::size_t(t.tree.links[i].nv), 6});
  for (std::size_t k = 0; k < batching.count; ++k) {
    check_configuration(t.tree, q[k]);
    double* row = result[k].data();
    for (const Vec6<double>& X : JointAt(t.tree, i, q[k]).S)
      write_six(X, std::exchange(row, row + 6));
  }
  return result.array;
}

nb::object screw_derivatives_of(const PyTree& t, nb::handle body, nb::handle q_argument,
                                nb::handle derivatives) {
  constexpr std::size_t most = 100;
  const Tree& tree = t.tree;
  const int i = body_argument(tree, body);
  const std::vector<double> q = vector(q_argument, "q");
  check_configuration(tree, q);
  const States velocity(derivatives, "v", tree.nv, "v and its time derivatives, one per row");
  const std::size_t order = velocity.count(), n = tree.links[i].nv;
  if (order > most)
    throw LimitError("has " + std::to_string(order) + " rows", "v", "give up to 100");
  std::vector<const double*> rows;
  for (std::size_t k = 0; k < order; ++k) {
    check_velocity(tree, velocity[k]);
    rows.push_back(velocity[k].data());
  }
  std::vector<Vec6<double>> S = JointAt(tree, i, q).S;
  S.resize((order + 1) * n);
  joint_screw_derivatives<double>(tree, i, q.data(), rows, static_cast<int>(order), S.data());
  const Output result({order + 1, n, 6});
  for (std::size_t k = 0; k < S.size(); ++k) {
    if (!is_finite(S[k])) throw Error("a derivative overflows", "joint_screw_derivatives");
    write_six(S[k], result.data + 6 * k);
  }
  return result.array;
}

}  // namespace

void bind_joint_maps(nb::module_& m) {
  m.def("joint_displacement", &displacement_of, nb::arg("tree"), nb::arg("body"), nb::arg("q"),
        nb::sig("def joint_displacement(tree: Tree, body: typing.SupportsIndex | str, "
                "q: axode.typing.ArrayLike) -> axode.typing.Array"),
        "The displacement D(q) of a body's joint, T_PB = B D(q), (4, 4); q of the whole tree.");
  m.def("joint_screws", &screws_at, nb::arg("tree"), nb::arg("body"), nb::arg("q"),
        nb::sig("def joint_screws(tree: Tree, body: typing.SupportsIndex | str, "
                "q: axode.typing.ArrayLike) -> axode.typing.Array"),
        "The screws S(q) of a body's joint in the body frame, angular part first, (degrees of "
        "freedom, 6): "
        "the twist of the body in its parent is S^T v.");
  m.def("joint_screw_derivatives", &screw_derivatives_of, nb::arg("tree"), nb::arg("body"),
        nb::arg("q"), nb::arg("v"),
        nb::sig("def joint_screw_derivatives(tree: Tree, body: typing.SupportsIndex | str, "
                "q: axode.typing.ArrayLike, v: axode.typing.ArrayLike) -> axode.typing.Array"),
        "S(q) of a body's joint and its time derivatives along a motion, (order + 1, degrees of "
        "freedom, 6). "
        "v: the velocities of the whole tree and their time derivatives, (order, nv) or (nv,).");
  m.def(
      "has_constant_screws",
      [](const PyTree& t, nb::handle body) {
        return has_constant_screws(t.tree.links[body_argument(t.tree, body)]);
      },
      nb::arg("tree"), nb::arg("body"),
      nb::sig("def has_constant_screws(tree: Tree, body: typing.SupportsIndex | str) -> bool"),
      "Whether S(q) of a body's joint is constant, so that all derivatives vanish.");
}

}  // namespace axode::python
