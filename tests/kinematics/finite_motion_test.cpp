/// Jacobians, their rates, twists, accelerations and jerks of all bodies against differences of
/// exact poses, and of nothing else: over random trees with all joints, in all geometry forms and all
/// representations.
///
/// Tolerances: where the speeds of the joints on the path to a body sum to s, each differentiation
/// multiplies the product of their displacements by at most s, and a twist, where it stands beside
/// its inverse, by at most 2 s, in units of `size` [m], the largest distance. A pose errs by a few
/// roundings for each factor on its path, relative to `size`.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <vector>

#include "axode/kinematics/higher_order.hpp"
#include "axode/kinematics/jacobian.hpp"
#include "axode/kinematics/motion.hpp"
#include "axode/lie/adjoint.hpp"
#include "axode/screw/convert.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/near.hpp"
#include "tests/support/representations.hpp"

namespace axode::test::finite_motion_test {
namespace {

// --- differences of fourth order of values at -2h, -h, (0,) h, 2h ---------------------------------

/// Errs by h^4/30 of the fifth derivative, and by 1.5/h of the rounding of the values.
template <class T>
T slope(const T& a, const T& b, const T& d, const T& e, double h) {
  return (a - e + (d - b) * 8.) / (12 * h);
}
/// Errs by h^4/90 of the sixth derivative, and by 5.4/h^2 of the rounding of the values.
template <class T>
T curvature(const T& a, const T& b, const T& c, const T& d, const T& e, double h) {
  return ((b + d) * 16. - (a + e) - c * 30.) / (12 * h * h);
}

/// The twist in the body frame at the pose T, from those at the times around it.
Vec6<double> twist_of_poses(const SE3<double>& T, const SE3<double>& a, const SE3<double>& b,
                            const SE3<double>& d, const SE3<double>& e, double h) {
  const auto x = [&](const SE3<double>& pose) { return log(inverse_times(T, pose)); };
  return slope(x(a), x(b), x(d), x(e), h);
}
template <Rep rep>
Vec6<double> in_representation(const SE3<double>& T, const Vec6<double>& V) {
  return convert_with_pose<rep>(T, Twist<Rep::body>{V.angular, V.linear}).six();
}

// --- random motions -------------------------------------------------------------------------------

struct Case {
  Tree tree;
  std::vector<double> q, v, a, j;  ///< the sum of |v| on a path is 1/2, of |a| 1/4, of |j| 1/8
  double size = 1;                 ///< [m]
  double rounding = 0;             ///< of a pose, relative to size
};

/// The largest sum over the joints on the path to a body of what f(link) gives.
template <class F>
double max_on_a_path(const Tree& tree, F&& f) {
  std::vector<double> sum(tree.links.size());
  double most = 0;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const Link& link = tree.links[i];
    sum[i] = f(link) + (link.parent < 0 ? 0 : sum[link.parent]);
    most = std::max(most, sum[i]);
  }
  return most;
}
/// Random numbers whose magnitudes sum up to `most` on the path where that is largest.
std::vector<double> random_rates(Random& random, const Tree& tree, double most) {
  std::vector<double> v = random_velocities(random, tree);
  const double sum = max_on_a_path(tree, [&](const Link& link) {
    double part = 0;
    for (int k = 0; k < link.nv; ++k) part += std::abs(v[link.v + k]);
    return part;
  });
  for (double& x : v) x *= most / std::max(sum, 1e-3);
  return v;
}

Case random_case(Random& random) {
  const int bodies = random.integer(0, 3) == 0 ? random.integer(20, 60) : random.integer(1, 20);
  const bool chain = random.integer(0, 2) == 0;
  Case c{random_tree(random, bodies, {.chain = chain, .size = .3}), {}, {}, {}, {}};
  c.q = random_coordinates(random, c.tree);
  c.v = random_rates(random, c.tree, 1. / 2);
  c.a = random_rates(random, c.tree, 1. / 4);
  c.j = random_rates(random, c.tree, 1. / 8);
  for (const SE3<double>& T : poses(c.tree, c.q).T_WB) c.size = std::max(c.size, norm(T.p));
  const double factors = max_on_a_path(c.tree, [](const Link& link) { return 1. + link.nv; });
  c.rounding = 4 * std::numeric_limits<double>::epsilon() * factors;
  return c;
}

/// q moved for the time t by a constant velocity.
std::vector<double> moved(const Tree& tree, const std::vector<double>& q, std::vector<double> v,
                          double t) {
  for (double& x : v) x *= t;
  std::vector<double> result(q.size());
  plus<double>(tree, q, v, result);
  return result;
}

// --- Jacobians ------------------------------------------------------------------------------------

/// Body twists by velocity and body, from poses as each velocity alone moves the tree.
struct Columns {
  std::vector<SE3<double>> T_WB;
  std::vector<Vec6<double>> twists;  ///< by velocity, then by body
};
Columns columns_by_differences(const Tree& tree, const std::vector<double>& q, double h) {
  Columns c{poses(tree, q).T_WB, {}};
  std::array<Poses<double>, 4> around{Poses<double>(tree), Poses<double>(tree), Poses<double>(tree),
                                      Poses<double>(tree)};
  const std::array times{-2 * h, -h, h, 2 * h};
  std::vector<double> unit(tree.nv, 0.);
  for (double& x : unit) {
    x = 1;
    for (std::size_t s = 0; s < 4; ++s)
      poses<double>(tree, moved(tree, q, unit, times[s]), around[s]);
    x = 0;
    for (std::size_t i = 0; i < c.T_WB.size(); ++i)
      c.twists.push_back(twist_of_poses(c.T_WB[i], around[0].T_WB[i], around[1].T_WB[i],
                                        around[2].T_WB[i], around[3].T_WB[i], h));
  }
  return c;
}

TEST(FiniteMotion, JacobianColumns) {
  constexpr double h = 2e-3;
  double worst = 0;
  std::set<JointMap> maps;
  std::set<GeometryForm> forms;
  for_random_cases(200, [&](Random& random) {
    const Case c = random_case(random);
    for (const Link& link : c.tree.links) maps.insert(link.map);
    for (const Body& body : c.tree.bodies) forms.insert(body.form);
    const Columns exact = columns_by_differences(c.tree, c.q, h);
    const Poses<double> p = poses(c.tree, c.q);
    for_representations([&]<Rep rep>() {
      std::vector<Twist<rep>> J(c.v.size());
      double error = 0;
      for (int i = 0; i < c.tree.size(); ++i) {
        jacobian<rep, double>(c.tree, p, i, J);
        for (std::size_t k = 0; k < J.size(); ++k) {
          const Vec6<double>& V = exact.twists[k * c.tree.links.size() + i];
          error = std::max(error, largest_difference(J[k], in_representation<rep>(p.T_WB[i], V)));
        }
      }
      // At unit speed the fifth derivative is 2^5.
      const double tolerance = 32. / 30 * std::pow(h, 4) + 1.5 / h * c.rounding;
      EXPECT_LE(error, tolerance * c.size) << name(rep) << " " << c.tree.size() << " bodies";
      worst = std::max(worst, error / c.size);
    });
  });
  EXPECT_EQ(maps.size(), 7u);  // all there are
  EXPECT_EQ(forms.size(), 4u);
  record("worst_jacobian_against_finite_motion", worst);
}

TEST(FiniteMotion, JacobianRates) {
  constexpr double h = 5e-3;
  double worst = 0;
  for_random_cases(120, [&](Random& random) {
    const Case c = random_case(random);
    std::vector<Columns> exact;
    for (const double t : {-2 * h, -h, h, 2 * h})
      exact.push_back(columns_by_differences(c.tree, moved(c.tree, c.q, c.v, t), h));
    const Poses<double> p = poses(c.tree, c.q);
    for_representations([&]<Rep rep>() {
      Motion<rep> motion(c.tree);
      twists<rep, double>(c.tree, p, c.v, motion);
      std::vector<Acceleration<rep>> rate(c.v.size());
      double error = 0;
      for (int i = 0; i < c.tree.size(); ++i) {
        jacobian_rate<rep, double>(c.tree, p, motion, c.v, i, rate);
        for (std::size_t k = 0; k < rate.size(); ++k) {
          const auto column = [&](std::size_t s) {
            return in_representation<rep>(exact[s].T_WB[i],
                                          exact[s].twists[k * c.tree.links.size() + i]);
          };
          error = std::max(error, largest_difference(rate[k], slope(column(0), column(1), column(2),
                                                                    column(3), h)));
        }
      }
      // Both differentiations err; along v the speed is 1/2, the fifth derivative 1.
      const double tolerance = 33. / 30 * std::pow(h, 4) + std::pow(1.5 / h, 2) * c.rounding;
      EXPECT_LE(error, tolerance * c.size) << name(rep) << " " << c.tree.size() << " bodies";
      worst = std::max(worst, error / c.size);
    });
  });
  record("worst_jacobian_rate_against_finite_motion", worst);
}

// --- twists, accelerations, jerks -----------------------------------------------------------------

/// The second derivative of the velocity at the time 0 of the motion plus(q, d(t)),
/// d = v t + a t^2/2 + j t^3/6. That of a quaternion's velocity, dexp d', is j -+ [v, a]/2.
std::vector<double> second_derivative_of_velocity(const Case& c) {
  std::vector<double> result = c.j;
  for (const Link& link : c.tree.links) {
    if (link.map != JointMap::quaternion && link.map != JointMap::free) continue;
    const auto six = [&](const std::vector<double>& u) {
      const double* x = u.data() + link.v;
      Vec6<double> X{{x[0], x[1], x[2]}, {}};
      if (link.map == JointMap::free && link.velocity != Rep::hybrid) X.linear = {x[3], x[4], x[5]};
      return X;
    };
    const double sign = link.velocity == Rep::body ? -.5 : .5;
    const Vec6<double> bracket = ad(six(c.v), six(c.a)) * sign;
    for (int k = 0; k < link.nv; ++k) result[link.v + k] += bracket[k];
  }
  return result;
}
std::vector<SE3<double>> poses_along(const Case& c, double t) {
  std::vector<double> d(c.v.size()), q(c.q.size());
  for (std::size_t k = 0; k < d.size(); ++k)
    d[k] = t * (c.v[k] + t / 2 * (c.a[k] + t / 3 * c.j[k]));
  plus<double>(c.tree, c.q, d, q);
  return poses(c.tree, q).T_WB;
}

struct Worst {
  double twist = 0, acceleration = 0, jerk = 0;
};
template <Rep rep>
void compare_motion(const Case& c, const std::vector<std::vector<SE3<double>>>& path, double h,
                    Worst& worst) {
  HigherOrder<rep> found(c.tree, 2);
  jerks<rep, double>(c.tree, poses(c.tree, c.q), c.v, c.a, second_derivative_of_velocity(c), found);
  Worst error;
  for (int i = 0; i < c.tree.size(); ++i) {
    const auto T = [&](std::size_t s) { return path[s][i]; };
    const auto V = [&](std::size_t s) {
      return in_representation<rep>(
          T(s), twist_of_poses(T(s), T(s - 2), T(s - 1), T(s + 1), T(s + 2), h));
    };
    error.twist = std::max(error.twist, largest_difference(found.twist(i), V(4)));
    error.acceleration =
        std::max(error.acceleration,
                 largest_difference(found.acceleration(i), slope(V(2), V(3), V(5), V(6), h)));
    error.jerk = std::max(
        error.jerk, largest_difference(found.jerk(i), curvature(V(2), V(3), V(4), V(5), V(6), h)));
  }
  // Derivatives of exp(2 f), f = t/2 + (t/2)^2/2 + (t/2)^3/6, bound those of such products: 14, 35
  // and 97 for the fifth to seventh. Twists err by h^4/30 of the fifth, their slope by as much of
  // the sixth twice, their curvature by h^4/30 and h^4/90 of the seventh.
  const double truncation = std::pow(h, 4), twist_rounding = 1.5 / h * c.rounding;
  EXPECT_LE(error.twist, c.size * (.5 * truncation + twist_rounding)) << name(rep);
  EXPECT_LE(error.acceleration, c.size * (2.5 * truncation + 1.5 / h * twist_rounding))
      << name(rep);
  EXPECT_LE(error.jerk, c.size * (4.5 * truncation + 5.4 / (h * h) * twist_rounding)) << name(rep);
  worst.twist = std::max(worst.twist, error.twist / c.size);
  worst.acceleration = std::max(worst.acceleration, error.acceleration / c.size);
  worst.jerk = std::max(worst.jerk, error.jerk / c.size);
}

TEST(FiniteMotion, TwistsAccelerationsAndJerks) {
  constexpr double h = 1e-2;
  Worst worst;
  for_random_cases(1000, [&](Random& random) {
    const Case c = random_case(random);
    std::vector<std::vector<SE3<double>>> path;
    for (int s = -4; s <= 4; ++s) path.push_back(poses_along(c, s * h));
    for_representations([&]<Rep rep>() { compare_motion<rep>(c, path, h, worst); });
  });
  record("worst_twist_against_finite_motion", worst.twist);
  record("worst_acceleration_against_finite_motion", worst.acceleration);
  record("worst_jerk_against_finite_motion", worst.jerk);
}

}  // namespace
}  // namespace axode::test::finite_motion_test
