// Drivers, forces and starting values.
#include <cmath>
#include <limits>

#include "axode/core/error.hpp"
#include "axode/mechanism/description/builder.hpp"
#include "axode/model/checks.hpp"

namespace axode::detail {

namespace {

void check_numbers(std::initializer_list<double> numbers, const std::string& where) {
  for (const double x : numbers) check_number(x, "one of its numbers", where);
}
void check_spring(double stiffness, double damping, const std::string& where) {
  if (stiffness < 0) throw Error("its stiffness is negative", where, "give zero or more");
  if (damping < 0) throw Error("its damping is negative", where, "give zero or more");
}
/// Names for messages only: by default the kind with a number.
std::string named(const std::string& given, const char* kind, std::size_t k) {
  return given.empty() ? std::string(kind) + " " + std::to_string(k + 1) : given;
}

void add_drivers(const MechanismDescription& description, Mechanism& mechanism, Names& names) {
  std::vector<int> driven(mechanism.coordinates.size(), -1);
  for (const auto& told : description.drivers) {
    const std::string where = place_of(description, told.line, "driver", told.coordinate);
    const int c = coordinate_named(mechanism, names, told.coordinate, where);
    int& before = driven[c];
    if (before >= 0)
      throw Error("coordinate '" + printable(told.coordinate) + "' is driven twice", where,
                  "remove one of the drivers");
    before = static_cast<int>(mechanism.drivers.size());
    if (!told.motion) throw Error("it says no motion", where, "give a function of time");
    const TimeValue start = told.motion(0);
    check_numbers({start.value, start.rate, start.acceleration}, where);
    mechanism.drivers.push_back(
        {told.name.empty() ? told.coordinate : told.name, c, told.motion, told.text});
  }
}

void add_coordinate_forces(const MechanismDescription& description, Mechanism& mechanism,
                           Names& names) {
  for (std::size_t k = 0; k < description.coordinate_forces.size(); ++k) {
    const auto& told = description.coordinate_forces[k];
    const std::string where = place_of(description, told.line, "force on", told.coordinate);
    CoordinateForce force = told.force;
    force.name = named(force.name, "coordinate force", k);
    force.coordinate = coordinate_named(mechanism, names, told.coordinate, where);
    check_numbers({force.stiffness, force.rest, force.damping}, where);
    check_spring(force.stiffness, force.damping, where);
    mechanism.coordinate_forces.push_back(std::move(force));
  }
}

void add_springs(const MechanismDescription& description, Mechanism& mechanism, Names& names) {
  for (std::size_t k = 0; k < description.springs.size(); ++k) {
    const auto& told = description.springs[k];
    PointSpring spring = told.spring;
    spring.name = named(spring.name, "spring", k);
    const std::string where = place_of(description, told.line, "spring", spring.name);
    for (std::size_t end = 0; end < 2; ++end) {
      spring.body[end] = body_named(mechanism, names, told.between[end].body, where);
      spring.point[end] =
          spot_of(mechanism, spring.body[end], told.between[end].spot, "point", where);
    }
    if (spring.body[0] == spring.body[1])
      throw Error("both its ends are on body '" + printable(told.between[0].body) + "'", where,
                  "name two bodies");
    check_numbers({spring.stiffness, spring.length, spring.damping}, where);
    check_spring(spring.stiffness, spring.damping, where);
    check_length(spring.length, "its length", where);
    if (spring.length < 0) throw Error("its length is negative", where, "give zero or more");
    mechanism.springs.push_back(std::move(spring));
  }
}

void add_loads(const MechanismDescription& description, Mechanism& mechanism, Names& names) {
  for (std::size_t k = 0; k < description.loads.size(); ++k) {
    const auto& told = description.loads[k];
    BodyLoad load = told.load;
    load.name = named(load.name, "load", k);
    const std::string where = place_of(description, told.line, "load", load.name);
    load.body = body_named(mechanism, names, told.on.body, where);
    load.point = told.on.spot.given ? spot_of(mechanism, load.body, told.on.spot, "point", where)
                                    : Vec3<double>{};
    for (const Vec3<double>& a : {load.force, load.torque})
      check_vector(a, "one of its numbers", where);
    if (mechanism.is_planar && (load.force.z != 0 || load.torque.x != 0 || load.torque.y != 0))
      throw Error("it leaves the plane z = 0", where,
                  "give a force of two numbers and a torque of one");
    mechanism.loads.push_back(std::move(load));
  }
}

}  // namespace

void build_forces(const MechanismDescription& description, Mechanism& mechanism, Names& names) {
  add_drivers(description, mechanism, names);
  add_coordinate_forces(description, mechanism, names);
  add_springs(description, mechanism, names);
  add_loads(description, mechanism, names);
  const double unknown = std::numeric_limits<double>::quiet_NaN();
  mechanism.initial.assign(mechanism.coordinates.size(), unknown);
  mechanism.initial_rate.assign(mechanism.coordinates.size(), unknown);
  for (const auto& told : description.initial) {
    const std::string where =
        place_of(description, told.line, "starting value of", told.coordinate);
    const int c = coordinate_named(mechanism, names, told.coordinate, where);
    told.rate ? check_number(told.value, "it", where) : check_length(told.value, "it", where);
    (told.rate ? mechanism.initial_rate : mechanism.initial)[c] = told.value;
  }
}

}  // namespace axode::detail
