#include "axode/dynamics/matrices/detail/moving_base.inl"

#include "axode/core/error.hpp"
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

template BaseChange<Dual<double>> base_change(const SE3<Dual<double>>&,
                                              const Twist<Rep::body, Dual<double>>&, Rep,
                                              Rep) noexcept;
template BaseChange<Dual<double>> base_change(const Tree&, const Poses<Dual<double>>&,
                                              In<Dual<double>>, Rep) noexcept;
template BaseChange<Dual<double>> inverse(const BaseChange<Dual<double>>&) noexcept;
template void change_velocity(const BaseChange<Dual<double>>&, In<Dual<double>>,
                              Out<Dual<double>>) noexcept;
template void change_acceleration(const BaseChange<Dual<double>>&, In<Dual<double>>,
                                  In<Dual<double>>, Out<Dual<double>>) noexcept;
template void change_force(const BaseChange<Dual<double>>&, In<Dual<double>>,
                           Out<Dual<double>>) noexcept;
template void change_jacobian(const BaseChange<Dual<double>>&, Out<Vec6<Dual<double>>>) noexcept;
template void change_mass_matrix(const BaseChange<Dual<double>>&,
                                 PathMatrix<Dual<double>>&) noexcept;
template void change_mass_matrix(const BaseChange<Dual<double>>&,
                                 DenseMatrix<Dual<double>>&) noexcept;
template void change_coriolis_matrix(const BaseChange<Dual<double>>&,
                                     const DenseMatrix<Dual<double>>&,
                                     DenseMatrix<Dual<double>>&) noexcept;
template void force_of_joints<Dual<double>>(In<Dual<double>>, Out<Dual<double>>) noexcept;
template struct MovingBaseDynamics<Dual<double>>;
template void moving_base_dynamics(const Tree&, const Poses<Dual<double>>&, In<Dual<double>>, Rep,
                                   MovingBaseDynamics<Dual<double>>&, const Effects&) noexcept;

}  // namespace axode
