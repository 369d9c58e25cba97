/// Jacobians of frames, along their paths; compiled with full optimization.
#include "axode/engine/frames.hpp"
#include "src/kinematics/jacobian.hpp"

namespace axode::python {
namespace {

template <Rep rep>
struct Columns {
  explicit Columns(const Tree& tree) : twists(tree.dofs.size()) {}
  std::vector<Twist<rep>> twists;
};

}  // namespace

void write_jacobian(Workspace& work, std::span<const double> q, const Frame& frame, Rep rep,
                    std::span<double> result) {
  with_representation(rep, [&]<Rep r>() {
    std::vector<Twist<r>>& columns = work.get<Columns<r>>().twists;
    jacobian<r>(work.engine(), q, frame, columns);
    write_columns(std::span(std::as_const(columns)), result.data());
  });
}

}  // namespace axode::python
