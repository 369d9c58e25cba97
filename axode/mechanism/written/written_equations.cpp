#include "axode/mechanism/written/written_equations.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>

#include "axode/mechanism/written/detail/written_bodies.hpp"

namespace axode {

using namespace detail;

namespace {

class EquationWriter {
 public:
  EquationWriter(const MechanismEquations& equations, const WriteOptions& options)
      : eq_(equations),
        table_(equations, options.name_lengths),
        bodies_(written_bodies(equations, table_)),
        nodes_(eq_.nodes.size()) {}

  WrittenEquations write(bool with_jacobian) {
    WrittenEquations result;
    result.velocity_names = eq_.velocity_names;
    for (const Equation& e : eq_.equations) result.rows.push_back(row(e));
    if (with_jacobian)
      for (int r = 0; r < eq_.rows(); ++r)
        for (const LieGroup::Factor& factor : eq_.group.factors) add_entries(result, r, factor);
    table_.give(result);
    return result;
  }

 private:
  /// The last part of a name such as "crank.tip".
  static std::string short_name(const std::string& name) {
    const std::size_t dot = name.find('.');
    return dot == std::string::npos ? name : name.substr(dot + 1);
  }

  Vec3<Formula> place(const Node& node) {
    switch (node.kind) {
      case Node::Kind::fixed:
      case Node::Kind::on_body: {
        const int body = node.kind == Node::Kind::fixed ? 0 : node.body;
        return written_place(bodies_[body], node.local, node.is_point, short_name(node.name),
                             table_);
      }
      case Node::Kind::coordinates: {
        Vec3<Formula> at;
        for (int k = 0; k < node.size; ++k) at[k] = Formula::symbol(node.x + k);
        return at;
      }
      case Node::Kind::combination:
        break;
    }
    Vec3<Formula> sum;
    for (const Node::Part& part : node.parts) {
      const Mat3<double>& F = part.factor;
      const Node& other = eq_.nodes[part.node];
      if (other.kind == Node::Kind::fixed && !other.is_point) {  // what is constant in the sum
        sum += ratios(F * other.local);
        continue;
      }
      sum += Mat3<Formula>{ratios(F.x), ratios(F.y), ratios(F.z)} * at(part.node);
    }
    return sum;
  }
  /// A node; lengths get their symbols when they are needed.
  const Vec3<Formula>& at(int node) {
    if (!nodes_[node]) nodes_[node] = place(eq_.nodes[node]);
    return *nodes_[node];
  }
  Vec3<Formula> at(const Arrow& a) { return a.tail < 0 ? at(a.head) : at(a.head) - at(a.tail); }

  /// Numbers by which points and directions are combinations of others; equal ones have one name.
  Formula ratio(double f) {
    const double size = std::abs(f);
    if (size == 0 || size == 1 || !table_.names_lengths()) return f;
    const int number =
        ratios_.try_emplace(size, static_cast<int>(ratios_.size()) + 1).first->second;
    return Formula(f < 0 ? -1 : 1) *
           table_.constant(fmt::format("c_{}", number), fmt::format("c_{{{}}}", number), size);
  }
  Vec3<Formula> ratios(const Vec3<double>& v) {
    return {ratio(snapped(v.x)), ratio(snapped(v.y)), ratio(snapped(v.z))};
  }

  Formula scalar(int index) const {
    const Scalar& s = eq_.scalars[index];
    Formula sum = s.constant;
    for (const Scalar::Part& part : s.parts) sum += Formula(part.factor) * Formula::symbol(part.x);
    return sum;
  }

  ProductSum row(const Equation& e) {
    ProductSum result;
    const Equation::Form& form = e.forms[e.form];
    for (const Term& term : form.terms) add(result, term, factor_of(e, term));
    result.add(1, constant_of(e, form));
    if (e.driver >= 0) result.add(-1, table_.function(e.driver));
    for (ProductSum::Product& product : result.products)
      for (auto& [formula, power] : product.formulas) formula = without_noise(formula);
    return result;
  }

  void add(ProductSum& result, const Term& term, const Formula& factor) {
    const auto product = [&](double sign, std::vector<Formula> formulas) {
      formulas.insert(formulas.begin(), factor);
      result.add_product(sign, std::move(formulas));
    };
    const int k = term.axis, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
    switch (term.kind) {
      case Term::Kind::component:
        return result.add(1, factor * at(term.a)[k]);
      case Term::Kind::dot:
        for (int i = 0; i < 3; ++i) product(1, {at(term.a)[i], at(term.b)[i]});
        return;
      case Term::Kind::squared_dot: {
        const Formula d = dot(at(term.a), at(term.b));
        return product(1, {d, d});
      }
      case Term::Kind::cross: {
        const Vec3<Formula> A = at(term.a), B = at(term.b);
        product(1, {A[k1], B[k2]});
        return product(-1, {A[k2], B[k1]});
      }
      case Term::Kind::triple: {
        const Vec3<Formula> A = at(term.a), B = at(term.b), C = at(term.c);
        for (int i = 0; i < 3; ++i) {
          product(1, {A[(i + 1) % 3], B[(i + 2) % 3], C[i]});
          product(-1, {A[(i + 2) % 3], B[(i + 1) % 3], C[i]});
        }
        return;
      }
      case Term::Kind::scalar:
        return result.add(1, factor * scalar(term.scalar));
      case Term::Kind::square:
        return product(1, {scalar(term.scalar), scalar(term.scalar)});
      case Term::Kind::sine:
        return result.add(1, factor * sin(scalar(term.scalar)));
      case Term::Kind::cosine:
        return result.add(1, factor * cos(scalar(term.scalar)));
      case Term::Kind::component_sine:
        return product(1, {at(term.a)[k], sin(scalar(term.scalar))});
    }
  }

  /// The factor of a term: radii and pitches have names, and the ratios by which points of an element
  /// depend on others.
  Formula factor_of(const Equation& e, const Term& term) {
    const double f = term.factor, size = std::abs(f), sign = f < 0 ? -1 : 1;
    if (size == 1 || !table_.names_lengths()) return f;
    if (e.origin == Equation::Origin::joint && term.kind == Term::Kind::scalar) {
      const MechanismJoint& joint = eq_.mechanism.joints[e.index];
      const std::string of = latex_name(joint.name);
      if (size == std::abs(joint.value))
        return Formula(sign) * table_.constant("R_" + joint.name, "R_{" + of + "}", size);
      if (size == std::abs(joint.pitch))
        return Formula(sign) * table_.constant("p_" + joint.name, "p_{" + of + "}", size);
    }
    return e.origin == Equation::Origin::body ? ratio(f) : Formula(f);
  }

  /// The constant of a row: lengths and distances have names.
  Formula constant_of(const Equation& e, const Equation::Form& form) {
    const bool is_angle = e.choice == Equation::Choice::angle;  // of a sine or cosine
    const double c = is_angle ? snapped(form.constant) : form.constant;
    const double size = std::abs(c), sign = c < 0 ? -1 : 1;
    if (c == 0 || !table_.names_lengths() || form.terms.empty()) return c;
    const Term& term = form.terms.front();
    if (e.origin == Equation::Origin::body && term.kind == Term::Kind::dot) {
      if (!(term.a == term.b)) {
        const std::string number = std::to_string(++products_);
        return Formula(sign) * table_.constant("k_" + number, "k_{" + number + "}", size);
      }
      if (term.a.tail < 0) return c;
      const Formula L = table_.length("L", eq_.nodes[term.a.tail].name, eq_.nodes[term.a.head].name,
                                      eq_.mechanism.bodies[e.index].name, std::sqrt(size));
      return Formula(sign) * L * L;
    }
    if (e.origin != Equation::Origin::joint) return c;
    const MechanismJoint& joint = eq_.mechanism.joints[e.index];
    const auto named = [&](double value) {
      const std::string letter = joint.type == PairType::rolling ? "R_" : "L_";
      return table_.constant(letter + joint.name, letter + "{" + latex_name(joint.name) + "}",
                             value);
    };
    if (joint.value != 0 && c == -joint.value) return Formula(-1) * named(joint.value);
    if (joint.value != 0 && c == -joint.value * joint.value)
      return Formula(-1) * named(joint.value) * named(joint.value);
    return c;
  }

  /// Derivatives by velocities: of real coordinates by themselves; quaternions move as
  /// e0' = -e . omega / 2, e' = (e0 omega + e x omega) / 2, positions of free bodies as p' = R v.
  static void add_entries(WrittenEquations& result, int r, const LieGroup::Factor& factor) {
    const ProductSum& row = result.rows[r];
    const auto keep = [&](int velocity, ProductSum entry) {
      if (!entry.is_zero()) result.jacobian.push_back({r, velocity, std::move(entry)});
    };
    if (factor.kind == LieGroup::Kind::real) {
      for (int k = 0; k < factor.count; ++k) keep(factor.v + k, derivative(row, factor.x + k));
      return;
    }
    const auto symbol = [&](int k) { return Formula::symbol(factor.x + k); };
    const Vec3<Formula> e{symbol(1), symbol(2), symbol(3)};
    for (int w = 0; w < 3; ++w) {
      Vec3<Formula> axis;
      axis[w] = 1;
      const Vec3<Formula> rate = axis * symbol(0) + cross(e, axis);
      ProductSum entry = scaled(derivative(row, factor.x), Formula(-.5) * e[w]);
      for (int k = 0; k < 3; ++k)
        entry = sum(entry, scaled(derivative(row, factor.x + 1 + k), Formula(.5) * rate[k]));
      keep(factor.v + w, std::move(entry));
    }
    if (factor.kind != LieGroup::Kind::se3) return;
    const Mat3<Formula> R = rotation_of(symbol(0), e);
    for (int w = 0; w < 3; ++w) {
      ProductSum entry;
      for (int k = 0; k < 3; ++k)
        entry = sum(entry, scaled(derivative(row, factor.x + 4 + k), R(k, w)));
      keep(factor.v + 3 + w, std::move(entry));
    }
  }

  const MechanismEquations& eq_;
  SymbolTable table_;
  std::vector<WrittenBody> bodies_;
  std::vector<std::optional<Vec3<Formula>>> nodes_;
  std::map<double, int> ratios_;
  int products_ = 0;
};

}  // namespace

WrittenEquations written_equations(const MechanismEquations& equations,
                                   const WriteOptions& options) {
  return EquationWriter(equations, options).write(options.jacobian);
}

std::vector<double> symbol_values(const WrittenEquations& written, const Mechanism& mechanism,
                                  double t, std::span<const double> q) {
  std::vector<double> values(q.begin(), q.end());
  for (const int driver : written.drivers)
    values.push_back(mechanism.drivers[driver].motion(t).value);
  values.insert(values.end(), written.lengths.begin(), written.lengths.end());
  return values;
}

}  // namespace axode
