// Mechanisms of the book at configurations of the reference data, bodies without mass.
#pragma once
#include <string>
#include <vector>

#include "axode/mechanism/description/builder.hpp"
#include "axode/mechanism/equations/formulate.hpp"
#include "axode/mechanism/equations/system.hpp"
#include "tests/support/json_data.hpp"

namespace axode::test::natural {

using nlohmann::json;

inline json data(const std::string& name) {
  return read_json("mechanisms/natural/" + name + ".json");
}
/// Two or three numbers.
inline Vec3<double> point(const json& a) {
  return {a.at(0), a.at(1), a.size() > 2 ? a.at(2).get<double>() : 0.};
}
inline PairGeometry at(const Vec3<double>& p) { return {.at = p}; }
inline PairGeometry at(const Vec3<double>& p, const Vec3<double>& u) {
  return {.at = p, .axis = normalized(u)};
}

inline Mechanism four_bar(const json& params, const json& pos) {
  return MechanismBuilder("four_bar", Space::planar)
      .body("crank")
      .body("coupler")
      .point("P", point(pos.at("P")))
      .body("rocker")
      .joint("A", PairType::revolute, "world", "crank", at(point(params.at("A"))))
      .joint("1", PairType::revolute, "crank", "coupler", at(point(pos.at("1"))))
      .joint("2", PairType::revolute, "coupler", "rocker", at(point(pos.at("2"))))
      .joint("B", PairType::revolute, "rocker", "world", at(point(params.at("B"))))
      .build();
}

inline Mechanism rrpr(const json& params, const json& pos) {
  const Vec3<double> p1 = point(pos.at("1")), p2 = point(pos.at("2")), p3 = point(pos.at("3"));
  PairGeometry slide{.axis = normalized(p2 - p1)};
  slide.points = {Spot(p1), Spot(p3)};
  return MechanismBuilder("rrpr", Space::planar)
      .body("crank")
      .body("rod")
      .point("2", p2)
      .body("bar")
      .joint("A", PairType::revolute, "world", "crank", at(point(params.at("A"))))
      .joint("1", PairType::revolute, "crank", "rod", at(p1))
      .joint("3", PairType::prismatic, "rod", "bar", slide)
      .joint("B", PairType::revolute, "bar", "world", at(point(params.at("B"))))
      .distance("s", {"rod", p1}, {"bar", p3})
      .build();
}

inline Mechanism six_bar(const json& params, const json& pos) {
  const auto p = [&](const char* name) {
    return point(pos.contains(name) ? pos.at(name) : params.at(name));
  };
  return MechanismBuilder("six_bar", Space::planar)
      .body("OA")
      .body("AB")
      .body("BCD")
      .body("CE")
      .body("DF")
      .joint("O", PairType::revolute, "world", "OA", at(p("O")))
      .joint("A", PairType::revolute, "OA", "AB", at(p("A")))
      .joint("B", PairType::revolute, "AB", "BCD", at(p("B")))
      .joint("C", PairType::revolute, "BCD", "CE", at(p("C")))
      .joint("D", PairType::revolute, "BCD", "DF", at(p("D")))
      .joint("E", PairType::revolute, "CE", "world", at(p("E")))
      .joint("F", PairType::revolute, "DF", "world", at(p("F")))
      .build();
}

inline Mechanism telescopic(const json& params, const json& pos) {
  const Vec3<double> p1 = point(pos.at("1")), p2 = point(pos.at("2")), p3 = point(pos.at("3")),
                     p4 = point(pos.at("4"));
  PairGeometry slide{.axis = normalized(p2 - p1)};
  slide.points = {Spot(p2), Spot(p3)};
  return MechanismBuilder("telescopic", Space::planar)
      .body("crank")
      .body("tube")
      .body("rod")
      .body("rocker")
      .joint("A", PairType::revolute, "world", "crank", at(point(params.at("A"))))
      .joint("1", PairType::revolute, "crank", "tube", at(p1))
      .joint("S", PairType::prismatic, "tube", "rod", slide)
      .joint("4", PairType::revolute, "rod", "rocker", at(p4))
      .joint("B", PairType::revolute, "rocker", "world", at(point(params.at("B"))))
      .build();
}

inline Mechanism rscr(const json& params, const json& pos) {
  PairGeometry slide{.axis = normalized(point(pos.at("u2")))};
  slide.points = {Spot(point(pos.at("r3"))), Spot(point(pos.at("r4")))};
  return MechanismBuilder("rscr")
      .body("one")
      .body("two")
      .body("three")
      .joint("1", PairType::revolute, "world", "one",
             at(point(params.at("r1")), point(params.at("u1_dir"))))
      .joint("r2", PairType::spherical, "one", "two", at(point(pos.at("r2"))))
      .joint("u2", PairType::cylindrical, "two", "three", slide)
      .joint("5", PairType::revolute, "three", "world",
             at(point(params.at("r5")), point(params.at("u3_dir"))))
      .build();
}

/// The robot of Fig. 2.27.
inline Mechanism robot(const json& params, const json& pos) {
  const Vec3<double> r1 = point(params.at("r1")), u1 = point(pos.at("u1")), r4 = point(pos.at("4"));
  return MechanismBuilder("robot")
      .body("a")
      .body("b")
      .body("c")
      .body("d")
      .body("e")
      .body("f")
      .point("5", point(pos.at("5")))
      .joint("0", PairType::revolute, "world", "a", at(r1, {0, 0, 1}))
      .joint("1", PairType::revolute, "a", "b", at(r1, u1))
      .joint("2", PairType::revolute, "b", "c", at(point(pos.at("2")), u1))
      .joint("3", PairType::revolute, "c", "d", at(point(pos.at("3")), u1))
      .joint("4", PairType::revolute, "d", "e", at(r4, point(pos.at("u2"))))
      .joint("4'", PairType::revolute, "e", "f", at(r4, point(pos.at("u3"))))
      .build();
}

/// A loop of revolutes, the last link being the ground.
inline Mechanism revolute_loop(const json& pos, int n) {
  MechanismBuilder builder("loop");
  const auto link = [&](int i) { return i == 0 || i == n ? "world" : "link" + std::to_string(i); };
  for (int i = 1; i < n; ++i) builder.body(link(i));
  for (int i = 1; i <= n; ++i) {
    const std::string k = std::to_string(i);
    builder.joint("P" + k, PairType::revolute, link(i - 1), link(i),
                  at(point(pos.at("P" + k)), point(pos.at("u" + k))));
  }
  return builder.build();
}

inline MechanismSystem natural_system(const Mechanism& m, FormulationOptions options = {}) {
  options.family = CoordinateFamily::natural;
  return MechanismSystem(make_equations(m, options));
}

/// The largest |Phi|, |Phi_q v|, |Phi_q a - c| at coordinates, velocities and accelerations.
struct Errors {
  double position = 0, velocity = 0, acceleration = 0;
};
inline Errors errors(MechanismSystem& s, std::vector<double> q, std::vector<double> v,
                     const std::vector<double>& a) {
  s.refresh(q, v);
  const std::size_t rows = s.constraints();
  std::vector<double> phi(rows), rate(rows), c(rows), Ja(rows);
  s.position(0, q, phi);
  s.velocity(0, q, v, rate);
  s.acceleration_right(0, q, v, c);
  SparseRows J;
  s.jacobian(0, q, J);
  J.multiply(a, Ja);
  Errors e;
  for (std::size_t i = 0; i < rows; ++i) {
    e.position = std::max(e.position, std::abs(phi[i]));
    e.velocity = std::max(e.velocity, std::abs(rate[i]));
    e.acceleration = std::max(e.acceleration, std::abs(Ja[i] - c[i]));
  }
  return e;
}

/// The numbers of coordinates "name.x", ... by what the reference calls them.
inline std::vector<double> numbers(const MechanismSystem& s, const json& values,
                                   const std::vector<std::pair<std::string, std::string>>& names) {
  std::vector<double> q;
  for (const std::string& coordinate : s.equations().coordinate_names) {
    const std::size_t dot = coordinate.rfind('.');
    const std::string name = coordinate.substr(0, dot);
    const std::size_t axis = coordinate.back() - 'x';
    for (const auto& [ours, theirs] : names)
      if (ours == name) q.push_back(values.at(theirs).at(axis));
  }
  return q;
}

}  // namespace axode::test::natural
