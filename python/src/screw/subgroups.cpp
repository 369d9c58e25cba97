/// The motion subgroups of SE(3), by name. Screw systems are arrays (number of screws, 6).
#include <vector>

#include "axode/core/error.hpp"
#include "src/screw/screw.hpp"
#include "src/shared/results.hpp"

namespace axode::python {
namespace {

const std::initializer_list<std::string_view> names = {
    "identity",      "translation_1", "rotation", "helical",        "translation_2", "cylindrical",
    "translation_3", "spherical",     "planar",   "helical_planar", "schoenflies",   "full"};

}  // namespace

MotionSubgroup subgroup(std::string_view name) {
  return static_cast<MotionSubgroup>(choice(name, "group", names));
}

nb::object rows(const ScrewSystem<double>& screws) {
  const Output result({std::size_t(screws.size), 6});
  double* row = result.data;
  for (const Vec6<double>& X : screws) {
    write_six(X, row);
    row += 6;
  }
  return result.array;
}

namespace {

nb::object generated(nb::handle screws, double length, double tolerance) {
  const States numbers(screws, "screws", 6, "screws angular part first, one per row");
  std::vector<Vec6<double>> all(numbers.count());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = read_six(numbers[i].data());
  const GeneratedSubgroup<double> g =
      generated_subgroup(std::span<const Vec6<double>>(all), length, tolerance);
  return result("GeneratedSubgroup", std::string(names.begin()[static_cast<int>(g.group)]),
                rows(g.basis), g.pitch);
}

}  // namespace

void bind_subgroups(nb::module_& m) {
  m.def(
      "dimension", [](std::string_view group) { return dimension(subgroup(group)); },
      nb::arg("group"), nb::sig("def dimension(group: axode.typing.MotionSubgroup) -> int"),
      "Number of degrees of freedom of a motion subgroup: 0 to 4, or 6.");
  m.def(
      "symbol", [](std::string_view group) { return std::string(symbol(subgroup(group))); },
      nb::arg("group"), nb::sig("def symbol(group: axode.typing.MotionSubgroup) -> str"),
      "The symbol of the literature, such as 'SO(2) x R'.");
  m.def(
      "subgroup_screws",
      [](std::string_view group, nb::handle T_WF, double pitch) {
        return rows(subgroup_screws(subgroup(group), pose(T_WF, "T_WF"), pitch));
      },
      nb::arg("group"), nb::arg("T_WF"), nb::arg("pitch") = 0.0,
      nb::sig("def subgroup_screws(group: axode.typing.MotionSubgroup, T_WF: SE3 | "
              "axode.typing.ArrayLike, pitch: float = 0.0) -> axode.typing.Array"),
      "A basis of the subgroup's algebra in frame W, (dimension, 6): its axis is the z axis of the "
      "frame T_WF, its plane the x-y plane, its centre the origin; translations first, then "
      "rotations or the screw of the given pitch [m/rad] ('helical' and 'helical_planar' only).");
  m.def("generated_subgroup", &generated, nb::arg("screws"), nb::arg("length") = 1.0,
        nb::arg("tolerance") = 1e4 * epsilon<double>,
        nb::sig("def generated_subgroup(screws: axode.typing.ArrayLike, length: float = 1.0, "
                "tolerance: float = 2.220446049250313e-12) -> "
                "axode._results.screw.GeneratedSubgroup"),
        "The smallest subgroup whose algebra holds all the screws (n, 6). `length` [m] is the size "
        "of the mechanism, by which linear parts are divided before `tolerance` decides on linear "
        "dependence and on zero pitch.");
}

}  // namespace axode::python
