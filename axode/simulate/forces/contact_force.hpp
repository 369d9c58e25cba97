/// Compliant contact of balls with half spaces: normal force, friction, elastic energy.
///
///   F = k d^n (1 + c d')  >= 0            d: depth, d' its rate          [HuntCrossley]
///   F_t = -mu F v_t / sqrt(|v_t|^2 + w^2)             regularised Coulomb friction
///
/// A ball is a sphere on a body, or a point (radius 0). Spheres, the 8 corners of boxes, the ends of
/// capsules and 12 points on each rim of cylinders are made from the tree's collision shapes: what
/// is right against a plane, but a cylinder rolls on corners. Meshes are refused. The force acts at
/// the deepest point; it is once differentiable in depth for n > 1, and zero when parting.
///
/// Friction without memory holds by creeping: on a slope of angle A a body slides for ever with
/// |v_t| = w tan A / sqrt(mu^2 - tan^2 A), a fraction of the width w (default 1 mm/s) per second. On
/// level ground the law is viscous near rest, so that motion decays exponentially: a robot comes to
/// rest and stays. A law that sticks on slopes needs a state for each contact (bristles), or the
/// contact constraints of dynamics/contact/contact_dynamics.hpp.
/// Tests: tests/simulate/forces/contact_force_test.cpp
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "axode/model/tree.hpp"

namespace axode {

struct ContactLaw {
  double stiffness = 1e5;    ///< k [N/m^n]
  double exponent = 1.5;     ///< n >= 1; 1.5: Hertz
  double dissipation = 0.5;  ///< c [s/m]; restitution about 1 - 2/3 c v for slow impacts
  double friction = 0.8;     ///< mu
  double width = 1e-3;       ///< w [m/s]
};
/// Points x with normal . (x - point) < 0 are inside, on a body or in the world (-1).
struct HalfSpace {
  int body = -1;
  Vec3<double> point{}, normal{0, 0, 1};
};
struct Ball {
  int body = 0;
  Vec3<double> centre{};  ///< in the body frame [m]
  double radius = 0;      ///< [m]; 0: a point
};
/// Balls that touch one half space.
struct CompliantContact {
  HalfSpace plane;
  std::vector<Ball> balls;
  ContactLaw law;
};

/// The balls that stand for a shape of body i. Throws Error on a mesh.
std::vector<Ball> contact_balls(const Tree& tree, int body, const Shape& shape);
/// Those of all collision shapes of the named bodies. Throws Error on a body without such shapes.
std::vector<Ball> contact_balls(const Tree& tree, const std::vector<std::string>& bodies);
/// The named bodies against the plane z = height of the world.
CompliantContact ground_contact(const Tree& tree, const std::vector<std::string>& bodies,
                                const ContactLaw& law = {}, double height = 0);

}  // namespace axode
