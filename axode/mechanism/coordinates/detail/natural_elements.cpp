#include "axode/mechanism/coordinates/detail/natural_elements.hpp"

#include <algorithm>
#include <cmath>

namespace axode::detail {

namespace {

constexpr double tolerance = 1e-9;

/// Points in rows, columns and grids all differ in it.
double order_of(const Vec3<double>& p) noexcept { return p.x + 0.7548777 * p.y + 0.5698403 * p.z; }

}  // namespace

NaturalPlace natural_place(const NaturalModel& model, int body, const Vec3<double>& local,
                           bool is_point) {
  const int e = model.element_of[body];
  const SE3<double>& T = model.T_EB[body];
  const NaturalElement& element = model.elements[e];
  if (is_point) return {e, T * local};
  if (element.translates) return {0, element.R_WE * (T.R * local)};
  return {e, T.R * local};
}

std::pair<int, double> find_basic(const NaturalModel& model, const NaturalPlace& place,
                                  bool is_point) {
  const NaturalElement& element = model.elements[place.element];
  if (is_point) {  // the world may have very many
    const double near = tolerance * model.size;
    const auto last = element.order.upper_bound(order_of(place.local) + 2 * near);
    for (auto it = element.order.lower_bound(order_of(place.local) - 2 * near); it != last; ++it)
      if (norm(local_of(model, place.element, it->second) - place.local) < near)
        return {it->second, 1};
    return {-1, 1};
  }
  for (const int b : element.basics) {
    if (model.basics[b].is_point) continue;
    const Vec3<double> local = local_of(model, place.element, b);
    if (norm(local - place.local) < tolerance) return {b, 1};
    if (norm(local + place.local) < tolerance) return {b, -1};
  }
  return {-1, 1};
}

void use_basic(NaturalModel& model, int basic, const NaturalPlace& place) {
  NaturalElement& element = model.elements[place.element];
  element.basics.push_back(basic);
  if (model.basics[basic].is_point) element.order.emplace(order_of(place.local), basic);
}

void drop_basic(NaturalModel& model, int basic, const NaturalPlace& place) {
  NaturalElement& element = model.elements[place.element];
  std::erase(element.basics, basic);
  std::erase_if(element.order, [&](const auto& entry) { return entry.second == basic; });
}

Vec3<double> local_of(const NaturalModel& model, int element, int basic) {
  for (const NaturalBasic::Use& use : model.basics[basic].uses)
    if (use.element == element) return use.local;
  return {};
}

int add_basic(NaturalModel& model, const NaturalPlace& place, bool is_point, std::string name) {
  const int b = static_cast<int>(model.basics.size());
  const bool fixed = place.element == 0;
  model.basics.push_back({.is_point = is_point,
                          .fixed = fixed,
                          .at = fixed ? place.local : Vec3<double>{},
                          .name = std::move(name),
                          .uses = {{place.element, place.local}}});
  use_basic(model, b, place);
  return b;
}

std::string element_name(const NaturalModel& model, const Mechanism& mechanism, int element) {
  return mechanism.bodies[model.elements[element].bodies.front()].name;
}

bool has_inertia(const NaturalElement& element) noexcept {
  const Inertia<double>& I = element.inertia;
  const Sym3<double>& c = I.about_com;
  return I.mass != 0 || c.xx != 0 || c.yy != 0 || c.zz != 0 || c.xy != 0 || c.xz != 0 || c.yz != 0;
}

bool is_slender(const NaturalElement& element, const Vec3<double>& point,
                const Vec3<double>& line) noexcept {
  const Inertia<double>& I = element.inertia;
  const Vec3<double> e = normalized(line);
  const Sym3<double> about = I.about_com + minus_skew_squared(I.com - point) * I.mass;
  // e^T Theta e, the moment about the line, is rounding only
  return std::abs(dot(e, about * e)) <= tolerance * std::abs(trace(about));
}

Vec3<double> outside(const std::vector<NaturalArrow>& base, const Vec3<double>& local) noexcept {
  // Gram-Schmidt twice: nearly dependent arrows lose no digits.
  std::array<Vec3<double>, 3> axes{};
  std::size_t n = 0;
  const auto rest = [&](Vec3<double> v) {
    for (int pass = 0; pass < 2; ++pass)
      for (std::size_t k = 0; k < n; ++k) v -= axes[k] * dot(axes[k], v);
    return v;
  };
  for (const NaturalArrow& arrow : base) axes[n] = normalized(rest(arrow.local)), ++n;
  return rest(local);
}

namespace {

/// The origin of an element: a constant point, else the first.
int origin_of(const NaturalModel& model, const NaturalElement& e) {
  int origin = -1;
  for (const int b : e.basics) {
    const NaturalBasic& basic = model.basics[b];
    if (basic.is_point && (origin < 0 || (basic.fixed && !model.basics[origin].fixed))) origin = b;
  }
  return origin;
}

std::vector<NaturalArrow> all_arrows(const NaturalModel& model, int element, int origin) {
  std::vector<NaturalArrow> result;
  for (const int b : model.elements[element].basics) {
    const NaturalBasic& basic = model.basics[b];
    if (b == origin) continue;
    NaturalArrow arrow{.head = b, .local = local_of(model, element, b), .fixed = basic.fixed};
    if (basic.is_point) {
      arrow.tail = origin;
      arrow.local -= local_of(model, element, origin);
      arrow.fixed = basic.fixed && model.basics[origin].fixed;
    }
    result.push_back(arrow);
  }
  return result;
}

}  // namespace

double extent(const NaturalModel& model, int element, int origin) {
  const NaturalElement& e = model.elements[element];
  double result = 0;
  if (origin < 0) return result;
  const Vec3<double> from = local_of(model, element, origin);
  for (const Vec3<double>& p : e.known) result = std::max(result, norm(p - from));
  return result;
}

NaturalArrows choose_base(const NaturalModel& model, int element) {
  NaturalArrows result;
  result.origin = origin_of(model, model.elements[element]);
  std::vector<NaturalArrow> open = all_arrows(model, element, result.origin);
  const std::size_t most = model.is_planar ? 1 : 3;
  const double reach = extent(model, element, result.origin);
  const auto worth = [&](const NaturalArrow& a) {
    const double length = norm(a.local);
    const double sine = norm(outside(result.base, a.local)) / length;
    return a.tail < 0 || reach == 0 ? sine : sine * std::min(1., length / reach);
  };
  // Constant arrows need no equations, norms of vectors are shared: they go first, unless badly
  // conditioned.
  const auto rank = [&](const NaturalArrow& a) {
    const double w = worth(a);
    return w + (w > 0.2 || model.is_planar ? (a.fixed ? 2.0 : a.tail < 0 ? 1.0 : 0.0) : 0.0);
  };
  while (!open.empty() && result.base.size() < most) {
    const auto best = std::max_element(open.begin(), open.end(), [&](const auto& a, const auto& b) {
      return rank(a) < rank(b) - 1e-12;
    });
    // Stop at the rank: the six products of three arrows in one plane have rank 5, so the rest is
    // linear in the base  [GarciaBayo (2.37)-(2.40)], on one line  [GarciaBayo (2.22)-(2.23)].
    if (norm(outside(result.base, best->local)) < tolerance * norm(best->local)) break;
    result.weakest = worth(*best);
    result.base.push_back(*best);
    open.erase(best);
  }
  result.dependent = std::move(open);
  return result;
}

}  // namespace axode::detail
