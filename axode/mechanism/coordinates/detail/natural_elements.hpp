/// Basic points and unit vectors of a mechanism, which of them bodies share, and what each body is
/// made of.
///
/// A point stands at every revolute, spherical and universal joint, a unit vector along the axes
/// of revolute, cylindrical, prismatic, helical and planar ones; both bodies of the joint share
/// them, and so do further bodies at the same place [GarciaBayo 2.1.3, 2.2.3]. What the world
/// shares is constant. Welded bodies are one element; bodies that slide in the world keep their
/// attitude, and all their directions are constant. Cost: O(joints x features of a body).
/// Tests: tests/mechanism/coordinates/detail/natural_elements_test.cpp
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "axode/mechanism/equations/formulate.hpp"

namespace axode::detail {

/// A basic point or unit vector, of one or several elements.
struct NaturalBasic {
  struct Use {
    int element = 0;
    Vec3<double> local{};  ///< in the frame of the element
  };
  bool is_point = true;
  bool fixed = false;
  bool dropped = false;  ///< became one with another
  Vec3<double> at{};     ///< in the world, if fixed
  std::string name;
  std::vector<Use> uses;
  int node = -1;  ///< of the equations, once made
};

/// An arrow of an element: a unit vector, or the segment from its origin to a point.
struct NaturalArrow {
  int head = -1, tail = -1;  ///< basics; no tail: a vector
  Vec3<double> local{};
  bool fixed = false;
};

/// One or several welded bodies.
struct NaturalElement {
  std::vector<int> bodies;
  Inertia<double> inertia{};
  std::vector<int> basics;           ///< those it uses
  std::multimap<double, int> order;  ///< the points among them, by a number that tells most apart
  std::vector<Vec3<double>> known;   ///< points that joints and weight speak of, basic or not
  bool rod = false;                  ///< as the user says
  bool translates = false;           ///< keeps its attitude R_WE
  SO3<double> R_WE{};
  int origin = -1;  ///< basic point
  Vec3<double> origin_local{};
  std::vector<NaturalArrow> base;  ///< independent arrows, at most three (in the plane: one)
};

struct NaturalModel {
  bool is_planar = false;
  double size = 1;                       ///< of the mechanism, for tolerances [m]
  std::vector<NaturalElement> elements;  ///< 0 is the world
  std::vector<int> element_of;           ///< by body
  std::vector<SE3<double>> T_EB;         ///< by body, in its element
  std::vector<NaturalBasic> basics;
  std::vector<std::string> remarks;
};

/// Elements with all that joints make them share; then further points and vectors that joints speak
/// of, where they are not combinations of those; then what each element lacks to be placed, or to
/// have a constant mass matrix: auxiliary points and vectors.
NaturalModel natural_model(const Mechanism& mechanism);

/// Where a point or a direction of a body is in its element.
struct NaturalPlace {
  int element = 0;
  Vec3<double> local{};
};
NaturalPlace natural_place(const NaturalModel& model, int body, const Vec3<double>& local,
                           bool is_point);
/// The basic of this element that is there (vectors: or opposite, sign -1), -1 if there is none.
std::pair<int, double> find_basic(const NaturalModel& model, const NaturalPlace& place,
                                  bool is_point);
/// A new one.
int add_basic(NaturalModel& model, const NaturalPlace& place, bool is_point, std::string name);
/// The element uses a basic from now on, or no longer.
void use_basic(NaturalModel& model, int basic, const NaturalPlace& place);
void drop_basic(NaturalModel& model, int basic, const NaturalPlace& place);
/// Where the element uses a basic.
Vec3<double> local_of(const NaturalModel& model, int element, int basic);
std::string element_name(const NaturalModel& model, const Mechanism& mechanism, int element);

/// Whether the element has an inertia that moves.
bool has_inertia(const NaturalElement& element) noexcept;
/// Whether it is straight: no inertia about `line` through `point`.
bool is_slender(const NaturalElement& element, const Vec3<double>& point,
                const Vec3<double>& line) noexcept;

/// How far the points of an element are from its basic point `origin`.
double extent(const NaturalModel& model, int element, int origin);

/// All arrows of an element from its origin, and those among them to build on: constant ones first,
/// then vectors, then segments, as long as they are well independent. `dependent`: the others.
struct NaturalArrows {
  int origin = -1;
  std::vector<NaturalArrow> base, dependent;
  double weakest = 1;  ///< worth of the last base arrow: its sine against those before, less if it
                       ///< is much shorter than the element
};
NaturalArrows choose_base(const NaturalModel& model, int element);
/// What is left of a vector outside of the span of arrows.
Vec3<double> outside(const std::vector<NaturalArrow>& base, const Vec3<double>& local) noexcept;

}  // namespace axode::detail
