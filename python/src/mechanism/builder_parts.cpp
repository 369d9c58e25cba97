#include <nanobind/stl/optional.h>

#include "axode/core/error.hpp"
#include "axode/model/checks.hpp"
#include "src/mechanism/builder.hpp"
#include "src/shared/errors.hpp"

namespace axode::python::mechanisms {

/// Two numbers do in the plane.
Vec3<double> place(const Builder& self, nb::handle value, const char* argument) {
  if (self.is_planar) {
    const Numbers numbers(value, argument);
    if (numbers.shape().size() == 1 && numbers.all().size() == 2) {
      check_finite(numbers.all(), argument);
      return {numbers.all()[0], numbers.all()[1], 0};
    }
  }
  return vec3(value, argument);
}

namespace {

Spot spot(const Builder& self, nb::handle value, const char* argument) {
  if (nb::isinstance<nb::str>(value)) return {text_from(value, argument)};
  return {place(self, value, argument)};
}
std::array<Spot, 2> two_spots(const Builder& self, nb::handle value, const char* argument) {
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
    throw Error("is not an inertia", "about_com", "give a number, three or a (3, 3) matrix");
  if (x[1] != x[3] || x[2] != x[6] || x[5] != x[7]) throw Error("is not symmetric", "about_com");
  return {x[0], x[4], x[8], x[1], x[2], x[5]};
}

}  // namespace

SpotOn spot_on(const Builder& self, nb::handle value, const char* argument) {
  if (!nb::isinstance<nb::tuple>(value) && !nb::isinstance<nb::list>(value))
    throw nb::type_error((std::string(argument) + ": give (body, point)").c_str());
  const nb::object pair = nb::borrow(value);
  if (nb::len(pair) != 2) throw Error("is not of the form (body, point)", argument);
  const nb::object body = pair[0], point = pair[1];
  if (!nb::isinstance<nb::str>(body))
    throw nb::type_error((std::string(argument) + ": the body is told by its name").c_str());
  return {text_from(body, argument), spot(self, point, argument)};
}

void add_body(Builder& self, const std::string& name, const Inertia<double>* given, double mass,
              nb::handle com, nb::handle about) {
  Inertia<double> inertia{};
  if (given != nullptr) {
    if (mass != 0 || !com.is_none() || !about.is_none())
      throw Error("is given by its parts as well", "inertia", "give the one or the other");
    inertia = *given;
  }
  if (given == nullptr) inertia.mass = mass;
  if (!com.is_none()) inertia.com = place(self, com, "com");
  if (!about.is_none()) inertia.about_com = about_com(about);
  self.builder.body(name, inertia);
}

void add_joint(Builder& self, const std::string& name, const std::string& type,
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

void drive(Builder& self, const std::string& coordinate, nb::handle motion) {
  PyTimeFunction f = time_function(motion, "driver '" + coordinate + "'");
  self.builder.drive(coordinate, std::move(f.function));
  self.driver_texts.push_back(std::move(f.text));
}

void add_force(Builder& self, const std::string& coordinate, double stiffness, double rest,
               double damping, nb::handle force, const std::string& name) {
  ForceFunction f = force_function(force, "force on '" + coordinate + "'");
  self.builder.force(coordinate, {.name = name,
                                  .stiffness = stiffness,
                                  .rest = rest,
                                  .damping = damping,
                                  .force = std::move(f.function),
                                  .text = std::move(f.text)});
}
void add_spring(Builder& self, nb::handle from, nb::handle to, double stiffness, double length,
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
void add_load(Builder& self, nb::handle on, nb::handle force, nb::handle torque, nb::handle varying,
              const std::string& name) {
  BodyLoad load;
  load.name = name;
  if (!force.is_none()) load.force = place(self, force, "force");
  if (!torque.is_none()) load.torque = vec3(torque, "torque");
  load.varying = load_function(varying, "load");
  self.builder.load(spot_on(self, on, "on"), std::move(load));
}
void add_cable(Builder& self, const std::string& name, const nb::iterable& over,
               std::optional<double> length) {
  std::vector<SpotOn> spots;
  for (const nb::handle item : over) spots.push_back(spot_on(self, item, "over"));
  self.builder.cable(name, std::move(spots), length);
}
void couple(Builder& self, const std::string& name, const nb::dict& sum, double constant) {
  std::vector<std::pair<std::string, double>> parts;
  for (const auto& [key, value] : sum) {
    if (!nb::isinstance<nb::str>(key)) throw nb::type_error("sum: coordinates are told by name");
    const double factor = PyFloat_AsDouble(value.ptr());
    if (PyErr_Occurred() != nullptr) throw nb::python_error();
    parts.emplace_back(text_from(key, "sum"), factor);
  }
  self.builder.couple(name, std::move(parts), constant);
}

PyMechanism build(const Builder& self) {
  MechanismDescription description = self.builder.description();
  for (std::size_t k = 0; k < self.driver_texts.size(); ++k)
    description.drivers[k].text = self.driver_texts[k];
  RunErrors errors;
  try {
    PyMechanism made{build(description)};
    errors.rethrow();
    return made;
  } catch (const Error&) {
    errors.rethrow();
    throw;
  }
}

}  // namespace axode::python::mechanisms
