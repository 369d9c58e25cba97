/// `axode info` of a tree: what is in it, as a drawing of the tree and tables, or as JSON.
#include "cli/commands/info.hpp"

#include <cmath>

#include "axode/kinematics/centre_of_mass.hpp"
#include "axode/lie/rotation.hpp"
#include "axode/screw/screw.hpp"
#include "cli/arguments/states.hpp"
#include "cli/commands/tree/tree.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

namespace {

constexpr int deepest_drawn = 32;  ///< a long chain would take a quadratic number of characters

std::string limits_text(const StateSpace& space, int v) {
  const Dof& dof = space.tree.dofs[v];
  const bool below = std::isfinite(dof.lower), above = std::isfinite(dof.upper);
  if (!below && !above) return "-";
  const char* const unit = space.v[v].unit();
  if (!above) return fmt::format(">= {} {}", rounded(dof.lower), unit);
  if (!below) return fmt::format("<= {} {}", rounded(dof.upper), unit);
  return fmt::format("{} .. {} {}", rounded(dof.lower), rounded(dof.upper), unit);
}

/// "3", "3-6" or "-".
std::string range(int first, int number) {
  if (number == 0) return "-";
  return number == 1 ? fmt::format("{}", first) : fmt::format("{}-{}", first, first + number - 1);
}

struct TreeLines {
  const char *child, *last, *line, *more;
};
constexpr TreeLines unicode{"├─ ", "└─ ", "│  ", "…"}, ascii{"|- ", "`- ", "|  ", "..."};

std::string body_line(const Tree& tree, int i) {
  const Body& body = tree.bodies[i];
  return fmt::format("{}  ({}, {})", printable(body.name), printable(body.joint_name),
                     name(body.joint_type));
}

/// Depth first, without recursion.
void draw_tree(const Tree& tree, Output& output) {
  const TreeLines& style = utf8_output() ? unicode : ascii;
  const Children c = children(tree);
  std::vector<int> carried(tree.size(), 1);
  for (int i = tree.size() - 1; i >= 0; --i)
    if (tree.links[i].parent >= 0) carried[tree.links[i].parent] += carried[i];

  struct Visit {
    int next, end;
  };
  std::vector<Visit> path{{c.first[0], c.first[1]}};
  std::string prefix;
  std::vector<std::size_t> prefix_sizes;
  output.print("{}\n", world_name);
  while (!path.empty()) {
    Visit& here = path.back();
    if (here.next == here.end) {
      path.pop_back();
      if (!prefix_sizes.empty()) prefix.resize(prefix_sizes.back()), prefix_sizes.pop_back();
      continue;
    }
    const int body = c.children[here.next++];
    const bool last = here.next == here.end;
    output.print("{}{}{}\n", prefix, last ? style.last : style.child, body_line(tree, body));
    const int first = c.first[body + 1], end = c.first[body + 2];
    if (first == end) continue;
    if (path.size() == deepest_drawn) {
      output.print("{}{}{}{} {} on it\n", prefix, last ? "   " : style.line, style.last, style.more,
                   count(carried[body] - 1, "body"));
      continue;
    }
    prefix_sizes.push_back(prefix.size());
    prefix += last ? "   " : style.line;
    path.push_back({first, end});
  }
}

/// "axis (0 0 1) through (0.3 0 0), pitch 0.1": the first screw of a joint.
std::string screw_text(const Vec6<double>& coordinates) {
  const Screw<double> screw = screw_from_coordinates(coordinates).screw;
  if (max_abs(coordinates.angular) == 0) return fmt::format("along {}", rounded(screw.axis));
  std::string text = fmt::format("about {} at {}", rounded(screw.axis), rounded(screw.point));
  if (std::abs(screw.pitch) > 1e-12) text += fmt::format(" pitch {}", rounded(screw.pitch));
  return text;
}

void print_joints(const StateSpace& space, Output& output) {
  const Tree& tree = space.tree;
  const auto screws = zero_reference_screws(tree);
  Table table({"joint", "type", "moves", "q", "v", "screw at q = 0", "limits"}, "l");
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    const Body& body = tree.bodies[i];
    table.row({printable(body.joint_name), std::string(name(body.joint_type)), printable(body.name),
               range(link.q, link.nq), range(link.v, link.nv),
               link.nv > 0 ? screw_text(screws[link.v]) : "-",
               link.nv > 0 ? limits_text(space, link.v) : "-"});
    for (int k = 1; k < link.nv; ++k)
      table.row(
          {"", "", "", "", "", screw_text(screws[link.v + k]), limits_text(space, link.v + k)});
  }
  if (table.empty()) return;
  output.text("\nJoints (screws in the world)\n");
  table.print(output);
}

void print_bodies(const Tree& tree, Output& output) {
  Table table({"body", "mass [kg]", "centre of mass [m]", "inertia about it: xx yy zz xy xz yz"},
              "lrl");
  for (const Body& body : tree.bodies) {
    const Inertia<double>& I = body.inertia;
    const auto& t = I.about_com;
    table.row({printable(body.name), rounded(I.mass), rounded(I.com),
               fmt::format("{} {} {} {} {} {}", rounded(t.xx), rounded(t.yy), rounded(t.zz),
                           rounded(t.xy), rounded(t.xz), rounded(t.yz))});
  }
  if (table.empty()) return;
  output.text("\nBodies (in their own frames)\n");
  table.print(output);
}

void print_frames(const Tree& tree, Output& output) {
  Table table({"frame", "on", "position [m]", "roll pitch yaw [rad]"}, "l");
  for (const NamedFrame& frame : tree.frames)
    table.row({printable(frame.name),
               frame.body < 0 ? world_name : printable(tree.bodies[frame.body].name),
               rounded(frame.T_BF.p), rounded(to_roll_pitch_yaw(frame.T_BF.R))});
  if (table.empty()) return;
  output.text("\nFrames\n");
  table.print(output);
}

void print_couplings(const Tree& tree, Output& output) {
  if (tree.couplings.empty()) return;
  output.text("\nCouplings\n");
  for (const Coupling& c : tree.couplings)
    output.print("  {} = {} {}{}\n", printable(tree.bodies[c.follower].joint_name),
                 rounded(c.named_ratio), printable(c.named_leader),
                 c.named_offset == 0 ? ""
                                     : fmt::format(" {} {}", c.named_offset < 0 ? '-' : '+',
                                                   rounded(std::abs(c.named_offset))));
}

void print_text(const Tree& tree, Output& output) {
  const StateSpace space(tree);
  output.print("{}: {}, {}", tree.name.empty() ? "model without name" : printable(tree.name),
               count(tree.bodies.size(), "body"), count(tree.nv, "degree of freedom"));
  if (!tree.couplings.empty()) output.print(" ({} independent)", independent_nv(tree));
  output.print(", {} kg\ngravity {} m/s^2\n\n", rounded(total_mass(tree)), rounded(tree.gravity));
  draw_tree(tree, output);
  print_joints(space, output);
  print_couplings(tree, output);
  print_bodies(tree, output);
  print_frames(tree, output);
  if (tree.warnings.empty()) return;
  output.print("\n{}\n", count(tree.warnings.size(), "warning"));
  print_warnings(tree.warnings, output, "  ", "");
}

}  // namespace

int tree_info(const InfoOptions& options) {
  const Tree tree = load(options.model);
  Output output;
  if (options.json)
    print_info_json(tree, options.model.file, output);
  else
    print_text(tree, output);
  output.flush();
  return exit_ok;
}

}  // namespace axode::cli
