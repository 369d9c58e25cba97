/// Rigid-body conditions and mass matrices of elements in natural coordinates.
///
/// Of the independent base arrows b of an element (vectors and segments) all products
/// b_i . b_j = const, and every other point and vector as linear combination of them:
///
///   r_l = r_i + sum c_k b_k           [GarciaBayo (2.17)-(2.47)]; in the plane
///                                     [GarciaBayo Ex. 2.8]
///   r_l = r_i + c_1 b + c_2 (b turned by 90 degrees), which knows left from right.
///
/// That holds for all elements of the book with their collinear and coplanar cases. A body with a
/// constant direction u and one more arrow b has u x b as third, linear in b. The mass matrix is
/// that of r = r_i + sum c_k b_k over the body, constant: M = K (x) I3 with K of m, m c(com) and
/// X^-1 J X^-T [GarciaBayo 4.2]. Cost: O(1) for each point and vector of an element.
/// Tests: tests/mechanism/coordinates/detail/natural_equations_test.cpp
#pragma once
#include <map>
#include <optional>
#include <set>

#include "axode/mechanism/coordinates/detail/natural_elements.hpp"
#include "axode/mechanism/detail/equation_maker.hpp"

namespace axode::detail {

/// A point or vector as constant + sum factor node.
struct NaturalSum {
  Vec3<double> constant{};
  std::vector<Node::Part> parts;  ///< each node once
};

struct NaturalMaker {
  EquationMaker maker;
  NaturalModel model;
  bool distances_only = false;
  std::set<std::vector<long>> written;  ///< products and combinations, so that none comes twice
  struct Made {
    bool is_point;
    Vec3<double> local;
    int node;
  };
  std::map<int, std::vector<Made>> made;    ///< combination and constant nodes, by element
  std::map<std::pair<int, int>, int> axes;  ///< constant axes of elements that translate
};

/// The nodes of all basics, and of each element the base arrows and their conditions.
void add_basic_nodes(NaturalMaker& n);
void add_element_equations(NaturalMaker& n, int element);

/// The node of a point or direction of a body. If it is no combination of what the element has, it
/// becomes a basic one, with its conditions.
int natural_node(NaturalMaker& n, int body, const Vec3<double>& local, bool is_point);
/// The same as a sum; nothing if it is no combination.
std::optional<NaturalSum> natural_sum(const NaturalMaker& n, int element, const Vec3<double>& local,
                                      bool is_point);
/// An arrow of the base by nodes; in the world, if it is constant.
Arrow arrow_of(const NaturalMaker& n, const NaturalArrow& arrow);
Vec3<double> fixed_value(const NaturalMaker& n, const NaturalArrow& arrow);
/// c with local = sum c_k b_k; the third of two base arrows is their cross product.
Vec3<double> base_coefficients(const std::vector<NaturalArrow>& base, const Vec3<double>& local);

/// BodyCoordinates of all bodies; mass entries of all elements.
void add_natural_bodies(NaturalMaker& n);
void add_natural_mass(NaturalMaker& n);

}  // namespace axode::detail
