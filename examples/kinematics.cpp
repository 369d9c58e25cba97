// Motion of a SCARA robot in all representations, to the jerk, and back from measured twists.
#include <array>
#include <cstdio>

#include "axode/engine/kinematics_calls.hpp"
#include "axode/io/model_file.hpp"
#include "axode/kinematics/centre_of_mass.hpp"
#include "axode/kinematics/higher_order.hpp"
#include "axode/kinematics/inverse/overall_inverse.hpp"
#include "axode/kinematics/jacobian.hpp"
#include "axode/kinematics/screw_derivatives.hpp"

using namespace axode;

namespace {

void print(const char* name, const Vec6<>& a) {
  std::printf("%-22s(%7.3f %7.3f %7.3f, %7.3f %7.3f %7.3f)\n", name, a.angular.x, a.angular.y,
              a.angular.z, a.linear.x, a.linear.y, a.linear.z);
}

}  // namespace

int main() {
  const Tree tree = load_tree("models/scara.json");
  const int tool = tree.size() - 1;
  const std::vector q{0.3, -0.7, 0.05, 0.4}, v{1.0, 0.5, -0.2, 2.0}, a{0.1, 0.2, 0.3, 0.4},
      j{0.0, 1.0, 0.0, -1.0};

  // Results go into objects made once: nothing below allocates when called again.
  Poses<> p(tree);
  Motion<Rep::body> body(tree);
  Motion<Rep::hybrid> hybrid(tree);
  poses<double>(tree, q, p);
  accelerations<Rep::body>(tree, p, v, a, body);
  accelerations<Rep::hybrid>(tree, p, v, a, hybrid);
  print("twist, body", body.twists.back().six());
  print("twist, hybrid", hybrid.twists.back().six());
  print("acceleration, hybrid", hybrid.accelerations.back().six());

  HigherOrder<Rep::hybrid> higher(tree, 2);
  jerks<Rep::hybrid>(tree, p, v, a, j, higher);
  print("jerk, hybrid", higher.jerk(tool));

  // Columns of the Jacobian, and the second derivative of one of them.
  std::vector<Twist<Rep::spatial>> J(v.size());
  jacobian<Rep::spatial>(tree, p, tool, J);
  print("spatial column 3", J[3].six());
  const std::array coordinates{0, 1};
  print("d2/dq0 dq1 of it", screw_partial_derivative<Rep::spatial>(tree, p, tool, 3, coordinates));

  // Joint velocities from the twists of all bodies, as motion capture gives them.
  std::vector<double> found(v.size());
  joint_velocities<Rep::body>(tree, p, body.twists, found);
  std::printf("joint velocities       (%g %g %g %g)\n", found[0], found[1], found[2], found[3]);

  const Vec3<> c = centre_of_mass(tree, q);
  std::printf("centre of mass         (%.4f %.4f %.4f) m\n", c.x, c.y, c.z);
}
