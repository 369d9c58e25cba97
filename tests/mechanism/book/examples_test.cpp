// The examples of [GarciaBayo] chapter 2, as shipped, against the reference data.
#include "tests/mechanism/book_cases.hpp"

namespace axode::test::book_examples {
namespace {

using book::check_file;

TEST(BookExamples, FourBar) { check_file("four_bar"); }       // 2.1, 2.2, 2.5
TEST(BookExamples, Rrpr) { check_file("rrpr"); }              // 2.3, 2.5, 2.6, 2.9
TEST(BookExamples, SixBar) { check_file("six_bar"); }         // 2.4
TEST(BookExamples, Telescopic) { check_file("telescopic"); }  // 2.7
TEST(BookExamples, Rscr) { check_file("rscr"); }              // 2.10

TEST(BookExamples, SliderCrank) { check_file("slider_crank"); }
TEST(BookExamples, UniversalJoint) { check_file("universal_joint"); }
TEST(BookExamples, Rssp) { check_file("rssp"); }
TEST(BookExamples, ScrewJack) { check_file("screw_jack"); }
TEST(BookExamples, Stewart) { check_file("stewart"); }
TEST(BookExamples, StewartLegs) { check_file("stewart_legs"); }
TEST(BookExamples, Bennett) { check_file("bennett"); }
TEST(BookExamples, Bricard) { check_file("bricard"); }
TEST(BookExamples, NFourBar) { check_file("n_four_bar"); }
TEST(BookExamples, Andrews) { check_file("andrews"); }

}  // namespace
}  // namespace axode::test::book_examples
