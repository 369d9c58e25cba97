// The mechanism of examples/remote_centre.cpp against independent 50-digit values.
#include "axode/lie/adjoint.hpp"
#include "axode/screw/screw.hpp"
#include "tests/support/json_data.hpp"
#include "tests/support/near.hpp"

namespace axode::test::remote_centre_test {
namespace {

using test::expect_near;

TEST(RemoteCentre, ScrewsFromGeometryAndPosesByExponentials) {
  const auto data = test::read_json("remote_centre.json");
  const auto model = data.at("model");
  const auto d = [&](const char* name) {
    return model.at("rcm_parameters").at(name).get<double>();
  };
  const Vec3<> z{0, 0, 1};
  const std::array<Screw<>, 5> axes{
      make_screw(z, {0, 0, 0}), make_screw(z, {-d("d2"), 0, 0}), make_screw(z, {d("d3"), 0, 0}),
      make_screw(Vec3<>{-1, 0, 1}, {d("d4"), 0, d("h4")}), make_screw(z, {d("d5"), 0, 0})};
  std::array<SE3<>, 5> A;
  for (std::size_t i = 0; i < 5; ++i) {
    const auto body = model.at("bodies").at(i);
    A[i] = test::pose(body.at("zero_reference").at("A"));
    const Vec6<> Y = coordinates(axes[i]);
    expect_near(Y, test::vec6(body.at("zero_reference").at("Y").at(0)), 4e-16);
    expect_near(Ad_inverse(A[i], Y), test::vec6(body.at("body_screws").at("X").at(0)), 4e-16);
  }
  for (const auto& state : data.at("states")) {
    SE3<> motion;
    for (std::size_t i = 0; i < 5; ++i) {
      motion = motion * exp(coordinates(axes[i]) * state.at("input").at("q").at(i).get<double>());
      expect_near(motion * A[i], test::pose(state.at("output").at("C").at(i)), 2e-15);
    }
  }
}

TEST(RemoteCentre, ClosedFormOfTheThirdBody) {
  // [MuellerKin sec. 2.5], printed for C_3
  const auto data = test::read_json("remote_centre.json");
  const auto d = [&](const char* name) {
    return data.at("model").at("rcm_parameters").at(name).get<double>();
  };
  for (const auto& state : data.at("states")) {
    const auto q = [&](std::size_t i) { return state.at("input").at("q").at(i).get<double>(); };
    const double q1 = q(0), q12 = q1 + q(1), q123 = q12 + q(2);
    const double reach = d("d2") + d("d3"), offset = d("x3") - d("d3");
    const SE3<> C3 = test::pose(state.at("output").at("C").at(2));
    expect_near(
        C3.p,
        Vec3<>{-d("d2") * std::cos(q1) + reach * std::cos(q12) + offset * std::cos(q123),
               -d("d2") * std::sin(q1) + reach * std::sin(q12) + offset * std::sin(q123), d("z3")},
        1e-15);
    expect_near(C3.R, exp(Vec3<>{0, 0, q123}), 1e-15);
  }
}

}  // namespace
}  // namespace axode::test::remote_centre_test
