#include "bench/peers/coordinates.hpp"

#include <cstddef>

namespace peers {
namespace {

using Three = std::array<double, 3>;

Three times(const std::array<double, 9>& R, const Three& x) {
  Three y{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) y[i] += R[3 * i + j] * x[j];
  return y;
}

std::array<double, 9> transposed(const std::array<double, 9>& R) {
  return {R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]};
}

}  // namespace

std::array<double, 9> rotation(const double* quaternion) {
  const double x = quaternion[0], y = quaternion[1], z = quaternion[2], w = quaternion[3];
  return {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
          2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
          2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
}

Coordinates::Numbers Coordinates::turned(const Numbers& q, Numbers x) const {
  for (const Body& b : model_->bodies) {
    if (b.joint != Joint::free) continue;
    const auto R = rotation(&q[b.q + 3]);
    double* u = &x[b.v];
    Three linear{u[0], u[1], u[2]}, angular{u[3], u[4], u[5]};
    if (motion_ & linear_in_world) linear = times(R, linear);
    if (motion_ & angular_in_world) angular = times(R, angular);
    const Three& first = motion_ & angular_first ? angular : linear;
    const Three& second = motion_ & angular_first ? linear : angular;
    for (std::size_t i = 0; i < 3; ++i) {
      u[i] = first[i];
      u[3 + i] = second[i];
    }
  }
  return x;
}

void Coordinates::turn_back(const Numbers& q, double* x, int stride) const {
  for (const Body& b : model_->bodies) {
    if (b.joint != Joint::free) continue;
    const auto Rt = transposed(rotation(&q[b.q + 3]));
    double* u = x + b.v * stride;
    Three first{u[0], u[stride], u[2 * stride]};
    Three second{u[3 * stride], u[4 * stride], u[5 * stride]};
    Three linear = motion_ & angular_first ? second : first;
    Three angular = motion_ & angular_first ? first : second;
    if (motion_ & linear_in_world) linear = times(Rt, linear);
    if (motion_ & angular_in_world) angular = times(Rt, angular);
    for (int i = 0; i < 3; ++i) {
      u[i * stride] = linear[i];
      u[(3 + i) * stride] = angular[i];
    }
  }
}

Coordinates::Numbers Coordinates::bias(const Numbers& q, const Numbers& v) const {
  Numbers b(v.size());
  if (!(motion_ & linear_in_world) && !(motion_ & of_origin)) return b;
  for (const Body& body : model_->bodies) {
    if (body.joint != Joint::free) continue;
    const double* u = &v[body.v];  // angular x linear
    b[body.v] = u[4] * u[2] - u[5] * u[1];
    b[body.v + 1] = u[5] * u[0] - u[3] * u[2];
    b[body.v + 2] = u[3] * u[1] - u[4] * u[0];
  }
  return turned(q, b);
}

Coordinates::Numbers Coordinates::acceleration(const Numbers& q, const Numbers& v,
                                               const Numbers& a) const {
  Numbers u_dot = turned(q, a);
  const Numbers b = bias(q, v);
  for (std::size_t i = 0; i < b.size(); ++i) u_dot[i] += b[i];
  return u_dot;
}

void Coordinates::add_force(const Numbers& q, Numbers f, Numbers& out) const {
  turn_back(q, f.data(), 1);
  out.insert(out.end(), f.begin(), f.end());
}

void Coordinates::add_acceleration(const Numbers& q, const Numbers& v, Numbers u_dot,
                                   Numbers& out) const {
  const Numbers b = bias(q, v);
  for (std::size_t i = 0; i < b.size(); ++i) u_dot[i] -= b[i];
  add_force(q, u_dot, out);
}

void Coordinates::add_matrix(const Numbers& q, Numbers M, Numbers& out) const {
  for (int j = 0; j < model_->nv; ++j) turn_back(q, M.data() + j, model_->nv);
  add_jacobian(q, M, out);
}

void Coordinates::add_jacobian(const Numbers& q, Numbers J, Numbers& out) const {
  for (std::size_t row = 0; row < J.size(); row += model_->nv) turn_back(q, &J[row], 1);
  out.insert(out.end(), J.begin(), J.end());
}

}  // namespace peers
