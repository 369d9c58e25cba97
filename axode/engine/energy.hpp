/// Energies, momenta, centres of mass and forces that have a potential, by the engine.
///
///   Engine engine(tree);
///   const Energy e = energy(engine, q, v);
///
/// Poses are those of the engine; the sums over the bodies are those of dynamics/energy.hpp,
/// dynamics/potential.hpp and kinematics/centre_of_mass.hpp, where the equations are. O(n).
///
/// Functions check neither lengths nor finiteness; they allocate on first use only.
/// Units: J, W, N m, N; kg m^2/s, kg m/s; m, m/s, m/s^2.
/// Tests: tests/engine/energy_test.cpp
#pragma once
#include "axode/dynamics/energy.hpp"
#include "axode/dynamics/potential.hpp"
#include "axode/engine/engine.hpp"
#include "axode/kinematics/centre_of_mass.hpp"

namespace axode {

Energy energy(Engine& engine, In<double> q, In<double> v);
double kinetic_energy(Engine& engine, In<double> q, In<double> v);
/// Of gravity, zero at the world's origin, and springs.
double potential_energy(Engine& engine, In<double> q, const Springs& springs = {});
/// The rate of the energy that joint forces tau, wrenches on the bodies, damping and friction cause.
Power<> power(Engine& engine, In<double> q, In<double> v, In<double> tau,
              const EngineOptions& options = {});

/// Writes the forces that the joints must bear against gravity at rest.
void gravity_forces(Engine& engine, In<double> q, Out<double> forces);
/// Writes the forces of the springs along the degrees of freedom.
void spring_forces(Engine& engine, In<double> q, const Springs& springs, Out<double> forces);

Momentum<Rep::spatial> spatial_momentum(Engine& engine, In<double> q, In<double> v);
Momentum<Rep::hybrid> centroidal_momentum(Engine& engine, In<double> q, In<double> v);
/// Writes the nv columns of the matrix A_G.
void centroidal_momentum_matrix(Engine& engine, In<double> q, Out<Momentum<Rep::hybrid>> columns);
Wrench<Rep::hybrid> centroidal_momentum_rate(Engine& engine, In<double> q, In<double> v,
                                             In<double> a);
AverageVelocity<> average_velocity(Engine& engine, In<double> q, In<double> v);
Inertia<double> locked_inertia(Engine& engine, In<double> q);

/// Of the tree, or of a body and all it carries. They throw Error if that has no mass.
Vec3<double> centre_of_mass(Engine& engine, In<double> q, int body = -1);
Vec3<double> centre_of_mass_velocity(Engine& engine, In<double> q, In<double> v, int body = -1);
Vec3<double> centre_of_mass_acceleration(Engine& engine, In<double> q, In<double> v, In<double> a,
                                         int body = -1);
/// Writes the nv columns of its Jacobian.
void centre_of_mass_jacobian(Engine& engine, In<double> q, Out<Vec3<double>> columns,
                             int body = -1);

}  // namespace axode
