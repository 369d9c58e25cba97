/// Points and vectors that elements need beyond those that joints share.
///
/// In the plane every element has two points (one, if it keeps its attitude): those that joints
/// speak of first, then such as the user named, then such as we choose. In space the points of
/// joints that are no combination of what the element has, and unit vectors until attitude and
/// inertia are told: three arrows, or two when one is constant (the third is then linear in the
/// other), or one for a slender rod [GarciaBayo 2.1.3, 2.2.3]. Cost: O(features of all bodies).
/// Tests: tests/mechanism/coordinates/detail/natural_placing_test.cpp
#pragma once
#include "axode/core/error.hpp"
#include "axode/mechanism/coordinates/detail/natural_elements.hpp"

namespace axode::detail {

void complete_planar(NaturalModel& model, const Mechanism& mechanism);
void complete_spatial(NaturalModel& model, const Mechanism& mechanism);
/// A unit vector normal to all base arrows.
Vec3<double> normal_to(const std::vector<NaturalArrow>& base) noexcept;

}  // namespace axode::detail
