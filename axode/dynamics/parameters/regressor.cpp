#include "axode/dynamics/parameters/regressor.hpp"

#include "axode/core/error.hpp"
#include "axode/lie/dual.hpp"
#include "axode/model/joint_map.hpp"

namespace axode {
namespace {

/// The row of a velocity whose column of the body's Jacobian is J: J . W for each parameter.
///   force   m a + w' x h + w x (w x h)     torque  h x a + I w' + w x I w      (h = m c)
/// with a the acceleration of the origin less gravity, all in the body frame.
template <class S>
RegressorRow<S> row_of(const Vec6<S>& J, const Vec3<S>& w, const Vec3<S>& w_rate,
                       const Vec3<S>& a) noexcept {
  // J . W with the terms of [MuellerDyn (42)-(43)] moved to the parameters:
  // eta . (w' x h) = h . (eta x w'), e . (h x a) = h . (a x e), e . (w x I w) = u . I w, u = e x w
  const Vec3<S>&e = J.angular, &eta = J.linear, u = cross(e, w);
  const Vec3<S> h = cross(a, e) + cross(eta, w_rate) + cross(w, cross(w, eta));
  return {dot(eta, a),
          h.x,
          h.y,
          h.z,
          e.x * w_rate.x + u.x * w.x,
          e.y * w_rate.y + u.y * w.y,
          e.z * w_rate.z + u.z * w.z,
          e.x * w_rate.y + e.y * w_rate.x + u.x * w.y + u.y * w.x,
          e.x * w_rate.z + e.z * w_rate.x + u.x * w.z + u.z * w.x,
          e.y * w_rate.z + e.z * w_rate.y + u.y * w.z + u.z * w.y};
}

/// Calls take(row, k) for the rows of body i; row counts in the whole regressor.
template <class S, class Take>
void for_rows(const Tree& tree, const Regressor<S>& Y, int i, Take&& take) {
  std::size_t row = Y.first[i];
  for (int j = i; j >= 0; j = tree.links[j].parent) {
    const Link& link = tree.links[j];
    for (int k = link.v; k < link.v + link.nv; ++k) take(row++, k);
  }
}

template <class S>
RegressorRow<S> numbers(const InertiaParameters<S>& p) noexcept {
  const Sym3<S>& I = p.about_origin;
  return {
      p.mass, p.first_moment.x, p.first_moment.y, p.first_moment.z, I.xx, I.yy, I.zz, I.xy, I.xz,
      I.yz};
}

}  // namespace

template <class S>
Regressor<S>::Regressor(const Tree& tree) : motion(tree), first(tree.links.size() + 1) {
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    const std::size_t inner = link.parent < 0 ? 0 : first[link.parent + 1] - first[link.parent];
    first[i + 1] = first[i] + inner + link.nv;
  }
  if (first.back() > std::size_t{1} << 31)
    throw LimitError("the paths of this tree are too long for a regressor", "Regressor",
                     "use inverse_dynamics, or split the tree");
  rows.resize(first.back());
}

template <class S>
void regressor(const Tree& tree, const Poses<S>& poses, In<S> v, In<S> a, Regressor<S>& result,
               const Effects& effects) noexcept {
  accelerations<Rep::body, S>(tree, poses, v, a, result.motion);
  const Vec3<S> up = world_acceleration<S>(tree, effects);
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Twist<Rep::body, S>& V = result.motion.twists[i];
    const Acceleration<Rep::body, S>& A = result.motion.accelerations[i];
    // a = v' + w x v - g of the origin
    const Vec3<S> felt = A.linear + cross(V.angular, V.linear) + inverse_times(poses.T_WB[i].R, up);
    RegressorRow<S>* row = result.rows.data() + result.first[i];
    SE3<S> T_ij{};  // along the path, so that digits do not depend on the place in the world
    for (int j = static_cast<int>(i); j >= 0; j = tree.links[j].parent) {
      const Link& link = tree.links[j];
      for (int k = link.v; k < link.v + link.nv; ++k)
        *row++ = row_of(Ad(T_ij, poses.screws[k]), V.angular, A.angular, felt);
      T_ij = T_ij * inverse(poses.T_PB[j]);
    }
  }
}

template <class S>
void apply(const Tree& tree, const Regressor<S>& Y, In<InertiaParameters<S>> parameters,
           Out<S> tau) noexcept {
  for (S& x : tau) x = S(0);
  for (int i = 0; i < tree.size(); ++i) {
    const RegressorRow<S> p = numbers(parameters[i]);
    for_rows(tree, Y, i, [&](std::size_t row, int k) {
      for (std::size_t c = 0; c < 10; ++c) tau[k] += Y.rows[row][c] * p[c];
    });
  }
}

template <class S>
DenseMatrix<S> dense(const Tree& tree, const Regressor<S>& Y) {
  DenseMatrix<S> result{tree.nv, 10 * tree.size(),
                        std::vector<S>(10 * std::size_t(tree.nv) * tree.links.size(), S(0))};
  for (int i = 0; i < tree.size(); ++i)
    for_rows(tree, Y, i, [&](std::size_t row, int k) {
      for (int c = 0; c < 10; ++c) result(k, 10 * i + c) = Y.rows[row][c];
    });
  return result;
}

DenseMatrix<double> regressor(const Tree& tree, In<double> q, In<double> v, In<double> a,
                              const Effects& effects) {
  const Poses<double> here = poses(tree, q);
  check_velocity(tree, v);
  check_velocity(tree, a, "a");
  Regressor<double> Y(tree);
  regressor<double>(tree, here, v, a, Y, effects);
  return dense(tree, Y);
}

std::vector<InertiaParameters<double>> inertia_parameters(const Tree& tree) {
  std::vector<InertiaParameters<double>> all;
  for (const Body& body : tree.bodies) all.push_back(parameters(body.inertia));
  return all;
}
std::vector<double> inertia_parameter_list(const Tree& tree) {
  std::vector<double> list;
  for (const InertiaParameters<double>& p : inertia_parameters(tree))
    for (const double x : numbers(p)) list.push_back(x);
  return list;
}
std::string parameter_name(const Tree& tree, int column) {
  constexpr std::array names{"m",    "m c_x", "m c_y", "m c_z", "I_xx",
                             "I_yy", "I_zz",  "I_xy",  "I_xz",  "I_yz"};
  if (column < 0 || column >= 10 * tree.size())
    throw Error("there is no column " + std::to_string(column), "parameter_name",
                "count from 0 to 10 n - 1");
  std::string name = names[column % 10];
  return name.append(" of '").append(tree.bodies[column / 10].name).append("'");
}

template struct Regressor<double>;
template void regressor(const Tree&, const Poses<double>&, In<double>, In<double>,
                        Regressor<double>&, const Effects&) noexcept;
template void apply(const Tree&, const Regressor<double>&, In<InertiaParameters<double>>,
                    Out<double>) noexcept;
template DenseMatrix<double> dense(const Tree&, const Regressor<double>&);

template struct Regressor<Dual<double>>;
template void regressor(const Tree&, const Poses<Dual<double>>&, In<Dual<double>>, In<Dual<double>>,
                        Regressor<Dual<double>>&, const Effects&) noexcept;
template void apply(const Tree&, const Regressor<Dual<double>>&,
                    In<InertiaParameters<Dual<double>>>, Out<Dual<double>>) noexcept;
template DenseMatrix<Dual<double>> dense(const Tree&, const Regressor<Dual<double>>&);

}  // namespace axode
