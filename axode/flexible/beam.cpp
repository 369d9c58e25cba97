#include "axode/flexible/beam.hpp"

#include <cmath>

#include "axode/error.hpp"

namespace axode {

namespace {

void check_positive(double number, const char* what, const std::string& where) {
  if (!(number > 0) || !std::isfinite(number))
    throw Error(std::string(what) + " is " + std::to_string(number), where,
                "give a positive number");
}
void check_section(const Section& section, const std::string& where) {
  check_positive(section.area, "the area of the section", where);
  check_positive(section.Iy, "Iy of the section", where);
  check_positive(section.Iz, "Iz of the section", where);
  check_positive(section.torsion, "the torsion constant of the section", where);
}

}  // namespace

Section section_at(const Beam& beam, double x) {
  return section_between(beam.root, beam.tip, x / beam.length);
}
bool is_uniform(const Beam& beam) noexcept { return beam.root == beam.tip; }

void check_beam(const Beam& beam, const std::string& where) {
  check_positive(beam.length, "the length", where);
  check_positive(beam.material.E, "Young's modulus", where);
  check_positive(beam.material.G, "the shear modulus", where);
  check_positive(beam.material.density, "the density", where);
  if (beam.root.kind != beam.tip.kind)
    throw Error("the sections at root and tip are of different kinds", where,
                "taper between two outlines of one kind, or give numbers");
  check_section(section_of(beam.root), where);
  check_section(section_of(beam.tip), where);
}

}  // namespace axode
