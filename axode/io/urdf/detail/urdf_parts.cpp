/// Parts of URDF links and joints: see urdf_parts.hpp.
#include "axode/io/urdf/detail/urdf_parts.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "axode/lie/rotation.hpp"

namespace axode::urdf {

// --- messages -------------------------------------------------------------------------------------

std::string shown(const Owner& owner) {
  std::string name = in_quotes(owner.name);
  name.front() = name.back() = '\'';
  return std::string(owner.kind) + " " + name;
}

std::string where(const Context& context, XmlElement element, const Owner& owner) {
  std::string text = context.file.place(element) + ": ";
  if (element.name() != owner.kind) {
    const std::string tag = in_quotes(element.name());
    text.append("<").append(tag, 1, tag.size() - 2).append("> of ");
  }
  return text + shown(owner);
}

void warn(Context& context, XmlElement element, const Owner& owner, const std::string& text) {
  context.warnings.push_back({where(context, element, owner) + ": " + text, false});
}

void warn_once(Context& context, const std::string& key, XmlElement element, const Owner& owner,
               const std::string& text) {
  constexpr std::size_t most = 50;
  if (context.remarked.size() > most || !context.remarked.insert(key).second) return;
  warn(context, element, owner,
       context.remarked.size() > most ? "further remarks are left out" : text);
}

void warn_unknown(Context& context, XmlElement element, std::string_view inside,
                  const Owner& owner) {
  const std::string_view name = element.name();
  constexpr std::array<std::string_view, 12> extensions{
      "gazebo", "transmission", "ros2_control", "sensor",  "safety_controller", "calibration",
      "mujoco", "plugin",       "hardware",     "capsule", "dont_collapse",     "self_collide"};
  if (std::find(extensions.begin(), extensions.end(), name) != extensions.end()) return;
  if (name.starts_with("drake:")) return;
  const std::string key = std::string(inside) + "/" + std::string(name);
  if (name.starts_with("xacro:"))
    warn_once(context, key, element, owner, "is left over from xacro and ignored; run xacro first");
  else
    warn_once(context, key, element, owner, "is unknown here and ignored");
}

std::array<XmlElement, max_parts> parts(Context& context, XmlElement element, const Owner& owner,
                                        std::initializer_list<std::string_view> once,
                                        std::initializer_list<std::string_view> others) {
  std::array<XmlElement, max_parts> found{};
  for (XmlElement child = element.first_child(); child; child = child.next()) {
    const std::string_view name = child.name();
    const auto* const known = std::find(once.begin(), once.end(), name);
    if (known == once.end()) {
      if (std::find(others.begin(), others.end(), name) == others.end())
        warn_unknown(context, child, element.name(), owner);
      continue;
    }
    XmlElement& part = found[known - once.begin()];
    if (part)
      throw Error("there is another one in line " + std::to_string(context.file.line(part)),
                  where(context, child, owner), "keep one of them");
    part = child;
  }
  return found;
}

// --- attributes -----------------------------------------------------------------------------------

std::string_view text_of(const Context& context, XmlElement element, const char* attribute,
                         const Owner& owner) {
  const auto text = element.attribute(attribute);
  if (!text || text->find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw Error(std::string("the attribute ") + attribute + (text ? " is empty" : " is missing"),
                where(context, element, owner), std::string("write ") + attribute + "=\"...\"");
  return *text;
}

std::string name_of(const Context& context, XmlElement element, const char* attribute,
                    const Owner& owner) {
  const std::string_view name = text_of(context, element, attribute, owner);
  if (name.size() > 1000)
    throw LimitError(std::string("the attribute ") + attribute + " has " +
                         std::to_string(name.size()) + " characters",
                     where(context, element, owner), "choose a name of at most 1000");
  if (name.find("${") != std::string_view::npos)
    throw Error(in_quotes(name) + " is not a name", where(context, element, owner),
                "run xacro first");
  return std::string(name);
}

namespace {

/// What read() returns; an Error it throws gets the place. Messages are made only if needed.
template <class Read>
auto placed(const Context& context, XmlElement element, const Owner& owner, Read&& read) {
  try {
    return read();
  } catch (const Error& e) {
    throw Error(e.problem(), where(context, element, owner), e.remedy());
  }
}

}  // namespace

double number_of(const Context& context, XmlElement element, const char* attribute,
                 const Owner& owner, std::optional<double> absent) {
  const auto text = element.attribute(attribute);
  if (!text && absent) return *absent;
  return placed(context, element, owner, [&] {
    if (!text)
      throw Error(std::string("the attribute ") + attribute + " is missing", {},
                  std::string("write ") + attribute + "=\"...\"");
    return parse_number(*text, {});
  });
}

Vec3<double> vector_of(const Context& context, XmlElement element, const char* attribute,
                       const Owner& owner, std::optional<Vec3<double>> absent) {
  if (absent && !element.attribute(attribute)) return *absent;
  const std::string_view text = text_of(context, element, attribute, owner);
  const auto v = placed(context, element, owner, [&] { return parse_numbers(text, 3, {}); });
  return {v[0], v[1], v[2]};
}

// --- poses and inertias ---------------------------------------------------------------------------

SE3<double> pose_of(const Context& context, XmlElement origin, const Owner& owner) {
  if (!origin) return {};
  const Vec3<double> p = vector_of(context, origin, "xyz", owner, Vec3<double>{});
  if (const auto text = origin.attribute("quat_xyzw")) {
    if (origin.attribute("rpy"))
      throw Error("it has both rpy and quat_xyzw", where(context, origin, owner),
                  "keep one of them");
    const auto q = placed(context, origin, owner, [&] { return parse_numbers(*text, 4, {}); });
    const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
    if (!(std::abs(length - 1) < 1e-3))
      throw Error("the quaternion has length " + shortest(length), where(context, origin, owner),
                  "give one of length 1");
    return {rotation_from_quaternion(Quaternion<double>{q[3], {q[0], q[1], q[2]}}), p};
  }
  const Vec3<double> rpy = vector_of(context, origin, "rpy", owner, Vec3<double>{});
  if (rpy == Vec3<double>{}) return {{}, p};
  // Angles of any size keep their meaning; those within a turn stay as they are.
  const auto reduced = [](double a) {
    return std::abs(a) < 7 ? a : std::remainder(a, 2 * pi<double>);
  };
  return {rotation_from_roll_pitch_yaw(reduced(rpy.x), reduced(rpy.y), reduced(rpy.z)), p};
}

Inertia<double> inertia_of(Context& context, XmlElement inertial, const Owner& owner) {
  const auto found = parts(context, inertial, owner, {"origin", "mass", "inertia"});
  const XmlElement origin = found[0], mass = found[1], inertia = found[2];
  if (!mass)
    throw Error("there is no <mass>", where(context, inertial, owner),
                "write <mass value=\"...\"/>, or leave <inertial> out");
  Inertia<double> I{number_of(context, mass, "value", owner), {}, {}};
  const SE3<double> T_BC = pose_of(context, origin, owner);
  if (inertia) {
    const auto moment = [&](const char* name) { return number_of(context, inertia, name, owner); };
    I.about_com = {moment("ixx"), moment("iyy"), moment("izz"),
                   moment("ixy"), moment("ixz"), moment("iyz")};
  } else {
    warn(context, inertial, owner, "there is no <inertia>; taken as zero");
  }
  return transform(T_BC, I);
}

// --- shapes ---------------------------------------------------------------------------------------

namespace {

Material material_of(Context& context, XmlElement element, const Owner& owner) {
  const auto found = parts(context, element, owner, {"color", "texture"});
  const XmlElement color = found[0], texture = found[1];
  Material material;
  if (color) {
    const std::string_view text = text_of(context, color, "rgba", owner);
    const auto v = placed(context, color, owner, [&] { return parse_numbers(text, 4, {}); });
    material.rgba = {v[0], v[1], v[2], v[3]};
  }
  if (texture) {
    material.texture = texture.attribute("filename").value_or("");
    if (material.texture.empty())
      warn_once(context, "texture", texture, owner, "names no file and is ignored");
  }
  return material;
}

void set_material(Context& context, XmlElement element, const Owner& owner, Shape& shape) {
  Material own = material_of(context, element, owner);
  const std::string_view name = element.attribute("name").value_or("");
  if (!name.empty()) shape.material = name_of(context, element, "name", owner);
  if (own.rgba || !own.texture.empty()) {
    if (!name.empty()) context.materials.emplace(shape.material, own);
  } else if (const auto known = context.materials.find(shape.material);
             known != context.materials.end()) {
    own = known->second;
  } else {
    warn_once(context, "material " + shape.material, element, owner,
              in_quotes(shape.material) + " is not defined");
  }
  shape.rgba = own.rgba;
  shape.texture = std::move(own.texture);
}

void set_mesh(Context& context, XmlElement element, const Owner& owner, Shape& shape) {
  shape.mesh = text_of(context, element, "filename", owner);
  shape.scale = vector_of(context, element, "scale", owner, Vec3<double>{1, 1, 1});
  if (context.mesh_roots.empty()) return;
  const auto [entry, is_new] = context.mesh_paths.try_emplace(shape.mesh);
  if (is_new) try {
      entry->second = resolve_mesh(shape.mesh, context.mesh_roots, {}).string();
      if (entry->second.empty())
        warn(context, element, owner, "the mesh " + in_quotes(shape.mesh) + " was not found");
    } catch (const Error& e) {  // it is not looked at, and that is all
      warn(context, element, owner, e.what());
    }
  shape.mesh_path = entry->second;
}

/// False if the kind is unknown.
bool set_geometry(Context& context, XmlElement element, const Owner& owner, Shape& shape) {
  const auto size = [&](const char* attribute) {
    return number_of(context, element, attribute, owner);
  };
  using Kind = Shape::Kind;
  const std::string_view kind = element.name();
  if (kind == "box") {
    shape.kind = Kind::box;
    shape.size = vector_of(context, element, "size", owner);
  } else if (kind == "cylinder" || kind == "capsule") {
    shape.kind = kind == "capsule" ? Kind::capsule : Kind::cylinder;
    shape.size = {size("radius"), size("length"), 0};
  } else if (kind == "sphere") {
    shape.kind = Kind::sphere;
    shape.size = {size("radius"), 0, 0};
  } else if (kind == "mesh") {
    shape.kind = Kind::mesh;
    set_mesh(context, element, owner, shape);
  } else {
    warn_once(context, "geometry " + std::string(kind), element, owner,
              "is not a shape of URDF and ignored");
    return false;
  }
  if (std::min({shape.size.x, shape.size.y, shape.size.z}) < 0)
    throw Error("a size is negative", where(context, element, owner), "give positive numbers");
  return true;
}

}  // namespace

std::optional<Shape> shape_of(Context& context, XmlElement element, const Owner& owner) {
  const auto found =
      parts(context, element, owner, {"origin", "geometry", "material"}, {"verbose", "contact"});
  const XmlElement origin = found[0], geometry = found[1], material = found[2];
  if (!geometry || !geometry.first_child())
    throw Error("there is no geometry", where(context, geometry ? geometry : element, owner),
                "write <geometry> with a box, cylinder, sphere, capsule or mesh");
  if (const XmlElement second = geometry.first_child().next())
    throw Error("there is more than one shape", where(context, second, owner),
                "write an element of its own for each");
  Shape shape;
  shape.collision = element.name() == "collision";
  shape.name = element.attribute("name").value_or("");
  shape.pose = pose_of(context, origin, owner);
  if (material) set_material(context, material, owner, shape);
  if (!set_geometry(context, geometry.first_child(), owner, shape)) return std::nullopt;
  return shape;
}

void add_material(Context& context, XmlElement element) {
  const Owner unnamed{"material", {}};
  const std::string name = name_of(context, element, "name", unnamed);
  const Owner owner{"material", name};
  Material material = material_of(context, element, owner);
  if (!context.materials.emplace(name, std::move(material)).second)
    warn(context, element, owner, "is defined already; the first one holds");
}

}  // namespace axode::urdf
