/// Joint velocities and accelerations of all twists: axode/kinematics/inverse/overall_inverse.hpp.
#include <cmath>

#include "axode/kinematics/inverse/overall_inverse.hpp"
#include "src/kinematics/kinematics.hpp"
#include "src/shared/results.hpp"

namespace axode::python {
namespace {

States sixes_of(const Tree& tree, nb::handle value, const char* argument) {
  return blocks(value, argument, bodies_of(tree), 6, "six numbers for each body");
}

/// What was found for all states: numbers of one, lists of several.
struct Findings {
  Findings(const Tree& tree, const Batching& b) : batching(b), found(b, {velocities_of(tree)}) {
    all.resize(b.count);
  }
  nb::object made(const char* type) const {
    const nb::object numbers = finished(batching, found);
    if (!batching.batched)
      return result(type, numbers, all[0].residual, all[0].undetermined, all[0].joint);
    const Output residuals({all.size()});
    nb::list undetermined, joints;
    for (std::size_t i = 0; i < all.size(); ++i) {
      residuals.data[i] = all[i].residual;
      undetermined.append(all[i].undetermined);
      joints.append(all[i].joint);
    }
    const nb::object numpy = nb::module_::import_("numpy");
    const nb::object asarray = numpy.attr("asarray"), int64 = numpy.attr("int64");
    return result(type, numbers, residuals.array, asarray(undetermined, int64),
                  asarray(joints, int64));
  }
  Batching batching;
  Output found;
  std::vector<OverallInverse<double>> all;
};

nb::object joint_velocities_of(PyTree& py, nb::handle q_argument, nb::handle twists_argument,
                               std::string_view rep) {
  const Tree& tree = py.tree;
  const States q = coordinates(tree, q_argument), V = sixes_of(tree, twists_argument, "twists");
  Findings findings(tree, Batching{&q, &V});
  const Borrowed work(py);
  Poses<double>& poses = work->poses();
  with_representation(representation(rep), [&]<Rep r>() {
    std::vector<Twist<r>> twists;
    for_states(findings.batching, [&](std::size_t i) {
      place(*work, q[i]);
      check_numbers(V[i], "twists");
      read_sixes(V[i], twists);
      findings.all[i] = joint_velocities<r, double>(tree, poses, twists, findings.found[i]);
    });
  });
  return findings.made("JointVelocities");
}

nb::object joint_accelerations_of(PyTree& py, nb::handle q_argument, nb::handle twists_argument,
                                  nb::handle accelerations_argument, nb::handle v_argument,
                                  std::string_view rep) {
  const Tree& tree = py.tree;
  const States q = coordinates(tree, q_argument), V = sixes_of(tree, twists_argument, "twists"),
               A = sixes_of(tree, accelerations_argument, "accelerations"),
               v = velocities(tree, v_argument);
  Findings findings(tree, Batching{&q, &V, &A, &v});
  const Borrowed work(py);
  Poses<double>& poses = work->poses();
  with_representation(representation(rep), [&]<Rep r>() {
    std::vector<Twist<r>> twists;
    std::vector<Acceleration<r>> accelerations;
    for_states(findings.batching, [&](std::size_t i) {
      place(*work, q[i]);
      check_numbers(V[i], "twists");
      check_numbers(A[i], "accelerations");
      check_velocity(tree, v[i]);
      read_sixes(V[i], twists);
      read_sixes(A[i], accelerations);
      findings.all[i] = joint_accelerations<r, double>(tree, poses, twists, accelerations, v[i],
                                                       findings.found[i]);
    });
  });
  return findings.made("JointAccelerations");
}

/// Twists that count must be finite; others are not read.
void check_measured(std::span<const double> twists, const std::vector<Vec6<double>>& weights) {
  for (std::size_t n = 0; n < twists.size(); ++n)
    if (!std::isfinite(twists[n]) &&
        (weights.empty() || weights[n / 6][static_cast<int>(n % 6)] != 0))
      throw Error("has a number that is not finite", "twists",
                  "give weight zero to what is not measured");
}

nb::object least_squares_of(PyTree& py, nb::handle q_argument, nb::handle twists_argument,
                            nb::handle weights_argument, std::string_view rep,
                            double rank_tolerance) {
  const Tree& tree = py.tree;
  const States q = coordinates(tree, q_argument), V = sixes_of(tree, twists_argument, "twists");
  std::vector<Vec6<double>> weights;
  if (!weights_argument.is_none()) {
    const States given = sixes_of(tree, weights_argument, "weights");
    if (given.batched()) throw Error("is a batch", "weights", "give one for all states");
    read_sixes(given[0], weights);
  }
  if (!(rank_tolerance > 0) || !(rank_tolerance < 1))
    throw Error("is not in (0, 1)", "rank_tolerance", "give one such as 1e-7");
  Findings findings(tree, Batching{&q, &V});
  const Borrowed work(py);
  Poses<double>& poses = work->poses();
  LeastSquaresWork scratch(tree);
  with_representation(representation(rep), [&]<Rep r>() {
    std::vector<Twist<r>> twists;
    for_states(findings.batching, [&](std::size_t i) {
      place(*work, q[i]);
      check_measured(V[i], weights);
      read_sixes(V[i], twists);
      findings.all[i] = least_squares_velocities<r>(tree, poses, twists, weights, scratch,
                                                    findings.found[i], {rank_tolerance});
    });
  });
  return findings.made("JointVelocities");
}

}  // namespace

void bind_overall_inverse(nb::module_& m) {
  m.def("joint_velocities", &joint_velocities_of, nb::arg("tree"), nb::arg("q"), nb::arg("twists"),
        nb::arg("rep") = "hybrid",
        nb::sig("def joint_velocities(tree: Tree, q: axode.typing.ArrayLike, "
                "twists: axode.typing.ArrayLike, rep: axode.typing.Rep = 'hybrid') "
                "-> axode._results.JointVelocities"),
        "Joint velocities of the twists of all bodies, (bodies, 6), joint by joint; for exact "
        "twists.");
  m.def("joint_accelerations", &joint_accelerations_of, nb::arg("tree"), nb::arg("q"),
        nb::arg("twists"), nb::arg("accelerations"), nb::arg("v"), nb::arg("rep") = "hybrid",
        nb::sig("def joint_accelerations(tree: Tree, q: axode.typing.ArrayLike, "
                "twists: axode.typing.ArrayLike, accelerations: axode.typing.ArrayLike, "
                "v: axode.typing.ArrayLike, rep: axode.typing.Rep = 'hybrid') "
                "-> axode._results.JointAccelerations"),
        "Derivatives of the joint velocities v from twists and accelerations of all bodies, "
        "(bodies, 6) each, joint by joint.");
  m.def(
      "least_squares_velocities", &least_squares_of, nb::arg("tree"), nb::arg("q"),
      nb::arg("twists"), nb::arg("weights") = nb::none(), nb::arg("rep") = "hybrid", nb::kw_only(),
      nb::arg("rank_tolerance") = 1e-7,
      nb::sig("def least_squares_velocities(tree: Tree, q: axode.typing.ArrayLike, "
              "twists: axode.typing.ArrayLike, weights: axode.typing.ArrayLike | None = None, "
              "rep: axode.typing.Rep = 'hybrid', *, rank_tolerance: float = 1e-7) "
              "-> axode._results.JointVelocities"),
      "Joint velocities whose twists come nearest to those given, (bodies, 6). The weights, "
      "(bodies, 6), weigh squares of components; what has weight zero is not read and may be NaN.");
}

}  // namespace axode::python
