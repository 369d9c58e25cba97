// Which inertial parameters of a PUMA 560 can be found from its joint forces, and the linear
// equations to find them.
#include "axode/dynamics/parameters/base_parameters.hpp"

#include <cmath>
#include <cstdio>
#include <vector>

#include "axode/dynamics/parameters/regressor.hpp"
#include "axode/engine/calls.hpp"
#include "axode/io/model_file.hpp"

using namespace axode;

int main() {
  const Tree tree = load_tree("models/puma560.json");
  const BaseParameters base = base_parameters(tree);
  std::printf("%d of %d parameters count\n", base.rank, 10 * tree.size());

  // The joint forces of a motion are linear in them: tau = Y_base b, without losses and drives.
  const std::vector q{0.1, -0.8, 0.4, 0.3, 0.6, -0.2}, v{0.5, -0.3, 0.8, 1.0, -0.6, 0.4},
      a{1.0, 0.2, -0.5, 0.3, 0.1, 2.0};
  const DenseMatrix<> Y = base_regressor(base, regressor(tree, q, v, a));
  const std::vector<double> b = base_values(base, inertia_parameter_list(tree));
  const std::vector<double> tau = inverse_dynamics(
      tree, q, v, a, {.effects = {.armature = false, .damping = false, .friction = false}});
  double worst = 0;
  for (int j = 0; j < tree.nv; ++j) {
    double sum = 0;
    for (int k = 0; k < base.rank; ++k) sum += Y(j, k) * b[k];
    worst = std::fmax(worst, std::abs(sum - tau[j]));
  }
  std::printf("they give the joint forces: %s\n", worst < 1e-10 ? "yes" : "no");
}
