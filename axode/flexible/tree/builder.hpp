/// Flexible trees step by step: links with beams, and modes made for what holds and loads each.
///
/// A request says how many modes of each direction a beam gets and for which boundary: tip mass and
/// inertia in numbers, or those of all that hangs at the tip, as rigid bodies at a reference pose,
/// about the tip and in the axes of the beam. Modes with what really hangs there converge much
/// faster [CibicikEgeland VI]. Cost: that of beam_modes for each elastic link.
/// Tests: tests/flexible/tree/builder_test.cpp
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "axode/flexible/tree/flexible_tree.hpp"
#include "axode/model/description.hpp"

namespace axode {

/// Which modes a beam gets.
struct ModeRequest {
  int torsion = 2, bend_y = 2, bend_z = 2, axial = 0;  ///< how many of each direction
  ModeBoundary y{}, z{};       ///< of bending along y and along z; tip inertias about z and about y
  ModeBoundary x{};            ///< of torsion (tip inertia about x) and axial motion (tip mass)
  bool outboard_mass = false;  ///< tip masses of what hangs at the tip
  bool outboard_inertia = false;  ///< tip inertias of the same
  std::vector<BeamMode> given{};  ///< shapes of the user, beside those
};

/// What a user says of a tree, before modes are made.
struct FlexibleDescription {
  struct Link {
    FlexibleLink link;                ///< without parent, station, inertia and modes
    Inertia<> inertia{};              ///< of what is rigid on it, in its frame
    std::string parent = world_name;  ///< or a link that stands before it
    std::optional<double> station{};  ///< on an elastic parent [m]; its tip if not told
    ModeRequest modes{};              ///< of a beam
    int line = 0;                     ///< in a file, for messages; 0: none
  };
  std::string name, source;  ///< source: the file, for messages
  Vec3<> gravity{0, 0, -9.81};
  SectionRotation rotation = SectionRotation::zyx;
  bool stiffening = false;
  std::vector<Link> links;  ///< parents first
  /// Joint coordinates of the pose in which outboard masses are taken [rad, m]; others 0.
  std::vector<std::pair<std::string, double>> reference;
};
/// The tree. Throws Error "source:line: link 'name': problem; remedy" on what cannot be: unknown
/// parents, stations off the beam, modes that break their boundary, and all that complete() refuses.
FlexibleTree build(const FlexibleDescription& description);

/// The inertia of all that hangs at the tip of a link's beam, taken rigid and undeformed, joints of
/// links at q: in the axes of the beam, at its tip. The tree needs no modes yet.
Inertia<> outboard_inertia(const FlexibleTree& tree, int link, const std::vector<double>& q);

/// The same in C++:
///   FlexibleTree arm = FlexibleBuilder("arm")
///       .beam("upper", "world", {}, {4, aluminium, box, box}, {.outboard_mass = true})
///       .revolute({0, 0, 1}).damping(0.01)
///       .payload("upper", {20, {}, {}}).build();
/// Joint, damping and station are of the link added last; a link has a revolute joint about z if
/// nothing else is said.
class FlexibleBuilder {
 public:
  explicit FlexibleBuilder(std::string name) { description_.name = std::move(name); }
  FlexibleBuilder& gravity(const Vec3<>& acceleration);
  FlexibleBuilder& rotation(SectionRotation order);
  FlexibleBuilder& stiffening(bool kept = true);
  FlexibleBuilder& reference(const std::string& joint, double q);

  FlexibleBuilder& rigid(std::string name, std::string parent, const SE3<>& mount,
                         const Inertia<>& inertia);
  FlexibleBuilder& beam(std::string name, std::string parent, const SE3<>& mount, const Beam& beam,
                        const ModeRequest& modes = {});
  /// A rigid link fixed to another: at `station` [m] of a beam, the tip if not told.
  FlexibleBuilder& payload(std::string link, const Inertia<>& inertia,
                           std::optional<double> station = {});

  FlexibleBuilder& revolute(const Vec3<>& axis);
  FlexibleBuilder& prismatic(const Vec3<>& axis);
  FlexibleBuilder& helical(const Vec3<>& axis, double pitch);
  FlexibleBuilder& fixed();
  FlexibleBuilder& station(double x);
  /// Modal damping ratio; Rayleigh's alpha [1/s] and beta [s].
  FlexibleBuilder& damping(double ratio, double mass = 0, double stiffness = 0);
  /// Rigid masses on a beam, in the frame of the link: a hub at its root.
  FlexibleBuilder& hub(const Inertia<>& inertia);

  const FlexibleDescription& description() const noexcept { return description_; }
  FlexibleTree build() const { return axode::build(description_); }

 private:
  FlexibleDescription::Link& last();
  FlexibleBuilder& joint(FlexibleLink::Joint type, const Vec3<>& axis, double pitch);
  FlexibleDescription description_;
  int payloads_ = 0;
};

}  // namespace axode
