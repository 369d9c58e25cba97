#include <cmath>

#include "axode/mechanism/coordinates/detail/natural_equations.hpp"
#include "axode/mechanism/coordinates/detail/natural_placing.hpp"

namespace axode::detail {

namespace {

const Mat3<double> quarter_turn{{0, 1, 0}, {-1, 0, 0}, {0, 0, 0}};
const Mat3<double> in_plane = Mat3<double>::diagonal({1, 1, 0});

Mat3<double> base_matrix(const std::vector<NaturalArrow>& base) {
  const Vec3<double> a = base[0].local, b = base[1].local;
  return {a, b, base.size() == 3 ? base[2].local : cross(a, b)};
}

/// The element in which a basic is best known: where mirror images would be seen.
const NaturalBasic::Use& home(const NaturalModel& model, const NaturalBasic& basic) {
  const NaturalBasic::Use* best = &basic.uses.front();
  for (const NaturalBasic::Use& use : basic.uses)
    if (model.elements[use.element].basics.size() > model.elements[best->element].basics.size())
      best = &use;
  return *best;
}

void add_node(NaturalMaker& n, NaturalBasic& basic) {
  MechanismEquations& eq = n.maker.eq;
  if (basic.fixed) {
    basic.node = fixed_node(eq, basic.at, basic.is_point, basic.name);
    return;
  }
  const bool planar = n.model.is_planar;
  std::vector<std::string> names{basic.name + ".x", basic.name + ".y"};
  if (!planar) names.push_back(basic.name + ".z");
  const NewCoordinates first = add_coordinates(eq, names);
  const NaturalBasic::Use& use = home(n.model, basic);
  const int body = n.model.elements[use.element].bodies.front();
  const SE3<double>& T = n.model.T_EB[body];
  basic.node = static_cast<int>(eq.nodes.size());
  eq.nodes.push_back(
      {.kind = Node::Kind::coordinates,
       .is_point = basic.is_point,
       .x = first.x,
       .v = first.v,
       .size = planar ? 2 : 3,
       .body = body,
       .local = basic.is_point ? inverse_times(T, use.local) : inverse_times(T.R, use.local),
       .name = basic.name});
}

void add_part(NaturalSum& sum, int node, const Mat3<double>& factor) {
  for (Node::Part& part : sum.parts)
    if (part.node == node) {
      part.factor += factor;
      return;
    }
  sum.parts.push_back({node, factor});
}

/// factor times an arrow or, without tail, a basic.
void add_arrow(const NaturalMaker& n, NaturalSum& sum, const NaturalArrow& arrow,
               const Mat3<double>& factor) {
  for (const int b : {arrow.head, arrow.tail}) {
    if (b < 0) continue;
    const NaturalBasic& basic = n.model.basics[b];
    const Mat3<double> f = b == arrow.head ? factor : -factor;
    if (basic.fixed)
      sum.constant += f * basic.at;
    else
      add_part(sum, basic.node, f);
  }
}

Mat3<double> scaled(double f) { return Mat3<double>::diagonal({f, f, f}); }

/// base[0] x base[1] where one of the two is constant, times a factor; false if none is.
bool add_cross(const NaturalMaker& n, NaturalSum& sum, const std::vector<NaturalArrow>& base,
               double factor) {
  if (base[0].fixed)
    add_arrow(n, sum, base[1], skew(fixed_value(n, base[0])) * factor);
  else if (base[1].fixed)
    add_arrow(n, sum, base[0], skew(fixed_value(n, base[1])) * -factor);
  else
    return false;
  return true;
}

/// The combination that is exactly a basic, or a constant, needs no node of its own.
int node_of_sum(NaturalMaker& n, NaturalSum sum, bool is_point, const std::string& name) {
  MechanismEquations& eq = n.maker.eq;
  std::erase_if(sum.parts, [](const Node::Part& p) { return max_abs(p.factor) < 1e-14; });
  if (sum.parts.empty()) return fixed_node(eq, sum.constant, is_point, name);
  if (max_abs(sum.constant) > 0)
    sum.parts.push_back({fixed_node(eq, sum.constant, false, name + " (constant part)")});
  eq.nodes.push_back({.kind = Node::Kind::combination,
                      .is_point = is_point,
                      .parts = std::move(sum.parts),
                      .name = name});
  return static_cast<int>(eq.nodes.size()) - 1;
}

/// Makes more of an element basic until it can tell this point or direction.
void extend(NaturalMaker& n, const NaturalPlace& place, bool is_point) {
  NaturalElement& element = n.model.elements[place.element];
  Vec3<double> arrow = place.local;
  if (is_point) arrow -= element.origin_local;
  const std::string name = element_name(n.model, n.maker.eq.mechanism, place.element) + ".extra" +
                           std::to_string(element.basics.size());
  const bool well = norm(outside(element.base, arrow)) > 0.05 * norm(arrow);
  const NaturalPlace where = well ? place : NaturalPlace{place.element, normal_to(element.base)};
  const int b = add_basic(n.model, where, well && is_point, name);
  add_node(n, n.model.basics[b]);
  n.maker.eq.remarks.push_back(
      "body " + element_name(n.model, n.maker.eq.mechanism, place.element) +
      (well && is_point ? " has an auxiliary point" : " has an auxiliary unit vector"));
  element.base.push_back({.head = b,
                          .tail = well && is_point ? element.origin : -1,
                          .local = well ? arrow : where.local});
  add_element_equations(n, place.element);
}

}  // namespace

void add_basic_nodes(NaturalMaker& n) {
  for (NaturalBasic& basic : n.model.basics)
    if (!basic.dropped) add_node(n, basic);
}

Arrow arrow_of(const NaturalMaker& n, const NaturalArrow& arrow) {
  return {n.model.basics[arrow.head].node, arrow.tail < 0 ? -1 : n.model.basics[arrow.tail].node};
}

Vec3<double> fixed_value(const NaturalMaker& n, const NaturalArrow& arrow) {
  const Vec3<double> head = n.model.basics[arrow.head].at;
  return arrow.tail < 0 ? head : head - n.model.basics[arrow.tail].at;
}

Vec3<double> base_coefficients(const std::vector<NaturalArrow>& base, const Vec3<double>& local) {
  if (base.empty()) return {};
  if (base.size() == 1) return {dot(base[0].local, local) / squared_norm(base[0].local), 0, 0};
  const Mat3<double> X = base_matrix(base);
  // c = X^-1 local, X = [b_1 b_2 b_3]  [GarciaBayo (2.47)]
  const double volume = determinant(X);
  return Vec3<double>{dot(cross(X.y, X.z), local), dot(cross(X.z, X.x), local),
                      dot(cross(X.x, X.y), local)} /
         volume;
}

std::optional<NaturalSum> natural_sum(const NaturalMaker& n, int element, const Vec3<double>& local,
                                      bool is_point) {
  const NaturalElement& e = n.model.elements[element];
  NaturalSum sum;
  Vec3<double> d = local;
  if (element == 0) return NaturalSum{local, {}};
  if (is_point) {
    add_arrow(n, sum, {.head = e.origin}, n.model.is_planar ? in_plane : scaled(1));
    d -= e.origin_local;
  }
  if (e.translates) {
    sum.constant += e.R_WE * d;
    return sum;
  }
  if (n.model.is_planar) {
    const Vec3<double>& b = e.base[0].local;
    // c_1 b + c_2 b turned, c = (b . d, b x d) / |b|^2  [GarciaBayo Ex. 2.8]
    const double square = squared_norm(b);
    const Mat3<double> F =
        in_plane * (dot(b, d) / square) + quarter_turn * ((b.x * d.y - b.y * d.x) / square);
    add_arrow(n, sum, e.base[0], F);
    sum.constant.z += d.z;
    return sum;
  }
  const double near = 1e-9 * (is_point ? n.model.size : 1);
  const Vec3<double> c = base_coefficients(e.base, d);
  if (e.base.size() < 2 && norm(outside(e.base, d)) > near) return std::nullopt;
  // r_l = r_i + sum c_k b_k  [GarciaBayo (2.47)], the third of two arrows b_1 x b_2
  for (std::size_t k = 0; k < e.base.size(); ++k)
    if (c[static_cast<int>(k)] != 0) add_arrow(n, sum, e.base[k], scaled(c[static_cast<int>(k)]));
  if (e.base.size() == 2 && norm(outside(e.base, d)) > near && !add_cross(n, sum, e.base, c.z))
    return std::nullopt;
  return sum;
}

int natural_node(NaturalMaker& n, int body, const Vec3<double>& local, bool is_point) {
  const NaturalPlace place = natural_place(n.model, body, local, is_point);
  if (const auto [b, sign] = find_basic(n.model, place, is_point); b >= 0 && sign > 0)
    return n.model.basics[b].node;
  const double near = 1e-12 * (is_point ? n.model.size : 1);
  std::vector<NaturalMaker::Made>& all = n.made[place.element];
  for (const NaturalMaker::Made& made : all)
    if (made.is_point == is_point && norm(made.local - place.local) < near) return made.node;
  const std::string name = n.maker.eq.mechanism.bodies[body].name +
                           (is_point ? ".point" : ".direction") + std::to_string(all.size());
  std::optional<NaturalSum> sum;
  if (const auto [b, sign] = find_basic(n.model, place, is_point); b >= 0) {
    sum.emplace();
    add_arrow(n, *sum, {.head = b}, scaled(sign));  // a shared vector, seen from behind
  }
  for (int tries = 0; !sum && tries < 4; ++tries) {
    sum = natural_sum(n, place.element, place.local, is_point);
    if (sum) break;
    extend(n, place, is_point);
    if (const auto [b, sign] = find_basic(n.model, place, is_point); b >= 0)
      return n.model.basics[b].node;
  }
  const int node = node_of_sum(n, *sum, is_point, name);
  all.push_back({is_point, place.local, node});
  return node;
}

}  // namespace axode::detail
