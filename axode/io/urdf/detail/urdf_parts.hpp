/// The parts of URDF links and joints: poses, inertias, shapes, materials; each element once, numbers
/// whole, and every message with file, line, element and the link or joint it belongs to.
/// Used by the reader, axode/io/urdf/urdf.cpp.
/// Tests: tests/io/urdf/detail/urdf_parts_test.cpp
#pragma once
#include <array>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "axode/io/text/xml.hpp"
#include "axode/model/description.hpp"

namespace axode::urdf {

struct Material {
  std::optional<std::array<double, 4>> rgba;
  std::string texture;
};

/// What reading needs besides the element, and the remarks so far.
struct Context {
  const XmlFile& file;
  const std::vector<std::filesystem::path>& mesh_roots;
  std::vector<Warning> warnings{};
  std::unordered_map<std::string, Material> materials{};
  std::unordered_map<std::string, std::string> mesh_paths{};
  std::unordered_set<std::string> remarked{};  ///< kinds of remarks that were made once
};

/// The link or joint an element belongs to, for messages.
struct Owner {
  const char* kind = "link";
  std::string_view name;
};
/// "link 'base'", the name shortened and printable.
std::string shown(const Owner& owner);
/// "arm.urdf:17: <origin> of joint 'elbow'".
std::string where(const Context& context, XmlElement element, const Owner& owner);
void warn(Context& context, XmlElement element, const Owner& owner, const std::string& text);
/// A warning that is made once for each `key`, and not at all after the first fifty keys.
void warn_once(Context& context, const std::string& key, XmlElement element, const Owner& owner,
               const std::string& text);

/// The children named in `once`, in that order, none if absent. Throws Error if one is there twice.
/// Children that are neither in `once` nor in `others` leave one warning each kind.
inline constexpr std::size_t max_parts = 7;
std::array<XmlElement, max_parts> parts(Context& context, XmlElement element, const Owner& owner,
                                        std::initializer_list<std::string_view> once,
                                        std::initializer_list<std::string_view> others = {});
/// Warns of an element that is not understood `inside` another: once each kind, extensions in use excepted.
void warn_unknown(Context& context, XmlElement element, std::string_view inside,
                  const Owner& owner);

/// The attribute, not empty. Throws Error if it is missing.
std::string_view text_of(const Context& context, XmlElement element, const char* attribute,
                         const Owner& owner);
/// A name: at most 1000 characters, no leftover of xacro.
std::string name_of(const Context& context, XmlElement element, const char* attribute,
                    const Owner& owner);
/// The attribute as one number, or three; without a default it must be there.
double number_of(const Context& context, XmlElement element, const char* attribute,
                 const Owner& owner, std::optional<double> absent = {});
Vec3<double> vector_of(const Context& context, XmlElement element, const char* attribute,
                       const Owner& owner, std::optional<Vec3<double>> absent = {});

/// <origin>, the identity if there is none: rotation by rpy or quat_xyzw.
SE3<double> pose_of(const Context& context, XmlElement origin, const Owner& owner);
/// <inertial>, in the link frame.
Inertia<double> inertia_of(Context& context, XmlElement inertial, const Owner& owner);
/// <visual> or <collision>; nothing if its geometry is of an unknown kind.
std::optional<Shape> shape_of(Context& context, XmlElement element, const Owner& owner);
/// <material> of the robot: remembered for those that only name it.
void add_material(Context& context, XmlElement element);

}  // namespace axode::urdf
