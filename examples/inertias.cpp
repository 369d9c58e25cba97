/// Inertias: two parts made one, seen from another frame, checked, and set in motion.
#include <cstdio>

#include "axode/screw/inertia.hpp"

using namespace axode;

int main() {
  const Inertia<> rod{.mass = 2, .com = {0, 0, 0.5}, .about_com = {0.17, 0.17, 0.001, 0, 0, 0}};
  const Inertia<> ball{.mass = 1, .com = {0, 0, 1.1}, .about_com = {0.004, 0.004, 0.004, 0, 0, 0}};
  const Inertia<> whole = rod + ball;
  std::printf("mass %.1f kg, centre of mass at z = %.2f m, Ixx about it %.4f kg m^2\n", whole.mass,
              whole.com.z, whole.about_com.xx);

  const Inertia<> elsewhere = transform(translation(Vec3<>{1, 0, 0}), whole);
  std::printf("about an origin 1 m away: Iyy = %.4f kg m^2\n", about_origin(elsewhere).yy);

  const Twist<Rep::body> V{{0.5, 0, 0}, {0, 0, 0}};
  const Momentum<Rep::body> P = momentum(whole, V);
  std::printf("kinetic energy %.4f J = half of momentum times twist %.4f J\n",
              kinetic_energy(whole, V), pairing(P, V) / 2);

  const Inertia<> wrong{.mass = 1, .com = {}, .about_com = {0.1, 0.1, 0.5, 0, 0, 0}};
  std::puts(physical_violation(wrong).c_str());
}
