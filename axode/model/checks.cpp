#include "axode/model/checks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "axode/core/error.hpp"
#include "axode/lie/rotation.hpp"
#include "axode/lie/symmetric_eigen.hpp"

namespace axode::detail {

namespace {

/// How many screws a type has; 0 for any number.
int screws_of(JointType type) {
  constexpr std::array<int, 14> numbers{0, 1, 1, 1, 2, 3, 3, 2, 2, 3, 3, 4, 6, 0};
  return numbers[std::size_t(type)];
}

/// Screws of quaternion coordinates: rotations about the axes of a frame, then its translations.
void check_quaternion_screws(const Joint& joint, const std::string& where) {
  const SE3<double> T = frame_of_rotations(joint.screws.screws.data());
  for (int k = 0; k < joint.dof(); ++k) {
    Vec6<double> e{};
    e[k] = 1;
    if (!(max_abs(Ad(T, e) - joint.screws.screws[k]) < 1e-9 * (1 + max_abs(T.p))))
      throw Error("its screws are not those of three perpendicular axes through a point", where,
                  "give the joint by its centre and axes");
  }
}

}  // namespace

/// A number for a message.
std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.9g", value);
  return text.data();
}

/// A name for a message: names in files may be anything.
std::string printable(const std::string& name) {
  std::string text = name.substr(0, 60);
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return name.size() > 60 ? text + "..." : text;
}

void check_name(const std::string& name, const char* kind, const std::string& where) {
  if (name.empty())
    throw Error("the name is empty", where, std::string("give every ") + kind + " a name");
  constexpr std::size_t longest = 1000;
  if (name.size() > longest)
    throw Error("the name has " + std::to_string(name.size()) + " characters", where,
                "use at most " + std::to_string(longest));
  if (name.find_first_not_of(' ') == std::string::npos)
    throw Error("the name is blank", where, std::string("give every ") + kind + " a name");
  const auto control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  if (std::any_of(name.begin(), name.end(), control))
    throw Error("the name has a control character", where, "use printable characters only");
  if (name == world_name && kind != std::string_view("joint"))
    throw Error("'world' is the name of the inertial frame", where, "choose another name");
}

/// The pose, with a rotation exact to rounding.
SE3<double> checked(const SE3<double>& T, const std::string& where) {
  const Mat3<double>& R = T.R.matrix;
  if (!is_finite(T.p) || !is_finite(R.x) || !is_finite(R.y) || !is_finite(R.z))
    throw Error("a pose is not finite", where, "give finite numbers, positions in metres");
  check_place(T.p, "a position", where);
  const double error = orthogonality_error(R);
  if (error > 1e-6 || determinant(R) < 0)
    throw Error("a rotation matrix is not orthonormal: |R^T R - I| = " + number(error), where,
                "give more digits, a quaternion or angles, or mend it by nearest_rotation");
  // Within some roundings it is left as it is, so that files reproduce it.
  return error > 64 * epsilon<double> ? SE3<double>{nearest_rotation(R).rotation, T.p} : T;
}

/// The joint frame of quaternion coordinates: its axes are the rotation screws, its origin their
/// common point, for which sum e_k x (p x e_k) = 2 p.
SE3<double> frame_of_rotations(const Vec6<double>* X) {
  Vec3<double> p{};
  for (int k = 0; k < 3; ++k) p += cross(X[k].angular, X[k].linear);
  return {nearest_rotation(Mat3<double>{X[0].angular, X[1].angular, X[2].angular}).rotation,
          p * 0.5};
}

void check_joint(const Joint& joint, const std::string& where) {
  const int needed = screws_of(joint.type);
  const bool any = joint.type == JointType::screws;
  if (any ? joint.dof() < 1 || joint.dof() > 6 : joint.dof() != needed)
    throw Error("a " + std::string(name(joint.type)) + " joint cannot have " +
                    std::to_string(joint.dof()) + " screws",
                where, "make joints with the functions of axode/model/joint.hpp");
  const bool quaternion = joint.coordinates == Coordinates::quaternion;
  const bool rotates = joint.type == JointType::spherical || joint.type == JointType::free;
  if (quaternion && !rotates)
    throw Error("only spherical and free joints have quaternion coordinates", where,
                "choose coordinates of the first or second kind");
  if (joint.velocity != Rep::body && (!quaternion || joint.type != JointType::free))
    throw Error("only free joints in quaternion coordinates have a choice of velocity", where,
                "leave the velocity form out");
  if (joint.velocity == Rep::mixed)
    throw Error("its velocity cannot be in mixed form", where, "choose body, spatial or hybrid");
  for (const Vec6<double>& X : joint.screws) {
    if (!is_finite(X)) throw Error("a joint screw is not finite", where, "give finite numbers");
    check_place(X.linear, "the place of a joint screw", where);
    const double length = norm(max_abs(X.angular) == 0 ? X.linear : X.angular);
    if (!(std::abs(length - 1) < 1e-9))
      throw Error("the axis of a joint screw has length " + number(length), where,
                  "give unit screws (e, p x e + h e) or (0, e)");
  }
  if (quaternion) check_quaternion_screws(joint, where);
}

void check_dof(const Dof& dof, const std::string& where) {
  if (std::isnan(dof.lower) || std::isnan(dof.upper))
    throw Error("a limit is not a number", where, "give numbers, or leave the limit out");
  if (dof.lower > dof.upper)
    throw Error(
        "the lower limit " + number(dof.lower) + " is above the upper limit " + number(dof.upper),
        where, "exchange or correct them");
  const auto refuse_negative = [&](double value, const char* what) {
    if (!(value >= 0))
      throw Error(std::string("the ") + what + " is negative or not a number", where,
                  "give zero or a positive number");
  };
  refuse_negative(dof.max_velocity, "velocity limit");
  refuse_negative(dof.max_effort, "effort limit");
  refuse_negative(dof.damping, "damping");
  refuse_negative(dof.friction, "friction");
  refuse_negative(dof.armature, "armature");
  if (!is_finite(dof.damping + dof.friction + dof.armature))
    throw Error("damping, friction or armature is infinite", where, "give finite numbers");
  // Not the armature: one of 1e300 locks a joint.
  for (const double x : {dof.damping, dof.friction}) check_number(x, "damping or friction", where);
}

/// Refuses what no measurement can mean, warns of what publishers' rounding makes.
void check_inertia(const BodyDescription& body, const std::string& where,
                   std::vector<Warning>& warnings) {
  const Inertia<double>& I = body.inertia;
  const Sym3<double>& c = I.about_com;
  if (!is_finite(I.mass) || !is_finite(I.com) ||
      !is_finite(c.xx + c.yy + c.zz + c.xy + c.xz + c.yz))
    throw Error("the inertia is not finite", where, "give finite numbers in kg, m, kg m^2");
  if (std::max(I.mass, max_abs(c.matrix())) > largest_number)
    throw Error("the inertia is too large to compute with", where, "give kg, m, kg m^2");
  check_place(I.com, "the centre of mass", where);
  if (I.mass < 0)
    throw Error("the mass " + number(I.mass) + " kg is negative", where,
                "give zero or a positive mass");
  const auto moments =
      symmetric_eigen<double, 3>({{{c.xx, c.xy, c.xz}, {c.xy, c.yy, c.yz}, {c.xz, c.yz, c.zz}}})
          .values;
  const auto [least, largest] = std::minmax_element(moments.begin(), moments.end());
  // Rounding makes moments negative by up to what the mass has at a distance of a millimetre, and
  // those of small parts are written with few digits.
  const double rounding = std::max(1e-6 * I.mass, 1e-7);
  if (*least < -0.01 * std::max(*largest, 0.0) && *least < -rounding)
    throw Error(
        "the inertia tensor is indefinite: a principal moment is " + number(*least) + " kg m^2",
        where, "check the signs of its products and moments");
  if (!body.inertia_given) {
    warnings.push_back({where + ": has no inertia; taken as massless", false});
  } else if (I.mass == 0) {
    if (*largest != 0 || *least != 0)
      warnings.push_back({where + ": has rotational inertia but no mass", true});
  } else if (max_abs(c.matrix()) < 1e-12 * I.mass) {  // a point, whatever the last digits are
  } else if (const std::string violation = physical_violation(I, 1e-9); !violation.empty()) {
    warnings.push_back({where + ": " + violation, true});
  }
}

void check_shape(const Shape& shape, const std::string& where) {
  const Vec3<double>& size = shape.size;
  if (!is_finite(size) || size.x < 0 || size.y < 0 || size.z < 0 || !is_finite(shape.scale))
    throw Error("a shape has a size or scale that is negative or not finite", where,
                "give sizes in metres");
  check_place(size, "the size of a shape", where);
  check_place(shape.scale, "the scale of a shape", where);
  checked(shape.pose, where);
}

}  // namespace axode::detail
