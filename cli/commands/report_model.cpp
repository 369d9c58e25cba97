/// `axode report`: the model of the run.
#include <array>
#include <cmath>

#include "axode/kinematics/centre_of_mass.hpp"
#include "cli/commands/report.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

namespace {

std::string limits_words(const Dof& dof, bool is_angle) {
  const char* const unit = is_angle ? "rad" : "m";
  const bool below = std::isfinite(dof.lower), above = std::isfinite(dof.upper);
  if (!below && !above) return "";
  if (!above) return fmt::format("from {} {}", rounded(dof.lower), unit);
  if (!below) return fmt::format("to {} {}", rounded(dof.upper), unit);
  return fmt::format("{} to {} {}", rounded(dof.lower), rounded(dof.upper), unit);
}

std::string limits_of(const Tree& tree, const Link& link) {
  if (link.nv != 1) return "";
  const std::size_t v = link.v;
  return limits_words(tree.dofs[v], link.map != JointMap::translation);
}

ModelReport report_tree(const Tree& tree) {
  ModelReport report{"tree", tree.bodies.size(), tree.bodies.size(), total_mass(tree), {}, {}};
  report.facts = {{"Kind", "tree of rigid bodies"},
                  {"Bodies", std::to_string(tree.bodies.size())},
                  {"Coordinates", fmt::format("{}, velocities {}", tree.nq, tree.nv)},
                  {"Mass", rounded(report.mass) + " kg"},
                  {"Gravity", rounded(tree.gravity) + " m/s\u00b2"}};
  if (!tree.couplings.empty())
    report.facts.emplace_back("Coupled joints", std::to_string(tree.couplings.size()));
  ReportTable table{"Bodies and joints",
                    "lrlllrl",
                    {"body", "mass [kg]", "on", "joint", "type", "degrees of freedom", "limits"},
                    {}};
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) {
    const Body& body = tree.bodies[i];
    const Link& link = tree.links[i];
    table.rows.push_back({body.name, rounded(body.inertia.mass),
                          link.parent < 0 ? "world" : tree.bodies[link.parent].name,
                          body.joint_name, std::string(name(body.joint_type)),
                          std::to_string(link.nv), limits_of(tree, link)});
  }
  report.tables.push_back(std::move(table));
  return report;
}

ModelReport report_flexible(const FlexibleTree& tree) {
  constexpr std::array<std::string_view, 4> joints{"fixed", "revolute", "prismatic", "helical"};
  ModelReport report{"flexible", tree.links.size(), tree.links.size(), 0, {}, {}};
  ReportTable table{
      "Links", "lrllrr", {"link", "mass [kg]", "on", "joint", "beam [m]", "modes"}, {}};
  for (const FlexibleLink& link : tree.links) {
    const double mass = link.rigid.mass + link.invariants.mass;
    report.mass += mass;
    table.rows.push_back(
        {link.name, rounded(mass), link.parent < 0 ? "world" : tree.links[link.parent].name,
         std::string(joints[std::size_t(link.joint)]),
         link.beam ? rounded(link.beam->length) : "rigid", std::to_string(link.modes.size())});
  }
  report.facts = {{"Kind", "manipulator with elastic links"},
                  {"Links", std::to_string(tree.links.size())},
                  {"Coordinates",
                   fmt::format("{} of joints, {} elastic", tree.joints, tree.size - tree.joints)},
                  {"Mass", rounded(report.mass) + " kg"},
                  {"Gravity", rounded(tree.gravity) + " m/s\u00b2"}};
  report.tables.push_back(std::move(table));
  return report;
}

ReportTable bodies_of(const Mechanism& m, double& mass) {
  ReportTable table{"Bodies", "lrr", {"body", "mass [kg]", "points"}, {}};
  for (std::size_t b = 1; b < m.bodies.size(); ++b) {
    mass += m.bodies[b].inertia.mass;
    table.rows.push_back({m.bodies[b].name, rounded(m.bodies[b].inertia.mass),
                          std::to_string(m.bodies[b].points.size())});
  }
  return table;
}

ModelReport report_mechanism(const Mechanism& m) {
  ModelReport report{"mechanism", m.bodies.size() - 1, m.joints.size(), 0, {}, {}};
  report.tables.push_back(bodies_of(m, report.mass));
  ReportTable joints{"Joints", "lllr", {"joint", "type", "between", "degrees of freedom"}, {}};
  for (const MechanismJoint& joint : m.joints)
    joints.rows.push_back(
        {joint.name, std::string(name(joint.type)),
         fmt::format("{}, {}", m.bodies[joint.body[0]].name, m.bodies[joint.body[1]].name),
         std::to_string(dofs(joint, m.is_planar))});
  report.tables.push_back(std::move(joints));
  ReportTable drivers{"Drivers", "ll", {"driver", "coordinate"}, {}};
  for (const MechanismDriver& driver : m.drivers)
    drivers.rows.push_back({driver.name, m.coordinates[driver.coordinate].name});
  if (!drivers.rows.empty()) report.tables.push_back(std::move(drivers));
  report.facts = {
      {"Kind", m.is_planar ? "planar mechanism" : "mechanism"},
      {"Bodies", fmt::format("{} and the world", report.bodies)},
      {"Joints", std::to_string(report.joints)},
      {"Loops", std::to_string(std::max<long>(
                    static_cast<long>(report.joints) - static_cast<long>(report.bodies), 0))},
      {"Coordinates", std::to_string(m.coordinates.size())},
      {"Mass", rounded(report.mass) + " kg"},
      {"Gravity", rounded(m.gravity) + " m/s\u00b2"}};
  return report;
}

}  // namespace

ModelReport model_report(const std::variant<Tree, FlexibleSetup, Mechanism>& model) {
  if (const auto* tree = std::get_if<Tree>(&model)) return report_tree(*tree);
  if (const auto* setup = std::get_if<FlexibleSetup>(&model)) return report_flexible(setup->tree);
  return report_mechanism(std::get<Mechanism>(model));
}

}  // namespace axode::cli
