// Mechanisms as text of the format.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "axode/io/mechanism/mechanism_file.hpp"
#include "axode/io/text/text_file.hpp"

namespace axode {

namespace {

struct Writer {
  const Mechanism& mechanism;

  std::string vector(const Vec3<double>& v) const {
    if (!mechanism.is_planar || v.z != 0) return json_text(v);
    return json_numbers(std::array{v.x, v.y});
  }
  std::string body(int i) const { return json_string(mechanism.bodies[i].name); }
  std::string spot(int i, const Vec3<double>& v) const {
    for (const NamedVector& point : mechanism.bodies[i].points)
      if (point.at == v) return json_string(point.name);
    return vector(v);
  }
  std::string between(const std::array<int, 2>& bodies,
                      const std::array<Vec3<double>, 2>& points) const {
    return fmt::format("[[{}, {}], [{}, {}]]", body(bodies[0]), spot(bodies[0], points[0]),
                       body(bodies[1]), spot(bodies[1], points[1]));
  }
  std::string coordinate(int i) const { return json_string(mechanism.coordinates[i].name); }
};

std::string named_text(const Writer& w, const std::vector<NamedVector>& list) {
  JsonMembers m;
  for (const NamedVector& item : list) m.add(item.name, w.vector(item.at));
  return m.text();
}

/// The angle in the fewest digits that gives the same rotation.
double angle_of(const SO3<double>& R) {
  const double middle = std::atan2(R.matrix.x.y, R.matrix.x.x);
  double angle = middle, best = middle;
  std::size_t digits = 100;
  for (int k = 0; k < 4; ++k) angle = std::nextafter(angle, -4.0);
  for (int k = -4; k <= 4; ++k, angle = std::nextafter(angle, 4.0)) {
    const std::size_t length = json_number(angle).size();
    if (planar_pose(0, 0, angle).R == R && length < digits) {
      digits = length;
      best = angle;
    }
  }
  return best;
}

std::string pose_text(const Writer& w, const SE3<double>& T) {
  if (!w.mechanism.is_planar) return json_text(T);
  JsonMembers m;
  m.add("position", w.vector(T.p));
  m.number_unless("angle", angle_of(T.R), 0);
  return m.text();
}

std::string mechanism_body_text(const Writer& w, const MechanismBody& body) {
  JsonMembers m;
  m.add("name", json_string(body.name));
  if (!body.points.empty()) m.add("points", named_text(w, body.points));
  if (!body.vectors.empty()) m.add("vectors", named_text(w, body.vectors));
  if (body.inertia != Inertia<double>{}) {
    const Inertia<double>& I = body.inertia;
    JsonMembers planar;
    planar.add("mass", json_number(I.mass));
    planar.add("com", w.vector(I.com));
    planar.number_unless("about_com", I.about_com.zz, 0);
    m.add("inertia", w.mechanism.is_planar ? planar.text() : json_text(I));
  }
  if (body.pose != SE3<double>{}) m.add("pose", pose_text(w, body.pose));
  if (body.rod) m.add("rod", "true");
  return m.text();
}

bool has_axes(const Writer& w, PairType type) {
  if (type == PairType::spherical || type == PairType::rod) return false;
  return !w.mechanism.is_planar || type == PairType::prismatic || type == PairType::point_on_line ||
         type == PairType::point_line_distance || type == PairType::rolling;
}
bool has_zero(PairType type) {
  return type != PairType::spherical && type != PairType::rod && type != PairType::point_on_line &&
         type != PairType::point_on_plane && type != PairType::point_line_distance;
}

std::string mechanism_joint_text(const Writer& w, const MechanismJoint& joint) {
  const auto pair = [&](const std::array<Vec3<double>, 2>& v) {
    return fmt::format("[{}, {}]", w.vector(v[0]), w.vector(v[1]));
  };
  JsonMembers m;
  m.add("name", json_string(joint.name));
  m.add("type", json_string(name(joint.type)));
  m.add("bodies", fmt::format("[{}, {}]", w.body(joint.body[0]), w.body(joint.body[1])));
  m.add("points", fmt::format("[{}, {}]", w.spot(joint.body[0], joint.point[0]),
                              w.spot(joint.body[1], joint.point[1])));
  if (has_axes(w, joint.type)) m.add("axes", pair(joint.axis));
  if (has_zero(joint.type)) m.add("zero", pair(joint.zero));
  if (joint.type == PairType::rod) m.add("length", json_number(joint.value));
  if (joint.type == PairType::rolling) m.add("radius", json_number(joint.value));
  if (joint.type == PairType::point_on_plane) m.number_unless("height", joint.value, 0);
  if (joint.type == PairType::point_line_distance) m.add("distance", json_number(joint.value));
  if (joint.type == PairType::helical) m.add("pitch", json_number(joint.pitch));
  if (joint.type == PairType::helical || joint.type == PairType::rolling)
    m.number_unless("offset", joint.offset, 0);
  if (joint.type == PairType::prismatic) m.add("angle", json_number(joint.angle));
  return m.text();
}

std::string coordinate_text(const Writer& w, const MechanismCoordinate& c) {
  using Kind = MechanismCoordinate::Kind;
  JsonMembers m;
  m.add("name", json_string(c.name));
  if (c.kind == Kind::angle)
    m.add("angle", fmt::format("[{}, {}]", w.body(c.body[0]), w.body(c.body[1])));
  else
    m.add(c.kind == Kind::distance ? "distance" : "component", w.between(c.body, c.point));
  if (c.kind == Kind::component) m.add("axis", w.vector(c.axis));
  return m.text();
}

std::string coupling_text(const Writer& w, const MechanismCoupling& coupling) {
  JsonMembers m, sum;
  m.add("name", json_string(coupling.name));
  for (const auto& part : coupling.parts)
    sum.add(w.mechanism.coordinates[part.coordinate].name, json_number(part.factor));
  m.add("sum", sum.text());
  m.number_unless("constant", coupling.constant, 0);
  return m.text();
}

[[noreturn]] void no_text(const std::string& what) {
  throw Error("it is a function of the program, which no file can say", what,
              "give its text, or read it from a file");
}

std::string driver_text(const Writer& w, const MechanismDriver& driver) {
  if (driver.text.empty()) no_text("driver '" + driver.name + "'");
  JsonMembers m;
  if (driver.name != w.mechanism.coordinates[driver.coordinate].name)
    m.add("name", json_string(driver.name));
  m.add("coordinate", w.coordinate(driver.coordinate));
  m.add("value", driver.text);
  return m.text();
}

std::string force_text(const Writer& w, const CoordinateForce& force) {
  if (force.force && force.text.empty()) no_text("force '" + force.name + "'");
  JsonMembers m;
  m.add("name", json_string(force.name));
  m.add("coordinate", w.coordinate(force.coordinate));
  m.number_unless("stiffness", force.stiffness, 0);
  m.number_unless("rest", force.rest, 0);
  m.number_unless("damping", force.damping, 0);
  if (force.force) m.add("force", force.text);
  return m.text();
}

std::string spring_text(const Writer& w, const PointSpring& spring) {
  if (spring.force && spring.text.empty()) no_text("spring '" + spring.name + "'");
  JsonMembers m;
  m.add("name", json_string(spring.name));
  m.add("between", w.between(spring.body, spring.point));
  m.number_unless("stiffness", spring.stiffness, 0);
  m.number_unless("length", spring.length, 0);
  m.number_unless("damping", spring.damping, 0);
  if (spring.force) m.add("force", spring.text);
  return m.text();
}

std::string mechanism_load_text(const Writer& w, const BodyLoad& load) {
  if (load.varying && load.text.empty()) no_text("load '" + load.name + "'");
  JsonMembers m;
  m.add("name", json_string(load.name));
  m.add("body", w.body(load.body));
  m.add("point", w.spot(load.body, load.point));
  if (load.varying) {
    m.list.push_back(load.text);
  } else {
    m.add("force", w.vector(load.force));
    m.add("torque", w.mechanism.is_planar ? json_number(load.torque.z) : json_text(load.torque));
  }
  return m.text();
}

template <class Items, class Text>
std::string list_text(const Writer& w, const Items& items, const Text& text,
                      std::string_view indent) {
  if (items.empty()) return "[]";
  std::vector<std::string> lines;
  lines.reserve(items.size());
  for (const auto& item : items) lines.push_back(fmt::format("{}  {}", indent, text(w, item)));
  return fmt::format("[\n{}\n{}]", fmt::join(lines, ",\n"), indent);
}

std::string mechanism_forces_text(const Writer& w) {
  std::vector<std::string> parts;
  const auto add = [&](std::string_view key, const auto& items, const auto& text) {
    if (!items.empty())
      parts.push_back(fmt::format("    \"{}\": {}", key, list_text(w, items, text, "    ")));
  };
  add("coordinates", w.mechanism.coordinate_forces, force_text);
  add("springs", w.mechanism.springs, spring_text);
  add("loads", w.mechanism.loads, mechanism_load_text);
  return parts.empty() ? "" : fmt::format(",\n  \"forces\": {{\n{}\n  }}", fmt::join(parts, ",\n"));
}

std::string initial_text(const Writer& w) {
  JsonMembers q, v, all;
  const auto given = [&](const std::vector<double>& values, std::size_t i) {
    return i < values.size() && std::isfinite(values[i]);
  };
  for (std::size_t i = 0; i < w.mechanism.coordinates.size(); ++i) {
    const std::string& name = w.mechanism.coordinates[i].name;
    if (given(w.mechanism.initial, i)) q.add(name, json_number(w.mechanism.initial[i]));
    if (given(w.mechanism.initial_rate, i)) v.add(name, json_number(w.mechanism.initial_rate[i]));
  }
  if (!q.list.empty()) all.add("q", q.text());
  if (!v.list.empty()) all.add("v", v.text());
  return all.list.empty() ? "" : fmt::format(",\n  \"initial\": {}", all.text());
}

}  // namespace

std::string mechanism_text(const Mechanism& mechanism) {
  const Writer w{mechanism};
  std::vector<MechanismCoordinate> measured;
  for (const MechanismCoordinate& c : mechanism.coordinates)
    if (c.kind != MechanismCoordinate::Kind::joint) measured.push_back(c);
  std::vector<MechanismBody> bodies(mechanism.bodies);
  if (!bodies.empty() && bodies.front().points.empty() && bodies.front().vectors.empty())
    bodies.erase(bodies.begin());
  std::string text = fmt::format("{{\n  \"axode_mechanism\": {},\n", mechanism_version);
  if (!mechanism.name.empty())
    text += fmt::format("  \"name\": {},\n", json_string(mechanism.name));
  if (mechanism.is_planar) text += "  \"planar\": true,\n";
  text += fmt::format("  \"gravity\": {},\n  \"bodies\": {}", w.vector(mechanism.gravity),
                      list_text(w, bodies, mechanism_body_text, "  "));
  const auto add = [&](std::string_view key, const auto& items, const auto& item_text) {
    if (!items.empty())
      text += fmt::format(",\n  \"{}\": {}", key, list_text(w, items, item_text, "  "));
  };
  add("joints", mechanism.joints, mechanism_joint_text);
  add("coordinates", measured, coordinate_text);
  add("couplings", mechanism.couplings, coupling_text);
  add("drivers", mechanism.drivers, driver_text);
  text += mechanism_forces_text(w) + initial_text(w) + "\n}\n";
  check_utf8(text, "mechanism_text");
  return text;
}

}  // namespace axode
