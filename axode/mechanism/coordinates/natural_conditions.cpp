/// Rigid-body conditions of elements in natural coordinates [GarciaBayo Ex. 2.1, Ex. 2.6, Ex. 2.7,
/// Ex. 2.8, Ex. 2.10, (2.17)-(2.47)].
#include <algorithm>
#include <cmath>
#include <complex>

#include "axode/core/error.hpp"
#include "axode/mechanism/coordinates/detail/natural_equations.hpp"
#include "axode/model/checks.hpp"

namespace axode::detail {

namespace {

Equation origin_of(const NaturalMaker& n, int element) {
  Equation e;
  e.origin = Equation::Origin::body;
  e.index = n.model.elements[element].bodies.front();
  e.name = element_name(n.model, n.maker.eq.mechanism, element);
  return e;
}

std::string text_of(const NaturalMaker& n, const NaturalArrow& a) {
  const auto name = [&](int b) { return n.model.basics[b].name; };
  return a.tail < 0 ? name(a.head) : name(a.tail) + "-" + name(a.head);
}

/// a . b = const, unless constant, or written for another element that shares both.
void add_product(NaturalMaker& n, int element, const NaturalArrow& a, const NaturalArrow& b) {
  const double value = dot(a.local, b.local);
  if (a.fixed && b.fixed) {
    const double there = dot(fixed_value(n, a), fixed_value(n, b));
    if (std::abs(there - value) > 1e-6 * norm(a.local) * norm(b.local))
      throw Error("does not fit between the points and axes of the world that it is joined to",
                  "body " + element_name(n.model, n.maker.eq.mechanism, element),
                  "correct its joints, or let one of them have more degrees of freedom");
    return;
  }
  std::vector<long> key{std::min(a.head, a.tail), std::max(a.head, a.tail),
                        std::min(b.head, b.tail), std::max(b.head, b.tail)};
  if (std::pair(key[2], key[3]) < std::pair(key[0], key[1])) {
    std::swap(key[0], key[2]);
    std::swap(key[1], key[3]);
  }
  if (!n.written.insert(key).second) return;
  const bool same = a.head == b.head && a.tail == b.tail;
  Equation origin = origin_of(n, element);
  if (same && a.tail < 0) origin.origin = Equation::Origin::normalization;
  // b_k . b_l = const  [GarciaBayo (2.41)-(2.46)]: lengths, angles and norms of segments and unit
  // vectors  [GarciaBayo (2.17)-(2.22), (2.24)-(2.29), (2.31)-(2.39)]
  add_dot(n.maker, origin, arrow_of(n, a), arrow_of(n, b), value,
          same ? "|" + text_of(n, a) + "|^2" : text_of(n, a) + " . " + text_of(n, b));
}

using Complex = std::complex<double>;

/// The same combination of the same basics, whatever the arrows and scale it is written with.
std::vector<long> combination_key(const NaturalArrow& arrow, const std::vector<NaturalArrow>& base,
                                  const std::vector<Complex>& c) {
  std::map<int, Complex> by_basic;
  const auto add = [&](const NaturalArrow& a, Complex f) {
    by_basic[a.head] += f;
    if (a.tail >= 0) by_basic[a.tail] -= f;
  };
  add(arrow, 1);
  for (std::size_t k = 0; k < c.size(); ++k) add(base[k], -c[k]);
  std::erase_if(by_basic, [](const auto& item) { return std::abs(item.second) < 1e-9; });
  std::vector<long> key{-2};
  if (by_basic.empty()) return key;
  const Complex scale = by_basic.begin()->second;
  for (const auto& [basic, f] : by_basic) {
    key.push_back(basic);
    key.push_back(std::lround(1e8 * (f / scale).real()));
    key.push_back(std::lround(1e8 * (f / scale).imag()));
  }
  return key;
}

/// arrow - sum c_k base_k - constant = 0, by components; imaginary factors of c turn by 90 degrees.
void add_combination(NaturalMaker& n, int element, const NaturalArrow& arrow,
                     const std::vector<NaturalArrow>& base, const std::vector<Complex>& c,
                     const Vec3<double>& constant) {
  bool moves = !arrow.fixed;
  for (std::size_t k = 0; k < c.size(); ++k)
    moves =
        moves || (!base[k].fixed && std::abs(c[k]) * norm(base[k].local) > 1e-12 * n.model.size);
  if (!moves || !n.written.insert(combination_key(arrow, base, c)).second) return;
  // v - sum c_k b_k = 0  [GarciaBayo (2.47)]; on one line  [GarciaBayo (2.23), (2.30)], in one
  // plane  [GarciaBayo (2.40)]; with complex c_1 also b_1 turned  [GarciaBayo Ex. 2.8]
  const int rows = n.model.is_planar ? 2 : 3;
  for (int axis = 0; axis < rows; ++axis) {
    Equation e = origin_of(n, element);
    e.name += ": " + text_of(n, arrow) + (axis == 0 ? " x" : axis == 1 ? " y" : " z");
    Equation::Form form;
    form.constant = -constant[axis];
    form.terms.push_back({.kind = Term::Kind::component, .a = arrow_of(n, arrow), .axis = axis});
    for (std::size_t k = 0; k < c.size(); ++k) {
      const Arrow b = arrow_of(n, base[k]);
      if (std::abs(c[k].real()) > 1e-13)
        form.terms.push_back(
            {.kind = Term::Kind::component, .factor = -c[k].real(), .a = b, .axis = axis});
      if (std::abs(c[k].imag()) > 1e-13)  // (x, y) turned is (-y, x)
        form.terms.push_back({.kind = Term::Kind::component,
                              .factor = axis == 0 ? c[k].imag() : -c[k].imag(),
                              .a = b,
                              .axis = 1 - axis});
    }
    e.forms = {form};
    n.maker.eq.equations.push_back(std::move(e));
  }
}

std::vector<NaturalArrow> dependent_arrows(const NaturalMaker& n, int element) {
  const NaturalElement& e = n.model.elements[element];
  std::vector<NaturalArrow> result;
  for (const int b : e.basics) {
    const bool in_base = std::any_of(e.base.begin(), e.base.end(),
                                     [&](const NaturalArrow& a) { return a.head == b; });
    if (b == e.origin || in_base) continue;
    const NaturalBasic& basic = n.model.basics[b];
    const Vec3<double> local = local_of(n.model, element, b);
    if (basic.is_point)
      result.push_back(
          {b, e.origin, local - e.origin_local, basic.fixed && n.model.basics[e.origin].fixed});
    else
      result.push_back({b, -1, local, basic.fixed});
  }
  return result;
}

/// The book's conditions of planar elements: triangles of three distances, the others linear.
void add_triangle(NaturalMaker& n, int element, std::vector<NaturalArrow> others) {
  const NaturalElement& e = n.model.elements[element];
  const NaturalArrow& b = e.base[0];
  const auto area = [&](const NaturalArrow& a) { return cross(b.local, a.local).z; };
  const auto widest =
      std::max_element(others.begin(), others.end(), [&](const auto& a, const auto& c) {
        return std::abs(area(a)) < std::abs(area(c)) * (1 - 1e-9);
      });
  const bool flat = std::abs(area(*widest)) < 1e-9 * n.model.size * n.model.size;
  const NaturalArrow second = *widest;
  if (!flat) {
    // a triangle: the two other distances  [GarciaBayo Ex. 2.8]
    add_product(n, element, second, second);
    const NaturalArrow third{second.head, b.head, second.local - b.local,
                             n.model.basics[second.head].fixed && n.model.basics[b.head].fixed};
    add_product(n, element, third, third);
    others.erase(widest);
  }
  for (const NaturalArrow& a : others) {
    // r_il = alpha r_ik + beta r_ij, alpha and beta by areas; on one line r_il = C r_ij
    std::vector<Complex> c{dot(b.local, a.local) / squared_norm(b.local)};
    if (!flat)
      c = {cross(a.local, second.local).z / cross(b.local, second.local).z, area(a) / area(second)};
    add_combination(n, element, a, {b, second}, c, {});
  }
}

}  // namespace

void add_element_equations(NaturalMaker& n, int element) {
  NaturalElement& e = n.model.elements[element];
  if (element == 0 || e.bodies.empty()) return;
  if (e.origin < 0) {
    const NaturalArrows arrows = choose_base(n.model, element);
    if (arrows.origin < 0 || (!e.translates && arrows.base.empty()))
      throw Error("its points cannot be told apart at the size of the mechanism, " +
                      number(n.model.size) + " m",
                  "body '" + element_name(n.model, n.maker.eq.mechanism, element) + "'",
                  "correct points and lengths that are too large, or choose relative coordinates");
    e.origin = arrows.origin;
    e.origin_local = local_of(n.model, element, e.origin);
    if (!e.translates) e.base = arrows.base;
  }
  const std::vector<NaturalArrow> others = dependent_arrows(n, element);
  if (e.translates) {
    for (const NaturalArrow& a : others) add_combination(n, element, a, {}, {}, e.R_WE * a.local);
    return;
  }
  // all products of the base, then all else linear in it  [GarciaBayo (2.41)-(2.47)]
  for (std::size_t i = 0; i < e.base.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j) add_product(n, element, e.base[i], e.base[j]);
  if (n.model.is_planar && n.distances_only && !others.empty()) {
    add_triangle(n, element, others);
    return;
  }
  for (const NaturalArrow& a : others) {
    std::vector<Complex> c;
    if (n.model.is_planar) {
      const Vec3<double>& b = e.base[0].local;
      // r_il = c_1 b + c_2 b turned by 90 degrees: knows left from right
      c = {Complex(dot(b, a.local), cross(b, a.local).z) / squared_norm(b)};
    } else {
      const Vec3<double> by = base_coefficients(e.base, a.local);
      for (std::size_t k = 0; k < e.base.size(); ++k) c.emplace_back(by[static_cast<int>(k)]);
    }
    add_combination(n, element, a, e.base, c, {});
  }
}

}  // namespace axode::detail
