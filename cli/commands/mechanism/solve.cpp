/// `axode mechanism solve`: position, velocity and acceleration at a time.
#include "axode/mechanism/analysis/diagnosis.hpp"
#include "axode/mechanism/dynamics/reactions.hpp"
#include "cli/arguments/duration.hpp"
#include "cli/commands/mechanism/mechanism.hpp"
#include "cli/output/quantity.hpp"

namespace axode::cli {

namespace {

/// Names of all that a state is printed as, and the numbers in that order.
struct Columns {
  std::vector<std::string> names;
  std::vector<double> numbers;
  void add(const std::string& name, double number) {
    names.push_back(name);
    numbers.push_back(number);
  }
};

Columns columns_of(const Mechanism& m, const MechanismReading& r, double t) {
  Columns c;
  c.add("time [s]", t);
  for (std::size_t k = 0; k < m.coordinates.size(); ++k) {
    const char* unit = m.coordinates[k].is_angle ? "rad" : "m";
    c.add(fmt::format("{} [{}]", m.coordinates[k].name, unit), r.coordinates[k].value);
    c.add(fmt::format("{}' [{}/s]", m.coordinates[k].name, unit), r.coordinates[k].rate);
    c.add(fmt::format("{}'' [{}/s^2]", m.coordinates[k].name, unit), r.coordinates[k].acceleration);
  }
  for (const PointName& point : all_points(m)) {
    const Vec3<double> at = position_of(point, r.poses);
    c.add(point.name + ".x [m]", at.x);
    c.add(point.name + ".y [m]", at.y);
    if (!m.is_planar) c.add(point.name + ".z [m]", at.z);
  }
  return c;
}

void print_state(const Mechanism& m, const MechanismReading& r, Output& output) {
  Table coordinates({"coordinate", "value", "rate", "acceleration", "unit"}, "lrrrl");
  for (std::size_t c = 0; c < m.coordinates.size(); ++c)
    coordinates.row({printable(m.coordinates[c].name), rounded(r.coordinates[c].value),
                     rounded(r.coordinates[c].rate), rounded(r.coordinates[c].acceleration),
                     m.coordinates[c].is_angle ? "rad" : "m"});
  if (!coordinates.empty()) coordinates.print(output);
  Table points({"point", "position [m]", "velocity [m/s]", "acceleration [m/s^2]"}, "l");
  for (const PointName& point : all_points(m)) {
    points.row({printable(point.name), rounded(position_of(point, r.poses)),
                rounded(velocity_of(point, r.poses, r.twists)),
                rounded(acceleration_of(point, r.poses, r.twists, r.rates))});
  }
  if (points.empty()) return;
  output.text("\n");
  points.print(output);
}

void write_state(const Mechanism& m, const MechanismReading& r, Json& json) {
  json.begin_object("coordinates");
  for (std::size_t c = 0; c < m.coordinates.size(); ++c) {
    const TimeValue& x = r.coordinates[c];
    json.numbers(m.coordinates[c].name, std::array{x.value, x.rate, x.acceleration});
  }
  json.end();
  json.begin_object("bodies");
  for (std::size_t b = 1; b < m.bodies.size(); ++b) {
    const SE3<double>& T = r.poses[b];
    json.begin_object(m.bodies[b].name);
    json.numbers("position", T.p);
    json.begin_list("rotation");
    for (int k = 0; k < 3; ++k)
      json.numbers({}, Vec3<double>{T.R.matrix.x[k], T.R.matrix.y[k], T.R.matrix.z[k]});
    json.end();
    json.numbers("twist", r.twists[b].six());
    json.numbers("twist_rate", r.rates[b]);
    json.end();
  }
  json.end();
  json.begin_object("points");
  for (const PointName& point : all_points(m))
    json.numbers(point.name, position_of(point, r.poses));
  json.end();
}

void print_reactions(const Mechanism& m, const ReactionsResult& r, Output& output) {
  output.text("\nDrivers\n");
  Table drivers({"driver", "force [N m, N]", ""}, "lrl");
  for (const DriverForce& d : r.drivers)
    drivers.row(
        {printable(m.drivers[d.driver].name), rounded(d.force), d.unique ? "" : "not unique"});
  drivers.print(output);
  output.text("\nReactions on the second body of each joint\n");
  Table joints({"joint", "force [N]", "torque [N m]", ""}, "l");
  for (const JointReaction& j : r.joints)
    joints.row({printable(m.joints[j.joint].name), rounded(j.force), rounded(j.torque),
                j.unique ? "" : "not unique"});
  joints.print(output);
}

void write_reactions(const Mechanism& m, const ReactionsResult& r, Json& json) {
  json.begin_object("drivers");
  for (const DriverForce& d : r.drivers) json.number(m.drivers[d.driver].name, d.force);
  json.end();
  json.begin_list("reactions");
  for (const JointReaction& j : r.joints) {
    json.begin_object();
    json.text("joint", m.joints[j.joint].name);
    json.numbers("force", j.force);
    json.numbers("torque", j.torque);
    json.boolean("unique", j.unique);
    json.end();
  }
  json.end();
}

}  // namespace

int mechanism_solve(const MechanismOptions& options) {
  const double t = parse_duration(options.at, "--at");
  const Mechanism mechanism = mechanism_of(options);
  MechanismSystem system(make_equations(mechanism, formulation_of(options, mechanism)));
  const Assembly state = assembled(system, state_of(options, mechanism, t), options.file);
  const MechanismReading reading = reading_of(system, state);
  const DofsLeft left = dofs_left(system, t, state.q);
  if (!state.warning.empty()) warn(state.warning);
  if (left.count > 0 && !options.json) warn(left.message);
  ReactionsResult forces;
  if (options.reactions) {
    forces = reactions(system, t, state.q, state.v, state.a);
    if (!forces.consistent) warn(fmt::format("{}: {}", options.file, forces.message));
  }
  Output output;
  if (options.csv || !options.out.empty()) {
    const Columns columns = columns_of(mechanism, reading, t);
    CsvRows rows(columns.names);
    rows.row(columns.numbers);
    rows.finish(options.out, options.force, output);
  }
  if (options.json) {
    Json json(output);
    json.begin_object();
    json.text("schema", "axode.mechanism_solve/1");
    json.text("model", options.file);
    json.text("formulation", options.coordinates);
    json.number("time", t);
    json.text("remark", state.warning);
    write_dofs(mechanism, left, json);
    write_state(mechanism, reading, json);
    if (options.reactions) write_reactions(mechanism, forces, json);
    json.end();
    output.text("\n");
  } else if (!options.csv) {
    output.print("at t = {} s, in {} coordinates\n", rounded(t), options.coordinates);
    print_state(mechanism, reading, output);
    if (options.reactions) print_reactions(mechanism, forces, output);
    if (options.print) print_equations(system, state, output);
  }
  write_svg(options, mechanism, reading.poses);
  output.flush();
  return exit_ok;
}

}  // namespace axode::cli
