/// axode.MechanismBuilder: bodies, joints, drivers and forces by name.
#include <nanobind/stl/optional.h>

#include "axode/error.hpp"
#include "axode/mechanism/builder.hpp"
#include "axode/model/checks.hpp"
#include "src/mechanism.hpp"

namespace axode::python::mechanisms {
namespace {

/// Texts of drivers belong to files; the builder does not know them.
struct PyMechanismBuilder {
  MechanismBuilder builder;
  bool is_planar = false;
  std::vector<std::string> driver_texts{};
};
using Self = PyMechanismBuilder;

/// Two numbers do in the plane.
Vec3<double> place(const Self& self, nb::handle value, const char* argument) {
  if (self.is_planar) {
    const Numbers numbers(value, argument);
    if (numbers.shape().size() == 1 && numbers.all().size() == 2) {
      check_finite(numbers.all(), argument);
      return {numbers.all()[0], numbers.all()[1], 0};
    }
  }
  return vec3(value, argument);
}
Spot spot(const Self& self, nb::handle value, const char* argument) {
  if (nb::isinstance<nb::str>(value)) return {nb::cast<std::string>(value)};
  return {place(self, value, argument)};
}
SpotOn spot_on(const Self& self, nb::handle value, const char* argument) {
  if (!nb::isinstance<nb::tuple>(value) && !nb::isinstance<nb::list>(value))
    throw nb::type_error((std::string(argument) + ": give (body, point)").c_str());
  const nb::object pair = nb::borrow(value);
  if (nb::len(pair) != 2) throw Error("is not of the form (body, point)", argument);
  const nb::object body = pair[0], point = pair[1];
  if (!nb::isinstance<nb::str>(body))
    throw nb::type_error((std::string(argument) + ": the body is told by its name").c_str());
  return {nb::cast<std::string>(body), spot(self, point, argument)};
}
std::array<Spot, 2> two_spots(const Self& self, nb::handle value, const char* argument) {
  if (value.is_none()) return {};
  const nb::object pair = nb::borrow(value);
  if (PySequence_Check(value.ptr()) == 0 || nb::len(pair) != 2)
    throw Error("are not two: one on each body", argument);
  const nb::object first = pair[0], second = pair[1];
  return {first.is_none() ? Spot{} : spot(self, first, argument),
          second.is_none() ? Spot{} : spot(self, second, argument)};
}

PairType pair_type(std::string_view text) {
  std::string known;
  for (int k = 0; k <= static_cast<int>(PairType::gear); ++k) {
    const auto type = static_cast<PairType>(k);
    if (name(type) == text) return type;
    known += (k == 0 ? "" : ", ") + std::string(name(type));
  }
  throw Error("there is no joint '" + detail::printable(std::string(text)) + "'", "type",
              "choose among " + known);
}

/// A number (about each axis), three or a symmetric matrix.
Sym3<double> about_com(nb::handle value) {
  const Numbers given(value, "about_com");
  check_finite(given.all(), "about_com");
  const auto x = given.all();
  if (x.size() == 1) return {x[0], x[0], x[0], 0, 0, 0};
  if (x.size() == 3 && given.shape().size() == 1) return {x[0], x[1], x[2], 0, 0, 0};
  if (given.shape().size() != 2 || given.shape()[0] != 3 || given.shape()[1] != 3)
    throw Error("is no inertia", "about_com", "give a number, three or a (3, 3) matrix");
  if (x[1] != x[3] || x[2] != x[6] || x[5] != x[7]) throw Error("is not symmetric", "about_com");
  return {x[0], x[4], x[8], x[1], x[2], x[5]};
}

void add_body(Self& self, const std::string& name, double mass, nb::handle com, nb::handle about) {
  Inertia<double> inertia{};
  inertia.mass = mass;
  if (!com.is_none()) inertia.com = place(self, com, "com");
  if (!about.is_none()) inertia.about_com = about_com(about);
  self.builder.body(name, inertia);
}

void add_joint(Self& self, const std::string& name, const std::string& type,
               const std::string& body_i, const std::string& body_j, nb::handle at, nb::handle axis,
               nb::handle points, nb::handle axes, nb::handle zero, std::optional<double> value,
               std::optional<double> pitch, std::optional<double> ratio,
               std::optional<double> offset, std::optional<double> angle) {
  PairGeometry g;
  if (!at.is_none()) g.at = place(self, at, "at");
  if (!axis.is_none()) g.axis = place(self, axis, "axis");
  g.points = two_spots(self, points, "points");
  g.axes = two_spots(self, axes, "axes");
  g.zero = two_spots(self, zero, "zero");
  g.value = value;
  g.pitch = pitch;
  g.ratio = ratio;
  g.offset = offset;
  g.angle = angle;
  self.builder.joint(name, pair_type(type), body_i, body_j, g);
}

void drive(Self& self, const std::string& coordinate, nb::handle motion) {
  PyTimeFunction f = time_function(motion, "driver '" + coordinate + "'");
  self.builder.drive(coordinate, std::move(f.function));
  self.driver_texts.push_back(std::move(f.text));
}

void add_force(Self& self, const std::string& coordinate, double stiffness, double rest,
               double damping, nb::handle force, const std::string& name) {
  ForceFunction f = force_function(force, "force on '" + coordinate + "'");
  self.builder.force(coordinate, {.name = name,
                                  .stiffness = stiffness,
                                  .rest = rest,
                                  .damping = damping,
                                  .force = std::move(f.function),
                                  .text = std::move(f.text)});
}
void add_spring(Self& self, nb::handle from, nb::handle to, double stiffness, double length,
                double damping, nb::handle force, const std::string& name) {
  ForceFunction f = force_function(force, "force of a spring");
  PointSpring spring;
  spring.name = name;
  spring.stiffness = stiffness;
  spring.length = length;
  spring.damping = damping;
  spring.force = std::move(f.function);
  spring.text = std::move(f.text);
  self.builder.spring(spot_on(self, from, "from_"), spot_on(self, to, "to"), std::move(spring));
}
void add_load(Self& self, nb::handle on, nb::handle force, nb::handle torque, nb::handle varying,
              const std::string& name) {
  BodyLoad load;
  load.name = name;
  if (!force.is_none()) load.force = place(self, force, "force");
  if (!torque.is_none()) load.torque = vec3(torque, "torque");
  load.varying = load_function(varying, "load");
  self.builder.load(spot_on(self, on, "on"), std::move(load));
}
void add_cable(Self& self, const std::string& name, const nb::iterable& over,
               std::optional<double> length) {
  std::vector<SpotOn> spots;
  for (const nb::handle item : over) spots.push_back(spot_on(self, item, "over"));
  self.builder.cable(name, std::move(spots), length);
}
void couple(Self& self, const std::string& name, const nb::dict& sum, double constant) {
  std::vector<std::pair<std::string, double>> parts;
  for (const auto& [key, value] : sum) {
    if (!nb::isinstance<nb::str>(key)) throw nb::type_error("sum: coordinates are told by name");
    const double factor = PyFloat_AsDouble(value.ptr());
    if (PyErr_Occurred() != nullptr) throw nb::python_error();
    parts.emplace_back(nb::cast<std::string>(key), factor);
  }
  self.builder.couple(name, std::move(parts), constant);
}

PyMechanism build(const Self& self) {
  MechanismDescription description = self.builder.description();
  for (std::size_t k = 0; k < self.driver_texts.size(); ++k)
    description.drivers[k].text = self.driver_texts[k];
  CallbackErrors errors;
  try {
    PyMechanism made{finish_mechanism(description)};
    errors.rethrow();
    return made;
  } catch (const Error&) {
    errors.rethrow();
    throw;
  }
}

/// Methods that add something return the builder, so that calls may be chained.
template <class F>
struct Chained;
template <class... Arguments>
struct Chained<void (*)(Self&, Arguments...)> {
  void (*add)(Self&, Arguments...);
  Self& operator()(Self& self, Arguments... arguments) const {
    add(self, std::forward<Arguments>(arguments)...);
    return self;
  }
};

class BuilderClass {
 public:
  explicit BuilderClass(nb::class_<Self>& c) : class_(c) {}
  /// `arguments` as in Python, after self.
  template <class F, class... Arguments>
  BuilderClass& add(const char* name, F f, const char* arguments, const char* doc,
                    const Arguments&... names) {
    const char* sig = signature({name, arguments, "MechanismBuilder", doc});
    class_.def(name, Chained<decltype(+f)>{+f}, names..., nb::rv_policy::none, nb::sig(sig), doc);
    return *this;
  }

 private:
  nb::class_<Self>& class_;
};

}  // namespace

void bind_mechanism_builder(nb::module_& m) {
  nb::class_<Self> c(m, "MechanismBuilder",
                     "Builds a mechanism by names, in the geometry at hand. Points, vectors, pose "
                     "and rod belong to the body begun last. What a joint keeps and nobody says is "
                     "that of the reference configuration. In the plane vectors may have two "
                     "components. All is checked by build().");
  c.def(
      "__init__",
      [](Self* self, const std::string& name, const std::string& space) {
        const bool planar = choice(space, "space", {"planar", "spatial"}) == 0;
        new (self) Self{MechanismBuilder(name, planar ? Space::planar : Space::spatial), planar};
      },
      nb::arg("name") = "", nb::arg("space") = "spatial",
      nb::sig("def __init__(self, name: str = '', space: typing.Literal['planar', 'spatial'] = "
              "'spatial') -> None"));
  c.def("__repr__", [](const Self& self) {
    const MechanismDescription& d = self.builder.description();
    return "MechanismBuilder('" + d.name + "': " + std::to_string(d.bodies.size()) + " bodies, " +
           std::to_string(d.joints.size()) + " joints)";
  });
  c.def("build", &build, nb::sig("def build(self) -> Mechanism"),
        "Checks what was said and makes the mechanism. Throws Error naming what is wrong.");
  using nb::arg;
  BuilderClass(c)
      .add(
          "gravity", [](Self& self, nb::handle g) { self.builder.gravity(place(self, g, "g")); },
          "g: axode.typing.ArrayLike",
          "[m/s^2]; without this 9.80665 along -y in the plane, -z in space.", arg("g"))
      .add("body", &add_body,
           "name: str, mass: float = 0.0, com: axode.typing.ArrayLike | None = None, about_com: "
           "axode.typing.ArrayLike | None = None",
           "Begins a body; 'ground' is body 0. Mass [kg], centre of mass [m] and inertia about it "
           "in the body's axes [kg m^2]: a number, three moments or a (3, 3) matrix.",
           arg("name"), arg("mass") = 0.0, arg("com") = nb::none(), arg("about_com") = nb::none())
      .add(
          "point",
          [](Self& self, const std::string& name, nb::handle local) {
            self.builder.point(name, place(self, local, "local"));
          },
          "name: str, local: axode.typing.ArrayLike", "A point of the body, in its frame [m].",
          arg("name"), arg("local"))
      .add(
          "vector",
          [](Self& self, const std::string& name, nb::handle local) {
            self.builder.vector(name, place(self, local, "local"));
          },
          "name: str, local: axode.typing.ArrayLike", "A direction of the body, in its frame.",
          arg("name"), arg("local"))
      .add(
          "pose", [](Self& self, nb::handle T_WB) { self.builder.pose(pose(T_WB, "T_WB")); },
          "T_WB: axode.typing.ArrayLike",
          "Where the body's frame stands at the reference configuration: SE3 or (4, 4).",
          arg("T_WB"))
      .add(
          "rod", [](Self& self, bool is_rod) { self.builder.rod(is_rod); }, "is_rod: bool = True",
          "The body is a slender rod between its joints.", arg("is_rod") = true)
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
          [](Self& self, const std::string& name, const std::string& i, const std::string& j,
             double ratio, double offset) { self.builder.gear(name, i, j, ratio, offset); },
          "name: str, joint_i: str, joint_j: str, ratio: float, offset: float = 0.0",
          "angle of joint j = offset - ratio angle of joint i.", arg("name"), arg("joint_i"),
          arg("joint_j"), arg("ratio"), arg("offset") = 0.0)
      .add(
          "rack_pinion",
          [](Self& self, const std::string& name, const std::string& pinion,
             const std::string& rack, double radius,
             double offset) { self.builder.rack_pinion(name, pinion, rack, radius, offset); },
          "name: str, pinion: str, rack: str, radius: float, offset: float = 0.0",
          "distance of the rack's joint + radius angle of the pinion's = offset.", arg("name"),
          arg("pinion"), arg("rack"), arg("radius"), arg("offset") = 0.0)
      .add("cable", &add_cable,
           "name: str, over: Iterable[axode.typing.SpotOn], length: float | None = None",
           "The distances from point to point add up to the length, by default that of the "
           "reference.",
           arg("name"), arg("over"), arg("length") = nb::none())
      .add(
          "distance",
          [](Self& self, const std::string& name, nb::handle from, nb::handle to) {
            self.builder.distance(name, spot_on(self, from, "from_"), spot_on(self, to, "to"));
          },
          "name: str, from_: axode.typing.SpotOn, to: axode.typing.SpotOn",
          "A coordinate: the distance between two points [m].", arg("name"), arg("from_"),
          arg("to"))
      .add(
          "component",
          [](Self& self, const std::string& name, nb::handle from, nb::handle to, nb::handle axis) {
            self.builder.component(name, spot_on(self, from, "from_"), spot_on(self, to, "to"),
                                   place(self, axis, "axis"));
          },
          "name: str, from_: axode.typing.SpotOn, to: axode.typing.SpotOn, axis: "
          "axode.typing.ArrayLike",
          "A coordinate: axis . (to - from), the axis fixed in the world [m].", arg("name"),
          arg("from_"), arg("to"), arg("axis"))
      .add(
          "angle",
          [](Self& self, const std::string& name, const std::string& i, const std::string& j) {
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
           "axode.typing.ArrayLike | None = None, varying: Callable[[float], "
           "axode.typing.ArrayLike] | None = None, name: str = ''",
           "A force at a point of a body and a torque on it, in world axes [N, N m]; `varying` is "
           "a function of t that returns torque and force to add, (6,).",
           arg("on"), nb::kw_only(), arg("force") = nb::none(), arg("torque") = nb::none(),
           arg("varying") = nb::none(), arg("name") = "")
      .add(
          "start",
          [](Self& self, const std::string& coordinate, double value, std::optional<double> rate) {
            self.builder.start(coordinate, value, rate);
          },
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
