// The examples of [GarciaBayo] chapter 2, as shipped, against the reference data.
#include "tests/mechanism/book_cases.hpp"

namespace axode::test::book_examples {
namespace {

using book::check_file;

TEST(BookExamples, FourBar) { check_file("four_bar"); }       // 2.1, 2.2, 2.5
TEST(BookExamples, Rrpr) { check_file("rrpr"); }              // 2.3, 2.5, 2.6, 2.9
TEST(BookExamples, SixBar) { check_file("six_bar"); }         // 2.4
TEST(BookExamples, Telescopic) { check_file("telescopic"); }  // 2.7
TEST(BookExamples, SliderCrank) { check_file("slider_crank"); }

}  // namespace
}  // namespace axode::test::book_examples
