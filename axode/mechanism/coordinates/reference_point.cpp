/// Reference-point coordinates: every body by its centre of mass and its attitude, every joint by
/// equations between its two bodies [GarciaBayo 2.1.2, 2.2.2, Ex. 2.5]. In the plane (x, y, psi); in
/// space Euler parameters with their norm, Euler angles, or a quaternion on SO(3) with the angular
/// velocity as quasi-velocity.
#include <cmath>

#include "axode/mechanism/analysis/start_poses.hpp"
#include "axode/mechanism/coordinates/rod_spin.hpp"
#include "axode/mechanism/detail/equation_maker.hpp"
#include "axode/mechanism/equations/formulate.hpp"

namespace axode::detail {

namespace {

void add_named(MechanismEquations& eq, const std::string& body,
               const std::vector<const char*>& numbers,
               const std::vector<const char*>& velocities) {
  for (const char* name : numbers) eq.coordinate_names.push_back(body + "." + name);
  for (const char* name : velocities) eq.velocity_names.push_back(body + "." + name);
}

/// The square of the length of Euler parameters as terms: they are scalars.
void add_norm(MechanismEquations& eq, int body, const BodyCoordinates& b) {
  Equation e;
  e.origin = Equation::Origin::normalization;
  e.index = body;
  e.name = eq.mechanism.bodies[body].name + ": unit Euler parameters";
  // e0^2 + e1^2 + e2^2 + e3^2 - 1 = 0  [GarciaBayo (2.9)]
  Equation::Form form;
  for (int k = 0; k < 4; ++k) {
    eq.scalars.push_back({{{b.x + 3 + k, b.v + 3 + k, 1}}, 0, eq.coordinate_names[b.x + 3 + k]});
    Term term;
    term.kind = Term::Kind::square;
    term.scalar = static_cast<int>(eq.scalars.size()) - 1;
    form.terms.push_back(term);
  }
  form.constant = -1;
  e.forms = {form};
  eq.equations.push_back(std::move(e));
}

BodyCoordinates planar_body(MechanismEquations& eq, const std::string& name) {
  BodyCoordinates b;
  b.kind = BodyCoordinates::Kind::planar;
  b.x = eq.group.nx;
  b.v = eq.group.nv;
  eq.group.real(3);
  add_named(eq, name, {"x", "y", "psi"}, {"x", "y", "psi"});
  return b;
}

BodyCoordinates spatial_body(MechanismEquations& eq, const MechanismBody& body,
                             AttitudeForm attitude) {
  BodyCoordinates b;
  b.x = eq.group.nx;
  b.v = eq.group.nv;
  eq.group.real(3);
  if (attitude == AttitudeForm::euler_parameters) {
    b.kind = BodyCoordinates::Kind::euler_parameters;
    eq.group.real(4);
    add_named(eq, body.name, {"x", "y", "z", "e0", "e1", "e2", "e3"},
              {"x", "y", "z", "e0", "e1", "e2", "e3"});
  } else if (attitude == AttitudeForm::euler_angles) {
    b.kind = BodyCoordinates::Kind::euler_angles;
    // A = Rz(psi) Rx(theta) Rz(phi) = R seat, with theta = 90 degrees to start from
    b.seat = inverse(body.pose.R) * exp(Vec3<double>{std::acos(0.), 0, 0});
    eq.group.real(3);
    add_named(eq, body.name, {"x", "y", "z", "psi", "theta", "phi"},
              {"x", "y", "z", "psi", "theta", "phi"});
  } else {
    b.kind = BodyCoordinates::Kind::quasi_velocities;
    eq.group.so3();
    add_named(eq, body.name, {"x", "y", "z", "e0", "e1", "e2", "e3"},
              {"x", "y", "z", "omega_x", "omega_y", "omega_z"});
  }
  return b;
}

}  // namespace

MechanismEquations reference_point_equations(const Mechanism& mechanism,
                                             const FormulationOptions& options) {
  EquationMaker maker;
  MechanismEquations& eq = maker.eq;
  eq.mechanism = mechanism;
  find_idle_spins(eq);
  eq.how = options;
  eq.mixed.assign(mechanism.coordinates.size(), -1);
  eq.mass_by_motion.assign(mechanism.bodies.size(), true);
  eq.bodies.emplace_back();
  if (mechanism.is_planar) maker.start = start_poses(mechanism);
  for (std::size_t i = 1; i < mechanism.bodies.size(); ++i) {
    const MechanismBody& body = mechanism.bodies[i];
    BodyCoordinates b =
        mechanism.is_planar ? planar_body(eq, body.name) : spatial_body(eq, body, options.attitude);
    b.reference = body.inertia.com;
    if (mechanism.is_planar) {
      const Vec3<double>& x = maker.start[i].R.matrix.x;
      b.start_angle = std::atan2(x.y, x.x);
    }
    eq.bodies.push_back(b);
  }
  maker.node = [&](int body, const Vec3<double>& local, bool is_point) {
    return on_body_node(maker, body, local, is_point);
  };
  maker.planar_angle = [&](int i, int j) {
    // psi_j - psi_i  [GarciaBayo Ex. 2.5]
    Scalar s;
    for (const auto& [body, sign] : {std::pair{j, 1.}, std::pair{i, -1.}})
      if (body != 0) {
        const BodyCoordinates& b = eq.bodies[body];
        s.parts.push_back({b.x + 2, b.v + 2, sign});
        s.name += (sign > 0 ? "" : " - ") + eq.coordinate_names[b.x + 2];
      }
    eq.scalars.push_back(s);
    return static_cast<int>(eq.scalars.size()) - 1;
  };
  maker.own_scalar = [&](int coordinate) { return planar_own_scalar(maker, coordinate); };
  for (int j = 0; j < static_cast<int>(mechanism.joints.size()); ++j) add_joint_equations(maker, j);
  for (const int c : options.mixed) mixed_coordinate(maker, c);
  add_couplings(maker);
  if (options.with_drivers) add_drivers(maker);
  add_loads(maker);
  for (int i = 1; i < static_cast<int>(eq.bodies.size()); ++i) {
    const BodyCoordinates b = eq.bodies[i];
    if (b.kind == BodyCoordinates::Kind::euler_parameters) add_norm(eq, i, b);
  }
  return std::move(maker.eq);
}

}  // namespace axode::detail
