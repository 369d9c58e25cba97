/// Terms and rows that equations are written with: what equation_maker.cpp and joint_equations.cpp
/// have in common; angles by their cosine and sine [GarciaBayo (2.1)-(2.2), Ex. 2.9,
/// (2.62)-(2.65)]. Internal.
/// Tests: tests/mechanism/detail/equation_parts_test.cpp
#pragma once
#include <string>
#include <vector>

#include "axode/mechanism/detail/equation_maker.hpp"

namespace axode::detail {

inline Equation::Form form(std::vector<Term> terms, double constant = 0) {
  return {std::move(terms), constant};
}
/// A row of the same origin, called "origin: text".
Equation row(const Equation& origin, const std::string& text, std::vector<Equation::Form> forms);

inline Term dot_term(const Arrow& a, const Arrow& b, double factor = 1) {
  return {Term::Kind::dot, factor, a, b, {}, 0, -1};
}
inline Term cross_term(const Arrow& a, const Arrow& b, int axis, double factor = 1) {
  return {Term::Kind::cross, factor, a, b, {}, axis, -1};
}
inline Term scalar_term(Term::Kind kind, int scalar, double factor) {
  return {kind, factor, {}, {}, {}, 0, scalar};
}
inline Arrow alone(int node) { return {node, -1}; }

/// The angle between two arrows, as form with the cosine and form with the sine: about the axis node,
/// or about z without one. The scalar is the angle, or it is a constant.
Equation angle_equation(const Equation& origin, const std::string& text, const Arrow& a,
                        const Arrow& b, int axis_node, int scalar, double angle);

/// The angle of a planar body at the start, as from_poses has it.
inline double start_angle(const EquationMaker& maker, int body) {
  return maker.eq.bodies[body].start_angle;
}

}  // namespace axode::detail
