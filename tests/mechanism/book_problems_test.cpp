// The problems of [GarciaBayo] chapter 2, as shipped, against the reference data.
#include "tests/mechanism/book_cases.hpp"

namespace axode::test::book_problems {
namespace {

using book::check_file;

TEST(BookProblems, DiskOnRod) { check_file("disk_on_rod"); }          // 2/2
TEST(BookProblems, RollingWheel) { check_file("rolling_wheel"); }     // 2/3
TEST(BookProblems, WheelUnderRod) { check_file("wheel_under_rod"); }  // 2/4
TEST(BookProblems, GearPair) { check_file("gear_pair"); }             // 2/6
TEST(BookProblems, SlottedPlate) { check_file("slotted_plate"); }     // 2/9
TEST(BookProblems, GenevaWheel) { check_file("geneva_wheel"); }       // 2/11
TEST(BookProblems, MixedFourBar) { check_file("mixed_four_bar"); }    // 2/12
TEST(BookProblems, FrameOnString) { check_file("frame_on_string"); }  // 2/16
TEST(BookProblems, RodInCube) { check_file("rod_in_cube"); }          // 2/17

}  // namespace
}  // namespace axode::test::book_problems
