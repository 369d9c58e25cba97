#include "axode/mechanism/analysis/assemble.hpp"

#include <cstdio>

#include "axode/mechanism/analysis/start_poses.hpp"
#include "axode/mechanism/description/builder.hpp"
#include "axode/mechanism/equations/formulate.hpp"

using namespace axode;

int main() {
  // A four-bar linkage. It need not be closed: starting values are a rough guess.
  const Mechanism mechanism =
      MechanismBuilder("four-bar", Space::planar)
          .body("crank")
          .body("coupler")
          .body("rocker")
          .joint("A", PairType::revolute, "world", "crank", {.points = {{{0, 0, 0}, {0, 0, 0}}}})
          .joint("B", PairType::revolute, "crank", "coupler", {.points = {{{1, 0, 0}, {0, 0, 0}}}})
          .joint("C", PairType::revolute, "coupler", "rocker",
                 {.points = {{{3.5, 0, 0}, {2.5, 0, 0}}}})
          .joint("D", PairType::revolute, "world", "rocker", {.points = {{{4, 0, 0}, {0, 0, 0}}}})
          .start("A.angle", 1.2)
          .start("D.angle", 1.6)
          .build();
  MechanismSystem system(make_equations(mechanism, {}));
  const auto print = [&](const char* what, const Assembly& found) {
    std::printf("%-18s %s", what, name(found.outcome).data());
    if (!found.is_assembled()) {
      std::printf("\n  %s; %s\n", found.message.c_str(), found.remedy.c_str());
      return;
    }
    std::vector<SE3<double>> poses(mechanism.bodies.size());
    std::vector<Twist<Rep::hybrid>> twists(poses.size());
    system.motion(found.q, found.v, poses, twists);
    const int A = coordinate_index(mechanism, "A.angle"),
              D = coordinate_index(mechanism, "D.angle");
    std::printf(": A %.6f rad, D %.6f rad, D' %.6f rad/s\n", measure(mechanism, A, poses),
                measure(mechanism, D, poses), twists[3].angular.z);
  };

  // From the reference, with the starting values as a guess; then with named values held exactly.
  print("near the start", assemble(system));
  print("A held", assemble(system, {.values = {{"A.angle", .5}}, .rates = {{"A.angle", 2}}}));
  print("D held", assemble(system, {.values = {{"D.angle", 1.8}}}));

  // A driver is followed in time. A guess chooses the branch: here the rocker below the x axis.
  Mechanism driven = mechanism;
  driven.drivers.push_back(
      {"crank", coordinate_index(driven, "A.angle"), polynomial_in_time(.5, 2)});
  system = MechanismSystem(make_equations(driven, {}));
  print("driven, t = 3 s", assemble(system, {.t = 3}));
  driven.initial[coordinate_index(driven, "D.angle")] = -1.6;
  driven.initial[coordinate_index(driven, "B.angle")] = -1.5;
  const std::vector<double> below = system.from_poses(start_poses(driven));
  print("from a guess", assemble(system, {.t = 3, .guess = below}));

  // The rocker cannot be driven past the position where crank and coupler lie in a line.
  driven.drivers = {{"rocker", coordinate_index(driven, "D.angle"), constant_in_time(3)}};
  driven.initial = mechanism.initial;
  system = MechanismSystem(make_equations(driven, {}));
  print("rocker driven", assemble(system));
}
