#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "axode/mechanism/analysis/detail/coupled_turns.hpp"
#include "axode/mechanism/analysis/position.hpp"

namespace axode {
namespace {

/// An equation that is a sum of angles: which are coordinates.
struct AngleRow {
  int row = 0;
  std::vector<Scalar::Part> parts{};
  double constant = 0;
  int own = -1;  ///< definition of an added coordinate: its number

  double residual(std::span<const double> q) const {
    double x = constant;
    for (const Scalar::Part& part : parts) x += part.factor * q[part.x];
    return x;
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

/// The row of an equation, if all its terms are scalars.
std::optional<AngleRow> linear_row(const MechanismEquations& eq, int i) {
  const Equation& e = eq.equations[i];
  const Equation::Form& form = e.forms[e.form];
  AngleRow row{.row = i, .constant = form.constant};
  for (const Term& term : form.terms) {
    if (term.kind != Term::Kind::scalar) return std::nullopt;
    const Scalar& scalar = eq.scalars[term.scalar];
    row.constant += term.factor * scalar.constant;
    for (Scalar::Part part : scalar.parts) {
      part.factor *= term.factor;
      row.parts.push_back(part);
    }
  }
  if (row.parts.empty()) return std::nullopt;
  return row;
}

/// Those of drivers first, which say what the angles must be; then kept angles, then definitions.
std::vector<AngleRow> angle_rows(const MechanismEquations& eq, double t) {
  const std::vector<char> is_angle = angles_of(eq);
  std::vector<AngleRow> rows;
  for (int i = 0; i < eq.rows(); ++i) {
    const Equation& e = eq.equations[i];
    const bool defines = e.origin == Equation::Origin::coordinate;
    if (e.driver < 0 && e.origin != Equation::Origin::joint && !defines) continue;
    if (!defines && e.forms[e.form].terms.size() != 1) continue;
    std::optional<AngleRow> row = linear_row(eq, i);
    if (!row) continue;
    const auto of_angle = [&](int coordinate) {
      return eq.mechanism.coordinates[coordinate].is_angle;
    };
    const bool all_angles =
        (e.driver >= 0 && of_angle(eq.mechanism.drivers[e.driver].coordinate)) ||
        (defines && eq.mechanism.is_planar && of_angle(e.index));
    if (!std::ranges::all_of(row->parts, [&](const Scalar::Part& p) {
          return (all_angles || is_angle[p.x] != 0) && std::abs(p.factor) == 1;
        }))
      continue;
    if (e.driver >= 0) row->constant -= eq.mechanism.drivers[e.driver].motion(t).value;
    if (defines) row->own = eq.scalars[eq.mixed[e.index]].parts[0].x;
    rows.push_back(std::move(*row));
  }
  std::ranges::stable_sort(rows, {}, [&](const AngleRow& row) {
    return eq.equations[row.row].driver >= 0 ? 0 : row.own < 0 ? 1 : 2;
  });
  return rows;
}

/// Whole turns of coordinates that meet rows together: row after row gives one coordinate by the
/// others, and those that no row needs to turn stay. Rows that contradict are left out.
class WholeTurns {
 public:
  /// A row that is off by whole turns. Its first or its last part turns; of definitions the added
  /// coordinate, if it may.
  void add(const AngleRow& row, double off, bool first) {
    Sum sum{{}, off};
    for (const Scalar::Part& part : row.parts) sum.add({{{part.x, 1.0}}, 0}, part.factor);
    for (const auto& [x, expression] : known_)
      if (const auto found = sum.parts.find(x); found != sum.parts.end())
        sum.add(expression, take(sum, found));
    const int pivot = pivot_of(row, sum, first);
    if (pivot < 0) return;
    // factor k_pivot + rest = 0
    const double factor = take(sum, sum.parts.find(pivot));
    Sum expression;
    expression.add(sum, -1 / factor);
    for (auto& [x, known] : known_)
      if (const auto found = known.parts.find(pivot); found != known.parts.end())
        known.add(expression, take(known, found));
    known_.emplace(pivot, std::move(expression));
  }
  void turn(std::span<double> q) const {
    for (const auto& [x, expression] : known_) q[x] += 2 * M_PI * expression.constant;
  }

 private:
  struct Sum {
    std::map<int, double> parts{};
    double constant = 0;
    void add(const Sum& other, double factor) {
      constant += factor * other.constant;
      for (const auto& [x, f] : other.parts)
        if ((parts[x] += factor * f) == 0) parts.erase(x);
    }
  };
  static double take(Sum& sum, std::map<int, double>::iterator at) {
    const double factor = at->second;
    sum.parts.erase(at);
    return factor;
  }
  static int pivot_of(const AngleRow& row, const Sum& sum, bool first) {
    int pivot = -1;
    const auto may = [&](int x) {
      const auto found = sum.parts.find(x);
      return found != sum.parts.end() && std::abs(found->second) == 1;
    };
    if (row.own >= 0 && may(row.own)) return row.own;
    for (const Scalar::Part& part : row.parts)
      if (may(part.x) && (pivot < 0 || !first)) pivot = part.x;
    for (const auto& [x, factor] : sum.parts)
      if (pivot < 0 && std::abs(factor) == 1) pivot = x;
    return pivot;
  }
  std::map<int, Sum> known_;
};

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

  /// Whether it is better.
  bool take() {
    const double now = count_turns(rows, turned);
    if (!(now < left) || !others_stay(system, t, rows, q, turned)) return false;
    if (!turns_agree(coupled, system.equations(), turned)) return false;
    std::ranges::copy(turned, q.begin());
    left = now;
    return true;
  }
  /// All rows together, since bodies hang on each other; then angles that are coupled to them.
  bool turn_all(bool bodies, bool first) {
    turned.assign(q.begin(), q.end());
    if (bodies) turn_bodies();
    settle(rows, first);
    if (take()) return true;
    turn_to_agree(coupled, system.equations(), turned);
    turn_coupled(coupled, system.equations(), turned, [] { return 0; });
    return take();
  }
  void settle(std::span<const AngleRow> some, bool first) {
    WholeTurns whole;
    for (const AngleRow& row : some) whole.add(row, row.turns(turned), first);
    whole.turn(turned);
  }
  /// The mechanism as a whole, by what the first row is off: angles between bodies stay.
  void turn_bodies() {
    const auto row = std::ranges::find_if(rows, [&](const AngleRow& r) { return r.turns(q) != 0; });
    const double by = 2 * M_PI * row->turns(q) / row->parts.back().factor;
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
    way.settle({&row, 1}, false);
    way.take();
  }
}

}  // namespace axode
