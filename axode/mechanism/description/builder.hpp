/// Building a mechanism: bodies, joints, drivers and forces by name, in the geometry at hand.
///
///   auto four_bar = MechanismBuilder("four_bar", Space::planar)
///     .body("crank").pose(planar_pose(0, 0, .3))
///     .body("coupler").pose(planar_pose(1, .3, 0)).body("rocker").point("tip", {0, 3, 0})
///     .joint("A", PairType::revolute, "world", "crank", {.points = {{{0, 0, 0}, {0, 0, 0}}}})
///     .joint("B", PairType::revolute, "crank", "coupler", {.at = Vec3{1., .3, 0.}})  // world
///     .drive("A.angle", polynomial_in_time(.3, 2))
///     .build();
///
/// What a joint keeps and nobody says is that of the reference configuration: the attitude of welds
/// and prismatic joints, lengths of rods and cables. All checks are made by build(), once
/// for builders and files. Gears between bodies become a massless carrier with two revolutes and a
/// coupling, cables become distances and a coupling.
/// Tests: tests/mechanism/description/builder_test.cpp
#pragma once
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "axode/mechanism/description/mechanism.hpp"
#include "axode/model/description.hpp"

namespace axode {

enum class Space : std::uint8_t { planar, spatial };

/// A point or direction of a body: by its name there, or by components in the body frame.
struct Spot {
  Spot() = default;
  Spot(std::string spot_name) : name(std::move(spot_name)), given(true) {}
  Spot(const char* spot_name) : name(spot_name), given(true) {}
  Spot(const Vec3<double>& local) : at(local), given(true) {}
  Spot(double x, double y, double z) : at{x, y, z}, given(true) {}
  std::string name{};  ///< or empty
  Vec3<double> at{};
  bool given = false;
};
/// A point on a body.
struct SpotOn {
  std::string body;
  Spot spot;
};

/// Where a joint is and what it keeps; what counts depends on its type (mechanism.hpp).
struct PairGeometry {
  std::optional<Vec3<double>> at{}, axis{};  ///< in the world, at the reference configuration
  std::array<Spot, 2> points{}, axes{}, zero{};
  std::optional<double> value{};  ///< length, radius, height or distance [m]
  std::optional<double> pitch{}, ratio{}, offset{}, angle{};
};

/// A mechanism as told, by names; `line` is that of the file, 0 without one.
struct MechanismDescription {
  struct Body {
    MechanismBody body;
    int line = 0;
  };
  struct Joint {
    std::string name;
    PairType type = PairType::revolute;
    std::array<std::string, 2> bodies{};
    PairGeometry geometry{};
    int line = 0;
  };
  /// Gear or rack and pinion between joints, in terms of their first coordinates:
  /// angle j = offset - ratio angle i; distance j = offset - radius angle i.
  struct Transmission {
    std::string name;
    bool rack = false;
    std::array<std::string, 2> joints{};
    double ratio = 1, offset = 0;
    int line = 0;
  };
  struct Cable {
    std::string name;
    std::vector<SpotOn> over;
    std::optional<double> length{};
    int line = 0;
  };
  struct Measured {
    std::string name;
    MechanismCoordinate::Kind kind = MechanismCoordinate::Kind::distance;
    std::array<SpotOn, 2> between{};
    Vec3<double> axis{1, 0, 0};
    int line = 0;
  };
  struct Coupling {
    std::string name;
    std::vector<std::pair<std::string, double>> sum;
    double constant = 0;
    int line = 0;
  };
  struct Driver {
    std::string name, coordinate;
    TimeFunction motion;
    std::string text{};
    int line = 0;
  };
  struct OnCoordinate {
    CoordinateForce force;
    std::string coordinate;
    int line = 0;
  };
  struct Spring {
    PointSpring spring;
    std::array<SpotOn, 2> between{};
    int line = 0;
  };
  struct Load {
    BodyLoad load;
    SpotOn on;
    int line = 0;
  };
  struct Start {
    std::string coordinate;
    double value = 0;
    bool rate = false;
    int line = 0;
  };
  std::string name, source;
  bool is_planar = false;
  std::optional<Vec3<double>> gravity{};
  int gravity_line = 0;
  std::vector<Body> bodies;
  std::vector<Joint> joints;
  std::vector<Transmission> transmissions;
  std::vector<Cable> cables;
  std::vector<Measured> coordinates;
  std::vector<Coupling> couplings;
  std::vector<Driver> drivers;
  std::vector<OnCoordinate> coordinate_forces;
  std::vector<Spring> springs;
  std::vector<Load> loads;
  std::vector<Start> initial;
};

/// Checks the description and makes the mechanism. Throws Error, with name (and file:line), on
/// empty, duplicate or unknown names; numbers that are not finite; negative mass, clearly
/// indefinite inertia; a joint of a body with itself; zero axes; universal axes far from
/// perpendicular; in the plane, geometry off z = 0 and joints that are spatial; in space,
/// rolling, which is not holonomic; lengths, radii and ratios that are not positive; a coordinate
/// driven twice.
Mechanism build(const MechanismDescription& description);

/// The pose at (x, y, 0), turned by an angle [rad] about z.
SE3<double> planar_pose(double x, double y, double angle);

namespace detail {
/// "file:line: joint 'name'", without what is not there.
std::string place_of(const MechanismDescription& description, int line, const char* kind,
                     const std::string& name);
/// A point or direction (`kind`) of a body, by name or components. Throws Error.
Vec3<double> spot_of(const Mechanism& mechanism, int body, const Spot& spot, const char* kind,
                     const std::string& where);
/// Bodies and coordinates by name, read in as they are added: large files are made in linear time.
struct Names {
  std::unordered_map<std::string, int> bodies{}, coordinates{};
  int bodies_read = 0, coordinates_read = 0;
};
/// The coordinate or body of that name. Throws Error at `where`.
int coordinate_named(const Mechanism& mechanism, Names& names, const std::string& name,
                     const std::string& where);
int body_named(const Mechanism& mechanism, Names& names, const std::string& name,
               const std::string& where);
/// The stages: each fills in its members of the mechanism.
void build_bodies(const MechanismDescription& description, Mechanism& mechanism);
void build_joints(const MechanismDescription& description, Mechanism& mechanism, Names& names);
void build_coordinates(const MechanismDescription& description, Mechanism& mechanism, Names& names);
void build_couplings(const MechanismDescription& description, Mechanism& mechanism, Names& names);
void build_forces(const MechanismDescription& description, Mechanism& mechanism, Names& names);
/// The axes, zero vectors and numbers of a joint whose points are known.
void build_axes(const Mechanism& mechanism, const PairGeometry& geometry, MechanismJoint& joint,
                const std::string& where);
void build_values(const Mechanism& mechanism, const PairGeometry& geometry, MechanismJoint& joint,
                  const std::string& where);
}  // namespace detail

class MechanismBuilder {
 public:
  explicit MechanismBuilder(std::string name = {}, Space space = Space::spatial);
  /// [m/s^2]; default: 9.81 along -y in the plane, -z in space.
  MechanismBuilder& gravity(const Vec3<double>& g);
  /// Begins a body; points, vectors, pose and rod that follow are its own. "world" is body 0.
  MechanismBuilder& body(std::string name, const Inertia<double>& inertia = {});
  MechanismBuilder& point(std::string name, const Vec3<double>& local);
  MechanismBuilder& vector(std::string name, const Vec3<double>& local);
  MechanismBuilder& pose(const SE3<double>& T_WB);
  MechanismBuilder& rod(bool is_rod = true);
  /// A joint between bodies i and j, declared before or later.
  MechanismBuilder& joint(std::string name, PairType type, std::string body_i, std::string body_j,
                          const PairGeometry& geometry = {});
  /// angle of joint j = offset - ratio angle of joint i.
  MechanismBuilder& gear(std::string name, std::string joint_i, std::string joint_j, double ratio,
                         double offset = 0);
  /// distance of the rack's joint + radius angle of the pinion's = offset.
  MechanismBuilder& rack_pinion(std::string name, std::string pinion, std::string rack,
                                double radius, double offset = 0);
  /// The distances from point to point add up to the length, by default that of the reference.
  MechanismBuilder& cable(std::string name, std::vector<SpotOn> over,
                          std::optional<double> length = {});
  MechanismBuilder& distance(std::string name, SpotOn from, SpotOn to);
  /// axis . (to - from), the axis fixed in the world.
  MechanismBuilder& component(std::string name, SpotOn from, SpotOn to, const Vec3<double>& axis);
  /// Planar: angle of body j against body i.
  MechanismBuilder& angle(std::string name, std::string body_i, std::string body_j);
  MechanismBuilder& couple(std::string name, std::vector<std::pair<std::string, double>> sum,
                           double constant = 0);
  MechanismBuilder& drive(std::string coordinate, TimeFunction motion);
  /// Force, spring and damper on a coordinate; `force.coordinate` is filled in.
  MechanismBuilder& force(std::string coordinate, CoordinateForce force);
  MechanismBuilder& spring(SpotOn from, SpotOn to, PointSpring spring);
  MechanismBuilder& load(SpotOn on, BodyLoad load);
  /// Where searching starts, and how fast.
  MechanismBuilder& start(std::string coordinate, double value, std::optional<double> rate = {});

  Mechanism build() const { return axode::build(description_); }
  /// What was said so far.
  const MechanismDescription& description() const noexcept { return description_; }

 private:
  MechanismBody& current_body(const char* what);
  MechanismDescription description_;
};

}  // namespace axode
