/// `axode info` of a mechanism: what is in a mechanism, and its equations.
#include "axode/io/mechanism/mechanism_file.hpp"
#include "axode/mechanism/analysis/start_poses.hpp"
#include "axode/mechanism/written/written_equations.hpp"
#include "cli/commands/mechanism/mechanism.hpp"

namespace axode::cli {

namespace {

std::string body_name(const Mechanism& m, int i) { return printable(m.bodies[i].name); }

void print_tables(const Mechanism& m, Output& output) {
  Table joints({"joint", "type", "between", "degrees of freedom"}, "l");
  for (const MechanismJoint& joint : m.joints)
    joints.row({printable(joint.name), std::string(name(joint.type)),
                fmt::format("{} - {}", body_name(m, joint.body[0]), body_name(m, joint.body[1])),
                fmt::format("{}", dofs(joint, m.is_planar))});
  if (!joints.empty()) {
    output.text("\nJoints\n");
    joints.print(output);
  }
  std::vector<SE3<double>> poses;
  for (const MechanismBody& body : m.bodies) poses.push_back(body.pose);
  Table coordinates({"coordinate", "reference", "unit", "driven by"}, "lrll");
  for (std::size_t c = 0; c < m.coordinates.size(); ++c) {
    std::string driver;
    for (const MechanismDriver& d : m.drivers)
      if (std::size_t(d.coordinate) == c) driver = d.text.empty() ? d.name : d.text;
    coordinates.row({printable(m.coordinates[c].name),
                     rounded(measure(m, static_cast<int>(c), poses)),
                     m.coordinates[c].is_angle ? "rad" : "m", printable(driver)});
  }
  if (!coordinates.empty()) {
    output.text("\nCoordinates\n");
    coordinates.print(output);
  }
  if (m.couplings.empty()) return;
  output.text("\nCouplings\n");
  for (const MechanismCoupling& coupling : m.couplings) {
    std::string sum;
    for (const auto& part : coupling.parts)
      sum += fmt::format("{}{} {}", sum.empty() ? "" : " + ", rounded(part.factor),
                         printable(m.coordinates[part.coordinate].name));
    output.print("  {}: {} = {}\n", printable(coupling.name), sum, rounded(coupling.constant));
  }
}

void print_text(const MechanismSystem& system, const MechanismOptions& options, Output& output) {
  const Mechanism& m = system.mechanism();
  const MechanismEquations& eq = system.equations();
  double mass = 0;
  for (const MechanismBody& body : m.bodies) mass += body.inertia.mass;
  output.print("{}: {}, {}, {}, {} kg, {}\n",
               m.name.empty() ? "mechanism without name" : printable(m.name),
               m.is_planar ? "planar" : "spatial", count(m.bodies.size() - 1, "body"),
               count(m.joints.size(), "joint"), rounded(mass), count(m.drivers.size(), "driver"));
  output.print("gravity {} m/s^2\n", rounded(m.gravity));
  output.print("{} coordinates: {}, {}\n", options.coordinates, count(eq.numbers(), "number"),
               count(eq.rows(), "equation"));
  for (const std::string& remark : eq.remarks) output.print("  {}\n", printable(remark));
  print_tables(m, output);
}

void write_json(const MechanismSystem& system, const MechanismOptions& options, Output& output) {
  const Mechanism& m = system.mechanism();
  const MechanismEquations& eq = system.equations();
  Json json(output);
  json.begin_object();
  json.text("schema", "axode.mechanism/1");
  json.text("model", options.file);
  json.text("name", m.name);
  json.boolean("planar", m.is_planar);
  json.numbers("gravity", m.gravity);
  json.begin_list("bodies");
  for (const MechanismBody& body : m.bodies) json.text({}, body.name);
  json.end();
  json.begin_list("joints");
  for (const MechanismJoint& joint : m.joints) {
    json.begin_object();
    json.text("name", joint.name);
    json.text("type", name(joint.type));
    json.text("i", m.bodies[joint.body[0]].name);
    json.text("j", m.bodies[joint.body[1]].name);
    json.integer("degrees_of_freedom", dofs(joint, m.is_planar));
    json.end();
  }
  json.end();
  json.begin_list("coordinates");
  for (const MechanismCoordinate& c : m.coordinates) json.text({}, c.name);
  json.end();
  json.begin_object("equations");
  json.text("formulation", options.coordinates);
  json.begin_list("numbers");
  for (const std::string& number : eq.coordinate_names) json.text({}, number);
  json.end();
  json.begin_list("rows");
  const WrittenEquations w = written_equations(eq, {.jacobian = false});
  for (const ProductSum& row : w.rows)
    json.text({}, written(row, w.symbols, FormulaStyle::text) + " = 0");
  json.end();
  json.end();
  json.end();
  output.text("\n");
}

std::string origin_text(const MechanismEquations& eq, const Equation& e) {
  using Origin = Equation::Origin;
  const Mechanism& m = eq.mechanism;
  switch (e.origin) {
    case Origin::body:
      return "body " + m.bodies[e.index].name;
    case Origin::normalization:
      return "unit length, body " + m.bodies[e.index].name;
    case Origin::joint:
      return "joint " + m.joints[e.index].name;
    case Origin::coordinate:
      return "coordinate " + m.coordinates[e.index].name;
    case Origin::coupling:
      return "coupling " + m.couplings[e.index].name;
    case Origin::driver:
      return "driver " + m.drivers[e.index].name;
  }
  return {};
}

}  // namespace

void print_equations(MechanismSystem& system, const Assembly& state, Output& output) {
  const MechanismEquations& eq = system.equations();
  output.text("\nEquations\n");
  const WrittenEquations w = written_equations(eq, {.jacobian = false});
  Table table({"row", "of", "equation"}, "rll");
  for (int row = 0; row < eq.rows(); ++row)
    table.row({fmt::format("{}", row), printable(origin_text(eq, eq.equations[row])),
               written(w.rows[row], w.symbols, FormulaStyle::text, 6) + " = 0"});
  table.print(output);
  SparseRows J;
  system.jacobian(state.t, state.q, J);
  output.print("\nJacobian, {} x {}, {} entries (x), columns:\n", J.rows, J.columns, J.nonzeros());
  std::string names;
  for (const std::string& velocity : eq.velocity_names)
    names += (names.empty() ? "" : " ") + printable(velocity);
  output.print("  {}\n", names);
  for (int row = 0; row < J.rows; ++row) {
    std::string line(J.columns, '.');
    for (int k = J.start[row]; k < J.start[row + 1]; ++k) line[J.column[k]] = 'x';
    output.print("  {}\n", line);
  }
}

int mechanism_info(const MechanismOptions& options) {
  const Mechanism mechanism = mechanism_of(options);
  MechanismSystem system(make_equations(mechanism, formulation_of(options, mechanism)));
  Output output;
  if (options.json) {
    write_json(system, options, output);
  } else {
    print_text(system, options, output);
    if (options.print) {
      Assembly state;
      state.q = system.from_poses(start_poses(mechanism));
      std::vector<double> v(system.equations().velocities(), 0);
      system.refresh(state.q, v);
      print_equations(system, state, output);
    }
  }
  std::vector<SE3<double>> poses;
  for (const MechanismBody& body : mechanism.bodies) poses.push_back(body.pose);
  write_svg(options, mechanism, poses);
  output.flush();
  return exit_ok;
}

}  // namespace axode::cli
