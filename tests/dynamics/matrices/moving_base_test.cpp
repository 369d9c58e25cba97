#include "axode/dynamics/matrices/moving_base.hpp"

#include <gtest/gtest.h>

#include "axode/kinematics/jacobian.hpp"
#include "axode/lie/adjoint.hpp"
#include "axode/lie/dual.hpp"
#include "axode/model/builder.hpp"
#include "axode/screw/convert.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"
#include "tests/support/representations.hpp"

namespace axode::test::moving_base_test {
namespace {

using Vector = std::vector<double>;
using Matrix = DenseMatrix<double>;
constexpr std::array all_forms{Rep::body, Rep::spatial, Rep::hybrid, Rep::mixed};

double largest(const Vector& a) {
  double m = 0;
  for (const double x : a) m = max(m, std::abs(x));
  return m;
}
double difference(const Vector& a, const Vector& b) {
  if (a.size() != b.size()) return INFINITY;
  double worst = 0;
  for (std::size_t k = 0; k < a.size(); ++k) worst = max(worst, std::abs(a[k] - b[k]));
  return worst;
}
double relative(const Vector& a, const Vector& b) {
  return difference(a, b) / max(1.0, largest(b));
}
double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}
Vector times(const Matrix& A, const Vector& x) {
  Vector y(x.size());
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < A.columns; ++j) y[i] += A(i, j) * x[j];
  return y;
}
/// Largest entry of the symmetric part.
double symmetric_part(const Matrix& A) {
  double worst = 0;
  for (int i = 0; i < A.rows; ++i)
    for (int j = 0; j < A.columns; ++j) worst = max(worst, std::abs(A(i, j) + A(j, i)) / 2);
  return worst;
}

// --- the reference vectors -----------------------------------------------------------------------

/// Position among ours of row or column k of the file, which has the base linear part first.
int ours(int k) { return k < 3 ? k + 3 : k < 6 ? k - 3 : k; }

Vector matrix_angular_first(const nlohmann::json& rows) {
  const int n = static_cast<int>(rows.size());
  Matrix M{n, n, Vector(rows.size() * rows.size())};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) M(ours(i), ours(j)) = rows[i][j];
  return M.values;
}

/// Sum of J^T f of the wrenches on links and at contacts, with the base velocity as `change` has it.
Vector external_force(const Tree& tree, const Poses<double>& p, const BaseChange<double>& change,
                      const nlohmann::json& input) {
  Vector sum(tree.nv);
  std::vector<Twist<Rep::body>> J(sum.size());
  std::vector<Vec6<>> columns(sum.size());
  const auto add = [&](int link, const Vec6<>& W) {
    jacobian<Rep::body>(tree, p, link, J);
    for (std::size_t k = 0; k < J.size(); ++k) columns[k] = J[k].six();
    change_jacobian<double>(change, columns);
    for (std::size_t k = 0; k < J.size(); ++k) sum[k] += axode::dot(columns[k], W);
  };
  for (std::size_t i = 0; i < tree.links.size(); ++i)
    add(static_cast<int>(i), vec6_linear_first(input.at("link_wrench_L")[i]));
  for (const auto& c : input.at("contacts")) {
    const int link = c.at("link").get<int>();
    const SE3<> T_LC = pose(c.at("L_H_C"));
    const SO3<> R_LA = inverse(p.T_WB[link].R);
    add(link, Ad_inverse_transpose(SE3<>{R_LA, T_LC.p}, vec6_linear_first(c.at("f_CA"))));
  }
  return sum;
}

double worst_error(const Tree& tree, const nlohmann::json& state, const char* key, Rep form) {
  const auto& expected = state.at("output").at("base").at(key);
  const Vector q = moving_base_configuration(state.at("input"));
  const Poses<double> p = poses(tree, q);
  const Vector nu = base_angular_first(expected.at("nu"));
  const Vector nudot = base_angular_first(expected.at("nudot"));
  // To the tree's own velocities by the change back; Y does not depend on the velocity.
  Vector v(nu.size()), a(nu.size()), zero(nu.size());
  change_velocity<double>(inverse(base_change<double>(tree, p, zero, form)), nu, v);
  MovingBaseDynamics<double> d(tree);
  moving_base_dynamics<double>(tree, p, v, form, d);
  change_acceleration<double>(inverse(d.change), v, nudot, a);

  double worst = relative(d.nu, nu);
  worst = max(worst, relative(dense(d.M).values, matrix_angular_first(expected.at("M"))));
  worst = max(worst, relative(d.gravity, base_angular_first(expected.at("G"))));
  worst = max(worst, relative(d.coriolis, base_angular_first(expected.at("C_nu"))));
  Vector back(nu.size()), force(nu.size());
  change_acceleration<double>(d.change, d.nu, a, back);
  worst = max(worst, relative(back, nudot));
  InverseDynamics<Rep::hybrid> recursion(tree);
  inverse_dynamics<Rep::hybrid, double>(tree, p, v, a, recursion, force);
  change_force<double>(d.change, force, force);
  worst =
      max(worst, relative(force, base_angular_first(expected.at("generalized_inertial_force"))));
  const Vector external = external_force(tree, p, d.change, state.at("input"));
  worst =
      max(worst, relative(external, base_angular_first(expected.at("generalized_external_force"))));
  Vector forward(nu.size());
  force_of_joints<double>(flat(state.at("input").at("tau_forward")), forward);
  for (std::size_t k = 0; k < nu.size(); ++k)
    forward[k] += external[k] - d.coriolis[k] - d.gravity[k];
  EXPECT_EQ(factorize(d.M).singular_velocity, -1);
  solve<double>(d.M, forward);
  return max(worst, relative(forward, base_angular_first(expected.at("nudot_forward"))));
}

TEST(MovingBase, ReferenceVectorsInAllForms) {
  const nlohmann::json data = read_json("moving_base.json");
  double worst = 0;
  for (const Rep own : {Rep::body, Rep::spatial, Rep::hybrid}) {
    const Tree tree = tree_from_reference(data.at("model"), GeometryForm::zero_reference, own);
    for (const auto& state : data.at("states"))
      for (const auto& [key, form] :
           {std::pair{"body", Rep::body}, {"mixed", Rep::hybrid}, {"inertial", Rep::spatial}}) {
        const double error = worst_error(tree, state, key, form);
        EXPECT_LT(error, 1e-12) << key << ", tree in " << name(own);
        worst = max(worst, error);
      }
  }
  record("worst_relative_error", worst);
}

// --- properties ----------------------------------------------------------------------------------

std::string numbered_body(int i) { return std::string("b").append(std::to_string(i)); }

Joint some_joint(Random& random) {
  const Vec3<> axis = random.unit(), point = random.vec3(.5);
  switch (random.integer(0, 6)) {
    case 0:
      return fixed();
    case 5:
      return free_joint({.velocity = Rep::spatial});
    case 1:
      return prismatic({.axis = axis});
    case 2:
      return spherical({.point = point});
    case 3:
      return universal({.first = axis, .second = random.unit(), .point = point});
    default:
      return revolute({.axis = axis, .point = point});
  }
}
Inertia<> some_inertia(Random& random) {
  const Vec3<> a{random.uniform(.01, .1), random.uniform(.01, .1), random.uniform(.01, .1)};
  return {random.uniform(.2, 3), random.vec3(.3),
          Sym3<>::diagonal({a.y + a.z, a.x + a.z, a.x + a.y})};
}

/// A free base in some form, some of the other bodies on the world beside it.
Tree tree_on_free_base(Random& random, const FreeFrame& base) {
  TreeBuilder b("floating");
  b.body("b0", some_inertia(random)).joint("free", free_joint(base)).armature(.1, 4);
  b.damping(.2, 1).friction(.1, 3);
  const int n = random.integer(0, 8);
  for (int i = 1; i <= n; ++i) {
    b.body(numbered_body(i), some_inertia(random));
    const int parent = random.integer(-1, i - 1);
    if (parent >= 0) b.on(numbered_body(parent));
    b.joint("j" + numbered_body(i), some_joint(random), body_screws(random.pose(.5)));
  }
  return b.build();
}
FreeFrame some_base(Random& random) {
  const std::array own{Rep::body, Rep::spatial, Rep::hybrid};
  const std::array coordinates{Coordinates::first_kind, Coordinates::second_kind};
  if (random.integer(0, 3) == 0)
    return {.at = random.pose(.5), .coordinates = coordinates[random.integer(0, 1)]};
  return {.velocity = own[random.integer(0, 2)], .at = random.pose(.5)};
}

struct Case {
  Tree tree;
  Poses<double> p;
  Vector v, a;
};
Case random_case(Random& random) {
  Tree tree = tree_on_free_base(random, some_base(random));
  Vector q = random_coordinates(random, tree);
  for (std::size_t k = 0; k < 6; ++k) q[k] *= tree.links[0].map == JointMap::free ? 1 : .8;
  Case c{std::move(tree), Poses<double>(Tree{}), {}, {}};
  c.p = poses(c.tree, q);
  c.v = random_velocities(random, c.tree);
  c.a = random_velocities(random, c.tree);
  return c;
}

TEST(MovingBase, VelocitiesAndAccelerationsAreThoseOfTheFirstBody) {
  double worst = 0;
  for_random_cases(100, [&](Random& random) {
    const Case c = random_case(random);
    for_representations([&]<Rep rep>() {
      Motion<rep> m(c.tree);
      accelerations<rep, double>(c.tree, c.p, c.v, c.a, m);
      const BaseChange<double> change = base_change<double>(c.tree, c.p, c.v, rep);
      EXPECT_FALSE(change.singular);
      Vector nu(c.v.size()), nudot(c.v.size()), v(c.v.size()), a(c.v.size());
      change_velocity<double>(change, c.v, nu);
      change_acceleration<double>(change, nu, c.a, nudot);
      const Vec6<> V{{nu[0], nu[1], nu[2]}, {nu[3], nu[4], nu[5]}};
      const Vec6<> A{{nudot[0], nudot[1], nudot[2]}, {nudot[3], nudot[4], nudot[5]}};
      const double size = 1 + max_abs(A) + max_abs(V);
      worst = max(worst, largest_difference(V, m.twists[0].six()) / size);
      worst = max(worst, largest_difference(A, m.accelerations[0].six()) / size);
      change_velocity<double>(inverse(change), nu, v);
      change_acceleration<double>(inverse(change), c.v, nudot, a);
      worst = max(worst, max(relative(v, c.v), relative(a, c.a)));
    });
    EXPECT_LT(worst, 1e-12);
  });
  record("worst_relative_error", worst);
}

TEST(MovingBase, ChangesBetweenFormsWithoutATree) {
  for_random_cases(100, [](Random& random) {
    const SE3<> T = random.pose();
    const Vec6<> b = random.vec6(), rate = random.vec6();
    const Twist<Rep::body> V{b.angular, b.linear};
    const Acceleration<Rep::body> A{rate.angular, rate.linear};
    for_representations([&]<Rep from>() {
      for_representations([&]<Rep to>() {
        const BaseChange<double> change = base_change(T, V, from, to);
        const Vec6<> V_from = convert_with_pose<from>(T, V).six();
        const Vec6<> V_to = convert_with_pose<to>(T, V).six();
        expect_near(change.Y * V_to, V_from, 1e-13 * (1 + max_abs(V_from)));
        expect_near(change.Y_inverse * V_from, V_to, 1e-13 * (1 + max_abs(V_to)));
        const Vec6<> A_from = convert_with_pose_and_twist<from>(T, V, A).six();
        const Vec6<> A_to = convert_with_pose_and_twist<to>(T, V, A).six();
        expect_near(change.Y * A_to + change.Y_rate * V_to, A_from, 1e-12 * (1 + max_abs(A_from)));
      });
    });
  });
}

TEST(MovingBase, RatesAreThoseAlongTheMotion) {
  for_random_cases(100, [](Random& random) {
    const Case c = random_case(random);
    Vector rate(c.p.q.size());
    coordinate_rate(c.tree, c.p.q, c.v, rate);
    std::vector<Dual<double>> q, v(c.v.begin(), c.v.end());
    for (std::size_t k = 0; k < rate.size(); ++k) q.emplace_back(c.p.q[k], rate[k]);
    Poses<Dual<double>> moving(c.tree);
    poses<Dual<double>>(c.tree, q, moving);
    for (const Rep form : all_forms) {
      const BaseChange<double> change = base_change<double>(c.tree, c.p, c.v, form);
      const BaseChange<Dual<double>> dual = base_change<Dual<double>>(c.tree, moving, v, form);
      const auto near = [&](const Mat6<>& expected, const Mat6<Dual<double>>& Y) {
        const double size = 1 + max_abs(expected);
        for (int i = 0; i < 6; ++i)
          for (int j = 0; j < 6; ++j) EXPECT_NEAR(Y(i, j).dual, expected(i, j), 1e-11 * size);
      };
      near(change.Y_rate, dual.Y);
      near(inverse(change).Y_rate, dual.Y_inverse);
    }
  });
}

/// With all losses and armatures, against the inverse dynamics in the tree's own velocities.
TEST(MovingBase, EquationOfMotionAndPowerInAllForms) {
  double worst = 0;
  for_random_cases(100, [&](Random& random) {
    const Case c = random_case(random);
    Vector tau(c.v.size()), force(c.v.size()), nudot(c.v.size());
    InverseDynamics<Rep::spatial> recursion(c.tree);
    inverse_dynamics<Rep::spatial, double>(c.tree, c.p, c.v, c.a, recursion, tau);
    const Matrix M_own = reference::mass_matrix(c.tree, c.p.q);
    for (const Rep form : all_forms) {
      const MovingBaseDynamics<double> d = moving_base_dynamics(c.tree, c.p.q, c.v, form);
      change_acceleration<double>(d.change, d.nu, c.a, nudot);
      change_force<double>(d.change, tau, force);
      Vector left = times(dense(d.M), nudot);
      for (std::size_t k = 0; k < left.size(); ++k) left[k] += d.coriolis[k] + d.gravity[k];
      worst = max(worst, relative(left, force));
      const double power = dot(tau, c.v), size = 1 + std::abs(power);
      EXPECT_NEAR(dot(force, d.nu), power, 1e-11 * (size + largest(tau)));
      const double energy = dot(c.v, times(M_own, c.v));
      EXPECT_NEAR(dot(d.nu, times(dense(d.M), d.nu)), energy, 1e-12 * (1 + energy));
      Matrix M = M_own;
      change_mass_matrix(d.change, M);
      EXPECT_LT(relative(dense(d.M).values, M.values), 1e-12);
    }
    EXPECT_LT(worst, 1e-11);
  });
  record("worst_relative_error", worst);
}

// --- Coriolis matrices ---------------------------------------------------------------------------

/// One of those C for which dM/dt - 2 C is skew: sum of J^T (M dJ/dt + (M ad_V - ad_V^T M) J).
Matrix skew_type_coriolis(const Case& c) {
  const std::size_t n = c.tree.nv;
  Matrix C{c.tree.nv, c.tree.nv, Vector(n * n)};
  Motion<Rep::body> m(c.tree);
  twists<Rep::body, double>(c.tree, c.p, c.v, m);
  std::vector<Twist<Rep::body>> J(n);
  std::vector<Acceleration<Rep::body>> rate(n);
  for (std::size_t i = 0; i < c.tree.links.size(); ++i) {
    jacobian<Rep::body>(c.tree, c.p, static_cast<int>(i), J);
    jacobian_rate<Rep::body, double>(c.tree, c.p, m, c.v, static_cast<int>(i), rate);
    const Mat6<> M = matrix(c.tree.bodies[i].inertia);
    const Mat6<> A = ad_matrix(m.twists[i].six()), B = M * A - transpose(A) * M;
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t l = 0; l < n; ++l)
        C.values[k * n + l] += axode::dot(J[k].six(), M * rate[l].six() + B * J[l].six());
  }
  return C;
}

/// dM/dt along the motion, of the tree's own matrix or in a form.
Matrix mass_matrix_rate(const Case& c, const Rep* form) {
  using D = Dual<double>;
  Vector rate(c.p.q.size());
  coordinate_rate(c.tree, c.p.q, c.v, rate);
  std::vector<D> q, v(c.v.begin(), c.v.end());
  for (std::size_t k = 0; k < rate.size(); ++k) q.emplace_back(c.p.q[k], rate[k]);
  Poses<D> moving(c.tree);
  poses<D>(c.tree, q, moving);
  Composite<D> composite(c.tree);
  composite_inertias(c.tree, moving, composite);
  PathMatrix<D> M(c.tree);
  mass_matrix(c.tree, composite, M, no_effects);
  if (form) change_mass_matrix(base_change<D>(c.tree, moving, v, *form), M);
  Matrix result{M.size(), M.size(), {}};
  for (const D& x : dense(M).values) result.values.push_back(x.dual);
  return result;
}

Matrix minus_twice(const Matrix& A, const Matrix& C) {
  Matrix D = A;
  for (std::size_t k = 0; k < D.values.size(); ++k) D.values[k] -= 2 * C.values[k];
  return D;
}

TEST(MovingBase, CoriolisMatricesStayOfSkewType) {
  double worst = 0, without_rate = 0;
  for_random_cases(40, [&](Random& random) {
    const Case c = random_case(random);
    const Matrix C = skew_type_coriolis(c), M = reference::mass_matrix(c.tree, c.p.q, no_effects);
    const double size = 1 + largest(C.values);
    EXPECT_LT(symmetric_part(minus_twice(mass_matrix_rate(c, nullptr), C)), 1e-11 * size);
    for (const Rep form : all_forms) {
      const MovingBaseDynamics<double> d =
          moving_base_dynamics(c.tree, c.p.q, c.v, form, no_effects);
      Matrix changed = C;
      change_coriolis_matrix(d.change, M, changed);
      worst = max(worst, relative(times(changed, d.nu), d.coriolis));
      const Matrix rate = mass_matrix_rate(c, &form);
      EXPECT_LT(symmetric_part(minus_twice(rate, changed)), 1e-11 * (1 + largest(changed.values)));
      BaseChange<double> wrong = d.change;
      wrong.Y_rate = {};
      changed = C;
      change_coriolis_matrix(wrong, M, changed);
      if (form == Rep::hybrid)
        without_rate = max(without_rate, symmetric_part(minus_twice(rate, changed)));
    }
    EXPECT_LT(worst, 1e-11);
  });
  EXPECT_GT(without_rate, 1);  // multiplication by Y alone is not enough
  record("worst_relative_error", worst);
}

TEST(MovingBase, RateTermVanishesInSpatialFormOnly) {
  Random random(3);
  const SE3<> T = random.pose();
  const Vec6<> b = random.vec6();
  const Twist<Rep::body> V{b.angular, b.linear};
  const auto term = [&](Rep form, const Vec6<>& nu) {
    return max_abs(base_change(T, V, Rep::body, form).Y_rate * nu);
  };
  EXPECT_LT(term(Rep::spatial, convert_with_pose<Rep::spatial>(T, V).six()), 1e-13);
  EXPECT_GT(term(Rep::hybrid, convert_with_pose<Rep::hybrid>(T, V).six()), 1e-2);
}

// --- misuse, singularities, memory ---------------------------------------------------------------

TEST(MovingBase, SixAnglesAndLengthsCanBeSingular) {
  const Tree tree = TreeBuilder()
                        .body("b", {.mass = 1, .about_com = Sym3<>::diagonal({1, 1, 1})})
                        .joint("j", free_joint({.coordinates = Coordinates::second_kind}))
                        .build();
  const Vector v(6);
  EXPECT_FALSE(base_change<double>(tree, poses(tree, Vector(6)), v, Rep::body).singular);
  const Vector gimbal_lock{0, pi<double> / 2, 0, 0, 0, 0};
  EXPECT_TRUE(base_change<double>(tree, poses(tree, gimbal_lock), v, Rep::body).singular);
}

TEST(MovingBase, TreesWithoutAFreeBaseAreRefused) {
  const Tree arm =
      TreeBuilder("arm").body("b", {.mass = 1}).joint("j", revolute({.axis = {0, 0, 1}})).build();
  EXPECT_FALSE(has_free_base(arm));
  const std::string said = message([&] { MovingBaseDynamics<double> d(arm); });
  expect_says(said, "'b' does not move freely");
  expect_says(said, "arm");
  expect_says(said, "free joint");
  expect_says(message([] { check_free_base(Tree{}, "here"); }), "here");
  const Tree floating = TreeBuilder().body("b", {.mass = 1}).joint("j", free_joint()).build();
  EXPECT_TRUE(has_free_base(floating));
  const Vector q = neutral(floating);
  expect_says(message([&] { moving_base_dynamics(floating, q, Vector(5), Rep::body); }), "v");
}

TEST(MovingBase, AllocatesNothingOnceMade) {
  Random random(5);
  const Case c = random_case(random);
  MovingBaseDynamics<double> d(c.tree);
  Matrix C = skew_type_coriolis(c), M = reference::mass_matrix(c.tree, c.p.q);
  std::vector<Vec6<>> columns(c.v.size());
  Vector x = c.v;
  const Vector tau(c.v.size() - 6, 1.0);
  EXPECT_EQ(count_allocations([&] {
              for (const Rep form : all_forms) {
                moving_base_dynamics<double>(c.tree, c.p, c.v, form, d);
                change_velocity<double>(d.change, x, x);
                change_acceleration<double>(d.change, d.nu, x, x);
                change_force<double>(inverse(d.change), x, x);
                change_jacobian<double>(d.change, columns);
                change_coriolis_matrix(d.change, M, C);
                change_mass_matrix(d.change, M);
                force_of_joints<double>(tau, x);
              }
            }),
            0);
}

}  // namespace
}  // namespace axode::test::moving_base_test
