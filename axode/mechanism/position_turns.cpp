#include <algorithm>
#include <cmath>

#include "axode/mechanism/coupled_turns.hpp"
#include "axode/mechanism/position.hpp"

namespace axode {
namespace {

/// An equation that is a sum of angles: which are coordinates.
struct AngleRow {
  int row = 0;
  const Scalar* scalar = nullptr;
  double factor = 1, constant = 0;  ///< of the row: factor scalar + constant

  double residual(std::span<const double> q) const {
    double x = scalar->constant;
    for (const Scalar::Part& part : scalar->parts) x += part.factor * q[part.x];
    return factor * x + constant;
  }
  double turns(std::span<const double> q) const { return std::round(residual(q) / (2 * M_PI)); }
};

/// By number of q: whether it is an angle that full turns do not change.
std::vector<char> angles_of(const MechanismEquations& eq) {
  std::vector<char> is_angle(eq.numbers(), 0);
  for (const BodyCoordinates& body : eq.bodies)
    if (body.kind == BodyCoordinates::Kind::planar) is_angle[body.x + 2] = 1;
  for (std::size_t k = 0; k < eq.mixed.size() && k < eq.mechanism.coordinates.size(); ++k)
    if (eq.mixed[k] >= 0 && eq.mechanism.coordinates[k].is_angle)
      for (const Scalar::Part& part : eq.scalars[eq.mixed[k]].parts) is_angle[part.x] = 1;
  return is_angle;
}

std::vector<AngleRow> angle_rows(const MechanismEquations& eq, double t) {
  const std::vector<char> is_angle = angles_of(eq);
  std::vector<AngleRow> rows;
  for (int i = 0; i < eq.rows(); ++i) {
    const Equation& e = eq.equations[i];
    const bool may_turn = e.driver >= 0 || e.origin == Equation::Origin::joint;
    const Equation::Form& form = e.forms[e.form];
    if (!may_turn || form.terms.size() != 1 || form.terms[0].kind != Term::Kind::scalar) continue;
    const Scalar& scalar = eq.scalars[form.terms[0].scalar];
    const bool drives_angle =
        e.driver >= 0 &&
        eq.mechanism.coordinates[eq.mechanism.drivers[e.driver].coordinate].is_angle;
    if (scalar.parts.empty() || !std::ranges::all_of(scalar.parts, [&](const Scalar::Part& p) {
          return (drives_angle || is_angle[p.x] != 0) &&
                 std::abs(p.factor * form.terms[0].factor) == 1;
        }))
      continue;
    const double drive = e.driver >= 0 ? eq.mechanism.drivers[e.driver].motion(t).value : 0;
    rows.push_back({i, &scalar, form.terms[0].factor, form.constant - drive});
  }
  return rows;
}

double count_turns(std::span<const AngleRow> rows, std::span<const double> q) {
  double sum = 0;
  for (const AngleRow& row : rows) sum += std::abs(row.turns(q));
  return sum;
}

/// Whether equations other than those of the list stay what they were, and couplings, which feel
/// turns, are not worse.
bool others_stay(MechanismSystem& system, double t, std::span<const AngleRow> rows,
                 std::span<const double> before, std::span<const double> after) {
  const std::size_t n = system.constraints();
  std::vector<double> here(n), there(n);
  system.position(t, before, here);
  system.position(t, after, there);
  for (const AngleRow& row : rows) here[row.row] = there[row.row];
  for (std::size_t k = 0; k < n; ++k) {
    const bool coupling = system.equations().equations[k].origin == Equation::Origin::coupling;
    const double worse =
        coupling ? std::abs(there[k]) - std::abs(here[k]) : std::abs(there[k] - here[k]);
    if (!(worse < 1e-6)) return false;
  }
  return true;
}

/// By how many turns rows are off, and ways to turn coordinates on.
struct Unwinding {
  MechanismSystem& system;
  double t;
  std::span<double> q;
  std::vector<AngleRow> rows = angle_rows(system.equations(), t);
  double left = count_turns(rows, q);
  CoupledTurns coupled{};
  std::vector<double> turned{};

  /// Turns one angle of a row: the last, or the first.
  void turn(const AngleRow& row, bool first) {
    const Scalar::Part& part = first ? row.scalar->parts.front() : row.scalar->parts.back();
    turned[part.x] -= 2 * M_PI * row.turns(turned) / (part.factor * row.factor);
  }
  /// Whether it is better.
  bool take() {
    const double now = count_turns(rows, turned);
    if (!(now < left) || !others_stay(system, t, rows, q, turned)) return false;
    if (!turns_agree(coupled, system.equations(), turned)) return false;
    std::ranges::copy(turned, q.begin());
    left = now;
    return true;
  }
  /// All rows, in passes, since bodies hang on each other; then angles that are coupled to them.
  bool turn_all(bool bodies, bool first) {
    turned.assign(q.begin(), q.end());
    if (bodies) turn_bodies();
    for (int pass = 0; pass < 8 && count_turns(rows, turned) > 0; ++pass)
      for (const AngleRow& row : rows) turn(row, first);
    if (take()) return true;
    turn_to_agree(coupled, system.equations(), turned);
    turn_coupled(coupled, system.equations(), turned, [] { return 0; });
    return take();
  }
  /// The mechanism as a whole, by what the first row is off: angles between bodies stay.
  void turn_bodies() {
    const auto row = std::ranges::find_if(rows, [&](const AngleRow& r) { return r.turns(q) != 0; });
    const double by = 2 * M_PI * row->turns(q) / (row->factor * row->scalar->parts.back().factor);
    for (const BodyCoordinates& body : system.equations().bodies)
      if (body.kind == BodyCoordinates::Kind::planar) turned[body.x + 2] -= by;
  }
};

}  // namespace

void unwind_turns(MechanismSystem& system, double t, std::span<double> q) {
  Unwinding way{.system = system, .t = t, .q = q};
  if (!(way.left > 0)) return;
  way.coupled = coupled_turns(system.equations());
  for (const bool bodies : {false, true})
    for (const bool first : {false, true})
      if (way.turn_all(bodies, first)) return;
  for (const AngleRow& row : way.rows) {
    if (row.turns(q) == 0) continue;
    way.turned.assign(q.begin(), q.end());
    way.turn(row, false);
    way.take();
  }
}

}  // namespace axode
