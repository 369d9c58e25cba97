/// A robot on four legs: what the ground does to its feet, standing and landing.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "axode/dynamics/contact/contact_impulse.hpp"
#include "axode/dynamics/matrices/moving_base.hpp"
#include "axode/model/builder.hpp"
using namespace axode;

namespace {
// A box with a leg at each corner: hip about x, hip and knee about y. Joints in the world at q = 0,
// where the legs point straight down; .3 m of thigh and of shank.
Tree build_robot() {
  TreeBuilder robot("box_on_legs");
  robot.body("box", {10, {}, Sym3<>::diagonal({.1, .25, .3})})
      .joint("free", free_joint({.velocity = Rep::hybrid}));
  for (const char* corner : {"fl", "fr", "hl", "hr"}) {
    const std::string leg(corner);
    const double x = corner[0] == 'f' ? .25 : -.25, y = corner[1] == 'l' ? .15 : -.15;
    const Sym3<> I = Sym3<>::diagonal({.008, .008, .001});
    robot.body(leg + "_hip", {.5, {x, y, 0}, I * .1})
        .on("box")
        .joint(leg + "_roll", revolute({.axis = {1, 0, 0}, .point = {x, y, 0}}));
    robot.body(leg + "_thigh", {1, {x, y, -.15}, I})
        .on(leg + "_hip")
        .joint(leg + "_pitch", revolute({.axis = {0, 1, 0}, .point = {x, y, 0}}));
    robot.body(leg + "_shank", {.5, {x, y, -.45}, I * .5})
        .on(leg + "_thigh")
        .joint(leg + "_knee", revolute({.axis = {0, 1, 0}, .point = {x, y, -.3}}));
    robot.frame(leg + "_foot", {.on = leg + "_shank", .at = translation(Vec3<>{x, y, -.6})});
  }
  return robot.build();
}

// The feet on the ground, at each foot with the axes of the world: z is the normal.
std::vector<Contact> feet(const Tree& robot, const Directions& held) {
  std::vector<Contact> contacts;
  for (const char* foot : {"fl_foot", "fr_foot", "hl_foot", "hr_foot"})
    contacts.push_back(
        contact(robot, {.at = origin_of(foot).axes_of("world"), .directions = held}));
  return contacts;
}

double tidy(double x) { return std::abs(x) < 5e-4 ? 0 : x; }  // no -0.000
void show(const ContactDynamics& d) {
  std::printf("%d directions held, %d independent%s; box accelerates by %.3f m/s^2 upwards\n",
              d.solution.constraints, d.solution.rank,
              d.solution.redundant ? ", shortest wrenches" : "", tidy(d.a[5]));
  for (const Vec6<>& f : d.wrenches)
    std::printf("  force (%7.3f %7.3f %7.3f) N   torque (%6.3f %6.3f %6.3f) N m\n",
                tidy(f.linear.x), tidy(f.linear.y), tidy(f.linear.z), tidy(f.angular.x),
                tidy(f.angular.y), tidy(f.angular.z));
}
}  // namespace

int main() {
  const Tree robot = build_robot();
  std::vector<double> q = neutral(robot), v(18), tau(18);
  q[6] = .6 * std::cos(.5);  // height of the box; knees bent, in front and behind to opposite sides
  for (std::size_t leg = 0; leg < 4; ++leg) {
    q[8 + 3 * leg] = leg < 2 ? .5 : -.5;
    q[9 + 3 * leg] = leg < 2 ? -1 : 1;
  }
  const std::vector<Contact> points = feet(robot, point_contact);

  std::printf("motors off: ");
  show(contact_dynamics(robot, q, v, tau, points));

  // The motors that hold it, if each foot carries a quarter of the weight: by inverse dynamics.
  const Poses<> pose = poses(robot, q);
  std::vector<Wrench<Rep::body>> external(robot.bodies.size());
  for (const Contact& foot : points)
    add_contact_wrench<double>(pose, foot, {{}, {0, 0, 18 * 9.81 / 4}}, external);
  InverseDynamics<Rep::body> work(robot);
  inverse_dynamics<Rep::body, double>(robot, pose, v, v, work, tau, external);
  std::printf("motors hold, feet are points: ");
  show(contact_dynamics(robot, q, v, tau, points));
  std::printf("motors hold, feet are faces: ");
  show(contact_dynamics(robot, q, v, tau, feet(robot, full_contact)));

  v[5] = -1;  // it lands with 1 m/s
  const ContactImpulse landing = contact_impulse(robot, q, v, points);
  std::printf("landing: impulse %.3f N s on each foot, box at %.3f m/s, %.3f J lost\n",
              landing.impulses[0].linear.z, landing.v_after[5], -landing.solution.energy_change);

  // The same velocity with the twist of the box in the axes of the box, and the mass matrix for it.
  q[0] = std::cos(.2), q[1] = std::sin(.2);  // tilted by .4 rad about x
  const MovingBaseDynamics<> body = moving_base_dynamics(robot, q, v, Rep::body);
  std::printf(
      "tilted: box velocity in its own axes (%.3f %.3f %.3f) m/s, weight (%.3f %.3f %.3f) N\n",
      tidy(body.nu[3]), tidy(body.nu[4]), tidy(body.nu[5]), tidy(-body.gravity[3]),
      tidy(-body.gravity[4]), tidy(-body.gravity[5]));
}
