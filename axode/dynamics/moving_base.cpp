#include "axode/dynamics/moving_base.inl"

#include "axode/error.hpp"
#include "axode/lie/dual.hpp"

namespace axode {

bool has_free_base(const Tree& tree) noexcept {
  return tree.size() > 0 && tree.links[0].parent < 0 &&
         tree.bodies[0].joint_type == JointType::free;
}

void check_free_base(const Tree& tree, const char* where) {
  if (!has_free_base(tree))
    throw Error("the first body" +
                    (tree.bodies.empty() ? std::string() : " '" + tree.bodies[0].name + "'") +
                    " does not move freely in the world",
                tree.name.empty() ? where : where + (" of '" + tree.name + "'"),
                "give it a free joint to the world");
}

MovingBaseDynamics<double> moving_base_dynamics(const Tree& tree, In<double> q, In<double> v,
                                                Rep form, const Effects& effects) {
  MovingBaseDynamics<double> result(tree);
  check_velocity(tree, v);
  moving_base_dynamics<double>(tree, poses(tree, q), v, form, result, effects);
  return result;
}

template BaseChange<double> base_change(const SE3<double>&, const Twist<Rep::body, double>&, Rep,
                                        Rep) noexcept;
template BaseChange<double> base_change(const Tree&, const Poses<double>&, In<double>,
                                        Rep) noexcept;
template BaseChange<double> inverse(const BaseChange<double>&) noexcept;
template void change_velocity(const BaseChange<double>&, In<double>, Out<double>) noexcept;
template void change_acceleration(const BaseChange<double>&, In<double>, In<double>,
                                  Out<double>) noexcept;
template void change_force(const BaseChange<double>&, In<double>, Out<double>) noexcept;
template void change_jacobian(const BaseChange<double>&, Out<Vec6<double>>) noexcept;
template void change_mass_matrix(const BaseChange<double>&, PathMatrix<double>&) noexcept;
template void change_mass_matrix(const BaseChange<double>&, DenseMatrix<double>&) noexcept;
template void change_coriolis_matrix(const BaseChange<double>&, const DenseMatrix<double>&,
                                     DenseMatrix<double>&) noexcept;
template void force_of_joints<double>(In<double>, Out<double>) noexcept;
template struct MovingBaseDynamics<double>;
template void moving_base_dynamics(const Tree&, const Poses<double>&, In<double>, Rep,
                                   MovingBaseDynamics<double>&, const Effects&) noexcept;

using D = Dual<double>;
template BaseChange<D> base_change(const SE3<D>&, const Twist<Rep::body, D>&, Rep, Rep) noexcept;
template BaseChange<D> base_change(const Tree&, const Poses<D>&, In<D>, Rep) noexcept;
template BaseChange<D> inverse(const BaseChange<D>&) noexcept;
template void change_velocity(const BaseChange<D>&, In<D>, Out<D>) noexcept;
template void change_acceleration(const BaseChange<D>&, In<D>, In<D>, Out<D>) noexcept;
template void change_force(const BaseChange<D>&, In<D>, Out<D>) noexcept;
template void change_jacobian(const BaseChange<D>&, Out<Vec6<D>>) noexcept;
template void change_mass_matrix(const BaseChange<D>&, PathMatrix<D>&) noexcept;
template void change_mass_matrix(const BaseChange<D>&, DenseMatrix<D>&) noexcept;
template void change_coriolis_matrix(const BaseChange<D>&, const DenseMatrix<D>&,
                                     DenseMatrix<D>&) noexcept;
template void force_of_joints<D>(In<D>, Out<D>) noexcept;
template struct MovingBaseDynamics<D>;
template void moving_base_dynamics(const Tree&, const Poses<D>&, In<D>, Rep, MovingBaseDynamics<D>&,
                                   const Effects&) noexcept;

}  // namespace axode
