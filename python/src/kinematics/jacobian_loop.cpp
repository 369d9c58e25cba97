/// Jacobians of frames, along their paths; compiled with full optimization.
#include "axode/engine/frames.hpp"
#include "src/kinematics/jacobian.hpp"

namespace axode::python {
namespace {

struct Columns {
  explicit Columns(const Tree& tree) : linear(tree.dofs.size()), angular(linear) {}
  std::vector<Vec6<double>> linear, angular;
};

}  // namespace

void write_jacobian(Workspace& work, std::span<const double> q, const TwistFrames& frames,
                    std::span<double> result) {
  auto& columns = work.get<Columns>();
  jacobian(work.engine(), q, frames.linear, columns.linear);
  if (frames.angular) {
    jacobian(work.engine(), q, *frames.angular, columns.angular);
    for (std::size_t k = 0; k < columns.linear.size(); ++k)
      columns.linear[k].angular = columns.angular[k].angular;
  }
  write_columns(std::span(std::as_const(columns.linear)), result.data());
}

}  // namespace axode::python
