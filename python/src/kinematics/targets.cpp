/// What is asked of frames in inverse kinematics: axode/kinematics/inverse/targets.hpp.
#include "src/kinematics/targets.hpp"

#include "src/lie/lie.hpp"
#include "src/shared/results.hpp"

namespace axode::python {
namespace {

constexpr const char* kind_names[] = {"pose", "position", "orientation", "direction"};
TargetKind target_kind(std::string_view name) {
  return static_cast<TargetKind>(
      choice(name, "kind", {"pose", "position", "orientation", "direction"}));
}
double target_weight(double value, const char* argument) {
  if (!(finite(value, argument) > 0))
    throw Error("is not positive", argument,
                "give a positive number, or choose a kind of target without that part");
  return value;
}
Target weighted(Target target, double rotation_weight, double translation_weight) {
  target.rotation_weight = target_weight(rotation_weight, "rotation_weight");
  target.translation_weight = target_weight(translation_weight, "translation_weight");
  return target;
}

void make(Target* self, nb::handle frame, nb::handle relative_to, std::string_view kind,
          nb::handle T_RF, nb::handle axis, nb::handle along, double rotation_weight,
          double translation_weight) {
  Target made;
  made.frame = frame_text(frame, "frame");
  made.relative_to = frame_text(relative_to, "relative_to");
  made.kind = target_kind(kind);
  if (!T_RF.is_none()) made.pose = pose(T_RF, "pose");
  made.axis = vec3(axis, "axis");
  made.along = vec3(along, "along");
  new (self) Target(weighted(std::move(made), rotation_weight, translation_weight));
}

std::string target_text(const Target& t) {
  std::string result = std::string("Target('") + t.frame + "', relative_to='" + t.relative_to +
                       "', kind='" + kind_names[static_cast<int>(t.kind)] + "'";
  if (t.kind == TargetKind::direction) {
    result += ", axis=" + text(t.axis) + ", along=" + text(t.along);
  } else {
    result += ", pose=SE3(R=" + text(t.pose.R.matrix) + ", p=" + text(t.pose.p) + ")";
  }
  return result + ", rotation_weight=" + text(t.rotation_weight) +
         ", translation_weight=" + text(t.translation_weight) + ")";
}

void bind_target_class(nb::module_& m) {
  nb::class_<Target>(
      m, "Target",
      "What is asked of a frame, relative to another that may itself move: 'pose' T_RF = pose, "
      "'position' or 'orientation' the same of that part, 'direction' that `axis`, fixed in the "
      "frame, points along `along` of the reference. Weights [1/rad, 1/m] tell how targets count "
      "where not all can be met.")
      .def("__init__", &make, nb::arg("frame"), nb::arg("relative_to") = "world",
           nb::arg("kind") = "pose", nb::arg("pose") = nb::none(),
           nb::arg("axis") = nb::make_tuple(0.0, 0.0, 1.0),
           nb::arg("along") = nb::make_tuple(0.0, 0.0, 1.0), nb::arg("rotation_weight") = 1.0,
           nb::arg("translation_weight") = 1.0,
           nb::sig("def __init__(self, frame: axode.typing.FrameLike, "
                   "relative_to: axode.typing.FrameLike = 'world', "
                   "kind: typing.Literal['pose', 'position', 'orientation', 'direction'] = 'pose', "
                   "pose: axode.typing.PoseLike | None = None, "
                   "axis: axode.typing.ArrayLike = (0.0, 0.0, 1.0), "
                   "along: axode.typing.ArrayLike = (0.0, 0.0, 1.0), "
                   "rotation_weight: float = 1.0, translation_weight: float = 1.0) -> None"))
      .def_ro("frame", &Target::frame, "The frame, as text.")
      .def_ro("relative_to", &Target::relative_to, "The frame of reference, as text.")
      .def_prop_ro(
          "kind", [](const Target& t) { return kind_names[static_cast<int>(t.kind)]; },
          "'pose', 'position', 'orientation' or 'direction'.")
      .def_prop_ro(
          "pose", [](const Target& t) { return t.pose; }, "T_RF, the pose asked for.")
      .def_prop_ro(
          "axis", [](const Target& t) { return array(t.axis); },
          nb::sig("def axis(self) -> axode.typing.Array"), "Fixed in the frame, (3,).")
      .def_prop_ro(
          "along", [](const Target& t) { return array(t.along); },
          nb::sig("def along(self) -> axode.typing.Array"), "Of the frame of reference, (3,).")
      .def_ro("rotation_weight", &Target::rotation_weight, "[1/rad]")
      .def_ro("translation_weight", &Target::translation_weight, "[1/m]")
      .def("__repr__", &target_text)
      .def("__reduce__", [](nb::handle self) {
        const auto& t = nb::cast<const Target&>(self);
        const nb::object type = nb::borrow(self.type());
        return nb::make_tuple(
            type,
            nb::make_tuple(t.frame, t.relative_to, kind_names[static_cast<int>(t.kind)], t.pose,
                           array(t.axis), array(t.along), t.rotation_weight, t.translation_weight));
      });
}

/// A function that makes targets: sig of its first arguments, weights behind them.
template <class F, class... Arguments>
void define_target(nb::module_& m, const char* name, F function, const std::string& arguments,
                   const char* text, const Arguments&... annotations) {
  const std::string signature = std::string("def ") + name + "(frame: axode.typing.FrameLike, " +
                                arguments +
                                ", relative_to: axode.typing.FrameLike = 'world', *, "
                                "rotation_weight: float = 1.0, translation_weight: float = 1.0) "
                                "-> Target";
  m.def(name, function, nb::arg("frame"), annotations..., nb::arg("relative_to") = "world",
        nb::kw_only(), nb::arg("rotation_weight") = 1.0, nb::arg("translation_weight") = 1.0,
        nb::sig(signature.c_str()), text);
}

/// One that takes a value of one argument, read by `read`: a pose, or a part of it.
template <auto make_target, auto read>
void define_part_target(nb::module_& m, const char* name, const char* argument, const char* type,
                        const char* text) {
  define_target(
      m, name,
      [argument](nb::handle frame, nb::handle value, nb::handle relative_to, double rotation_weight,
                 double translation_weight) {
        return weighted(make_target(frame_text(frame, "frame"), read(value, argument),
                                    frame_text(relative_to, "relative_to")),
                        rotation_weight, translation_weight);
      },
      std::string(argument) + ": " + type, text, nb::arg(argument));
}

nb::object target_residual_of(PyTree& py, nb::handle q_argument, const Target& target) {
  const States q = coordinates(py.tree, q_argument);
  const Batching batching{&q};
  const PreparedTarget prepared = prepare(py.tree, target);
  const Output result(batching, {6});
  const Borrowed work(py);
  for_states(batching, [&](std::size_t i) {
    place(*work, q[i]);
    write_six(target_residual(work->poses(), prepared), result[i].data());
  });
  return finished(batching, result);
}
nb::object linearize_target_of(PyTree& py, nb::handle q, const Target& target) {
  const Borrowed work(py);
  const TargetLinearization found =
      linearize(work->poses(single_state(py.tree, q)), prepare(py.tree, target));
  return result("TargetLinearization", array(found.residual), matrix(found.slope));
}
nb::object target_error_of(PyTree& py, nb::handle q, const Target& target) {
  const Borrowed work(py);
  return target_error_result(
      target_error(work->poses(single_state(py.tree, q)), prepare(py.tree, target)));
}

}  // namespace

nb::object target_error_result(const TargetError& error) {
  return result("TargetError", error.rotation, error.translation);
}

void bind_targets(nb::module_& m) {
  bind_target_class(m);
  define_part_target<&pose_target, &pose>(m, "pose_target", "T_RF", "axode.typing.PoseLike",
                                          "A target for the pose of a frame in another.");
  define_part_target<&position_target, &vec3>(m, "position_target", "p_RF",
                                              "axode.typing.ArrayLike",
                                              "A target for the origin of a frame in another [m].");
  define_part_target<&orientation_target, &rotation>(
      m, "orientation_target", "R_RF", "SO3 | Quaternion | axode.typing.ArrayLike",
      "A target for the rotation of a frame in another.");
  define_target(
      m, "direction_target",
      [](nb::handle frame, nb::handle axis, nb::handle along, nb::handle relative_to,
         double rotation, double translation) {
        return weighted(
            direction_target(frame_text(frame, "frame"), vec3(axis, "axis"), vec3(along, "along"),
                             frame_text(relative_to, "relative_to")),
            rotation, translation);
      },
      "axis: axode.typing.ArrayLike, along: axode.typing.ArrayLike",
      "A target for a direction: `axis` of the frame shall point along `along` of another.",
      nb::arg("axis"), nb::arg("along"));
  const std::string of_target = "(tree: Tree, q: axode.typing.ArrayLike, target: Target) -> ";
  m.def("target_residual", &target_residual_of, nb::arg("tree"), nb::arg("q"), nb::arg("target"),
        nb::sig(("def target_residual" + of_target + "axode.typing.Array").c_str()),
        "The weighted residual of a target, rotation and translation, (6,); rows of other kinds "
        "are zero.");
  m.def(
      "linearize_target", &linearize_target_of, nb::arg("tree"), nb::arg("q"), nb::arg("target"),
      nb::sig(("def linearize_target" + of_target + "axode._results.TargetLinearization").c_str()),
      "The weighted residual at one state, and its derivative by the twist V of the frame "
      "relative to the reference, in the frame: d residual/dt = slope V.");
  m.def("target_error", &target_error_of, nb::arg("tree"), nb::arg("q"), nb::arg("target"),
        nb::sig(("def target_error" + of_target + "axode._results.TargetError").c_str()),
        "How far the frame is from its target at one state, without weights.");
  m.def(
      "reach",
      [](const PyTree& py, nb::handle of, nb::handle relative_to) {
        return reach(py.tree, simple_frame_of(py.tree, of, "of"),
                     simple_frame_of(py.tree, relative_to, "relative_to"));
      },
      nb::arg("tree"), nb::arg("of"), nb::arg("relative_to") = "world",
      nb::sig("def reach(tree: Tree, of: axode.typing.FrameLike | int, "
              "relative_to: axode.typing.FrameLike | int = 'world') -> float"),
      "An upper bound of the distance [m] of the origins of two frames over all coordinates within "
      "the limits; infinite if there is none.");
}

}  // namespace axode::python
