/// The constraint equations of a mechanism as a person writes them: in coordinates, lengths and angles.
///
///   relative           crank cos(A.angle) + coupler cos(A.angle + B.angle) - ... = 0   [GarciaBayo (2.3)]
///   reference point    crank.x + a cos(crank.psi) - coupler.x + b cos(coupler.psi) = 0   [(2.10)-(2.16)]
///   natural            (B.x - A.x)^2 + (B.y - A.y)^2 - L^2 = 0                           [(2.17)-(2.75)]
///
/// Each row of the equations (equations.hpp) in the form it has now, with its derivatives by velocities.
/// Lengths are numbers or symbols with a table of their values. Euler parameters have unit length; rows
/// and values agree with MechanismSystem there, derivatives for rates that keep the length. Cost: for
/// reading; the product of rotation matrices along a spatial loop grows with its joints.
/// Tests: tests/mechanism/written/written_equations_test.cpp
#pragma once
#include <span>
#include <string>
#include <vector>

#include "axode/lie/formula.hpp"
#include "axode/mechanism/equations/equations.hpp"

namespace axode {

struct WriteOptions {
  bool name_lengths = false;  ///< lengths as symbols instead of numbers
  bool jacobian = true;
};

struct WrittenEquations {
  /// One entry of the Jacobian: derivative of a row by a velocity.
  struct Entry {
    int row = 0, velocity = 0;
    ProductSum formula;
  };
  /// Coordinates, in their order; then functions of time, in the order of `drivers`; then lengths.
  std::vector<FormulaSymbol> symbols;
  std::vector<int> drivers;      ///< of the functions of time
  std::vector<double> lengths;   ///< values of the last symbols [m]; pitches [m/rad] among them
  std::vector<ProductSum> rows;  ///< each is zero where the equation is met
  std::vector<Entry> jacobian;   ///< those that are not zero, row by row

  std::vector<std::string> velocity_names{};
  int numbers() const noexcept {  ///< coordinates
    return static_cast<int>(symbols.size() - drivers.size() - lengths.size());
  }
};

WrittenEquations written_equations(const MechanismEquations& equations,
                                   const WriteOptions& options = {});

/// The values of all symbols at a time and configuration.
std::vector<double> symbol_values(const WrittenEquations& written, const Mechanism& mechanism,
                                  double t, std::span<const double> q);

/// All of it to be read or run: rows "... = 0" and lengths as text; aligned rows for LaTeX (amsmath);
/// a Python program that makes SymPy matrices `Phi` and, if written, `J` by velocities.
std::string written_document(const WrittenEquations& written, FormulaStyle style, int digits = 15);

}  // namespace axode
