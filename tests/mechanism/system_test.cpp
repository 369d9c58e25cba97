#include "axode/mechanism/system.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "axode/mechanism/formulate.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/random_cases.hpp"

namespace axode::test::system {

using Json = nlohmann::json;
using List = std::vector<double>;

/// Coordinates in blocks: points and vectors are nodes, blocks of one number are scalars.
struct Blocks {
  MechanismEquations eq;
  std::vector<int> of;  ///< node or scalar of each block

  explicit Blocks(const std::vector<int>& dims) {
    eq.mechanism.bodies.resize(1);
    eq.bodies.resize(1);
    eq.mass_by_motion = {false};
    eq.loads.weight = {-1};
    for (const int d : dims) {
      if (d == 1) {
        eq.scalars.push_back({{{eq.group.nx, eq.group.nv, 1}}, 0, "s"});
        of.push_back(static_cast<int>(eq.scalars.size()) - 1);
      } else {
        Node node;
        node.kind = Node::Kind::coordinates;
        node.x = eq.group.nx;
        node.v = eq.group.nv;
        node.size = d;
        eq.nodes.push_back(node);
        of.push_back(static_cast<int>(eq.nodes.size()) - 1);
      }
      eq.group.real(d);
    }
  }
  Arrow arrow(int head, int tail = -1) const {
    return {of[static_cast<std::size_t>(head)], tail < 0 ? -1 : of[static_cast<std::size_t>(tail)]};
  }
  int s(int block) const { return of[static_cast<std::size_t>(block)]; }
  void row(std::vector<Term> terms, double constant = 0) {
    Equation e;
    e.forms = {{std::move(terms), constant}};
    eq.equations.push_back(e);
  }
};

Term dots(const Arrow& a, const Arrow& b, double f = 1) { return {Term::Kind::dot, f, a, b}; }
Term across(const Arrow& a, const Arrow& b, int k, double f = 1) {
  return {Term::Kind::cross, f, a, b, {}, k};
}
Term part(const Arrow& a, int k, double f = 1) { return {Term::Kind::component, f, a, {}, {}, k}; }
Term of_scalar(Term::Kind kind, int s, double f) { return {kind, f, {}, {}, {}, 0, s}; }

/// The equations of one primitive of the reference, in terms.
void write(Blocks& b, const std::string& type, const std::map<std::string, double>& p) {
  const auto A = [&](int head, int tail = -1) { return b.arrow(head, tail); };
  const auto P = [&](const char* name) { return p.at(name); };
  using K = Term::Kind;
  if (type == "dist2" || type == "dist3") {
    b.row({dots(A(1, 0), A(1, 0))}, -P("L") * P("L"));
  } else if (type == "area2") {
    b.row({across(A(2, 0), A(1, 0), 2)}, -P("twoA"));
  } else if (type == "dot2") {
    b.row({dots(A(1, 0), A(3, 2))}, -P("C"));
  } else if (type == "collinear2_lin") {
    for (int k = 0; k < 2; ++k) b.row({part(A(1, 0), k), part(A(2, 0), k, -P("C"))});
  } else if (type == "lincomb2") {
    for (int k = 0; k < 2; ++k)
      b.row({part(A(3, 0), k), part(A(2, 0), k, -P("alpha")), part(A(1, 0), k, -P("beta"))});
  } else if (type == "angle2_dot_mixed") {
    b.row({dots(A(1, 0), A(2, 1)), of_scalar(K::cosine, b.s(3), -P("La") * P("Lb"))});
  } else if (type == "angle2_cross_mixed") {
    b.row({across(A(1, 0), A(2, 1), 2), of_scalar(K::sine, b.s(3), -P("La") * P("Lb"))});
  } else if (type == "dist2_mixed" || type == "dist3_mixed") {
    b.row({dots(A(1, 0), A(1, 0)), of_scalar(K::square, b.s(2), -1)});
  } else if (type == "dot3_pp_v") {
    b.row({dots(A(1, 0), A(2))}, -P("C"));
  } else if (type == "dot3_vv") {
    b.row({dots(A(0), A(1))}, -P("C"));
  } else if (type == "unit3") {
    b.row({dots(A(0), A(0))}, -1);
  } else if (type == "lincomb3") {
    for (int k = 0; k < 3; ++k)
      b.row({part(A(0), k), part(A(2, 1), k, -P("a1")), part(A(3, 1), k, -P("a2")),
             part(A(4), k, -P("a3"))});
  } else if (type == "cross3_pp_v") {
    for (int k = 0; k < 3; ++k) b.row({across(A(1, 0), A(2), k)});
  } else if (type == "cross3_ppp") {
    for (int k = 0; k < 3; ++k) b.row({across(A(1, 0), A(2, 0), k)});
  } else if (type == "rev_angle_dot") {
    b.row({dots(A(0, 2), A(1, 2)), of_scalar(K::cosine, b.s(3), -P("Li") * P("Lj"))},
          -P("hi") * P("hj"));
  } else if (type == "rev_angle_cross") {
    for (int k = 0; k < 3; ++k) {
      Term sine = of_scalar(K::component_sine, b.s(4), -P("Li") * P("Lj"));
      sine.a = A(3);
      sine.axis = k;
      b.row({across(A(0, 2), A(1, 2), k), across(A(3), A(1, 2), k, -P("hi")),
             across(A(0, 2), A(3), k, -P("hj")), sine});
    }
  } else if (type == "helical") {
    b.row({of_scalar(K::scalar, b.s(0), 1), of_scalar(K::scalar, b.s(1), -P("n"))}, -P("s0"));
  } else if (type == "gear") {
    b.row({of_scalar(K::scalar, b.s(1), 1), of_scalar(K::scalar, b.s(0), P("n"))}, -P("psi20"));
  } else if (type == "point_plane") {
    b.row({dots(A(2, 0), A(1))}, -P("c"));
  } else if (type == "point_line_dist") {
    b.row({dots(A(2, 0), A(2, 0)), {K::squared_dot, -1, A(2, 0), A(1)}}, -P("d") * P("d"));
  } else if (type == "gear_axes") {
    // Points p and q on the axes are combinations of their ends.
    const auto on_line = [&](int from, int to, double at) {
      Node node;
      node.kind = Node::Kind::combination;
      const Mat3<double> one = Mat3<double>::identity();
      node.parts = {{b.of[static_cast<std::size_t>(from)], one * (1 - at)},
                    {b.of[static_cast<std::size_t>(to)], one * at}};
      b.eq.nodes.push_back(node);
      return static_cast<int>(b.eq.nodes.size()) - 1;
    };
    const int first = on_line(0, 1, P("alpha")), second = on_line(2, 3, P("beta"));
    const Arrow pq{second, first}, ji = A(0, 1), lk = A(2, 3);
    b.row({dots(pq, pq)}, -P("C1"));
    b.row({dots(pq, ji)}, -P("C2"));
    b.row({dots(pq, lk)}, -P("C3"));
    b.row({dots(ji, lk)}, -P("C4"));
  }
}

List numbers(const Json& a) { return a.get<List>(); }

void expect_near(const List& is, const List& wanted, const std::string& what) {
  ASSERT_EQ(is.size(), wanted.size()) << what;
  double size = 1;
  for (const double x : wanted) size = std::max(size, std::abs(x));
  for (std::size_t i = 0; i < is.size(); ++i)
    EXPECT_NEAR(is[i], wanted[i], 1e-13 * size) << what << " " << i;
}

TEST(MechanismSystem, TermsReproduceThePrimitivesOfTheReference) {
  int compared = 0;
  const Json file = read_json("mechanisms/constraint_primitives.json");
  for (const Json& entry : file.at("entries")) {
    const auto type = entry.at("type").get<std::string>();
    Blocks blocks(entry.at("dims").get<std::vector<int>>());
    std::map<std::string, double> p;
    for (std::size_t i = 0; i < entry.at("params").size(); ++i)
      p[entry.at("param_names").at(i)] = entry.at("params").at(i);
    write(blocks, type, p);
    if (blocks.eq.equations.empty()) continue;  // of bodies and trees: compared elsewhere
    MechanismSystem system(blocks.eq);
    const List q = numbers(entry.at("q")), v = numbers(entry.at("qd"));
    List phi(static_cast<std::size_t>(system.constraints())), rate = phi, c = phi;
    system.position(0, q, phi);
    expect_near(phi, numbers(entry.at("phi")), type);
    system.velocity(0, q, v, rate);
    expect_near(rate, numbers(entry.at("phidot")), type + " rate");
    system.acceleration_right(0, q, v, c);
    for (double& x : c) x = -x;
    expect_near(c, numbers(entry.at("Jdot_qd")), type + " second");
    SparseRows J;
    system.jacobian(0, q, J);
    for (int k = 0; k < J.rows; ++k) {
      List row(q.size(), 0.);
      for (int e = J.start[static_cast<std::size_t>(k)];
           e < J.start[static_cast<std::size_t>(k) + 1]; ++e)
        row[static_cast<std::size_t>(J.column[static_cast<std::size_t>(e)])] =
            J.value[static_cast<std::size_t>(e)];
      expect_near(row, numbers(entry.at("jac").at(static_cast<std::size_t>(k))),
                  type + " Jacobian");
    }
    ++compared;
  }
  EXPECT_EQ(compared, 69);
}

/// Three bodies in space with every joint that has equations there, in no assembled position.
Mechanism many_joints() {
  Mechanism m;
  m.gravity = {0, 0, -9.81};
  m.bodies.resize(4);
  const char* names[] = {"ground", "a", "b", "c"};
  for (std::size_t i = 0; i < 4; ++i) {
    m.bodies[i].name = names[i];
    if (i == 0) continue;
    const auto f = static_cast<double>(i);
    m.bodies[i].inertia = {f, {0.1 * f, -0.2, 0.3}, {0.5 * f, 0.6, 0.7, 0.02, -0.01, 0.03}};
    m.bodies[i].pose = {exp(Vec3<double>{0.3 * f, -0.8, 0.5}), {0.4, 0.7 * f, -0.2}};
  }
  const PairType types[] = {PairType::weld,
                            PairType::revolute,
                            PairType::prismatic,
                            PairType::helical,
                            PairType::cylindrical,
                            PairType::spherical,
                            PairType::universal,
                            PairType::planar,
                            PairType::point_on_line,
                            PairType::point_on_plane,
                            PairType::point_line_distance,
                            PairType::rod};
  int k = 0;
  for (const PairType type : types) {
    MechanismJoint j;
    j.name = std::string(name(type));
    j.type = type;
    j.body = {k % 4, (k + 1 + k % 2) % 4};
    if (j.body[0] == j.body[1]) j.body[1] = (j.body[1] + 1) % 4;
    for (std::size_t end = 0; end < 2; ++end) {
      const double f = 0.3 * k + 0.7 * static_cast<double>(end);
      j.point[end] = {std::sin(f), std::cos(2 * f), 0.4};
      j.axis[end] = normalized(Vec3<double>{std::cos(f), 0.5, std::sin(3 * f)});
      j.zero[end] = normalized(cross(j.axis[end], Vec3<double>{0, 0, 1}));
    }
    j.value = 0.7;
    j.pitch = 0.2;
    const auto add = [&](int which, bool is_angle, const char* of) {
      MechanismCoordinate c;
      c.name = j.name + "." + of;
      c.joint = k;
      c.which = which;
      c.is_angle = is_angle;
      m.coordinates.push_back(c);
    };
    if (type == PairType::helical) add(0, true, "angle");
    if (type == PairType::revolute) add(0, true, "angle");
    m.joints.push_back(j);
    ++k;
  }
  return m;
}

const AttitudeForm attitudes[] = {AttitudeForm::euler_parameters, AttitudeForm::euler_angles,
                                  AttitudeForm::quasi_velocities};

/// q moved by h along v, as the group moves.
List moved(const MechanismSystem& system, const List& q, const List& v, double h) {
  List d = v, result = q;
  for (double& x : d) x *= h;
  plus(system.configuration(), q, d, result);
  return result;
}

TEST(MechanismSystem, RatesAreDerivativesInEveryAttitude) {
  Random random(4);
  for (const AttitudeForm attitude : attitudes) {
    const Mechanism m = many_joints();
    MechanismSystem system(make_equations(
        m, {.family = CoordinateFamily::reference_point, .attitude = attitude, .mixed = {0, 1}}));
    std::vector<SE3<double>> poses;
    for (const MechanismBody& b : m.bodies) poses.push_back(b.pose);
    List q = system.from_poses(poses);
    List v(static_cast<std::size_t>(system.configuration().nv));
    for (double& x : v) x = random.uniform(-1, 1);
    // Euler parameters keep their length.
    for (const BodyCoordinates& b : system.equations().bodies)
      if (b.kind == BodyCoordinates::Kind::euler_parameters) {
        double along = 0;
        for (std::size_t i = 3; i < 7; ++i)
          along += q[static_cast<std::size_t>(b.x) + i] * v[static_cast<std::size_t>(b.v) + i];
        for (std::size_t i = 3; i < 7; ++i)
          v[static_cast<std::size_t>(b.v) + i] -= along * q[static_cast<std::size_t>(b.x) + i];
      }
    const auto rows = static_cast<std::size_t>(system.constraints());
    List plus_(rows), minus_(rows), rate(rows), c(rows);
    const double h = 1e-5;
    system.position(0, moved(system, q, v, h), plus_);
    system.position(0, moved(system, q, v, -h), minus_);
    system.velocity(0, q, v, rate);
    for (std::size_t k = 0; k < rows; ++k)
      EXPECT_NEAR((plus_[k] - minus_[k]) / (2 * h), rate[k], 1e-8) << k;
    // Along q(t) = plus(q, t v), v constant, dPhi_q/dt v is the second derivative.
    List now(rows);
    system.position(0, q, now);
    system.acceleration_right(0, q, v, c);
    for (std::size_t k = 0; k < rows; ++k)
      EXPECT_NEAR((plus_[k] - 2 * now[k] + minus_[k]) / (h * h), -c[k], 2e-4)
          << system.equations().equations[k].name;
  }
}

TEST(MechanismSystem, TangentHasTheCurvatureOfConstraints) {
  Random random(5);
  for (const AttitudeForm attitude : attitudes) {
    const Mechanism m = many_joints();
    MechanismSystem system(make_equations(
        m, {.family = CoordinateFamily::reference_point, .attitude = attitude, .mixed = {0, 1}}));
    std::vector<SE3<double>> poses;
    for (const MechanismBody& b : m.bodies) poses.push_back(b.pose);
    const List q = system.from_poses(poses);
    const auto nv = static_cast<std::size_t>(system.configuration().nv);
    const auto rows = static_cast<std::size_t>(system.constraints());
    List zero(nv, 0.), lambda(rows), d(nv), v(nv);
    for (double& x : lambda) x = random.uniform(-1, 1);
    for (double& x : d) x = random.uniform(-1, 1);
    for (double& x : v) x = random.uniform(-1, 1);
    SparseAssembly tangent, rate;
    const ConstrainedView of = view(system);
    // At rest: forces of inertia have no slope.
    of.tangent({0, q, zero, zero, lambda}, {.stiffness = 1}, tangent);
    of.tangent({0, q, v, zero, lambda}, {.rate = 1}, rate);
    // Along d, without components along Euler parameters, where the equations do not curve.
    for (const BodyCoordinates& b : system.equations().bodies)
      if (b.kind == BodyCoordinates::Kind::euler_parameters)
        for (List* x : {&d, &v}) {
          double along = 0;
          for (std::size_t i = 3; i < 7; ++i)
            along += q[static_cast<std::size_t>(b.x) + i] * (*x)[static_cast<std::size_t>(b.v) + i];
          for (std::size_t i = 3; i < 7; ++i)
            (*x)[static_cast<std::size_t>(b.v) + i] -= along * q[static_cast<std::size_t>(b.x) + i];
        }
    List x(nv + rows, 0.), result(nv + rows);
    std::copy(d.begin(), d.end(), x.begin());
    const auto second = [&](const List& at_q) {
      SparseRows J;
      system.jacobian(0, at_q, J);
      List g(nv, 0.);
      J.add_transposed(lambda, g);
      return g;
    };
    const double h = 1e-6;
    const List up = second(moved(system, q, d, h)), down = second(moved(system, q, d, -h));
    multiply(tangent.matrix, x, result);
    double difference = 0, expected = 0;
    for (std::size_t i = 0; i < nv; ++i) {
      difference += d[i] * (up[i] - down[i]) / (2 * h);
      expected += d[i] * result[i];
    }
    EXPECT_NEAR(difference, expected, 1e-6 * std::max(1., std::abs(expected)))
        << static_cast<int>(attitude);
  }
}

TEST(MechanismSystem, MassAndForcesAreThoseOfNewtonAndEuler) {
  // A free body: the same accelerations in every attitude, found through its own equations.
  Mechanism m;
  m.gravity = {0.3, -0.2, -9.81};
  m.bodies.resize(2);
  m.bodies[0].name = "ground";
  m.bodies[1].name = "body";
  m.bodies[1].inertia = {2, {0.1, -0.2, 0.3}, {0.5, 0.6, 0.7, 0.02, -0.01, 0.03}};
  m.bodies[1].pose = {exp(Vec3<double>{0.3, -0.8, 0.5}), {0.4, 0.7, -0.2}};
  BodyLoad load;
  load.body = 1;
  load.point = {0.2, 0.1, 0};
  load.force = {1, 2, 3};
  load.torque = {-0.3, 0.2, 0.5};
  m.loads.push_back(load);
  const Vec3<double> omega{0.7, -1.1, 0.4};
  const std::vector<SE3<double>> poses{{}, m.bodies[1].pose};
  const std::vector<Twist<Rep::hybrid>> twists{{}, {omega, {1, 0.5, -0.3}}};
  const SO3<double>& R = m.bodies[1].pose.R;
  const Mat3<double> J = R.matrix * m.bodies[1].inertia.about_com.matrix() * transpose(R.matrix);
  const Vec3<double> arm = R * (load.point - m.bodies[1].inertia.com);
  const Vec3<double> couple = load.torque + cross(arm, load.force) - cross(omega, J * omega);
  for (const AttitudeForm attitude : attitudes) {
    MechanismSystem system(
        make_equations(m, {.family = CoordinateFamily::reference_point, .attitude = attitude}));
    const List q = system.from_poses(poses), v = system.from_twists(q, twists);
    const auto nv = static_cast<std::size_t>(system.configuration().nv);
    List a(nv), lambda(static_cast<std::size_t>(system.constraints()));
    ConstrainedWork work;
    ASSERT_TRUE(consistent_acceleration(view(system), 0, q, v, a, lambda, work));
    std::vector<Vec6<double>> rates(2);
    system.accelerations(q, v, a, rates);
    const Vec3<double> turning = J * rates[1].angular;
    const Vec3<double> s = R * m.bodies[1].inertia.com;
    const Vec3<double> com =
        rates[1].linear + cross(rates[1].angular, s) + cross(omega, cross(omega, s));
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(turning[k], couple[k], 1e-12);
      EXPECT_NEAR(com[k], m.gravity[k] + load.force[k] / 2, 1e-12);
    }
    const double kinetic =
        squared_norm(twists[1].linear + cross(omega, s)) + dot(omega, J * omega) / 2;
    EXPECT_NEAR(system.kinetic_energy(q, v), kinetic, 1e-12);
  }
}

TEST(MechanismSystem, SeatsOfEulerAnglesChangeWithoutAJump) {
  const Mechanism m = many_joints();
  MechanismSystem system(make_equations(
      m, {.family = CoordinateFamily::reference_point, .attitude = AttitudeForm::euler_angles}));
  std::vector<SE3<double>> poses;
  for (const MechanismBody& b : m.bodies) poses.push_back(b.pose);
  List q = system.from_poses(poses);
  List v(q.size(), 0.3);
  EXPECT_FALSE(system.refresh(q, v) && std::abs(std::sin(q[4])) < 0.2);
  q[4] = 0.1;  // nearly singular
  std::vector<SE3<double>> before(4), after(4);
  std::vector<Twist<Rep::hybrid>> moving_before(4), moving_after(4);
  system.motion(q, v, before, moving_before);
  EXPECT_TRUE(system.refresh(q, v));
  EXPECT_NEAR(std::sin(q[4]), 1, 1e-15);
  system.motion(q, v, after, moving_after);
  for (std::size_t b = 0; b < 4; ++b)
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(before[b].p[k], after[b].p[k], 1e-14);
      EXPECT_NEAR(before[b].R.matrix.x[k], after[b].R.matrix.x[k], 1e-14);
      EXPECT_NEAR(moving_before[b].angular[k], moving_after[b].angular[k], 1e-14);
      EXPECT_NEAR(moving_before[b].linear[k], moving_after[b].linear[k], 1e-13);
    }
}

}  // namespace axode::test::system
