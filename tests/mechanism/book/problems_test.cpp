// The problems of [GarciaBayo] chapter 2, as shipped: against the reference data, against closed
// forms (2/1, 2/5, 2/7, 2/10, 2/13 to 2/15), or formulations against each other.
#include "tests/mechanism/book_cases.hpp"

namespace axode::test::book_problems {
namespace {

using book::check_file;

TEST(BookProblems, QuickReturn) { check_file("quick_return"); }       // 2/1
TEST(BookProblems, DiskOnRod) { check_file("disk_on_rod"); }          // 2/2
TEST(BookProblems, RollingWheel) { check_file("rolling_wheel"); }     // 2/3
TEST(BookProblems, WheelUnderRod) { check_file("wheel_under_rod"); }  // 2/4
TEST(BookProblems, BellCrank) { check_file("bell_crank"); }           // 2/5
TEST(BookProblems, GearPair) { check_file("gear_pair"); }             // 2/6
TEST(BookProblems, SwingingBlock) { check_file("swinging_block"); }   // 2/7
TEST(BookProblems, SlottedPlate) { check_file("slotted_plate"); }     // 2/9
TEST(BookProblems, ScotchYoke) { check_file("scotch_yoke"); }         // 2/10
TEST(BookProblems, GenevaWheel) { check_file("geneva_wheel"); }       // 2/11
TEST(BookProblems, MixedFourBar) { check_file("mixed_four_bar"); }    // 2/12
TEST(BookProblems, ArmOverPlane) { check_file("arm_over_plane"); }    // 2/13
TEST(BookProblems, ArmBesideLine) { check_file("arm_beside_line"); }  // 2/14
TEST(BookProblems, BodyOnPlane) { check_file("body_on_plane"); }      // 2/15
TEST(BookProblems, FrameOnString) { check_file("frame_on_string"); }  // 2/16
TEST(BookProblems, RodInCube) { check_file("rod_in_cube"); }          // 2/17
TEST(BookProblems, Rssr) { check_file("rssr"); }                      // 2/18
TEST(BookProblems, Gyroscope) { check_file("gyroscope"); }            // 2/20
TEST(BookProblems, Manipulator) { check_file("manipulator"); }        // 2/21

/// Bodies move the same in all formulations, along the driver of the file.
void check_agreement(const std::string& file) {
  const Mechanism m = load_mechanism(book::models / file);
  const auto all = book::formulations(m);
  std::vector<book::Solved> first;
  for (std::size_t f = 0; f < all.size(); ++f) {
    MechanismSystem system(make_equations(m, all[f].options));
    std::vector<double> q = book::start(system);
    for (std::size_t k = 0; k < 9; ++k) {
      const double t = .2 * static_cast<double>(k);
      SCOPED_TRACE(file + ", " + all[f].label + ", t = " + std::to_string(t));
      const book::Solved s = book::solve(system, t, q);
      ASSERT_TRUE(s.position.converged) << s.position.message;
      EXPECT_TRUE(s.velocity.consistent && s.velocity.unique) << s.velocity.message;
      EXPECT_TRUE(s.acceleration.consistent) << s.acceleration.message;
      q = s.q;
      if (f == 0) {
        first.push_back(s);
        continue;
      }
      book::Comparison comparison;
      for (std::size_t b = 1; b < m.bodies.size(); ++b)
        for (const Vec3<double>& p : {Vec3<double>{}, Vec3<double>{1, 0, 0}, Vec3<double>{0, 1, 1}})
          comparison.add(m.bodies[b].name, book::motion_of(first[k], b, p, true),
                         book::motion_of(s, b, p, true));
      comparison.check();
    }
  }
}

TEST(BookProblems, GearedFiveBarAgrees) { check_agreement("problem_2_08_geared_five_bar.json"); }
TEST(BookProblems, RevoluteCylindricalAgrees) {  // 2/19
  check_agreement("problem_2_19_revolute_cylindrical.json");
}
TEST(BookProblems, ElementsAgree) { check_agreement("example_2_8_elements.json"); }  // example 2.8
TEST(BookProblems, ObliqueSliderAgrees) { check_agreement("example_2_6_oblique_slider.json"); }

}  // namespace
}  // namespace axode::test::book_problems
