#include "axode/flexible/beam/modal_invariants.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/flexible/reference_beams.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/near.hpp"

namespace axode::test::modal_invariants {
namespace {

using nlohmann::json;

struct Range {
  int first, end;
};
Range of(const ModalInvariants& m, ModeDirection direction) {
  const auto d = static_cast<std::size_t>(direction);
  return {m.first[d], m.first[d + 1]};
}
std::vector<double> part(const std::vector<double>& list, Range r, double scale) {
  std::vector<double> result;
  for (int k = r.first; k < r.end; ++k) result.push_back(list[k] * scale);
  return result;
}
std::vector<double> block(const ModalInvariants& m, const std::vector<double>& square, Range rows,
                          Range columns, double scale = 1) {
  std::vector<double> result;
  for (int j = rows.first; j < rows.end; ++j)
    for (int k = columns.first; k < columns.end; ++k)
      result.push_back(square[j * m.modes + k] * scale);
  return result;
}
void expect_close(const std::vector<double>& got, const json& expected, const char* what,
                  double tolerance = 1e-12) {
  const std::vector<double> list = flat(expected);
  ASSERT_EQ(got.size(), list.size()) << what;
  double size = 0;
  for (const double a : list) size = std::max(size, std::abs(a));
  for (std::size_t i = 0; i < list.size(); ++i)
    EXPECT_NEAR(got[i], list[i], tolerance * size) << what << i;
}

TEST(ModalInvariants, DisplacementsOfTheReferences) {
  for_reference_links([](const json& link, int number, const json& file) {
    const Beam beam = reference_beam(link);
    const auto m = axode::modal_invariants(beam, reference_modes(link));
    const json& e = file.at("mode_integrals_unweighted").at("link" + std::to_string(number));
    const double mu = beam.material.density * section_of(beam.root).area, L = beam.length;
    EXPECT_NEAR(m.mass, mu * L, 1e-13 * mu * L);
    EXPECT_NEAR(m.first_moment, mu * L * L / 2, 1e-13 * m.first_moment);
    EXPECT_NEAR(m.second_moment, mu * L * L * L / 3, 1e-13 * m.second_moment);
    const Range y = of(m, ModeDirection::bend_y), z = of(m, ModeDirection::bend_z);
    expect_close(part(m.mean, y, 1 / mu), e.at("int_y"), "int_y");
    expect_close(part(m.mean, z, 1 / mu), e.at("int_z"), "int_z");
    expect_close(part(m.lever, y, 1 / mu), e.at("int_xy"), "int_xy");
    expect_close(part(m.lever, z, 1 / mu), e.at("int_xz"), "int_xz");
    expect_close(block(m, m.product, y, y, 1 / mu), e.at("int_yy"), "int_yy");
    expect_close(block(m, m.product, z, z, 1 / mu), e.at("int_zz"), "int_zz");
    expect_close(block(m, m.product, y, z, 1 / mu), e.at("int_yz"), "int_yz");
    for (const double a : part(m.mean, of(m, ModeDirection::torsion), 1)) EXPECT_EQ(a, 0);
  });
}

TEST(ModalInvariants, RotationsOfTheReferences) {
  for_reference_links([](const json& link, int number, const json& file) {
    const Beam beam = reference_beam(link);
    const auto m = axode::modal_invariants(beam, reference_modes(link));
    const json& e = file.at("mode_integrals_unweighted").at("link" + std::to_string(number));
    const Section s = section_of(beam.root);
    const Vec3<> J = beam.material.density * Vec3<>{s.polar(), s.Iy, s.Iz};
    const Range t = of(m, ModeDirection::torsion), y = of(m, ModeDirection::bend_y),
                z = of(m, ModeDirection::bend_z);
    for (int c = 0; c < 3; ++c) {
      const auto& a = m.angle[c];
      const auto& aa = m.angle_product[c];
      EXPECT_NEAR(m.rotary[c], J[c] * beam.length, 1e-13 * m.rotary[c]);
      expect_close(part(a, t, 1 / J[c]), e.at("int_t"), "int_t");
      expect_close(part(a, y, 1 / J[c]), e.at("int_yp"), "int_yp");
      expect_close(part(a, z, -1 / J[c]), e.at("int_zp"), "int_zp");
      expect_close(block(m, aa, t, t, 1 / J[c]), e.at("int_tt"), "int_tt");
      expect_close(block(m, aa, y, y, 1 / J[c]), e.at("int_ypyp"), "int_ypyp");
      expect_close(block(m, aa, z, z, 1 / J[c]), e.at("int_zpzp"), "int_zpzp");
      expect_close(block(m, aa, t, y, 1 / J[c]), e.at("int_t_yp"), "int_t_yp");
      expect_close(block(m, aa, t, z, -1 / J[c]), e.at("int_t_zp"), "int_t_zp");
      expect_close(block(m, aa, y, z, -1 / J[c]), e.at("int_yp_zp"), "int_yp_zp");
    }
  });
}

TEST(ModalInvariants, StiffnessAndTipOfTheReferences) {
  for_reference_links([](const json& link, int number, const json& file) {
    const Beam beam = reference_beam(link);
    const auto modes = reference_modes(link);
    const auto m = axode::modal_invariants(beam, modes);
    const std::string key = "link" + std::to_string(number);
    const auto first = file.at("elastic_offsets").at(key).at("first").get<std::size_t>();
    json K = json::array();
    for (std::size_t j = 0; j < modes.size(); ++j)
      for (std::size_t k = 0; k < modes.size(); ++k)
        K.push_back(file.at("K").at(first + j).at(first + k));
    expect_close(m.stiffness, K, "K");
    const json& e = file.at("mode_integrals_unweighted").at(key);
    const StationModes tip = station_modes(beam, modes, beam.length);
    const Range t = of(m, ModeDirection::torsion), y = of(m, ModeDirection::bend_y),
                z = of(m, ModeDirection::bend_z);
    expect_close(part(tip.angle, t, 1), e.at("tip").at("tx"), "tx");
    for (const double a : part(tip.displacement, t, 1)) EXPECT_EQ(a, 0);
    expect_close(part(tip.displacement, y, 1), e.at("tip").at("y"), "y");
    expect_close(part(tip.displacement, z, 1), e.at("tip").at("z"), "z");
    expect_close(part(tip.angle, y, 1), e.at("tip").at("yp"), "yp");
    expect_close(part(tip.angle, z, -1), e.at("tip").at("zp"), "zp");
    expect_close(block(m, tip.shortening, y, y), e.at("int_ypyp"), "shortening y");
    expect_close(block(m, tip.shortening, z, z), e.at("int_zpzp"), "shortening z");
    for (const double a : block(m, tip.shortening, y, z)) EXPECT_EQ(a, 0);
    for (const double a : block(m, tip.shortening, t, y)) EXPECT_EQ(a, 0);
  });
}

/// A tapered beam with polynomial shapes, whose integrals are easily done by hand.
Beam wedge() {
  Beam beam;
  beam.length = 2;
  beam.material = {3, 5, 7};
  beam.root = solid_rectangle(0.1, 0.3);
  beam.tip = solid_rectangle(0.1, 0.2);
  return beam;
}
std::vector<BeamMode> powers() {
  const auto shape = [](int n) {
    std::vector<double> c(n + 1, 0.0);
    c.back() = 1;
    return polynomial_shape(2, c);
  };
  return {{ModeDirection::torsion, shape(1), 0},
          {ModeDirection::bend_y, shape(2), 0},
          {ModeDirection::bend_y, shape(3), 0},
          {ModeDirection::bend_z, shape(2), 0},
          {ModeDirection::axial, shape(1), 0}};
}

TEST(ModalInvariants, TaperedBeamByHand) {
  const auto m = axode::modal_invariants(wedge(), powers());
  EXPECT_EQ(m.first, (std::array<int, 5>{0, 1, 3, 4, 5}));
  // mu = 0.21 (1 - s/3), x = 2 s: integral of mu s^n dx
  const auto moment = [](double n) { return 0.42 * (1 / (n + 1) - 1 / (3 * (n + 2))); };
  EXPECT_NEAR(m.mass, moment(0), 1e-15);
  EXPECT_NEAR(m.second_moment, 4 * moment(2), 1e-15);
  EXPECT_NEAR(m.mean[4], moment(1), 1e-15) << "axial";
  EXPECT_NEAR(m.lever[2], 2 * moment(4), 1e-15);
  EXPECT_NEAR(m.product[1 * 5 + 2], moment(5), 1e-15);
  EXPECT_NEAR(m.product[1 * 5 + 3], moment(4), 1e-15) << "both planes";
  EXPECT_NEAR(m.product[4 * 5 + 3], moment(3), 1e-15) << "axial and bending";
  EXPECT_EQ(m.product[0], 0) << "torsion";
  // shortening of bend_y1: psi' = s, at x integral 2 s^3/3; bend_y1 and 2: psi' psi' = 3/2 s^3
  EXPECT_NEAR(m.shortening[1 * 5 + 1], 2.0 / 3 * moment(3), 1e-15);
  EXPECT_NEAR(m.shortening[1 * 5 + 2], 3.0 / 4 * moment(4), 1e-15);
  EXPECT_NEAR(m.shortening_lever[1 * 5 + 2], 3.0 / 2 * moment(5), 1e-15);
  EXPECT_EQ(m.shortening[1 * 5 + 3], 0) << "other plane";
  EXPECT_EQ(m.shortening[4 * 5 + 4], 0) << "axial";
  // E A psi' psi' = 3 * 0.03 (1 - s/3) / 4 over 2 dx
  EXPECT_NEAR(m.stiffness[4 * 5 + 4], 3 * 0.03 * (1 - 1.0 / 6) / 2, 1e-15);
  // E Iz psi'' psi'' of bend_y1 = 3 * 0.3 * 0.1^3 / 12 (1 - s/3) / 4
  EXPECT_NEAR(m.stiffness[1 * 5 + 1], 3 * 0.3e-3 / 12 * (1 - 1.0 / 6) / 2, 1e-18);
  EXPECT_EQ(m.stiffness[1 * 5 + 3], 0);
  // rho Iz alpha_t alpha_y alpha_z = -7 * 0.3e-3 / 12 (1 - s/3) s s s
  EXPECT_NEAR(m.angle_triple[2][0], -7 * 0.3e-3 / 12 * moment(3) / 0.21, 1e-18);
  EXPECT_NEAR(m.angle_triple[2][1], -7 * 0.3e-3 / 12 * 1.5 * moment(4) / 0.21, 1e-18);
}

TEST(ModalInvariants, NodesGiveTheSameIntegrals) {
  for_reference_links([](const json& link, int, const json&) {
    const auto m = axode::modal_invariants(reference_beam(link), reference_modes(link));
    const std::size_t n = m.modes;
    std::vector<double> product(n * n), angles(n * n), shortening(n * n);
    Vec3<> rotary;
    double mass = 0;
    for (const auto& node : m.nodes) {
      mass += node.mass;
      rotary += node.inertia;
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < n; ++k) {
          product[j * n + k] += node.mass * node.at.displacement[j] * node.at.displacement[k];
          angles[j * n + k] += node.inertia.y * node.at.angle[j] * node.at.angle[k];
          shortening[j * n + k] += node.mass * node.at.shortening[j * n + k];
        }
    }
    EXPECT_NEAR(mass, m.mass, 1e-13 * m.mass);
    expect_near(rotary, m.rotary, 1e-13 * m.rotary.x);
    expect_close(product, m.product, "product");
    expect_close(angles, m.angle_product[1], "angles");
    expect_close(shortening, m.shortening, "shortening");
  });
}

TEST(ModalInvariants, ManyModes) {
  Beam beam = wedge();
  beam.tip = beam.root;
  const auto modes = beam_modes(beam, ModeDirection::bend_y, 12);
  const auto m = axode::modal_invariants(beam, modes);
  const Section s = section_of(beam.root);
  for (std::size_t j = 0; j < 12; ++j)
    for (std::size_t k = 0; k < 12; ++k) {
      const double w = modes[j].frequency, L = beam.length, mu = beam.material.density * s.area;
      EXPECT_NEAR(m.product[j * 12 + k], j == k ? mu * L : 0, 1e-12 * mu * L);
      EXPECT_NEAR(m.stiffness[j * 12 + k], j == k ? w * w * mu * L : 0, 1e-12 * m.stiffness[143]);
    }
}

TEST(ModalInvariants, Refusals) {
  auto modes = powers();
  std::swap(modes[0], modes[1]);
  expect_says(message([&] { axode::modal_invariants(wedge(), modes); }), "order modes");
}

}  // namespace
}  // namespace axode::test::modal_invariants
