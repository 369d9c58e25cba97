/// The parts of the bindings of axode/screw, and six-vectors with a representation known at run time.
#pragma once
#include <string>

#include "axode/screw/screw.hpp"
#include "axode/screw/subgroup.hpp"
#include "axode/screw/twist.hpp"
#include "src/lie/lie.hpp"

namespace axode::python {

void bind_six_vectors(nb::module_& m);
void bind_conversions(nb::module_& m);
void bind_inertia(nb::module_& m);
void bind_screws(nb::module_& m);
void bind_subgroups(nb::module_& m);

/// Twist, Acceleration, Wrench or Momentum of Python: SixVector<quantity, rep> with any rep.
template <Quantity quantity>
struct Typed {
  Rep rep = Rep::body;
  Vec6<double> six;

  template <Rep as>
  SixVector<quantity, as> typed() const noexcept {
    return {six.angular, six.linear};
  }
  template <Rep as>
  static Typed of(const SixVector<quantity, as>& a) noexcept {
    return {as, a.six()};
  }
  friend bool operator==(const Typed&, const Typed&) = default;
};
using PyTwist = Typed<Quantity::twist>;
using PyAcceleration = Typed<Quantity::acceleration>;
using PyWrench = Typed<Quantity::wrench>;
using PyMomentum = Typed<Quantity::momentum>;

std::string name(Rep rep);
/// A motion subgroup by name. Throws Error on another.
MotionSubgroup subgroup(std::string_view name);
/// Screws as rows, (number of screws, 6).
nb::object rows(const ScrewSystem<double>& screws);
/// Throws Error "argument: is in body representation where spatial is wanted".
void want(Rep wanted, Rep given, const char* argument);

}  // namespace axode::python
