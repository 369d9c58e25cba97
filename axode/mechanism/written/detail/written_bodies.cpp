#include "axode/mechanism/written/detail/written_bodies.hpp"

#include <array>
#include <cmath>

#include "axode/mechanism/description/spanning_tree.hpp"

namespace axode::detail {

namespace {

Mat3<Formula> constants(const Mat3<double>& m) {
  return {detail::constants(m.x), detail::constants(m.y), detail::constants(m.z)};
}
Mat3<Formula> about_x(const Formula& angle) {
  const Formula c = cos(angle), s = sin(angle);
  return {{1, 0, 0}, {0, c, s}, {0, -s, c}};
}
Mat3<Formula> about_z(const Formula& angle) {
  const Formula c = cos(angle), s = sin(angle);
  return {{c, s, 0}, {-s, c, 0}, {0, 0, 1}};
}
Mat3<Formula> transposed(const Mat3<Formula>& m) { return Mat3<Formula>::rows(m.x, m.y, m.z); }
double direction(const Vec3<double>& v) { return std::atan2(v.y, v.x); }

/// What a joint does between its frames on bodies i and j: the rotation, and the displacement of the
/// point j from the point i in the axes of body i.
struct JointFormula {
  Mat3<Formula> R = Mat3<Formula>::identity();
  Formula angle{};  ///< in the plane
  Vec3<Formula> slide{};
};

class TreeWriter {
 public:
  TreeWriter(const MechanismEquations& equations, SymbolTable& table)
      : eq_(equations), m_(equations.mechanism), table_(table) {}

  /// By body of the tree.
  std::vector<WrittenBody> write(const std::vector<int>& body_of) {
    std::vector<WrittenBody> bodies;
    for (int k = 0; k < eq_.tree->size(); ++k) {
      const Link& link = eq_.tree->links[k];
      const WrittenBody world;
      const WrittenBody& parent = link.parent < 0 ? world : bodies[link.parent];
      WrittenBody body = eq_.tree_joints[k] < 0
                             ? free_body(link)
                             : carried(m_.joints[eq_.tree_joints[k]], body_of[k], link, parent);
      const bool is_end = std::size_t(body_of[k]) >= m_.bodies.size();
      body.name = is_end ? m_.joints[eq_.tree_joints[k]].name + ".end" : m_.bodies[body_of[k]].name;
      bodies.push_back(std::move(body));
    }
    return bodies;
  }

 private:
  static Vec3<Formula> three(int x) {
    return {Formula::symbol(x), Formula::symbol(x + 1), Formula::symbol(x + 2)};
  }

  WrittenBody free_body(const Link& link) const {
    WrittenBody body;
    if (m_.is_planar) {
      body.at = {Formula::symbol(link.q), Formula::symbol(link.q + 1), 0};
      body.angle = Formula::symbol(link.q + 2);
      body.R = about_z(body.angle);
    } else {
      body.R = rotation_of(Formula::symbol(link.q), three(link.q + 1));
      body.at = three(link.q + 4);
    }
    return body;
  }

  /// The joint's coordinate number `which` as formula: joints passed backward have another order.
  Formula coordinate(int joint, int which, const Link& link) const {
    const std::string& name = m_.coordinates[coordinate_of(m_, joint, which)].name;
    for (int x = link.q; x < link.q + link.nq; ++x)
      if (eq_.coordinate_names[x] == name) return Formula::symbol(x);
    return {};
  }

  JointFormula joint_formula(const MechanismJoint& joint, const Link& link) const {
    const int number = static_cast<int>(&joint - m_.joints.data());
    const auto q = [&](int which) { return coordinate(number, which, link); };
    const Mat3<Formula> F{detail::constants(joint.zero[0]),
                          detail::constants(cross(joint.axis[0], joint.zero[0])),
                          detail::constants(joint.axis[0])};
    JointFormula result;
    const auto turn = [&](const Formula& angle) {
      result.R = about_z(angle);
      result.angle = angle;
    };
    switch (joint.type) {
      case PairType::revolute:
        turn(q(0));
        break;
      case PairType::prismatic:
        turn(snapped(joint.angle));
        result.slide = detail::constants(joint.axis[0]) * q(0);
        break;
      case PairType::helical:
        turn(q(0));
        result.slide = F.z * (table_.constant("p_" + joint.name,
                                              "p_{" + latex_name(joint.name) + "}", joint.pitch) *
                                  q(0) +
                              Formula(joint.offset));
        break;
      case PairType::cylindrical:
        turn(q(1));
        result.slide = F.z * q(0);
        break;
      case PairType::universal:
        result.R = about_z(q(0)) * about_x(q(1));
        break;
      case PairType::planar:
        turn(q(2));
        result.slide = F.x * q(0) + F.y * q(1) + F.z * Formula(joint.value);
        break;
      default:
        break;  // weld
    }
    return result;
  }

  /// The frames of the joint on its bodies, of joint_motion.hpp.
  static std::array<Mat3<Formula>, 2> frames(const MechanismJoint& joint) {
    std::array<Mat3<Formula>, 2> F;
    for (int side = 0; side < 2; ++side) {
      const Vec3<double>&z = joint.axis[side], &x = joint.zero[side];
      F[side] = constants(side == 1 && joint.type == PairType::universal
                              ? Mat3<double>{z, cross(x, z), x}
                              : Mat3<double>{x, cross(z, x), z});
    }
    return F;
  }

  WrittenBody carried(const MechanismJoint& joint, int body_number, const Link& link,
                      const WrittenBody& parent) const {
    const bool forward =
        std::size_t(body_number) >= m_.bodies.size() || joint.body[1] == body_number;
    const int from = forward ? 0 : 1, to = 1 - from;
    WrittenBody body;
    if (joint.type == PairType::spherical) {
      body.R = parent.R * rotation_of(Formula::symbol(link.q), three(link.q + 1));
    } else if (m_.is_planar) {
      const double sense = joint.type == PairType::revolute && joint.axis[0].z < 0 ? -1 : 1;
      const Formula turned = joint_formula(joint, link).angle * Formula(sense) +
                             Formula(direction(joint.zero[0]) - direction(joint.zero[1]));
      body.angle = forward ? parent.angle + turned : parent.angle - turned;
      body.R = about_z(body.angle);
    } else {
      const auto F = frames(joint);
      const Mat3<Formula> R_ij = F[0] * joint_formula(joint, link).R * transposed(F[1]);
      body.R = parent.R * (forward ? R_ij : transposed(R_ij));
    }
    const Vec3<Formula> there = written_place(parent, joint.point[from], true, joint.name, table_);
    const Vec3<Formula> slide = (forward ? parent.R : body.R) * joint_formula(joint, link).slide;
    body.at = forward ? there + slide : there - slide;
    body.anchor = joint.point[to];
    body.anchor_name = joint.name;
    return body;
  }

  const MechanismEquations& eq_;
  const Mechanism& m_;
  SymbolTable& table_;
};

/// A body of reference-point coordinates.
WrittenBody by_reference_point(const BodyCoordinates& b, const std::string& name) {
  const auto q = [&](int k) { return Formula::symbol(b.x + k); };
  WrittenBody body;
  body.anchor = b.reference;
  body.anchor_name = name;
  if (b.kind == BodyCoordinates::Kind::planar) {
    body.at = {q(0), q(1), 0};
    body.angle = q(2);
    body.R = about_z(body.angle);
    return body;
  }
  body.at = {q(0), q(1), q(2)};
  body.R = b.kind == BodyCoordinates::Kind::euler_angles
               ? about_z(q(3)) * about_x(q(4)) * about_z(q(5)) * constants(inverse(b.seat).matrix)
               : rotation_of(q(3), {q(4), q(5), q(6)});
  return body;
}

}  // namespace

double snapped(double x) noexcept {
  const double whole = std::round(x);
  return std::abs(x - whole) < 1e-15 ? whole : x;
}

Vec3<Formula> constants(const Vec3<double>& v) {
  return {snapped(v.x), snapped(v.y), snapped(v.z)};
}

Mat3<Formula> rotation_of(const Formula& e0, const Vec3<Formula>& e) {
  const auto twice = [](const Formula& a, const Formula& b) { return Formula(2) * (a + b); };
  const auto diagonal = [&](const Formula& a) { return twice(e0 * e0, a * a) - Formula(1); };
  return Mat3<Formula>::rows(
      {diagonal(e.x), twice(e.x * e.y, -(e0 * e.z)), twice(e.x * e.z, e0 * e.y)},
      {twice(e.x * e.y, e0 * e.z), diagonal(e.y), twice(e.y * e.z, -(e0 * e.x))},
      {twice(e.x * e.z, -(e0 * e.y)), twice(e.y * e.z, e0 * e.x), diagonal(e.z)});
}

Vec3<Formula> written_place(const WrittenBody& body, const Vec3<double>& local, bool is_point,
                            const std::string& name, SymbolTable& table) {
  if (!is_point) return body.R * constants(local);
  const Vec3<double> arm = local - body.anchor;
  constexpr const char* axes[] = {"x", "y", "z"};
  int parts = 0;
  for (int k = 0; k < 3; ++k) parts += arm[k] != 0;
  Vec3<Formula> from_anchor;
  for (int k = 0; k < 3; ++k)
    if (arm[k] != 0)
      from_anchor[k] =
          table.length(parts == 1 ? "L" : axes[k], body.anchor_name, name, body.name, arm[k]);
  return body.at + body.R * from_anchor;
}

std::vector<WrittenBody> written_bodies(const MechanismEquations& equations, SymbolTable& table) {
  std::vector<WrittenBody> bodies(equations.bodies.size());
  std::vector<WrittenBody> of_tree;
  if (equations.tree) {
    std::vector<int> body_of(equations.tree->size(), 0);
    for (std::size_t b = 0; b < bodies.size(); ++b)
      if (equations.bodies[b].kind == BodyCoordinates::Kind::tree)
        body_of[equations.bodies[b].tree_body] = static_cast<int>(b);
    of_tree = TreeWriter(equations, table).write(body_of);
  }
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const BodyCoordinates& coordinates = equations.bodies[b];
    switch (coordinates.kind) {
      case BodyCoordinates::Kind::fixed:
      case BodyCoordinates::Kind::natural:
        break;
      case BodyCoordinates::Kind::tree:
        bodies[b] = of_tree[coordinates.tree_body];
        break;
      default:
        bodies[b] = by_reference_point(coordinates, equations.mechanism.bodies[b].name);
    }
    if (b < equations.mechanism.bodies.size()) bodies[b].name = equations.mechanism.bodies[b].name;
  }
  return bodies;
}

}  // namespace axode::detail
