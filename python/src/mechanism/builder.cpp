/// axode.MechanismBuilder: bodies, joints, drivers and forces by name.
#include "src/mechanism/builder.hpp"

#include <nanobind/stl/optional.h>

#include "axode/mechanism/description/builder.hpp"

namespace axode::python::mechanisms {
namespace {

/// Methods that add something return the builder, so that calls may be chained.
template <class F>
struct Chained;
template <class... Arguments>
struct Chained<void (*)(Builder&, Arguments...)> {
  void (*add)(Builder&, Arguments...);
  Builder& operator()(Builder& self, Arguments... arguments) const {
    add(self, std::forward<Arguments>(arguments)...);
    return self;
  }
};

class BuilderClass {
 public:
  explicit BuilderClass(nb::class_<Builder>& c) : class_(c) {}
  /// `arguments` as in Python, after self.
  template <class F, class... Arguments>
  BuilderClass& add(const char* name, F f, const char* arguments, const char* doc,
                    const Arguments&... names) {
    const char* sig = signature({name, arguments, "MechanismBuilder", doc});
    class_.def(name, Chained<decltype(+f)>{+f}, names..., nb::rv_policy::none, nb::sig(sig), doc);
    return *this;
  }

 private:
  nb::class_<Builder>& class_;
};

}  // namespace

void bind_mechanism_builder(nb::module_& m) {
  nb::class_<Builder> c(
      m, "MechanismBuilder",
      "Builds a mechanism by names, in the geometry at hand. Points, vectors, pose "
      "and rod belong to the body begun last. What a joint keeps and nobody says is "
      "that of the reference configuration. In the plane vectors may have two "
      "components. All is checked by build().");
  c.def(
      "__init__",
      [](Builder* self, const std::string& name, const std::string& space) {
        const bool planar = choice(space, "space", {"planar", "spatial"}) == 0;
        new (self) Builder{MechanismBuilder(name, planar ? Space::planar : Space::spatial), planar};
      },
      nb::arg("name") = "", nb::arg("space") = "spatial",
      nb::sig("def __init__(self, name: str = '', space: typing.Literal['planar', 'spatial'] = "
              "'spatial') -> None"));
  c.def("__repr__", [](const Builder& self) {
    const MechanismDescription& d = self.builder.description();
    return "MechanismBuilder('" + d.name + "': " + std::to_string(d.bodies.size()) + " bodies, " +
           std::to_string(d.joints.size()) + " joints)";
  });
  c.def("build", &build, nb::sig("def build(self) -> Mechanism"),
        "Checks what was said and makes the mechanism. Throws Error naming what is wrong.");
  using nb::arg;
  BuilderClass(c)
      .add(
          "gravity", [](Builder& self, nb::handle g) { self.builder.gravity(place(self, g, "g")); },
          "g: axode.typing.ArrayLike", "[m/s^2]; default: 9.81 along -y in the plane, -z in space.",
          arg("g"))
      .add(
          "body", &add_body,
          "name: str, inertia: Inertia | None = None, *, mass: float = 0.0, com: "
          "axode.typing.ArrayLike | None = None, about_com: axode.typing.ArrayLike | None = None",
          "Begins a body; 'world' is body 0. Its inertia in its frame, or mass [kg], centre of "
          "mass [m] and inertia about it in the body's axes [kg m^2]: a number, three moments or a "
          "(3, 3) matrix.",
          arg("name"), arg("inertia") = nb::none(), nb::kw_only(), arg("mass") = 0.0,
          arg("com") = nb::none(), arg("about_com") = nb::none())
      .add(
          "point",
          [](Builder& self, const std::string& name, nb::handle local) {
            self.builder.point(name, place(self, local, "local"));
          },
          "name: str, local: axode.typing.ArrayLike", "A point of the body, in its frame [m].",
          arg("name"), arg("local"))
      .add(
          "vector",
          [](Builder& self, const std::string& name, nb::handle local) {
            self.builder.vector(name, place(self, local, "local"));
          },
          "name: str, local: axode.typing.ArrayLike", "A direction of the body, in its frame.",
          arg("name"), arg("local"))
      .add(
          "pose", [](Builder& self, nb::handle T_WB) { self.builder.pose(pose(T_WB, "T_WB")); },
          "T_WB: axode.typing.ArrayLike",
          "Where the body's frame stands at the reference configuration: SE3 or (4, 4).",
          arg("T_WB"))
      .add(
          "rod", [](Builder& self, bool is_rod) { self.builder.rod(is_rod); },
          "is_rod: bool = True", "The body is a slender rod between its joints.",
          arg("is_rod") = true)
      .add("joint", &add_joint,
           "name: str, type: axode.typing.PairType, body_i: str, body_j: str, *, at: "
           "axode.typing.ArrayLike | None = None, axis: axode.typing.ArrayLike | None = None, "
           "points: Sequence[axode.typing.Spot | None] | None = None, axes: "
           "Sequence[axode.typing.Spot | None] | None = None, zero: Sequence[axode.typing.Spot | "
           "None] | None = None, value: float | None = None, pitch: float | None = None, ratio: "
           "float | None = None, offset: float | None = None, angle: float | None = None",
           "A joint between bodies i and j, declared before or later. `at` and `axis` are in the "
           "world at the reference configuration; points, axes and zero directions are two, each "
           "of its body; value: length, radius, height or distance [m].",
           arg("name"), arg("type"), arg("body_i"), arg("body_j"), nb::kw_only(),
           arg("at") = nb::none(), arg("axis") = nb::none(), arg("points") = nb::none(),
           arg("axes") = nb::none(), arg("zero") = nb::none(), arg("value") = nb::none(),
           arg("pitch") = nb::none(), arg("ratio") = nb::none(), arg("offset") = nb::none(),
           arg("angle") = nb::none())
      .add(
          "gear",
          [](Builder& self, const std::string& name, const std::string& i, const std::string& j,
             double ratio, double offset) { self.builder.gear(name, i, j, ratio, offset); },
          "name: str, joint_i: str, joint_j: str, ratio: float, offset: float = 0.0",
          "angle of joint j = offset - ratio angle of joint i.", arg("name"), arg("joint_i"),
          arg("joint_j"), arg("ratio"), arg("offset") = 0.0)
      .add(
          "rack_pinion",
          [](Builder& self, const std::string& name, const std::string& pinion,
             const std::string& rack, double radius,
             double offset) { self.builder.rack_pinion(name, pinion, rack, radius, offset); },
          "name: str, pinion: str, rack: str, radius: float, offset: float = 0.0",
          "distance of the rack's joint + radius angle of the pinion's = offset.", arg("name"),
          arg("pinion"), arg("rack"), arg("radius"), arg("offset") = 0.0)
      .add("cable", &add_cable,
           "name: str, over: collections.abc.Iterable[axode.typing.SpotOn], length: float | None = "
           "None",
           "The distances from point to point add up to the length, by default that of the "
           "reference.",
           arg("name"), arg("over"), arg("length") = nb::none())
      .add(
          "distance",
          [](Builder& self, const std::string& name, nb::handle from, nb::handle to) {
            self.builder.distance(name, spot_on(self, from, "from_"), spot_on(self, to, "to"));
          },
          "name: str, from_: axode.typing.SpotOn, to: axode.typing.SpotOn",
          "A coordinate: the distance between two points [m].", arg("name"), arg("from_"),
          arg("to"))
      .add(
          "component",
          [](Builder& self, const std::string& name, nb::handle from, nb::handle to,
             nb::handle axis) {
            self.builder.component(name, spot_on(self, from, "from_"), spot_on(self, to, "to"),
                                   place(self, axis, "axis"));
          },
          "name: str, from_: axode.typing.SpotOn, to: axode.typing.SpotOn, axis: "
          "axode.typing.ArrayLike",
          "A coordinate: axis . (to - from), the axis fixed in the world [m].", arg("name"),
          arg("from_"), arg("to"), arg("axis"))
      .add(
          "angle",
          [](Builder& self, const std::string& name, const std::string& i, const std::string& j) {
            self.builder.angle(name, i, j);
          },
          "name: str, body_i: str, body_j: str",
          "A coordinate of planar mechanisms: the angle of body j against body i [rad].",
          arg("name"), arg("body_i"), arg("body_j"))
      .add("couple", &couple, "name: str, sum: dict[str, float], constant: float = 0.0",
           "The sum of factors times coordinates is constant.", arg("name"), arg("sum"),
           arg("constant") = 0.0)
      .add("drive", &drive, "coordinate: str, motion: axode.typing.TimeFunctionLike",
           "coordinate = motion(t). A Python function returns value, rate and acceleration.",
           arg("coordinate"), arg("motion"))
      .add("force", &add_force,
           "coordinate: str, *, stiffness: float = 0.0, rest: float = 0.0, damping: float = 0.0, "
           "force: axode.typing.ForceFunctionLike | None = None, name: str = ''",
           "-stiffness (x - rest) - damping x' + force(t) on a coordinate [N m, N].",
           arg("coordinate"), nb::kw_only(), arg("stiffness") = 0.0, arg("rest") = 0.0,
           arg("damping") = 0.0, arg("force") = nb::none(), arg("name") = "")
      .add("spring", &add_spring,
           "from_: axode.typing.SpotOn, to: axode.typing.SpotOn, *, stiffness: float = 0.0, "
           "length: float = 0.0, damping: float = 0.0, force: axode.typing.ForceFunctionLike | "
           "None = None, name: str = ''",
           "Spring and damper between two points, > 0 pushes apart: -stiffness (l - length) - "
           "damping l' + force(t) [N].",
           arg("from_"), arg("to"), nb::kw_only(), arg("stiffness") = 0.0, arg("length") = 0.0,
           arg("damping") = 0.0, arg("force") = nb::none(), arg("name") = "")
      .add("load", &add_load,
           "on: axode.typing.SpotOn, *, force: axode.typing.ArrayLike | None = None, torque: "
           "axode.typing.ArrayLike | None = None, varying: collections.abc.Callable[[float], "
           "axode.typing.ArrayLike] | None = None, name: str = ''",
           "A force at a point of a body and a torque on it, in world axes [N, N m]; `varying` is "
           "a function of t that returns torque and force to add, (6,).",
           arg("on"), nb::kw_only(), arg("force") = nb::none(), arg("torque") = nb::none(),
           arg("varying") = nb::none(), arg("name") = "")
      .add(
          "start",
          [](Builder& self, const std::string& coordinate, double value,
             std::optional<double> rate) { self.builder.start(coordinate, value, rate); },
          "coordinate: str, value: float, rate: float | None = None",
          "Where searching starts, and how fast.", arg("coordinate"), arg("value"),
          arg("rate") = nb::none());
  m.def(
      "planar_pose",
      [](double x, double y, double angle) {
        const Output all({4, 4});
        write_homogeneous(planar_pose(x, y, angle), all.data);
        return all.array;
      },
      nb::arg("x"), nb::arg("y"), nb::arg("angle"),
      nb::sig("def planar_pose(x: float, y: float, angle: float) -> axode.typing.Array"),
      "The pose at (x, y, 0) [m], turned by an angle [rad] about z, (4, 4).");
}

}  // namespace axode::python::mechanisms
