// Forces on coordinates that a function of the state gives instead of the mechanism.
#include <algorithm>
#include <cmath>
#include <limits>

#include "axode/core/error.hpp"
#include "axode/mechanism/equations/detail/terms.hpp"

namespace axode {

/// Those of the mechanism read `force`, which is that of the state evaluated last.
struct MechanismSystem::ControlNow {
  CoordinateControl control;
  std::vector<int> scalars;
  std::vector<double> value, rate, force, minus, plus;
  std::vector<CoordinateForce> own_forces;  ///< of the mechanism, and their scalars
  std::vector<int> own_scalars;

  void find(double t, std::vector<double>& forces) const { control.force(t, value, rate, forces); }
};

std::vector<int> MechanismSystem::control_scalars(std::span<const int> coordinates) const {
  const Mechanism& m = eq_.mechanism;
  std::vector<int> scalars;
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    const int c = coordinates[k];
    if (c < 0 || c >= static_cast<int>(m.coordinates.size()))
      throw Error(std::to_string(c) + " is not the number of a coordinate", "control",
                  "the mechanism has " + std::to_string(m.coordinates.size()));
    const std::string& name = m.coordinates[c].name;
    if (std::ranges::find(coordinates.first(k), c) != coordinates.first(k).end())
      throw Error("coordinate '" + name + "' is controlled twice", "control", "name it once");
    int scalar = eq_.mixed[c];
    for (std::size_t i = 0; i < m.coordinate_forces.size() && scalar < 0; ++i)
      if (m.coordinate_forces[i].coordinate == c) scalar = eq_.loads.coordinate_forces[i];
    if (scalar < 0)
      throw Error("the equations do not have the coordinate '" + name + "'", "control",
                  "formulate them with it as a controlled one");
    scalars.push_back(scalar);
  }
  return scalars;
}

void MechanismSystem::set_control(CoordinateControl control) {
  Mechanism& m = eq_.mechanism;
  if (control_) {
    m.coordinate_forces = std::move(control_->own_forces);
    eq_.loads.coordinate_forces = std::move(control_->own_scalars);
    control_.reset();
  }
  if (!control.force) return;
  const auto now = std::make_shared<ControlNow>();
  now->scalars = control_scalars(control.coordinates);
  now->control = std::move(control);
  const std::vector<int>& coordinates = now->control.coordinates;
  for (std::vector<double>* list : {&now->value, &now->rate, &now->force, &now->minus, &now->plus})
    list->assign(coordinates.size(), 0.0);
  now->own_forces = std::move(m.coordinate_forces);
  now->own_scalars = std::move(eq_.loads.coordinate_forces);
  m.coordinate_forces.clear();
  eq_.loads.coordinate_forces.clear();
  for (std::size_t i = 0; i < now->own_forces.size(); ++i) {
    if (std::ranges::find(coordinates, now->own_forces[i].coordinate) != coordinates.end())
      continue;
    m.coordinate_forces.push_back(now->own_forces[i]);
    eq_.loads.coordinate_forces.push_back(now->own_scalars[i]);
  }
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    const double* const force = &now->force[k];
    m.coordinate_forces.push_back({.name = "control",
                                   .coordinate = coordinates[k],
                                   .force = [force](double) { return *force; }});
    eq_.loads.coordinate_forces.push_back(now->scalars[k]);
  }
  control_ = now;
}

/// After place and move.
void MechanismSystem::read_controlled() {
  ControlNow& now = *control_;
  for (std::size_t k = 0; k < now.scalars.size(); ++k) {
    now.value[k] = scalars_[now.scalars[k]].value;
    now.rate[k] = scalars_[now.scalars[k]].rate;
  }
}
void MechanismSystem::evaluate_control(double t) {
  if (!control_) return;
  read_controlled();
  control_->find(t, control_->force);
}

MechanismSystem::ControlView MechanismSystem::control_state(std::span<const double> q,
                                                            std::span<const double> v) {
  if (!control_) return {};
  place(t_, q);
  move(v);
  read_controlled();
  return {control_->control.coordinates, control_->value, control_->rate, {}};
}

MechanismSystem::ControlView MechanismSystem::control(double t, std::span<const double> q,
                                                      std::span<const double> v) {
  if (!control_) return {};
  place(t, q);
  move(v);
  evaluate_control(t);
  return {control_->control.coordinates, control_->value, control_->rate, control_->force};
}

/// - d(force)/d(value, rate) by central differences, after place and move.
void MechanismSystem::add_control_slopes(const ConstrainedPoint& p, const TangentScale& scale,
                                         SparseAssembly& m) {
  if (!control_) return;
  ControlNow& now = *control_;
  evaluate_control(p.t);
  const double root = std::cbrt(std::numeric_limits<double>::epsilon());
  for (std::size_t k = 0; k < now.scalars.size(); ++k)
    for (std::vector<double>* list : {&now.value, &now.rate}) {
      double& x = (*list)[k];
      const double at = x, h = root * std::max(1.0, std::abs(at));
      x = at - h;
      now.find(p.t, now.minus);
      x = at + h;
      now.find(p.t, now.plus);
      x = at;
      const double factor = list == &now.value ? scale.stiffness : scale.damping;
      for (std::size_t i = 0; i < now.scalars.size(); ++i) {
        const double slope = -factor * (now.plus[i] - now.minus[i]) / (2 * h);
        for (const Scalar::Part& a : eq_.scalars[now.scalars[i]].parts)
          for (const Scalar::Part& b : eq_.scalars[now.scalars[k]].parts)
            m.add(a.v, b.v, slope * a.factor * b.factor);
      }
    }
}

}  // namespace axode
