#include "axode/kinematics/frames/frame_kinematics.hpp"

#include <cmath>

#include "axode/engine/kinematics_calls.hpp"
#include "axode/lie/adjoint.hpp"
#include "axode/lie/dual.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::frame_kinematics_test {
namespace {

using nlohmann::json;
using test::expect_near;

// --- the moving base of the reference -------------------------------------------------------------

struct BaseForm {
  Rep rep;
  const char* in_file;
  FrameName frame;
};
const BaseForm base_forms[] = {{Rep::body, "body", "base"},
                               {Rep::hybrid, "mixed", origin_of("base").axes_of("world")},
                               {Rep::spatial, "inertial", "world"}};

struct ExpressionFrame {
  const char* in_file;
  FrameName frame;
};
std::vector<ExpressionFrame> expression_frames(const std::string& link) {
  return {{"L", link}, {"L[A]", origin_of(link).axes_of("world")}, {"A", "world"}, {"B", "base"}};
}

/// Relative to max(1, the largest number).
double error(const Vec6<>& a, const Vec6<>& wanted) {
  return test::largest_difference(a, wanted) / std::max(1.0, max_abs(wanted));
}
/// Against a 6 x 10 matrix in the order of the file: linear first in rows and base columns.
double error(const Columns& columns, const json& rows) {
  double worst = 0;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const std::size_t in_file = k < 6 ? (k + 3) % 6 : k;
    Vec6<> wanted;
    for (int r = 0; r < 6; ++r)
      wanted[r] = rows.at(static_cast<std::size_t>(r + 3) % 6).at(in_file).get<double>();
    worst = std::max(worst, error(columns[k], wanted));
  }
  return worst;
}

// As in jacobian_test.cpp: some 100 units in the last place of numbers of order 1, and a decade.
constexpr double tolerance = 2e-13;

std::string numbered(std::string stem, std::size_t i) { return stem.append(std::to_string(i)); }

struct MovingBase {
  Tree tree;
  Poses<> at;
  Motion<Rep::body> motion;
  std::vector<double> v, a;
  MovingBase(const json& data, const json& state, const BaseForm& stored)
      : tree(make_tree(data, state, stored)),
        at(poses(tree, test::moving_base_configuration(state.at("input")))),
        motion(tree),
        v(test::base_angular_first(state.at("output").at("base").at(stored.in_file).at("nu"))),
        a(test::base_angular_first(state.at("output").at("base").at(stored.in_file).at("nudot"))) {
    accelerations(tree, at, v, a, motion);
  }
  static Tree make_tree(const json& data, const json& state, const BaseForm& stored) {
    TreeDescription description =
        test::description_from_reference(data.at("model"), GeometryForm::joint_frames, stored.rep);
    for (const auto& contact : state.at("input").at("contacts")) {
      const auto link = contact.at("link").get<std::size_t>();
      description.frames.push_back({numbered("contact", description.frames.size()),
                                    description.bodies.at(link).name,
                                    test::pose(contact.at("L_H_C"))});
    }
    return build(description);
  }
};

TEST(FrameKinematics, MovingBasePosesTwistsAndAccelerations) {
  const json data = test::read_json("moving_base.json");
  double worst = 0;
  const auto check = [&](const Vec6<>& a, const json& wanted) {
    const double e = error(a, test::vec6_linear_first(wanted));
    EXPECT_LE(e, tolerance);
    worst = std::max(worst, e);
  };
  for (const auto& state : data.at("states"))
    for (const BaseForm& stored : base_forms) {
      const MovingBase b(data, state, stored);
      for (const auto& link : state.at("output").at("links")) {
        const std::string L = link.at("name").get<std::string>();
        expect_near(transform(b.tree, b.at, {.of = L, .relative_to = "world"}),
                    test::pose(link.at("A_H_L")), 2e-14);
        for (const auto& [F, frame] : expression_frames(L)) {
          SCOPED_TRACE(L + " in " + F + ", base velocity " + stored.in_file);
          check(twist(b.tree, b.at, b.motion,
                      {.of = L, .relative_to = "world", .expressed_in = frame}),
                link.at("twist").at(F));
          check(twist(b.tree, b.at, b.motion,
                      {.of = L, .relative_to = "base", .expressed_in = frame}),
                link.at("twist_relative_to_base").at(F));
          check(acceleration(b.tree, b.at, b.motion,
                             {.of = L, .relative_to = "world", .expressed_in = frame}),
                link.at("apparent_acceleration").at(F));
          check(acceleration(b.tree, b.at, b.motion,
                             {.of = L,
                              .relative_to = "world",
                              .expressed_in = frame,
                              .kind = AccelerationKind::intrinsic}),
                link.at("intrinsic_acceleration").at(F));
        }
      }
    }
  test::record("worst_error", worst);
}

TEST(FrameKinematics, MovingBaseJacobiansForAllBaseVelocities) {
  const json data = test::read_json("moving_base.json");
  double worst = 0;
  const auto check = [&](double e) {
    EXPECT_LE(e, tolerance);
    worst = std::max(worst, e);
  };
  for (const auto& state : data.at("states"))
    for (const BaseForm& stored : base_forms) {
      const MovingBase b(data, state, stored);
      for (const auto& link : state.at("output").at("links")) {
        const std::string L = link.at("name").get<std::string>();
        for (const auto& [F, frame] : expression_frames(L)) {
          for (const BaseForm& asked : base_forms) {
            SCOPED_TRACE(L + " in " + F + ", stored " + stored.in_file + ", asked " +
                         asked.in_file);
            const JacobianQuery query{L, "world", frame, asked.frame};
            check(error(jacobian(b.tree, b.at, query), link.at("J").at(F).at(asked.in_file)));
            check(error(jacobian_rate_times_velocity(b.tree, b.at, b.motion, b.v, query),
                        test::vec6_linear_first(link.at("Jdot_nu").at(F).at(asked.in_file))));
          }
          // Not said: as the tree has it.
          const JacobianQuery query{.of = L, .relative_to = "world", .expressed_in = frame};
          check(error(jacobian(b.tree, b.at, query), link.at("J").at(F).at(stored.in_file)));
          check(error(jacobian_rate_times_velocity(b.tree, b.at, b.motion, b.v, query),
                      test::vec6_linear_first(link.at("Jdot_nu").at(F).at(stored.in_file))));
        }
      }
      for (const BaseForm& asked : base_forms) {
        const auto& wanted =
            state.at("output").at("base").at(asked.in_file).at("contact_jacobians");
        for (std::size_t c = 0; c < wanted.size(); ++c) {
          const std::string contact = numbered("contact", c);
          const auto link = state.at("input").at("contacts").at(c).at("link").get<std::size_t>();
          check(error(jacobian(b.tree, b.at,
                               {.of = b.tree.bodies[link].name,
                                .relative_to = "world",
                                .expressed_in = origin_of(contact).axes_of("world"),
                                .base_velocity_in = asked.frame}),
                      wanted.at(c)));
        }
      }
    }
  test::record("worst_error", worst);
}

// --- random trees, random frames ------------------------------------------------------------------

/// A frame on any body or the world, half of them composite.
FrameChoice random_frame(test::Random& random, const Tree& tree) {
  const auto simple = [&] { return Frame{random.integer(-1, tree.size() - 1), random.pose(1)}; };
  const Frame origin = simple();
  return {origin, random.integer(0, 1) ? origin : simple()};
}
struct Scene {
  Tree tree;
  std::vector<double> q, v, a;
  Poses<> at;
  Motion<Rep::body> motion;
  FrameRoles frames;
  Scene(test::Random& random, Tree t)
      : tree(std::move(t)),
        q(test::random_coordinates(random, tree)),
        v(test::random_velocities(random, tree)),
        a(test::random_velocities(random, tree)),
        at(poses(tree, q)),
        motion(tree),
        frames{random_frame(random, tree), random_frame(random, tree), random_frame(random, tree)} {
    accelerations(tree, at, v, a, motion);
  }
  explicit Scene(test::Random& random) : Scene(random, test::random_tree(random, 6)) {}

  /// The scene after the time t, to third order.
  struct Moment {
    Poses<> at;
    Motion<Rep::body> motion;
  };
  Moment moment(double t) const {
    std::vector<double> d, v_t, q_t(q.size());
    for (std::size_t k = 0; k < v.size(); ++k) {
      d.push_back(v[k] * t + a[k] * t * t / 2);
      v_t.push_back(v[k] + a[k] * t);
    }
    plus<double>(tree, q, d, q_t);
    Moment m{poses(tree, q_t), Motion<Rep::body>(tree)};
    twists(tree, m.at, v_t, m.motion);
    return m;
  }
};
FrameRoles roles(const FrameChoice& of, const FrameChoice& relative_to, const FrameChoice& in) {
  return {of, relative_to, in};
}
/// Rounding of products and sums of the numbers in these scenes, which stay below some 100 (1000 for
/// accelerations, where the world frame is far from screws of the first kind).
constexpr double scene_rounding = 1e-12;

TEST(FrameKinematics, TwistIsTheDerivativeOfThePose) {
  test::for_random_cases(200, [](test::Random& random) {
    const Scene s(random);
    const auto T = [&](double t) {
      return transform(s.moment(t).at, s.frames.of, s.frames.relative_to);
    };
    const double h = 1e-4;
    const SE3<> T_AB = T(0);
    const Vec6<> B_v = (log(inverse_times(T_AB, T(h))) - log(inverse_times(T_AB, T(-h)))) / (2 * h);
    const SE3<> T_CB = transform(s.at, s.frames.of, *s.frames.expressed_in);
    const Vec6<> wanted = Ad(T_CB, B_v);
    expect_near(twist(s.at, s.motion, s.frames), wanted, 1e-6 * std::max(1.0, max_abs(wanted)));
  });
}

TEST(FrameKinematics, ApparentAccelerationIsTheDerivativeOfTheTwist) {
  test::for_random_cases(200, [](test::Random& random) {
    const Scene s(random);
    const double h = 1e-4;
    const Scene::Moment ahead = s.moment(h), back = s.moment(-h);
    const Vec6<> wanted =
        (twist(ahead.at, ahead.motion, s.frames) - twist(back.at, back.motion, s.frames)) / (2 * h);
    expect_near(acceleration(s.at, s.motion, s.frames), wanted,
                1e-6 * std::max(1.0, max_abs(wanted)));
  });
}

TEST(FrameKinematics, RelativeTwistsAddAndChangeSign) {
  test::for_random_cases(200, [](test::Random& random) {
    const Scene s(random);
    const FrameChoice A = s.frames.of, B = s.frames.relative_to, C = *s.frames.expressed_in;
    const FrameChoice D = random_frame(random, s.tree);
    const auto v = [&](const FrameChoice& in, const FrameChoice& from, const FrameChoice& of) {
      return twist(s.at, s.motion, roles(of, from, in));
    };
    expect_near(v(C, A, B), -v(C, B, A), scene_rounding);
    expect_near(v(C, A, B) + v(C, B, D), v(C, A, D), scene_rounding);
    expect_near(v(D, A, B), Ad(transform(s.at, C, D), v(C, A, B)), scene_rounding);
    EXPECT_EQ(v(C, A, A), Vec6<>{});
  });
}

TEST(FrameKinematics, IntrinsicAndApparentAccelerations) {
  test::for_random_cases(200, [](test::Random& random) {
    const Scene s(random);
    const FrameChoice A = s.frames.of, B = s.frames.relative_to, C = *s.frames.expressed_in;
    const FrameChoice D = random_frame(random, s.tree);
    const auto v = [&](const FrameChoice& in, const FrameChoice& from, const FrameChoice& of) {
      return twist(s.at, s.motion, roles(of, from, in));
    };
    const auto apparent = [&](const FrameChoice& in, const FrameChoice& from,
                              const FrameChoice& of) {
      return acceleration(s.at, s.motion, roles(of, from, in));
    };
    const auto intrinsic = [&](const FrameChoice& in) {
      return acceleration(s.at, s.motion, roles(B, A, in), AccelerationKind::intrinsic);
    };
    // (45), (46), (47) twice, (49)
    const Vec6<> B_rate = apparent(B, A, B);
    expect_near(apparent(C, A, B), Ad(transform(s.at, B, C), ad(v(B, C, B), v(B, A, B)) + B_rate),
                scene_rounding * 10);
    expect_near(apparent(A, A, B), Ad(transform(s.at, B, A), B_rate), scene_rounding * 10);
    expect_near(intrinsic(C), Ad(transform(s.at, A, C), apparent(A, A, B)), scene_rounding * 10);
    expect_near(intrinsic(D), Ad(transform(s.at, C, D), intrinsic(C)), scene_rounding * 10);
    expect_near(intrinsic(C), apparent(C, A, B) + ad(v(C, A, C), v(C, A, B)), scene_rounding * 10);
  });
}

TEST(FrameKinematics, AccelerationAtABodyInWorldAxesIsThatOfItsOrigin) {
  // (52)-(55): B[A] gives the second derivative of the position
  test::for_random_cases(100, [](test::Random& random) {
    const Scene s(random);
    const Frame B = s.frames.of.origin;
    const FrameChoice world{}, at_body{B, {}};
    const FrameRoles frames = roles({B, B}, world, at_body);
    const double h = 1e-4;
    const auto p = [&](double t) { return transform(s.moment(t).at, {B, B}).p; };
    const Vec3<> velocity = (p(h) - p(-h)) / (2 * h);
    const Vec3<> second = (p(h) - 2.0 * p(0) + p(-h)) / (h * h);
    const double size = std::max(1.0, max_abs(second));
    expect_near(twist(s.at, s.motion, frames).linear, velocity, 1e-6 * size);
    expect_near(acceleration(s.at, s.motion, frames).linear, second, 1e-5 * size);
    const Vec6<> intrinsic = acceleration(s.at, s.motion, frames, AccelerationKind::intrinsic);
    const Vec6<> V = twist(s.at, s.motion, frames);
    expect_near(acceleration(s.at, s.motion, frames),
                Vec6<>{intrinsic.angular, intrinsic.linear - cross(V.linear, V.angular)},
                scene_rounding * 10);
  });
}

TEST(FrameKinematics, JacobianTimesVelocityIsTheTwist) {
  test::for_random_cases(200, [](test::Random& random) {
    const Scene s(random);
    Columns J(s.v.size());
    jacobian(s.tree, s.at, s.frames, J);
    Vec6<> V{}, A = jacobian_rate_times_velocity(s.tree, s.at, s.motion, s.v, s.frames);
    for (std::size_t k = 0; k < J.size(); ++k) {
      V += J[k] * s.v[k];
      A += J[k] * s.a[k];
    }
    expect_near(twist(s.at, s.motion, s.frames), V, scene_rounding);
    expect_near(acceleration(s.at, s.motion, s.frames), A, scene_rounding * 10);
  });
}

TEST(FrameKinematics, JointsThatMoveBothFramesDoNotMatter) {
  // tool and lower hang on upper; relative to upper the shoulder has no part, exactly
  const Tree tree = TreeBuilder()
                        .body("upper")
                        .joint("shoulder", revolute({.axis = {1, 2, 3}, .point = {.1, .2, .3}}))
                        .body("lower")
                        .on("upper")
                        .joint("elbow", revolute({.axis = {0, 1, 0}, .point = {1, 0, 0}}))
                        .body("other")
                        .on("upper")
                        .joint("slide", prismatic({.axis = {0, 0, 1}}))
                        .build();
  const std::vector<double> q{.3, .4, .5};
  const Columns J =
      jacobian(tree, q, {.of = "lower", .relative_to = "other", .expressed_in = "lower"});
  EXPECT_EQ(J[0], Vec6<>{});
  expect_near(J[1], Vec6<>{{0, 1, 0}, cross(Vec3<>{1, 0, 0}, Vec3<>{0, 1, 0})}, 1e-15);
  expect_near(max_abs(J[2].angular), 0.0, 0);
  EXPECT_EQ(max_abs(jacobian(tree, q, {.of = "upper", .relative_to = "upper"})[0]), 0);
}

/// A free base with any velocity form and a random tree on it.
Tree random_tree_on_free_base(test::Random& random) {
  constexpr Rep forms[] = {Rep::body, Rep::spatial, Rep::hybrid};
  TreeBuilder builder;
  builder.body("base").joint(
      "float", free_joint({.velocity = forms[random.integer(0, 2)], .at = random.pose(.5)}),
      body_screws(random.pose(.5)));
  const auto joint = [&](std::size_t i) {
    switch (i % 3) {
      case 0:
        return universal({.point = random.vec3(.5)});
      case 1:
        return helical({.axis = random.unit(), .point = random.vec3(.5), .pitch = .1});
      default:
        return spherical({.point = random.vec3(.5)});
    }
  };
  for (std::size_t i = 0; i < 4; ++i)
    builder.body(numbered("b", i))
        .on(i < 2 ? "base" : numbered("b", i - 2))
        .joint(numbered("j", i), joint(i), body_screws(random.pose(.5)));
  builder.body("else").joint("aside", revolute({.axis = random.unit()}));
  return builder.build();
}

TEST(FrameKinematics, BaseVelocityInAnyMovingFrame) {
  test::for_random_cases(200, [](test::Random& random) {
    Scene s(random, random_tree_on_free_base(random));
    const FrameChoice C = random_frame(random, s.tree);
    s.frames.base_velocity_in = C;
    const Frame base{0, {}};
    const FrameRoles base_in_C = roles({base, base}, {}, C);
    const Vec6<> velocity = twist(s.at, s.motion, base_in_C);
    const Vec6<> rate = acceleration(s.at, s.motion, base_in_C);
    Columns J(s.v.size());
    jacobian(s.tree, s.at, s.frames, J);
    Vec6<> V{}, A = jacobian_rate_times_velocity(s.tree, s.at, s.motion, s.v, s.frames);
    for (std::size_t k = 0; k < J.size(); ++k) {
      V += J[k] * (k < 6 ? velocity[static_cast<int>(k)] : s.v[k]);
      A += J[k] * (k < 6 ? rate[static_cast<int>(k)] : s.a[k]);
    }
    expect_near(twist(s.at, s.motion, s.frames), V, scene_rounding);
    expect_near(acceleration(s.at, s.motion, s.frames), A, scene_rounding * 10);
  });
}

TEST(FrameKinematics, WrenchesDoTheSameWorkInAllFrames) {
  test::for_random_cases(200, [](test::Random& random) {
    const Scene s(random);
    const FrameChoice A = s.frames.of, B = s.frames.relative_to, C = *s.frames.expressed_in;
    const Vec6<> W = random.vec6(), V_A = twist(s.at, s.motion, roles(B, A, A));
    const Vec6<> V_C = twist(s.at, s.motion, roles(B, A, C));
    const Vec6<> W_C = wrench_transform(s.at, W, A, C);
    const double size = std::max(1.0, max_abs(V_C)) * std::max(1.0, max_abs(W_C));
    EXPECT_NEAR(dot(W, V_A), dot(W_C, V_C), 1e-13 * size);
    expect_near(wrench_transform(s.at, W_C, C, A), W, 1e-12);
  });
}

// --- by name --------------------------------------------------------------------------------------

Tree arm() {
  return TreeBuilder("arm")
      .body("upper", {.mass = 2.1, .com = {0, 0, .2}})
      .joint("shoulder", revolute({.axis = {0, 1, 0}, .point = {0, 0, .3}}))
      .body("lower", {.mass = 1.2})
      .on("upper")
      .joint("elbow", helical({.axis = {0, 1, 0}, .point = {0, 0, .7}, .pitch = .01}))
      .frame("tool", {.on = "lower", .at = translation(Vec3<>{0, 0, 1.1})})
      .build();
}

TEST(FrameKinematics, NamesGiveTheSameAsChoices) {
  const Tree tree = arm();
  const std::vector<double> q{.3, -.5}, v{.7, .2}, a{-.4, 1};
  const Poses<> at = poses(tree, q);
  Motion<Rep::body> motion(tree);
  accelerations(tree, at, v, a, motion);
  const FrameName tool_world = origin_of("tool").axes_of("world");
  const FrameRoles frames{frame(tree, "tool"), frame(tree, "upper"), frame(tree, tool_world)};

  EXPECT_EQ(transform(tree, at, {.of = "tool", .relative_to = "upper"}),
            transform(at, frames.of, frames.relative_to));
  EXPECT_EQ(twist(tree, at, motion, {"tool", "upper", tool_world}), twist(at, motion, frames));
  EXPECT_EQ(acceleration(tree, at, motion,
                         {.of = "tool", .relative_to = "upper", .expressed_in = tool_world}),
            acceleration(at, motion, frames));
  EXPECT_EQ(
      acceleration(tree, at, motion, {"tool", "upper", tool_world, AccelerationKind::intrinsic}),
      acceleration(at, motion, frames, AccelerationKind::intrinsic));
  const auto J = jacobian(
      tree, at,
      {.of = "tool", .relative_to = "upper", .expressed_in = origin_of("tool").axes_of("world")});
  Columns columns(2);
  jacobian(tree, at, frames, columns);
  EXPECT_EQ(J, columns);
  EXPECT_EQ(jacobian_rate_times_velocity(tree, at, motion, v, {"tool", "upper", tool_world, {}}),
            jacobian_rate_times_velocity(tree, at, motion, v, frames));
}

TEST(FrameKinematics, DefaultsAreTheWorldAndTheHybridRepresentation) {
  const Tree tree = arm();
  const std::vector<double> q{.3, -.5}, v{.7, 1.1}, a{-.2, .4};
  EXPECT_EQ(transform(tree, q, {.of = "tool"}),
            transform(tree, q, {.of = "tool", .relative_to = "world"}));
  for (const char* reference : {"world", "upper"}) {
    const FrameName hybrid = origin_of("tool").axes_of(reference);
    EXPECT_EQ(jacobian(tree, q, {.of = "tool", .relative_to = reference}),
              jacobian(tree, q, {"tool", reference, hybrid, {}}));
    EXPECT_EQ(twist(tree, q, v, {.of = "tool", .relative_to = reference}),
              twist(tree, q, v, {"tool", reference, hybrid}));
    EXPECT_EQ(acceleration(tree, q, v, a, {.of = "tool", .relative_to = reference}),
              acceleration(tree, q, v, a, {"tool", reference, hybrid}));
    EXPECT_EQ(jacobian_rate_times_velocity(tree, q, v, {.of = "tool", .relative_to = reference}),
              jacobian_rate_times_velocity(tree, q, v, {"tool", reference, hybrid, {}}));
  }
}

/// The frame of a representation has the components that the recursion in it finds.
TEST(FrameKinematics, FramesOfRepresentations) {
  const Tree tree = arm();
  const std::vector<double> q{.3, -.5}, v{.7, 1.1};
  const Poses<> at = poses(tree, q);
  Motion<Rep::body> body(tree);
  twists<Rep::body, double>(tree, at, v, body);
  const FrameChoice of = frame(tree, "lower"), world{};
  const auto check = [&]<Rep rep>() {
    Motion<rep> motion(tree);
    twists<rep, double>(tree, at, v, motion);
    expect_near(twist(at, body, FrameRoles{of, world, expressed_in(rep, of, world), {}}),
                motion.twists.back().six(), 1e-15);
  };
  check.operator()<Rep::body>();
  check.operator()<Rep::spatial>();
  check.operator()<Rep::hybrid>();
}

TEST(FrameKinematics, WrenchMatrixIsTheTransform) {
  const Tree tree = arm();
  const Poses<> at = poses(tree, std::vector<double>{.3, -.5});
  const Vec6<> W{{1, 2, 3}, {4, 5, 6}};
  expect_near(wrench_matrix(tree, at, {.from = "tool", .to = "world"}) * W,
              wrench_transform(tree, at, W, {.from = "tool", .to = "world"}), 1e-14);
}

TEST(FrameKinematics, LinearFirstAndBack) {
  const Vec6<> a{{1, 2, 3}, {4, 5, 6}};
  EXPECT_EQ(linear_first(a), (std::array<double, 6>{4, 5, 6, 1, 2, 3}));
  EXPECT_EQ(from_linear_first<Vec6<>>(linear_first(a)), a);
}

TEST(FrameKinematics, DualNumbersCarryTheDerivative) {
  // q + eps v: the dual part of the components of J is dJ/dt, and so J' v that of J v.
  const Tree tree = arm();
  const std::vector<double> q{.3, -.5}, v{.7, .2};
  using D = Dual<double>;
  Poses<D> at(tree);
  poses<D>(tree, std::vector<D>{{q[0], v[0]}, {q[1], v[1]}}, at);
  const JacobianQuery query{"tool", "upper", origin_of("tool").axes_of("world"), {}};
  std::vector<Vec6<D>> J(2);
  jacobian(tree, at, frame_roles(tree, query), J);
  Vec6<> rate{};
  for (int r = 0; r < 6; ++r) rate[r] = J[0][r].dual * v[0] + J[1][r].dual * v[1];
  expect_near(jacobian_rate_times_velocity(tree, q, v, query), rate, 1e-15);
}

TEST(FrameKinematics, EvaluationDoesNotAllocate) {
  test::Random random(5);
  Scene s(random, random_tree_on_free_base(random));
  s.frames.base_velocity_in = random_frame(random, s.tree);
  Columns J(s.v.size());
  EXPECT_EQ(test::count_allocations([&] {
              transform(s.at, s.frames.of, s.frames.relative_to);
              twist(s.at, s.motion, s.frames);
              acceleration(s.at, s.motion, s.frames);
              jacobian(s.tree, s.at, s.frames, J);
              jacobian_rate_times_velocity(s.tree, s.at, s.motion, s.v, s.frames);
            }),
            0);
}

TEST(FrameKinematics, MistakesSaySo) {
  const Tree tree = arm();
  const std::vector<double> q{.3, -.5}, v{.7, .2};
  const auto says = [](const std::function<void()>& f, const std::string& words) {
    test::expect_says(test::message(f), words);
  };
  says([&] { jacobian(tree, q, {.of = "tool", .base_velocity_in = "upper"}); },
       "leave base_velocity_in away");
  says([&] { jacobian(tree, q, {.of = "tol"}); }, "tol");
  says([&] { transform(tree, q, {.of = origin_of("tool").axes_of("wold")}); }, "wold");
  says([&] { twist(tree, q, std::vector<double>{1}, {.of = "tool"}); }, "v: it has 1 numbers");
  says([&] { twist(tree, std::vector<double>{1}, v, {.of = "tool"}); }, "q: it has 1 numbers");
  says(
      [&] {
        acceleration(tree, q, v, std::vector<double>{1, 2, 3}, {.of = "tool"});
      },
      "a: it has 3 numbers");
}

}  // namespace
}  // namespace axode::test::frame_kinematics_test
