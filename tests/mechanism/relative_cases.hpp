/// Relative coordinates with motions by name, as their tests compare them.
#pragma once
#include <gtest/gtest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <map>

#include "axode/mechanism/equations/formulate.hpp"
#include "axode/mechanism/equations/system.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/plain_mechanism.hpp"

namespace axode::test::relative_cases {

using nlohmann::json;
using Vector = std::vector<double>;

inline const json& data() {
  static const json all = read_json("mechanisms/relative.json");
  return all;
}
inline Vec3<double> point(const json& a) { return {a[0].get<double>(), a[1].get<double>(), 0}; }
inline Vec3<double> along(double angle, double length = 1) {
  return {length * std::cos(angle), length * std::sin(angle), 0};
}
inline MechanismSystem relative(const Mechanism& m, std::vector<int> cut = {}, bool whole = false) {
  FormulationOptions options;
  options.family = CoordinateFamily::relative;
  options.cut = std::move(cut);
  options.close_whole = whole;
  return MechanismSystem(make_equations(m, options));
}
inline Eigen::MatrixXd dense(const SparseRows& J) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(J.rows, J.columns);
  for (int r = 0; r < J.rows; ++r)
    for (int k = J.start[r]; k < J.start[r + 1]; ++k) A(r, J.column[k]) += J.value[k];
  return A;
}
inline int rank(MechanismSystem& system, const Vector& q) {
  SparseRows J;
  system.jacobian(0, q, J);
  if (J.rows == 0) return 0;
  return least_squares(dense(J), Eigen::VectorXd::Zero(J.rows)).rank;
}
inline double largest(const Vector& a) {
  double most = 0;
  for (const double x : a) most = std::max(most, std::abs(x));
  return most;
}

/// Coordinates by name, in the order of the system.
struct Motion {
  std::map<std::string, std::array<double, 3>> of;
  Vector derivative(const MechanismSystem& system, std::size_t order) const {
    Vector x;
    for (const std::string& name : system.equations().coordinate_names)
      x.push_back(of.at(name)[order]);
    return x;
  }
};
/// Phi = 0, Phi_q v = 0, Phi_q a = c, to rounding.
inline void expect_motion(MechanismSystem& system, const Motion& motion, double tolerance) {
  Vector q = motion.derivative(system, 0), v = motion.derivative(system, 1);
  const Vector a = motion.derivative(system, 2);
  system.refresh(q, v);
  Vector phi(system.constraints()), rate = phi, c = phi, Ja = phi;
  system.position(0, q, phi);
  EXPECT_LT(largest(phi), tolerance);
  system.velocity(0, q, v, rate);
  EXPECT_LT(largest(rate), tolerance * std::max(1., largest(v)));
  system.acceleration_right(0, q, v, c);
  SparseRows J;
  system.jacobian(0, q, J);
  J.multiply(a, Ja);
  for (std::size_t k = 0; k < c.size(); ++k)
    EXPECT_NEAR(Ja[k], c[k], 10 * tolerance * std::max(1., largest(a))) << k;
}
inline std::array<double, 3> jet(const json& mode, const char* key, double factor = 1,
                                 double constant = 0) {
  return {factor * mode["pos"][key].get<double>() + constant,
          factor * mode["vel"][key].get<double>(), factor * mode["acc"][key].get<double>()};
}
inline std::array<double, 3> entry(const json& mode, const char* key, std::size_t k,
                                   double constant = 0) {
  return {mode["pos"][key][k].get<double>() + constant, mode["vel"][key][k].get<double>(),
          mode["acc"][key][k].get<double>()};
}

}  // namespace axode::test::relative_cases
