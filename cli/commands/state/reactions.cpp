#include "cli/commands/state/reactions.hpp"

#include "axode/engine/calls.hpp"
#include "axode/kinematics/frames/frame_kinematics.hpp"

namespace axode::cli {

using Names = std::vector<std::string>;

Reactions::Reactions(const Setting& setting, const std::string& expressed_in) : setting_(setting) {
  if (!expressed_in.empty()) frame_ = frame_from_text(setting.space.tree, expressed_in);
  title_ = "Wrenches of the joints on their bodies, " +
           (frame_ ? "in " + expressed_in : std::string(rep_name(setting.reactions)));
  for (const Body& body : setting.space.tree.bodies) csv_.push_back(body.name + ".");
}

void Reactions::add(const SolvedState& s, std::vector<Quantity>& to) const {
  static const Names columns{"tx", "ty", "tz", "fx", "fy", "fz"};
  const Tree& tree = setting_.space.tree;
  std::vector<Vec6<double>> found =
      joint_wrenches(frame_ ? Rep::body : setting_.reactions, setting_, s);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Frame own{static_cast<int>(i), {}};
    if (frame_) found[i] = wrench_transform<double>(s.poses, found[i], {own, own}, *frame_);
    const std::string& body = tree.bodies[i].name;
    to.push_back({.keys = {"reactions", body},
                  .title = title_,
                  .csv = csv_[i],
                  .what = "reaction",
                  .of = "body",
                  .rows = std::span(&body, 1),
                  .columns = columns,
                  .numbers = six(found[i])});
  }
}

namespace {

/// A number with its names.
struct Line {
  std::string key, label, unit, what;
};
const std::vector<Line> energy_lines{
    {"kinetic", "kinetic", "J", "kinetic energy"},
    {"armature", "of drives", "J", "kinetic energy of drives"},
    {"potential", "potential", "J", "potential energy"},
    {"joint_power", "joint power", "W", "power of joints"},
    {"external_power", "external power", "W", "power of external wrenches"},
    {"losses", "losses", "W", "power of damping and friction"}};

void add_momentum(const char* key, const std::string& about, const char* csv, const Vec6<double>& h,
                  std::vector<Quantity>& to) {
  static const Names columns{"lx", "ly", "lz", "px", "py", "pz"};
  to.push_back({.keys = {"energies", key},
                .title = "Momentum in world axes [kg m^2/s, kg m/s]",
                .csv = csv,
                .what = "momentum",
                .of = "about",
                .rows = std::span(&about, 1),
                .columns = columns,
                .numbers = six(h)});
}

}  // namespace

void add_energies(const Setting& setting, const SolvedState& s, std::vector<Quantity>& to) {
  static const std::string world = "world", centre = "centre of mass";
  const Tree& tree = setting.space.tree;
  const Energy e = energy(tree, s.q, s.v);
  const Power<> p =
      power(tree, s.q, s.v, s.tau, {.body_wrenches = s.external, .effects = setting.effects});
  const std::vector<double> numbers{e.kinetic,
                                    setting.effects.armature ? e.armature : 0,
                                    setting.effects.gravity ? e.potential : 0,
                                    p.joints,
                                    p.external,
                                    p.losses};
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Line& line = energy_lines[i];
    to.push_back({.keys = {"energies", line.key},
                  .title = "Energies and power",
                  .csv = line.key,
                  .what = line.what,
                  .rows = std::span(&line.label, 1),
                  .columns = std::span(&line.key, 1),
                  .units = std::span(&line.unit, 1),
                  .numbers = {numbers[i]},
                  .shape = Shape::number,
                  .style = Style::line});
  }
  add_momentum("momentum", world, "momentum.", spatial_momentum(tree, s.q, s.v).six(), to);
  if (total_mass(tree) > 0)
    add_momentum("centroidal_momentum", centre, "centroidal_momentum.",
                 centroidal_momentum(tree, s.q, s.v).six(), to);
}

}  // namespace axode::cli
