#include "axode/view/picture/drawing.hpp"

#include <algorithm>

namespace axode {

namespace {
template <class T>
std::vector<T> row_of(const std::vector<T>& all, std::size_t row, std::size_t columns) {
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(row * columns);
  return {first, first + static_cast<std::ptrdiff_t>(columns)};
}
}  // namespace

DrawingState state_at(const Drawing& drawing, double t) {
  const std::size_t bodies = drawing.bodies.size(), n = drawing.weight_count;
  const auto next = std::upper_bound(drawing.times.begin(), drawing.times.end(), t);
  const std::size_t after = next - drawing.times.begin();
  const std::size_t row = after == 0 ? 0 : after - 1;
  DrawingState state{row_of(drawing.poses, row, bodies), row_of(drawing.weights, row, n)};
  if (after == 0 || after == drawing.times.size()) return state;
  const double s = (t - drawing.times[row]) / (drawing.times[after] - drawing.times[row]);
  for (std::size_t b = 0; b < bodies; ++b) {
    SE3<double>& T = state.poses[b];
    const SE3<double>& to = drawing.poses[after * bodies + b];
    T.R = T.R * exp(log(inverse_times(T.R, to.R)) * s);
    T.p = T.p + (to.p - T.p) * s;
  }
  for (std::size_t k = 0; k < n; ++k)
    state.weights[k] += (drawing.weights[after * n + k] - state.weights[k]) * s;
  return state;
}

TriangleMesh mesh_at(const DrawingPart& part, const DrawingState& state) {
  TriangleMesh mesh = part.mesh;
  for (std::size_t k = 0; k < part.targets.size(); ++k) {
    const double weight = state.weights[part.first_weight + k];
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      mesh.positions[v] += part.targets[k].positions[v] * weight;
      mesh.normals[v] += part.targets[k].normals[v] * weight;
    }
  }
  const SE3<double> T = part.body < 0 ? SE3<double>{} : state.poses[part.body];
  for (Vec3<double>& p : mesh.positions) p = T * p;
  for (Vec3<double>& n : mesh.normals)
    n = T.R * (part.targets.empty() || !(max_abs(n) > 0) ? n : normalized(n));
  return mesh;
}

}  // namespace axode
