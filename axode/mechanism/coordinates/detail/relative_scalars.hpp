/// Coordinates of a mechanism that relative coordinates have without any equation.
///
/// Those of joints in the tree, the distance of a screw joint, s = s0 + pitch psi; and in the plane
/// all angles between bodies, of cut joints too: sums of the angles on the way from one body to the
/// other [GarciaBayo Ex. 2.2, Ex. 2.3, (2.66)]. Cost: O(length of the way).
/// Tests: tests/mechanism/coordinates/detail/relative_scalars_test.cpp
#pragma once
#include <map>
#include <vector>

#include "axode/mechanism/detail/relative_tree.hpp"
#include "axode/mechanism/equations/equations.hpp"

namespace axode {

class RelativeScalars {
 public:
  /// Refers to the spanning tree.
  RelativeScalars(const SpanningTree& spanning, const RelativeTree& relative);
  /// Whether the tree has it as coordinate.
  bool is_coordinate(int coordinate) const { return velocity_.contains(coordinate); }
  /// The number of the scalar, made at the first call; -1: it needs an equation. `eq` has its tree.
  /// Angles that are sums are, where the search starts, on the turn told or measured.
  int scalar(MechanismEquations& eq, int coordinate);

 private:
  struct Turning {
    std::map<int, double> factors;  ///< by velocity
    double constant = 0;
  };
  int add(MechanismEquations& eq, int coordinate, std::vector<Scalar::Part> parts, double constant);
  Scalar::Part part(int velocity, double factor) const;
  void add_turning(const MechanismEquations& eq, int body, double sign, Turning& sum) const;
  int planar_angle(MechanismEquations& eq, int coordinate);
  double constant_on_turn(const MechanismEquations& eq, int coordinate,
                          const std::vector<Scalar::Part>& parts, double constant);

  const SpanningTree& spanning_;
  std::map<int, int> velocity_;  ///< by coordinate of the mechanism
  std::vector<int> number_;      ///< by velocity: number in q, of real coordinates
  std::vector<int> stands_for_;  ///< by body of the tree
  std::map<int, int> made_;      ///< by coordinate: scalar
  std::vector<SE3<double>> start_;
  std::vector<double> start_q_;
};

}  // namespace axode
