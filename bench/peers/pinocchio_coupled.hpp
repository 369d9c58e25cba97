/// Forward dynamics of joints that follow others, by what Pinocchio offers: its articulated bodies do not
/// know them, the mass matrix of its mimic joints does. The other way is the mass matrix of all joints,
/// summed up by hand. Either is then factorized, a dense matrix.
#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include "bench/peers/flat_model.hpp"
#include "pinocchio/algorithm/crba.hpp"
#include "pinocchio/algorithm/model.hpp"
#include "pinocchio/algorithm/rnea.hpp"
#include "pinocchio/multibody/joint.hpp"

namespace peers {

/// A model with its followers, and states of the independent joints.
struct CoupledPinocchio {
  using Vector = Eigen::VectorXd;
  using Given = Eigen::Ref<const Vector>;

  CoupledPinocchio(const pinocchio::Model& all, const Model& flat, const States& states)
      : free_model(all), free(all), column(std::size_t(all.nv)), ratio(Vector::Ones(all.nv)) {
    std::vector<pinocchio::JointIndex> leaders, followers;
    std::vector<double> ratios, offsets;
    int columns = 0;
    std::vector<int> kept_q;
    for (std::size_t i = 0; i < flat.bodies.size(); ++i) {
      const Body& b = flat.bodies[i];
      if (b.leader >= 0) {
        leaders.push_back(std::size_t(b.leader) + 1);
        followers.push_back(i + 1);
        ratios.push_back(b.ratio), offsets.push_back(b.offset);
        continue;
      }
      for (int k = 0; k < b.nq(); ++k) kept_q.push_back(b.q + k);
      for (int k = 0; k < b.nv(); ++k)
        column[std::size_t(b.v + k)] = columns++, kept.push_back(b.v + k);
    }
    for (const Body& b : flat.bodies) {
      if (b.leader < 0) continue;
      column[std::size_t(b.v)] = column[std::size_t(flat.bodies[std::size_t(b.leader)].v)];
      ratio[b.v] = b.ratio;
    }
    pinocchio::buildMimicModel(all, leaders, followers, ratios, offsets, model);
    data = pinocchio::Data(model);
    reduced.resize(columns, columns);
    force = zero = Vector::Zero(columns);
    for (int k = 0; k < states.count(); ++k) {
      const auto i = std::size_t(k);
      q.push_back(picked(states.q[i], kept_q)), v.push_back(picked(states.v[i], kept));
      tau.push_back(Vector::Zero(columns));
      for (int j = 0; j < all.nv; ++j)
        tau.back()[column[std::size_t(j)]] += ratio[j] * states.tau[i][std::size_t(j)];
    }
  }

  /// Mimic joints: rnea for the bias, crba.
  void by_mimic_joints(std::size_t k) {
    force = tau[k] - pinocchio::rnea(model, data, Given(q[k]), Given(v[k]), Given(zero));
    pinocchio::crba(model, data, Given(q[k]), pinocchio::Convention::WORLD);
    factors.compute(data.M);
    factors.solveInPlace(force);
  }
  /// All joints: bias and crba, then sums over those that move together.
  void by_sums(std::size_t k, const Vector& all_q, const Vector& all_v) {
    pinocchio::nonLinearEffects(free_model, free, Given(all_q), Given(all_v));
    pinocchio::crba(free_model, free, Given(all_q), pinocchio::Convention::LOCAL);
    force = tau[k];
    reduced.setZero();
    for (int j = 0; j < free_model.nv; ++j) {
      const int cj = column[std::size_t(j)];
      force[cj] -= ratio[j] * free.nle[j];
      for (int i = 0; i <= j; ++i) {
        const int ci = column[std::size_t(i)];
        const double x = ratio[i] * ratio[j] * free.M(i, j);
        reduced(ci < cj ? ci : cj, ci < cj ? cj : ci) += ci == cj && i != j ? 2 * x : x;
      }
    }
    factors.compute(reduced);
    factors.solveInPlace(force);
  }
  /// The accelerations found last, of all joints.
  void result(std::vector<double>& to) const {
    for (int j = 0; j < free_model.nv; ++j) to.push_back(ratio[j] * force[column[std::size_t(j)]]);
  }

  pinocchio::Model free_model, model;
  pinocchio::Data free, data;
  std::vector<int> column;  ///< by velocity: the independent one it is a multiple of
  Vector ratio;
  std::vector<int> kept;
  std::vector<Vector> q, v, tau;
  Vector force, zero;
  Eigen::MatrixXd reduced;
  Eigen::LLT<Eigen::MatrixXd, Eigen::Upper> factors;

 private:
  static Vector picked(const std::vector<double>& from, const std::vector<int>& places) {
    Vector to(static_cast<Eigen::Index>(places.size()));
    for (std::size_t i = 0; i < places.size(); ++i)
      to[static_cast<Eigen::Index>(i)] = from[std::size_t(places[i])];
    return to;
  }
};

}  // namespace peers
