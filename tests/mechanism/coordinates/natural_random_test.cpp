// Natural against reference-point coordinates on random mechanisms.
#include <gtest/gtest.h>

#include <random>

#include "tests/mechanism/natural_compare.hpp"

namespace axode::test::coordinates_natural_random {
namespace {

using namespace natural;

/// Trees of any joints, some axes parallel or opposite, some points shared, closed by rods, pins
/// and balls.
Mechanism random_mechanism(unsigned seed, bool in_plane) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto whole = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const auto place = [&] {
    return Vec3<double>{number(random), number(random), in_plane ? 0 : number(random)};
  };
  using enum PairType;
  const std::vector<PairType> types =
      in_plane ? std::vector{revolute, revolute, prismatic, weld, point_on_line}
               : std::vector{revolute,  revolute,  cylindrical, prismatic, helical,
                             spherical, universal, planar,      weld,      point_on_line};
  MechanismBuilder builder("random " + std::to_string(seed),
                           in_plane ? Space::planar : Space::spatial);
  const int bodies = 3 + whole(4);
  const auto name = [](int b) { return b == 0 ? std::string("world") : "b" + std::to_string(b); };
  Vec3<double> p = place(), u = normalized(place());
  for (int b = 1; b <= bodies; ++b) {
    Inertia<double> inertia = some_body(1 + number(random) / 2, place());
    if (in_plane) inertia.about_com = {0, 0, 0.3, 0, 0, 0};
    builder.body(name(b), inertia);
    if (whole(4) != 0) p = place();
    if (whole(3) == 0) u = -u;
    if (whole(2) != 0) u = normalized(place());
    const PairType type = types[whole(static_cast<int>(types.size()))];
    PairGeometry g{.at = p};
    if (type == universal)
      g.axes = {Spot(u), Spot(normalized(cross(u, {0.3, 0.5, 0.8})))};
    else if (type != spherical && type != weld && !(in_plane && type == revolute))
      g.axis = u;
    if (type == helical) g.pitch = 0.2;
    builder.joint("j" + std::to_string(b), type, name(whole(b)), name(b), g);
  }
  for (int r = whole(3); r > 0; --r) {
    const int i = whole(bodies), j = i + 1 + whole(bodies - i);
    PairGeometry g;
    const bool closed = whole(2) == 0;
    if (closed)
      g.at = place();
    else
      g.points = {Spot(place()), Spot(place())};
    const PairType type = !closed ? rod : in_plane ? revolute : spherical;
    builder.joint("r" + std::to_string(r), type, name(i), name(j), g);
  }
  return builder.build();
}

TEST(CoordinatesNaturalRandom, RandomMechanisms) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    compare(random_mechanism(seed, true));
    compare(random_mechanism(seed, false));
    ASSERT_FALSE(HasFailure()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace axode::test::coordinates_natural_random
