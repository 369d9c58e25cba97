#include "axode/mechanism/detail/equation_maker.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/mechanism/solved_motion.hpp"
#include "tests/support/near.hpp"

namespace axode::test::equation_maker {

using namespace mechanisms;

/// Two bodies that meet in one joint, assembled: body j is turned and moved as the joint allows.
Mechanism pair(PairType type, bool is_planar) {
  Mechanism m = empty_mechanism("pair", is_planar);
  const SE3<double> Ti = is_planar ? planar_place({1, 2}, 0.7)
                                   : SE3<double>{exp(Vec3<double>{0.4, 0.1, -0.9}), {3, 2, 1}};
  MechanismJoint j;
  j.name = "joint";
  j.type = type;
  const Vec3<double> z{0, 0, 1}, x{1, 0, 0};
  const bool slides = type == PairType::prismatic || type == PairType::point_on_line ||
                      type == PairType::rolling || type == PairType::point_line_distance ||
                      type == PairType::point_on_plane;
  if (is_planar && slides) j.axis = {x, x};
  j.point = {Vec3<double>{0.3, 0.2, 0}, Vec3<double>{0.1, -0.5, 0}};
  double turn = 0.6;
  Vec3<double> shift{};
  switch (type) {
    case PairType::weld:
      turn = 0;
      break;
    case PairType::prismatic:
      turn = j.angle = 0.4;
      shift = (is_planar ? x : z) * 0.8;
      break;
    case PairType::cylindrical:
      shift = z * 0.8;
      break;
    case PairType::helical:
      j.pitch = 0.5;
      j.offset = 0.2;
      shift = z * (0.2 + 0.5 * turn);
      break;
    case PairType::point_on_line:
      shift = (is_planar ? x : z) * 0.8;
      break;
    case PairType::planar:
      shift = {0.3, -0.4, 0};
      break;
    case PairType::point_on_plane:
      j.value = 0.5;
      shift = is_planar ? Vec3<double>{0.5, 0.7, 0} : Vec3<double>{0.3, -0.4, 0.5};
      break;
    case PairType::point_line_distance:
      j.value = 0.5;
      shift = is_planar ? Vec3<double>{0.7, 0.5, 0} : Vec3<double>{0.3, -0.4, 0.9};
      break;
    case PairType::rod:
      j.value = 0.5;
      shift = {0.3, -0.4, 0};
      break;
    case PairType::rolling:
      j.value = 0.5;
      j.offset = 1.2 + 0.5 * turn;
      shift = {1.2, 0.5, 0};
      break;
    default:
      break;
  }
  SO3<double> joint_turn = exp(z * turn);
  if (type == PairType::universal) {  // about z, then about x of the other body
    j.axis[1] = x;
    j.zero = {Vec3<double>{0, 1, 0}, Vec3<double>{0, 1, 0}};
    joint_turn = joint_turn * exp(x * -0.3);
  }
  const SO3<double> R = Ti.R * joint_turn;
  const SE3<double> Tj{R, Ti * (j.point[0] + shift) - R * j.point[1]};
  const int i = add_body(m, "i", Ti), k = add_body(m, "k", Tj);
  j.body = {i, k};
  add_joint(m, j);
  return m;
}

TEST(EquationMaker, JointsTakeTheirFreedomsAndHoldWhereAssembled) {
  for (const bool is_planar : {false, true})
    for (int t = 0; t <= static_cast<int>(PairType::rolling); ++t) {
      const auto type = static_cast<PairType>(t);
      const bool only_space = type == PairType::helical || type == PairType::cylindrical ||
                              type == PairType::spherical || type == PairType::universal ||
                              type == PairType::planar;
      if ((is_planar && only_space) || (!is_planar && type == PairType::rolling)) continue;
      const Mechanism m = pair(type, is_planar);
      MechanismSystem system(make_equations(m, {.family = CoordinateFamily::reference_point,
                                                .attitude = AttitudeForm::quasi_velocities}));
      const std::vector<SE3<double>> poses{{}, m.bodies[1].pose, m.bodies[2].pose};
      std::vector<double> q = system.from_poses(poses), v(12, 0.);
      system.refresh(q, v);
      const int mixed = system.configuration().nv - (is_planar ? 6 : 12);
      const int wanted = (is_planar ? 3 : 6) - dofs(m.joints[0], is_planar);
      EXPECT_EQ(system.constraints() - mixed, wanted) << name(type) << is_planar;
      std::vector<double> phi(system.constraints());
      system.position(0, q, phi);
      for (std::size_t k = 0; k < phi.size(); ++k)
        EXPECT_NEAR(phi[k], 0, 1e-14)
            << name(type) << is_planar << " " << system.equations().equations[k].name;
    }
}

TEST(EquationMaker, SharedPointsNeedNoEquation) {
  const Mechanism m = four_bar({});
  EquationMaker maker;
  maker.eq.mechanism = m;
  maker.eq.mixed.assign(m.coordinates.size(), -1);
  int shared = -1;
  maker.node = [&](int, const Vec3<double>&, bool) {
    if (shared < 0) shared = fixed_node(maker.eq, {}, true, "shared");
    return shared;
  };
  maker.own_scalar = [](int) { return -1; };
  add_joint_equations(maker, 1);
  EXPECT_TRUE(maker.eq.equations.empty());
}

TEST(EquationMaker, MixedAnglesKeepTheirSignNearZeroAndRightAngles) {
  // A crank as mixed angle on natural coordinates: both forms hold, and the one in use is regular.
  for (const double angle : {0.0, 0.3, 1.5, 2.9, -1.2}) {
    const Mechanism m = four_bar({.phi = angle});
    MechanismSystem system(make_equations(m, {.family = CoordinateFamily::natural, .mixed = {0}}));
    std::vector<SE3<double>> poses;
    for (const MechanismBody& b : m.bodies) poses.push_back(b.pose);
    std::vector<double> q = system.from_poses(poses), v(5, 0.);
    EXPECT_NEAR(q[4], angle, 1e-14);
    system.refresh(q, v);
    EXPECT_FALSE(system.mirrored(0, q).found);
    SparseRows J;
    system.jacobian(0, q, J);
    double by_angle = 0;
    for (std::size_t e = 0; e < J.column.size(); ++e)
      if (J.column[e] == 4) by_angle = std::max(by_angle, std::abs(J.value[e]));
    EXPECT_GT(by_angle, 0.5);
    q[4] = -angle;
    EXPECT_EQ(system.mirrored(0, q).found, std::abs(std::sin(angle)) > 0.1);
  }
}

/// The builder refuses them, but a mechanism put together by hand may have them: angles about -z
/// are those about z with the other sign, driven, measured and added, in all coordinates.
TEST(EquationMaker, PinsAboutMinusZCountTheOtherWay) {
  Mechanism m = four_bar(FourBar{}), back = m;
  add_driver(m, "A.angle", polynomial_in_time(.6, 2, .3));
  for (const char* name : {"A", "2"}) {
    MechanismJoint& pin = back.joints[joint_index(back, name)];
    pin.axis = {Vec3<double>{0, 0, -1}, Vec3<double>{0, 0, -1}};
  }
  add_driver(back, "A.angle", polynomial_in_time(-.6, -2, -.3));
  for (FormulationOptions o : formulations(true))
    for (const bool all_mixed : {false, true}) {
      if (all_mixed) o.mixed = {0, 1, 2, 3};
      const Solved one(m, o), other(back, o);
      for (std::size_t b = 1; b < m.bodies.size(); ++b) {
        expect_near(one.poses[b], other.poses[b], 1e-12, label(o).c_str());
        EXPECT_NEAR(one.rates[b].angular.z, other.rates[b].angular.z, 1e-11) << label(o);
      }
      for (const auto& [name, sign] : {std::pair{"A.angle", -1}, {"1.angle", 1}, {"2.angle", -1}}) {
        EXPECT_NEAR(other.coordinate(name).value, sign * one.coordinate(name).value, 1e-12);
        EXPECT_NEAR(other.coordinate(name).rate, sign * one.coordinate(name).rate, 1e-11);
        const MechanismEquations& eq = other.system.equations();
        const std::size_t c = coordinate_index(back, name);
        if (eq.mixed[c] < 0) continue;
        const Scalar::Part& added = eq.scalars[eq.mixed[c]].parts[0];
        EXPECT_NEAR(other.q[added.x], other.coordinate(name).value, 1e-11) << label(o) << name;
        EXPECT_NEAR(other.v[added.v], other.coordinate(name).rate, 1e-11) << label(o) << name;
      }
    }
}

}  // namespace axode::test::equation_maker
