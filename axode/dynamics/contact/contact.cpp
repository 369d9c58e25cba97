#include "axode/dynamics/contact/contact.hpp"

#include <string>

#include "axode/core/error.hpp"
#include "axode/lie/adjoint.hpp"
#include "axode/lie/dual.hpp"
#include "axode/lie/rotation.hpp"
#include "axode/model/joint_map.hpp"

namespace axode {
namespace {

FrameChoice body_frame(int body) noexcept { return {{body, {}}, {body, {}}}; }

/// Link relative to the other body, in F.
FrameRoles roles(const Contact& contact) noexcept {
  return {body_frame(contact.link), body_frame(contact.against), contact.frame, {}};
}

std::string body_name(const Tree& tree, int body) {
  return body < 0 ? world_name : tree.bodies[body].name;
}

int body_or_world(const Tree& tree, std::string_view name) {
  return name == world_name ? -1 : body_index(tree, name);
}

void check_pose(const SE3<double>& T, const char* name, const std::string& where) {
  if (!is_finite(T.R.matrix) || !is_finite(T.p))
    throw Error(std::string(name) + " is not finite", where, "give finite numbers");
  if (orthogonality_error(T.R.matrix) > 1e6 * epsilon<double> || determinant(T.R.matrix) < 0)
    throw Error(std::string(name) + " holds a matrix that is not a rotation", where,
                "make it by exp, by nearest_rotation or of frames of the tree");
}

}  // namespace

void check_contact(const Tree& tree, const Contact& contact) {
  for (const int body :
       {contact.link, contact.against, contact.frame.origin.body, contact.frame.axes.body})
    if (body < -1 || body >= tree.size())
      throw Error("body " + std::to_string(body) + " of a tree of " + std::to_string(tree.size()),
                  "contact", "use the names: contact(tree, {.at = ...})");
  if (contact.link < 0)
    throw Error("the wrench of a contact acts on the world", "contact",
                "name the body it acts on: {.at = ..., .link = ...}");
  if (contact.link == contact.against)
    throw Error("a contact of body '" + body_name(tree, contact.link) + "' with itself", "contact",
                "name another body, or the world: {.at = ..., .against = ...}");
  const std::string where = "contact of body '" + body_name(tree, contact.link) + "'";
  if (!is_finite(contact.V_FC))
    throw Error("V_FC, the twist of the contact frame, is not finite", where,
                "give six finite numbers");
  check_pose(contact.frame.origin.T_BF, "frame.origin.T_BF", where);
  check_pose(contact.frame.axes.T_BF, "frame.axes.T_BF", where);
  check_pose(contact.T_FC, "T_FC", where);
}

Contact contact(const Tree& tree, const ContactQuery& query) {
  Contact result;
  result.frame = frame(tree, query.at);
  result.link = query.link.empty() ? result.frame.origin.body : body_or_world(tree, query.link);
  result.against = body_or_world(tree, query.against);
  result.directions = query.directions;
  check_contact(tree, result);
  if (query.directions.count() == 0)
    throw Error("no direction is held", "contact of body '" + body_name(tree, result.link) + "'",
                "choose point_contact, line_contact, plane_contact, full_contact or directions of "
                "your own: {.vz = true}");
  return result;
}

template <class S>
SE3<S> contact_pose(const Poses<S>& poses, const Contact& contact) noexcept {
  return transform(poses, contact.frame) * detail::cast<S>(contact.T_FC);
}

template <class S>
void contact_jacobian(const Tree& tree, const Poses<S>& poses, const Contact& contact,
                      Out<Vec6<S>> columns) noexcept {
  // J_k of the link, not of C, which may move over it; from F to C by Ad(T_FC)^-1
  // [TraversaroSaccon (81)]
  jacobian<S>(tree, poses, roles(contact), columns);
  const SE3<S> T_FC = detail::cast<S>(contact.T_FC);
  for (Vec6<S>& column : columns) column = Ad_inverse(T_FC, column);
}

template <class S>
Vec6<S> contact_twist(const Poses<S>& poses, const Motion<Rep::body, S>& motion,
                      const Contact& contact) noexcept {
  return Ad_inverse(detail::cast<S>(contact.T_FC), twist(poses, motion, roles(contact)));
}

template <class S>
Vec6<S> contact_bias(const Tree& tree, const Poses<S>& poses, const Motion<Rep::body, S>& motion,
                     In<S> v, const Contact& contact) noexcept {
  const SE3<S> T_FC = detail::cast<S>(contact.T_FC);
  const Vec6<S> in_F = jacobian_rate_times_velocity<S>(tree, poses, motion, v, roles(contact));
  // d/dt Ad(T_FC)^-1 = -ad(V_FC) Ad(T_FC)^-1
  return Ad_inverse(T_FC, in_F) -
         ad(detail::cast<S>(contact.V_FC), contact_twist(poses, motion, contact));
}

template <class S>
void add_contact_wrench(const Poses<S>& poses, const Contact& contact, const Vec6<S>& wrench,
                        Out<Wrench<Rep::body, S>> external) noexcept {
  // _L W = _L X^C _C f, of the same power at the link: <_L W, V_L> = <f, J nu>
  // [TraversaroSaccon (82)]
  const SE3<S> T_WC = contact_pose(poses, contact);
  const auto in_body = [&](int body) {
    const SE3<S> T_BC = inverse_times(poses.T_WB[body], T_WC);
    const Vec6<S> W = Ad_inverse_transpose(T_BC, wrench);
    return Wrench<Rep::body, S>{W.angular, W.linear};
  };
  external[contact.link] += in_body(contact.link);
  if (contact.against >= 0) external[contact.against] -= in_body(contact.against);
}

template <class S>
Vec6<S> contact_error(const Poses<S>& poses, const Contact& contact,
                      const FrameChoice& target) noexcept {
  const SE3<S> T_DC = inverse_times(transform(poses, target), contact_pose(poses, contact));
  const Directions& held = contact.directions;
  const Vec3<S> displacement = inverse_times(T_DC.R, T_DC.p);
  if (held.wx + held.wy + held.wz != 2) return {log(T_DC.R), displacement};
  // One rotation is free: the angle between its axes in the two frames.
  Vec3<S> axis{S(0), S(0), S(0)};
  axis[held.wx ? (held.wy ? 2 : 1) : 0] = S(1);
  return {cross(inverse_times(T_DC.R, axis), axis), displacement};
}

template SE3<double> contact_pose(const Poses<double>&, const Contact&) noexcept;
template void contact_jacobian(const Tree&, const Poses<double>&, const Contact&,
                               Out<Vec6<double>>) noexcept;
template Vec6<double> contact_twist(const Poses<double>&, const Motion<Rep::body, double>&,
                                    const Contact&) noexcept;
template Vec6<double> contact_bias(const Tree&, const Poses<double>&,
                                   const Motion<Rep::body, double>&, In<double>,
                                   const Contact&) noexcept;
template void add_contact_wrench(const Poses<double>&, const Contact&, const Vec6<double>&,
                                 Out<Wrench<Rep::body, double>>) noexcept;
template Vec6<double> contact_error(const Poses<double>&, const Contact&,
                                    const FrameChoice&) noexcept;

template SE3<Dual<double>> contact_pose(const Poses<Dual<double>>&, const Contact&) noexcept;
template void contact_jacobian(const Tree&, const Poses<Dual<double>>&, const Contact&,
                               Out<Vec6<Dual<double>>>) noexcept;
template Vec6<Dual<double>> contact_twist(const Poses<Dual<double>>&,
                                          const Motion<Rep::body, Dual<double>>&,
                                          const Contact&) noexcept;
template Vec6<Dual<double>> contact_bias(const Tree&, const Poses<Dual<double>>&,
                                         const Motion<Rep::body, Dual<double>>&, In<Dual<double>>,
                                         const Contact&) noexcept;
template void add_contact_wrench(const Poses<Dual<double>>&, const Contact&,
                                 const Vec6<Dual<double>>&,
                                 Out<Wrench<Rep::body, Dual<double>>>) noexcept;
template Vec6<Dual<double>> contact_error(const Poses<Dual<double>>&, const Contact&,
                                          const FrameChoice&) noexcept;

}  // namespace axode
