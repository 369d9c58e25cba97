#include "axode/model/geometry.hpp"

#include <gtest/gtest.h>

#include "axode/kinematics/poses.hpp"
#include "axode/lie/rotation.hpp"
#include "axode/model/builder.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/models/random_tree.hpp"
#include "tests/support/models/reference_tree.hpp"
#include "tests/support/near.hpp"

namespace axode::test::geometry_test {
namespace {

/// Given in one form and read back in all: the values of the file, to 1e-14.
TEST(Geometry, ReadsBackEveryForm) {
  double worst = 0;
  for (const char* file : {"remote_centre", "chain7", "tree9", "multidof_second"}) {
    const nlohmann::json data = read_json(std::string(file) + ".json");
    for (const GeometryForm form : {GeometryForm::zero_reference, GeometryForm::body_screws,
                                    GeometryForm::parent_screws, GeometryForm::joint_frames}) {
      const Tree tree = tree_from_reference(data.at("model"), form);
      for (int i = 0; i < tree.size(); ++i) {
        const auto& body = data.at("model").at("bodies")[i];
        const ZeroReference a = zero_reference(tree, i);
        const BodyScrews b = body_screws(tree, i);
        const JointFrames c = joint_frames(tree, i);
        const auto note = [&](const auto& got, const auto& expected) {
          expect_near(got, expected, 1e-14, file);
          worst = std::max(worst, largest_difference(got, expected));
        };
        note(a.A, pose(body.at("zero_reference").at("A")));
        note(b.B, pose(body.at("body_screws").at("B")));
        for (std::size_t k = 0; k < static_cast<std::size_t>(a.Y.size); ++k) {
          note(a.Y.screws[k], vec6(body.at("zero_reference").at("Y")[k]));
          note(b.X.screws[k], vec6(body.at("body_screws").at("X")[k]));
          note(b.X_parent.screws[k], vec6(body.at("body_screws").at("X_parent")[k]));
          if (form == GeometryForm::joint_frames)
            note(c.Z.screws[k], vec6(body.at("joint_frames").at("Z")[k]));
        }
        if (form == GeometryForm::joint_frames) {
          note(c.S_body, pose(body.at("joint_frames").at("S_body")));
          note(c.S_parent, pose(body.at("joint_frames").at("S_parent")));
        }
      }
    }
  }
  record("worst_difference", worst);
}

/// The relations between the forms [MuellerKin (5), (7), (11), (12)] on trees of all joints.
TEST(Geometry, FormsAreConsistent) {
  for_random_cases(200, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 30));
    for (int i = 0; i < tree.size(); ++i) {
      const ZeroReference a = zero_reference(tree, i);
      const BodyScrews b = body_screws(tree, i);
      const JointFrames c = joint_frames(tree, i);
      const int p = tree.links[i].parent;
      const SE3<double> A_p = p < 0 ? SE3<double>{} : zero_reference(tree, p).A;
      const double size = 1 + max_abs(a.A.p);
      expect_near(A_p * b.B, a.A, 1e-14 * size);
      expect_near(c.S_parent * inverse(c.S_body), b.B, 1e-14 * size);
      for (std::size_t k = 0; k < static_cast<std::size_t>(b.X.size); ++k) {
        expect_near(Ad(a.A, b.X.screws[k]), a.Y.screws[k], 1e-14 * size);
        expect_near(Ad(b.B, b.X.screws[k]), b.X_parent.screws[k], 1e-14 * size);
        expect_near(Ad(c.S_body, c.Z.screws[k]), b.X.screws[k], 1e-14 * size);
      }
    }
  });
}

/// A joint frame that nobody gave lies on the joint axis: Z = (0, 0, 1-s, 0, 0, s + h(1-s)).
TEST(Geometry, CanonicalJointFrameIsOnTheAxis) {
  for_random_cases(200, [](Random& random) {
    const double pitch = random.uniform(-1, 1);
    const int kind = random.integer(0, 2);
    const Vec3<double> axis = random.unit(), point = random.vec3();
    const Joint joint = kind == 0   ? revolute({axis, point})
                        : kind == 1 ? prismatic({axis})
                                    : helical({axis, point, pitch});
    const Tree tree =
        TreeBuilder{}.body("b").joint("j", joint, zero_reference(random.pose())).build();
    const double s = kind == 1 ? 1 : 0, h = kind == 2 ? pitch : 0;
    const Vec6<double> expected{{0, 0, 1 - s}, {0, 0, s + h * (1 - s)}};
    expect_near(joint_frames(tree, 0).Z.screws[0], expected, 1e-14);
  });
}

SE3<double> rot_z(double t) { return {rotation_about(2, t), {}}; }
SE3<double> rot_x(double t) { return {rotation_about(0, t), {}}; }
SE3<double> trans(double x, double y, double z) { return {{}, {x, y, z}}; }

/// Against the products the rows stand for, at values of the variable.
TEST(Geometry, DenavitHartenbergRows) {
  for_random_cases(300, [](Random& random) {
    const bool revolves = random.integer(0, 1) == 1;
    const DenavitHartenberg row{random.uniform(-3, 3), random.uniform(-1, 1), random.uniform(-1, 1),
                                random.uniform(-3, 3),
                                revolves ? JointType::revolute : JointType::prismatic};
    const double q = random.uniform(-2, 2);
    const double theta = row.theta + (revolves ? q : 0), d = row.d + (revolves ? 0 : q);
    const std::vector<double> coordinates{q};
    const Tree classic = TreeBuilder{}.body("b").joint("j", classic_dh(row)).build();
    const Tree modified = TreeBuilder{}.body("b").joint("j", modified_dh(row)).build();
    expect_near(poses(classic, coordinates).T_WB[0],
                rot_z(theta) * trans(0, 0, d) * trans(row.a, 0, 0) * rot_x(row.alpha), 1e-14);
    expect_near(poses(modified, coordinates).T_WB[0],
                rot_x(row.alpha) * trans(row.a, 0, 0) * rot_z(theta) * trans(0, 0, d), 1e-14);
  });
}

TEST(Geometry, RefusesBadRows) {
  expect_says(message([] { classic_dh({.theta = NAN}); }), "classic_dh: a Denavit-Hartenberg");
  expect_says(message([] { modified_dh({.type = JointType::spherical}); }),
              "cannot be a spherical joint");
}

TEST(Geometry, AllZeroReferencesAtOnce) {
  for_random_cases(50, [](Random& random) {
    const Tree tree = random_tree(random, random.integer(1, 30));
    const std::vector<ZeroReference> all = zero_references(tree);
    ASSERT_EQ(all.size(), tree.links.size());
    for (int i = 0; i < tree.size(); ++i) {
      const ZeroReference one = zero_reference(tree, i);
      const ZeroReference& g = all[i];
      expect_near(g.A, one.A, 1e-13);
      ASSERT_EQ(g.Y.size, one.Y.size);
      for (std::size_t k = 0; k < static_cast<std::size_t>(g.Y.size); ++k)
        expect_near(g.Y.screws[k], one.Y.screws[k], 1e-12);
    }
  });
}

TEST(Geometry, NamesOfForms) {
  EXPECT_EQ(name(GeometryForm::zero_reference), "zero_reference");
  EXPECT_EQ(name(GeometryForm::joint_frames), "joint_frames");
}

}  // namespace
}  // namespace axode::test::geometry_test
