/// Cross-sections of beams: axode/flexible/beam/section.hpp.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <array>

#include "axode/core/error.hpp"
#include "src/flexible/flexible.hpp"

namespace axode::python {
namespace {

constexpr std::array<const char*, 6> outline_names{"numbers",   "circle", "tube",
                                                   "rectangle", "box",    "i_profile"};
constexpr std::array<std::size_t, 6> size_counts{0, 1, 2, 2, 3, 4};

/// Through the function of the kind, which checks the sizes.
SectionOutline outline(std::string_view kind, const std::vector<double>& s,
                       const std::optional<Section>& given) {
  const std::size_t k =
      choice(kind, "kind", {"numbers", "circle", "tube", "rectangle", "box", "i_profile"});
  if (s.size() != size_counts[k])
    throw Error("has " + std::to_string(s.size()) + " numbers where " +
                    std::to_string(size_counts[k]) + " are wanted",
                "sizes");
  switch (static_cast<SectionOutline::Kind>(k)) {
    case SectionOutline::Kind::circle:
      return solid_circle(s[0]);
    case SectionOutline::Kind::tube:
      return hollow_circle(s[0], s[1]);
    case SectionOutline::Kind::rectangle:
      return solid_rectangle(s[0], s[1]);
    case SectionOutline::Kind::box:
      return hollow_rectangle(s[0], s[1], s[2]);
    case SectionOutline::Kind::i_profile:
      return i_section(s[0], s[1], s[2], s[3]);
    case SectionOutline::Kind::numbers:
      break;
  }
  if (!given) throw Error("is missing", "given", "give the Section of an outline by numbers");
  return section_numbers(*given);
}

void bind_types(nb::module_& m) {
  auto section = nb::class_<Section>(m, "Section",
                                     "Area and second moments of a section, which "
                                     "lies in the y-z plane of the link.");
  section
      .def(
          "__init__",
          [](Section* self, double area, double Iy, double Iz, double torsion) {
            new (self) Section{area, Iy, Iz, torsion};
          },
          nb::arg("area"), nb::arg("Iy"), nb::arg("Iz"), nb::arg("torsion"))
      .def_ro("area", &Section::area, "[m^2]")
      .def_ro("Iy", &Section::Iy, "Integral of z^2 [m^4]: resists bending in the x-z plane.")
      .def_ro("Iz", &Section::Iz, "Integral of y^2 [m^4]: resists bending in the x-y plane.")
      .def_ro("torsion", &Section::torsion, "Saint-Venant's constant [m^4].")
      .def("polar", &Section::polar, "Polar moment Iy + Iz [m^4].");
  value_type(section, {"area", "Iy", "Iz", "torsion"});

  auto outlines = nb::class_<SectionOutline>(
      m, "SectionOutline",
      "A section by its outline, so that tapered beams know the sections between two of one kind. "
      "Made by solid_circle, hollow_circle, solid_rectangle, hollow_rectangle, i_section and "
      "section_numbers.");
  outlines
      .def(
          "__init__",
          [](SectionOutline* self, std::string_view kind, const std::vector<double>& sizes,
             const std::optional<Section>& given) {
            new (self) SectionOutline(outline(kind, sizes, given));
          },
          nb::arg("kind"), nb::arg("sizes") = std::vector<double>{}, nb::arg("given") = nb::none())
      .def_prop_ro(
          "kind", [](const SectionOutline& o) { return outline_names[std::size_t(o.kind)]; },
          "\"numbers\", \"circle\", \"tube\", \"rectangle\", \"box\" or \"i_profile\".")
      .def_prop_ro(
          "sizes",
          [](const SectionOutline& o) {
            const std::size_t count = size_counts[std::size_t(o.kind)];
            return std::vector<double>(o.sizes.begin(),
                                       o.sizes.begin() + static_cast<std::ptrdiff_t>(count));
          },
          "Sizes [m] in the order of the function that makes the kind.")
      .def_prop_ro(
          "given",
          [](const SectionOutline& o) {
            return o.kind == SectionOutline::Kind::numbers ? std::optional(o.given) : std::nullopt;
          },
          "The numbers of kind \"numbers\", else None.");
  value_type(outlines, {"kind", "sizes", "given"});
}

}  // namespace

void bind_flexible_sections(nb::module_& m) {
  bind_types(m);
  m.def("section_numbers", &section_numbers, nb::arg("section"),
        "A section of which area, moments and torsion constant are known.");
  m.def("solid_circle", &solid_circle, nb::arg("diameter"), "A full circle; size in m.");
  m.def("hollow_circle", &hollow_circle, nb::arg("outer_diameter"), nb::arg("inner_diameter"),
        "A tube; sizes in m.");
  m.def("solid_rectangle", &solid_rectangle, nb::arg("width"), nb::arg("height"),
        "A full rectangle, `width` along y and `height` along z [m]; its torsion constant is the "
        "exact series.");
  m.def("hollow_rectangle", &hollow_rectangle, nb::arg("width"), nb::arg("height"), nb::arg("wall"),
        "A box with thin walls [m]: torsion by Bredt's formula.");
  m.def("i_section", &i_section, nb::arg("width"), nb::arg("height"), nb::arg("flange"),
        nb::arg("web"),
        "Flanges of `width` along y and thickness `flange`, a web of thickness `web` along z, "
        "`height` in all [m]: open and thin.");
  m.def("section_of", &section_of, nb::arg("outline"), "The numbers of an outline.");
  m.def("section_between", &section_between, nb::arg("a"), nb::arg("b"), nb::arg("s"),
        "The section at the fraction s in [0, 1] of the way from a to b, which are of one kind.");
}

}  // namespace axode::python
