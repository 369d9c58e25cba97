#include <algorithm>
#include <cmath>

#include "axode/mechanism/coordinates/detail/natural_placing.hpp"

namespace axode::detail {

namespace {

/// The frame of a joint on one of its bodies: z along the axis, x along zero.
SE3<double> joint_frame(const Mechanism& m, const MechanismJoint& joint, int side) {
  const std::size_t s = side;
  const Vec3<double> z = m.is_planar ? Vec3<double>{0, 0, 1} : normalized(joint.axis[s]);
  const Vec3<double> y = cross(z, joint.zero[s]);
  if (norm(y) < 1e-9)
    throw Error("the direction of angle zero is along the axis", "joint " + joint.name,
                "give one normal to the axis");
  const Vec3<double> unit = normalized(y);
  return {{Mat3<double>{cross(unit, z), unit, z}}, joint.point[s]};
}

/// A weld before this one that holds one of its bodies, best both.
std::string other_weld(const Mechanism& m, int weld) {
  const auto& mine = m.joints[weld].body;
  std::string name;
  int most = 0;
  for (int k = 0; k < weld; ++k) {
    const MechanismJoint& other = m.joints[k];
    if (other.type != PairType::weld) continue;
    const auto holds = [&](int b) { return other.body[0] == b || other.body[1] == b; };
    const int count = (holds(mine[0]) ? 1 : 0) + (holds(mine[1]) ? 1 : 0);
    if (count > most) name = other.name;
    most = std::max(most, count);
  }
  return name;
}

/// Adds body j of a weld to the element of body i, T_ij its pose there; all bodies of its element
/// with it.
void join(NaturalModel& model, const Mechanism& m, int weld, const SE3<double>& T_ij) {
  const auto [i, j] = m.joints[weld].body;
  int into = model.element_of[i], from = model.element_of[j];
  if (into == from) {
    const SE3<double> there = model.T_EB[i] * T_ij;
    const SE3<double>& here = model.T_EB[j];
    if (max_abs(there.p - here.p) > 1e-6 * model.size ||
        max_abs(there.R.matrix - here.R.matrix) > 1e-6)
      throw Error("cannot be assembled: it contradicts the weld '" + other_weld(m, weld) + "'",
                  "joint " + m.joints[weld].name, "correct the points or axes of one of them");
    return;
  }
  SE3<double> T = model.T_EB[i] * T_ij * inverse(model.T_EB[j]);  // of `from` in `into`
  if (from == 0) {
    std::swap(into, from);
    T = inverse(T);
  }
  NaturalElement& target = model.elements[into];
  for (const int b : model.elements[from].bodies) {
    model.element_of[b] = into;
    model.T_EB[b] = T * model.T_EB[b];
    target.bodies.push_back(b);
  }
  model.elements[from].bodies.clear();
}

void make_elements(NaturalModel& model, const Mechanism& m) {
  const auto count = m.bodies.size();
  model.elements.resize(count);
  model.T_EB.resize(count);
  for (std::size_t b = 0; b < count; ++b) {
    model.element_of.push_back(static_cast<int>(b));
    model.elements[b].bodies = {static_cast<int>(b)};
  }
  for (int k = 0; k < static_cast<int>(m.joints.size()); ++k)
    if (const MechanismJoint& joint = m.joints[k]; joint.type == PairType::weld) {
      join(model, m, k, joint_frame(m, joint, 0) * inverse(joint_frame(m, joint, 1)));
      model.remarks.push_back("the bodies welded by " + joint.name + " are one element");
    }
  for (std::size_t e = 0; e < count; ++e) {
    NaturalElement& element = model.elements[e];
    for (const int b : element.bodies) {
      const MechanismBody& body = m.bodies[b];
      if (b != 0) element.inertia = element.inertia + transform(model.T_EB[b], body.inertia);
      element.rod = body.rod && element.bodies.size() == 1;
    }
  }
}

/// Points that will be asked for.
void find_known(NaturalModel& model, const Mechanism& m) {
  for (const MechanismJoint& joint : m.joints)
    for (std::size_t s = 0; s < 2; ++s)
      model.elements[model.element_of[joint.body[s]]].known.push_back(model.T_EB[joint.body[s]] *
                                                                      joint.point[s]);
  for (NaturalElement& element : model.elements)
    if (element.inertia.mass != 0) element.known.push_back(element.inertia.com);
}

/// Elements that can only slide in the world, or on those that do.
void find_translating(NaturalModel& model, const Mechanism& m) {
  model.elements[0].translates = true;
  for (bool again = true; again;) {
    again = false;
    for (const MechanismJoint& joint : m.joints) {
      if (joint.type != PairType::prismatic) continue;
      const int i = model.element_of[joint.body[0]], j = model.element_of[joint.body[1]];
      NaturalElement &a = model.elements[i], &b = model.elements[j];
      if (a.translates == b.translates) continue;
      const SO3<double> R_ij =  // of body j in body i
          joint_frame(m, joint, 0).R * exp(Vec3<double>{0, 0, joint.angle}) *
          inverse(joint_frame(m, joint, 1).R);
      const SO3<double> R_EF =
          model.T_EB[joint.body[0]].R * R_ij * inverse(model.T_EB[joint.body[1]].R);
      if (a.translates)
        b.R_WE = a.R_WE * R_EF;
      else
        a.R_WE = b.R_WE * inverse(R_EF);
      a.translates = b.translates = again = true;
    }
  }
}

bool uses(const NaturalModel& model, int basic, int element) {
  const auto& all = model.basics[basic].uses;
  return std::any_of(all.begin(), all.end(), [&](const auto& u) { return u.element == element; });
}

void use(NaturalModel& model, int basic, const NaturalBasic::Use& u) {
  NaturalBasic& b = model.basics[basic];
  b.uses.push_back(u);
  use_basic(model, basic, {u.element, u.local});
  if (u.element == 0) {
    b.fixed = true;
    b.at = u.local;
  }
}

/// b becomes one with a; vectors: b = sign a. False if an element had it at two places then.
bool unite(NaturalModel& model, int a, int b, double sign) {
  NaturalBasic& gone = model.basics[b];
  for (const NaturalBasic::Use& u : gone.uses)
    if (uses(model, a, u.element)) return false;
  for (const NaturalBasic::Use& u : gone.uses) {
    drop_basic(model, b, {u.element, u.local});
    use(model, a, {u.element, u.local * sign});
  }
  gone.dropped = true;
  gone.uses.clear();
  return true;
}

/// The two bodies of a joint have this point or vector in common. False if they cannot.
bool share(NaturalModel& model, const NaturalPlace& i, const NaturalPlace& j, bool is_point,
           const std::string& name) {
  if (i.element == j.element) return true;
  const auto [a, sign_a] = find_basic(model, i, is_point);
  const auto [b, sign_b] = find_basic(model, j, is_point);
  if (a >= 0 && a == b) return sign_a == sign_b;
  if (a >= 0 && b >= 0) return unite(model, a, b, sign_a * sign_b);
  if (a >= 0) {
    if (uses(model, a, j.element)) return false;
    use(model, a, {j.element, j.local * sign_a});
  } else if (b >= 0) {
    if (uses(model, b, i.element)) return false;
    use(model, b, {i.element, i.local * sign_b});
  } else {
    use(model, add_basic(model, i, is_point, name), {j.element, j.local});
  }
  return true;
}

void share_joint(NaturalModel& model, const Mechanism& m, const MechanismJoint& joint) {
  using enum PairType;
  const PairType t = joint.type;
  const bool point = t == revolute || t == spherical || t == universal;
  const bool vector = !m.is_planar && (t == revolute || t == cylindrical || t == prismatic ||
                                       t == helical || t == planar);
  const auto both = [&](const std::array<Vec3<double>, 2>& local, bool is_point) {
    const std::string name = is_point ? joint.name : joint.name + ".axis";
    if (!share(model, natural_place(model, joint.body[0], local[0], is_point),
               natural_place(model, joint.body[1], local[1], is_point), is_point, name))
      model.remarks.push_back(
          "joint " + joint.name + ": its " + (is_point ? "point" : "axis") +
          " is not shared, but closed by equations: a body would have it at two places");
  };
  // One point for two replaces r_i - r_j = 0  [GarciaBayo (2.48)-(2.50)], one vector the parallel
  // axes. What is left to write: [GarciaBayo (2.51)] of cylindrical, (2.59) of universal joints.
  if (point) both(joint.point, true);
  if (vector) both({normalized(joint.axis[0]), normalized(joint.axis[1])}, false);
}

double size_of(const Mechanism& m) {
  double size = 0;
  for (const MechanismJoint& joint : m.joints)
    for (const Vec3<double>& p : joint.point) size = std::max(size, norm(p));
  for (const MechanismBody& body : m.bodies)
    for (const NamedVector& p : body.points) size = std::max(size, norm(p.at));
  return size > 0 ? size : 1;
}

}  // namespace

NaturalModel natural_model(const Mechanism& mechanism) {
  NaturalModel model;
  model.is_planar = mechanism.is_planar;
  model.size = size_of(mechanism);
  make_elements(model, mechanism);
  find_known(model, mechanism);
  find_translating(model, mechanism);
  for (const MechanismJoint& joint : mechanism.joints) share_joint(model, mechanism, joint);
  if (mechanism.is_planar)
    complete_planar(model, mechanism);
  else
    complete_spatial(model, mechanism);
  return model;
}

}  // namespace axode::detail
