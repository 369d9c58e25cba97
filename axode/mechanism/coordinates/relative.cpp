/// Relative coordinates [GarciaBayo 2.1.1, 2.2.1, Ex. 2.2, Ex. 2.3, (2.3)]: the joint coordinates of
/// a spanning tree; loops are closed by the equations of the cut joints, or as a whole.
#include <array>
#include <optional>
#include <string>

#include "axode/core/error.hpp"
#include "axode/mechanism/coordinates/detail/relative_scalars.hpp"
#include "axode/mechanism/coordinates/rod_spin.hpp"
#include "axode/mechanism/detail/equation_maker.hpp"
#include "axode/mechanism/equations/formulate.hpp"

namespace axode::detail {
namespace {

/// Also rotors whose mass nobody gave.
bool has_inertia(const Inertia<double>& I) { return I.mass != 0 || I.about_com != Sym3<double>{}; }

class RelativeMaker {
 public:
  RelativeMaker(const Mechanism& mechanism, const FormulationOptions& options)
      : options_(options), spanning_(spanning_tree(mechanism, options.cut, wished(mechanism))) {
    maker_.eq.mechanism = mechanism;
    find_idle_spins(maker_.eq);
    maker_.eq.how = options;
    maker_.eq.mixed.assign(mechanism.coordinates.size(), -1);
    maker_.node = [this](int body, const Vec3<double>& local, bool is_point) {
      return node(body, local, is_point);
    };
    maker_.own_scalar = [this](int coordinate) { return scalars_->scalar(maker_.eq, coordinate); };
  }
  RelativeMaker(const RelativeMaker&) = delete;
  RelativeMaker& operator=(const RelativeMaker&) = delete;

  MechanismEquations make() {
    RelativeTree relative = relative_tree(mechanism(), spanning_, options_.close_whole);
    scalars_.emplace(spanning_, relative);
    add_coordinates_of(relative);
    add_bodies(relative);
    maker_.eq.tree = std::move(relative.tree);
    maker_.eq.tree_joints = std::move(relative.joint);
    maker_.eq.cut_joints = spanning_.cut;
    close_loops(relative);
    for (const int coordinate : options_.mixed)
      if (!scalars_->is_coordinate(coordinate)) mixed_coordinate(maker_, coordinate);
    add_couplings(maker_);
    if (options_.with_drivers) add_drivers(maker_);
    add_loads(maker_);
    add_remarks();
    return std::move(maker_.eq);
  }

 private:
  const Mechanism& mechanism() const { return maker_.eq.mechanism; }
  /// Joints whose coordinates are asked for: they are then coordinates without being added.
  std::vector<int> wished(const Mechanism& from) const {
    std::vector<int> joints;
    for (const int coordinate : options_.mixed) {
      if (coordinate < 0 || coordinate >= std::ssize(from.coordinates))
        throw Error("there is no coordinate " + std::to_string(coordinate), "relative coordinates",
                    "take its number by coordinate_index");
      if (from.coordinates[coordinate].joint >= 0)
        joints.push_back(from.coordinates[coordinate].joint);
    }
    return joints;
  }

  void name_link(const RelativeTree& relative, int k) {
    const Link& link = relative.tree.links[k];
    MechanismEquations& eq = maker_.eq;
    const std::string name = relative.joint[k] >= 0
                                 ? mechanism().joints[relative.joint[k]].name
                                 : mechanism().bodies[relative.stands_for[k]].name;
    const auto add = [&](std::vector<std::string>& names, std::initializer_list<const char*> all) {
      for (const char* part : all) names.push_back(name + "." + part);
    };
    if (link.map == JointMap::free || link.map == JointMap::quaternion) {
      add(eq.coordinate_names, {"e0", "e1", "e2", "e3"});
      add(eq.velocity_names, {"omega_x", "omega_y", "omega_z"});
      if (link.map == JointMap::quaternion) {
        eq.group.so3();
        return;
      }
      eq.group.se3();
      add(eq.coordinate_names, {"x", "y", "z"});
      add(eq.velocity_names, {"v_x", "v_y", "v_z"});
      return;
    }
    if (link.nv > 0) eq.group.real(link.nv);
    for (int w = 0; w < link.nv; ++w) {
      constexpr const char* loose[] = {"x", "y", "angle"};
      const int coordinate = relative.coordinate[link.v + w];
      const std::string text =
          coordinate >= 0 ? mechanism().coordinates[coordinate].name : name + "." + loose[w];
      eq.coordinate_names.push_back(text);
      eq.velocity_names.push_back(text);
    }
  }
  void add_coordinates_of(const RelativeTree& relative) {
    for (int k = 0; k < relative.tree.size(); ++k) name_link(relative, k);
  }

  void add_bodies(const RelativeTree& relative) {
    MechanismEquations& eq = maker_.eq;
    for (std::size_t b = 0; b < mechanism().bodies.size(); ++b) {
      BodyCoordinates body;
      body.kind = b == 0 ? BodyCoordinates::Kind::fixed : BodyCoordinates::Kind::tree;
      body.reference = b == 0 ? Vec3<double>{} : mechanism().bodies[b].inertia.com;
      body.tree_body = relative.tree_body[b];
      eq.bodies.push_back(body);
      eq.mass_by_motion.push_back(b != 0 && has_inertia(mechanism().bodies[b].inertia));
    }
    for (const int end : relative.ends) {
      BodyCoordinates body;
      body.kind = BodyCoordinates::Kind::tree;
      body.tree_body = end;
      eq.bodies.push_back(body);
      eq.mass_by_motion.push_back(false);
    }
  }

  int node(int body, const Vec3<double>& local, bool is_point) {
    if (std::size_t(body) < mechanism().bodies.size())
      return on_body_node(maker_, body, local, is_point);
    Node made;  // of the end of a cut joint, asked for once
    made.kind = Node::Kind::on_body;
    made.is_point = is_point;
    made.body = body;
    made.local = local;
    made.name = maker_.naming + (is_point ? ".end" : ".end.axis");
    maker_.eq.nodes.push_back(std::move(made));
    return static_cast<int>(maker_.eq.nodes.size()) - 1;
  }

  // Loops.

  void close_loops(const RelativeTree& relative) {
    std::size_t end = 0;
    for (const int joint : spanning_.cut) {
      if (options_.close_whole && carries_body(mechanism().joints[joint].type)) {
        close_whole(joint, static_cast<int>(mechanism().bodies.size() + end),
                    relative.stands_for[relative.ends[end]]);
        ++end;
      } else {
        add_joint_equations(maker_, joint);
      }
    }
  }
  /// The frame of the body at the end coincides with that of body j at the joint's point: the
  /// positions are the same, and the rotation between has no axial vector.
  void close_whole(int joint, int end, int body) {
    Equation row;
    row.origin = Equation::Origin::joint;
    row.index = joint;
    row.name = maker_.naming = mechanism().joints[joint].name;
    const Vec3<double>& point = mechanism().joints[joint].point[1];
    // T_01 T_12 ... T_n0 = (R, p) = I  [GarciaBayo (2.3)], by six equations: p = 0 and the axial
    // vector of R, regular at R = I. It vanishes at half a turn, too: system_tree.cpp checks.
    add_coincidence(maker_, row, node(end, point, true), node(body, point, true));
    std::array<Arrow, 3> a{}, b{};
    for (int k = 0; k < 3; ++k) {
      const Vec3<double> axis{k == 0 ? 1. : 0., k == 1 ? 1. : 0., k == 2 ? 1. : 0.};
      a[k].head = node(end, axis, false);
      b[k].head = node(body, axis, false);
    }
    constexpr const char* names[] = {": turned x", ": turned y", ": turned z"};
    for (int k = mechanism().is_planar ? 2 : 0; k < 3; ++k) {
      // (1/2) (R_lm - R_ml) = 0, R = A^T B, for (k, m, l) cyclic
      const auto m = (k + 1) % 3, l = (k + 2) % 3;
      Equation turn = row;
      turn.name += names[k];
      turn.forms.resize(1);
      turn.forms[0].terms = {{.kind = Term::Kind::dot, .factor = .5, .a = a[l], .b = b[m]},
                             {.kind = Term::Kind::dot, .factor = -.5, .a = a[m], .b = b[l]}};
      maker_.eq.equations.push_back(std::move(turn));
    }
  }

  void add_remarks() {
    constexpr std::size_t most = 10;
    for (std::size_t k = 0; k < spanning_.cut.size() && k < most; ++k)
      maker_.eq.remarks.push_back("joint " + mechanism().joints[spanning_.cut[k]].name +
                                  " is cut: it closes a loop of " +
                                  std::to_string(spanning_.loops[k].size()) + " joints");
    if (spanning_.cut.size() > most)
      maker_.eq.remarks.push_back("and " + std::to_string(spanning_.cut.size() - most) +
                                  " more joints are cut");
    for (const int body : spanning_.order)
      if (spanning_.parent_joint[body] < 0)
        maker_.eq.remarks.push_back("body " + mechanism().bodies[body].name +
                                    " hangs on the world by a free joint");
  }

  const FormulationOptions& options_;
  SpanningTree spanning_;
  EquationMaker maker_;
  std::optional<RelativeScalars> scalars_;
};

}  // namespace

MechanismEquations relative_equations(const Mechanism& mechanism,
                                      const FormulationOptions& options) {
  return RelativeMaker(mechanism, options).make();
}

}  // namespace axode::detail
