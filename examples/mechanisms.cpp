#include <cstdio>

#include "axode/mechanism/analysis/assemble.hpp"
#include "axode/mechanism/analysis/follow.hpp"
#include "axode/mechanism/analysis/mobility.hpp"
#include "axode/mechanism/description/builder.hpp"
#include "axode/mechanism/equations/formulate.hpp"

using namespace axode;

int main() {
  // A four-bar linkage in its plane. Bodies have their own frames; the poses are a rough guess.
  const Mechanism mechanism =
      MechanismBuilder("four-bar", Space::planar)
          .body("crank")
          .body("coupler")
          .point("P", {1.5, .8, 0})
          .body("rocker")
          .joint("A", PairType::revolute, "world", "crank", {.points = {{{0, 0, 0}, {0, 0, 0}}}})
          .joint("B", PairType::revolute, "crank", "coupler", {.points = {{{1, 0, 0}, {0, 0, 0}}}})
          .joint("C", PairType::revolute, "coupler", "rocker",
                 {.points = {{{3.5, 0, 0}, {2.5, 0, 0}}}})
          .joint("D", PairType::revolute, "world", "rocker", {.points = {{{4, 0, 0}, {0, 0, 0}}}})
          .drive("A.angle", polynomial_in_time(.5, 2))
          .start("A.angle", .5)
          .start("B.angle", .3)
          .start("D.angle", 2)
          .build();

  // The same equations in whichever coordinates: positions, velocities, accelerations agree.
  for (const CoordinateFamily family :
       {CoordinateFamily::relative, CoordinateFamily::reference_point, CoordinateFamily::natural}) {
    MechanismSystem system(make_equations(mechanism, {.family = family}));
    const Assembly found = assemble(system);
    std::vector<SE3<double>> poses(mechanism.bodies.size());
    std::vector<Twist<Rep::hybrid>> twists(mechanism.bodies.size());
    system.motion(found.q, found.v, poses, twists);
    std::printf("%-15s %2d coordinates: rocker at %.6f rad, %.6f rad/s\n", name(family).data(),
                system.configuration().nv,
                measure(mechanism, coordinate_index(mechanism, "D.angle"), poses),
                twists[3].angular.z);
  }

  // Without its driver it has one degree of freedom. Over a turn of the crank the point P draws its curve.
  MechanismSystem system(make_equations(mechanism, {.with_drivers = false}));
  std::printf("mobility %d\n", mobility(system, 0, assemble(system).q).mobility);
  MechanismSystem driven(make_equations(mechanism, {}));
  const FollowResult turn =
      follow_driver(driven, 0, .5, .5 + 6.2831853, 0, assemble(driven).q, {.step = 1.5});
  for (const Vec3<double>& P : path_of_point(driven, turn, 2, {1.5, .8, 0}))
    std::printf("P = (%.4f, %.4f) m\n", P.x, P.y);
}
