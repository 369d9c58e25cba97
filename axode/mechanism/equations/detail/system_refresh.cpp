#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "axode/core/error.hpp"
#include "axode/lie/rotation.hpp"
#include "axode/mechanism/equations/detail/terms.hpp"

namespace axode {

namespace {

/// The nutation below which Euler angles are seated anew: sin 0.2, some 11 degrees.
constexpr double least_nutation = 0.2;

int largest_component(const Vec3<double>& a) noexcept {
  const double x = std::abs(a.x), y = std::abs(a.y), z = std::abs(a.z);
  if (z >= x && z >= y) return 2;
  return y >= x ? 1 : 0;
}

bool keeps_parallel_axes(PairType type) noexcept {
  return type == PairType::weld || type == PairType::revolute || type == PairType::prismatic ||
         type == PairType::helical || type == PairType::cylindrical || type == PairType::planar;
}

}  // namespace

/// The forms that are farthest from singular. Those in use stay while they are not worse than the
/// best by more than the reluctance, a factor. Sine or cosine of an angle: [GarciaBayo (2.1)-(2.2),
/// Figs. 2.13, 2.14].
bool MechanismSystem::choose_forms(double reluctance) {
  bool changed = false;
  for (const int row : chosen_rows_) {
    Equation& e = eq_.equations[row];
    int wanted = e.form;
    if (e.choice == Equation::Choice::component) {
      const Vec3<double> A = at(e.by);
      const int drop = largest_component(A);
      const int dropped = (e.form + 2 - e.row) % 3;  // forms dropped + 1 + row are in use
      if (std::abs(A[drop]) > reluctance * std::abs(A[dropped])) wanted = (drop + 1 + e.row) % 3;
    } else if (e.choice == Equation::Choice::angle) {
      double sine = 0, cosine = 0;
      if (e.angle >= 0) {
        const double angle = scalars_[e.angle].value;
        sine = std::abs(std::sin(angle));
        cosine = std::abs(std::cos(angle));
      } else {
        sine = norm(cross(at(e.by), at(e.by2)));
        cosine = std::abs(dot(at(e.by), at(e.by2)));
      }
      // a . b loses its slope at 0 and 180 degrees, a x b at 90  [GarciaBayo (2.1)-(2.2)].
      if (e.form == 0 && cosine > reluctance * sine) wanted = 1;
      if (e.form == 1 && sine > reluctance * cosine) wanted = 0;
    }
    if (wanted != e.form) {
      e.form = wanted;
      changed = true;
    }
  }
  if (changed) flatten_rows();
  return changed;
}

/// Bodies near the singular nutation get a frame in which it is 90 degrees [GarciaBayo 2.2.2].
bool MechanismSystem::reseat(std::span<double> q, std::span<double> v) {
  bool changed = false;
  for (std::size_t i = 0; i < eq_.bodies.size(); ++i) {
    BodyCoordinates& b = eq_.bodies[i];
    if (b.kind != BodyCoordinates::Kind::euler_angles) continue;
    const std::size_t x = b.x, k = b.v;
    if (std::abs(std::sin(q[x + 4])) >= least_nutation) continue;
    // R_WB = A seat^T; the new A is a rotation by 90 degrees about x.
    const Column* turning = &columns_[bodies_[i].first + 3];
    const Vec3<double> omega =
        turning[0].omega * v[k + 3] + turning[1].omega * v[k + 4] + turning[2].omega * v[k + 5];
    const double half_pi = std::acos(0.);
    b.seat = inverse(bodies_[i].R) * exp(Vec3<double>{half_pi, 0, 0});
    q[x + 3] = q[x + 5] = 0;
    q[x + 4] = half_pi;
    // Columns there: z, x and A z = -y.
    v[k + 3] = omega.z;
    v[k + 4] = omega.x;
    v[k + 5] = -omega.y;
    changed = true;
  }
  if (changed) is_placed_ = false;
  return changed;
}

bool MechanismSystem::refresh(std::span<double> q, std::span<double> v) {
  place(t_, q);
  const bool seats = reseat(q, v);
  if (seats) place(t_, q);
  const bool forms = choose_forms(1.5);
  if (seats || forms) ++choices_;
  return seats || forms;
}

std::vector<int> MechanismSystem::forms() const {
  std::vector<int> result;
  for (const Equation& e : eq_.equations) result.push_back(e.form);
  return result;
}

void MechanismSystem::use_forms(std::span<const int> forms) {
  if (forms.size() != eq_.equations.size())
    throw Error(fmt::format("{} forms for {} equations", forms.size(), eq_.equations.size()),
                "MechanismSystem::use_forms", "give those of the same equations");
  bool changed = false;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    Equation& e = eq_.equations[i];
    if (forms[i] < 0 || forms[i] >= static_cast<int>(e.forms.size()))
      throw Error(fmt::format("equation '{}' has no form {}", e.name, forms[i]),
                  "MechanismSystem::use_forms", "give those of the same equations");
    changed = changed || e.form != forms[i];
    e.form = forms[i];
  }
  if (!changed) return;
  flatten_rows();
  ++choices_;
}

std::vector<SO3<double>> MechanismSystem::seats() const {
  using enum BodyCoordinates::Kind;
  std::vector<SO3<double>> result;
  if (std::ranges::find(eq_.bodies, euler_angles, &BodyCoordinates::kind) == eq_.bodies.end())
    return result;
  for (const BodyCoordinates& b : eq_.bodies) result.push_back(b.seat);
  return result;
}

void MechanismSystem::seat(std::span<const SO3<double>> seats) {
  bool changed = false;
  for (std::size_t i = 0; i < std::min(seats.size(), eq_.bodies.size()); ++i) {
    changed = changed || max_abs(eq_.bodies[i].seat.matrix - seats[i].matrix) > 0;
    eq_.bodies[i].seat = seats[i];
  }
  if (!changed) return;
  ++choices_;
  is_placed_ = false;
}

MechanismSystem::Mirror MechanismSystem::mirrored(double t, std::span<const double> q) {
  place_all(t, q);
  for (const Equation& e : eq_.equations) {
    if (e.choice != Equation::Choice::angle) continue;
    double size = 0;  // of both forms: sine or cosine alone may be zero
    for (const Equation::Form& form : e.forms) {
      size = std::max(size, std::abs(form.constant));
      for (const Term& term : form.terms) size = std::max(size, std::abs(value(term)));
    }
    for (const Equation::Form& form : e.forms) {
      if (std::abs(row_value(form)) > 1e-6 * std::max(size, 1e-12))
        return {true, fmt::format("the angle of '{}' has the wrong sign", e.name)};
    }
  }
  for (std::size_t i = 0; i < eq_.bodies.size(); ++i) {
    const BodyCoordinates& b = eq_.bodies[i];
    if (b.kind != BodyCoordinates::Kind::natural || b.base_count != 3) continue;
    // the six products hold in the mirror, too; the sign of b_1 . (b_2 x b_3) does not
    const double now = dot(at(b.base[0]), cross(at(b.base[1]), at(b.base[2])));
    if (now * determinant(b.inverse) < 0)
      return {true, fmt::format("body '{}' is its mirror image", eq_.mechanism.bodies[i].name)};
  }
  if (Mirror turned = reversed_joint(); turned.found) return turned;
  if (eq_.tree) return mirrored_loops();
  if (eq_.mechanism.is_planar) return mirrored_in_plane();
  return {};
}

/// A x B = 0 holds for axes that point against each other too, and the row of a kept angle half a
/// turn off.
MechanismSystem::Mirror MechanismSystem::reversed_joint() const {
  const bool planar = eq_.mechanism.is_planar;
  const auto is_rod = [&](int body) {  // it may turn about itself
    const BodyCoordinates& b = eq_.bodies[body];
    return !planar && b.kind == BodyCoordinates::Kind::natural && b.base_count == 1;
  };
  for (const MechanismJoint& j : eq_.mechanism.joints) {
    const SO3<double>&R_i = bodies_[j.body[0]].R, &R_j = bodies_[j.body[1]].R;
    if (!planar && keeps_parallel_axes(j.type) && dot(R_i * j.axis[0], R_j * j.axis[1]) < 0)
      return {true, fmt::format("the axes of joint '{}' point against each other", j.name)};
    const bool is_kept = j.type == PairType::weld || j.type == PairType::prismatic;
    if (!is_kept || is_rod(j.body[0]) || is_rod(j.body[1])) continue;
    const Vec3<double> axis = planar ? Vec3<double>{0, 0, 1} : j.axis[0];
    const double angle = j.type == PairType::prismatic ? j.angle : 0;
    if (dot(R_i * (exp(axis * angle) * j.zero[0]), R_j * j.zero[1]) < 0)
      return {true, fmt::format("the angle that joint '{}' keeps is half a turn off", j.name)};
  }
  return {};
}

/// Points of a planar element kept by distances alone may have changed sides.
MechanismSystem::Mirror MechanismSystem::mirrored_in_plane() const {
  for (const Node& node : eq_.nodes) {
    if (node.kind != Node::Kind::coordinates || !node.is_point || node.body == 0) continue;
    const std::size_t i = node.body;
    if (eq_.bodies[i].kind != BodyCoordinates::Kind::natural) continue;
    const BodyNow& body = bodies_[i];
    const Vec3<double> here = nodes_[&node - eq_.nodes.data()].at;
    const Vec3<double> meant = body.p + body.R * (node.local - eq_.bodies[i].reference);
    const double size =
        norm(node.local - eq_.bodies[i].origin_local) + norm(at(eq_.bodies[i].base[0]));
    if (norm(here - meant) > 1e-6 * size)
      return {true, fmt::format("body '{}' is its mirror image", eq_.mechanism.bodies[i].name)};
  }
  return {};
}

}  // namespace axode
