/// axode.mechanism.MechanismSystem: formulating, and what the equations are.
#include <algorithm>

#include "axode/core/error.hpp"
#include "axode/mechanism/analysis/position.hpp"
#include "axode/mechanism/equations/operation_count.hpp"
#include "axode/mechanism/written/written_equations.hpp"
#include "src/mechanism/mechanism.hpp"

namespace axode::python::mechanisms {
namespace {

std::vector<int> coordinates(const Mechanism& m, nb::handle names, const char* argument) {
  std::vector<int> all;
  if (names.is_none()) return all;
  if (nb::isinstance<nb::str>(names)) return {coordinate_argument(m, names, argument)};
  for (const nb::handle item : nb::borrow(names))
    all.push_back(coordinate_argument(m, item, argument));
  return all;
}

PySystem* formulate(const PyMechanism& self, const std::string& name, nb::handle add,
                    nb::handle cut, bool close_whole, bool distances_only, bool with_drivers,
                    nb::handle controlled) {
  const Mechanism& m = self.mechanism;
  FormulationOptions how = formulation_named(m, name);
  for (const int c : coordinates(m, add, "add"))
    if (std::ranges::find(how.mixed, c) == how.mixed.end()) how.mixed.push_back(c);
  if (!cut.is_none())
    for (const nb::handle item : nb::borrow(cut))
      how.cut.push_back(joint_index(m, nb::cast<std::string>(nb::str(item))));
  how.close_whole = close_whole;
  how.distances_only = distances_only;
  how.with_drivers = with_drivers;
  how.controlled = coordinates(m, controlled, "controlled");
  return new PySystem(m, how, name);
}

nb::object text_list(const std::vector<std::string>& texts) {
  nb::list list;
  for (const std::string& text : texts) list.append(text);
  return list;
}

std::string owner(const Mechanism& m, const Equation& e) {
  switch (e.origin) {
    case Equation::Origin::body:
    case Equation::Origin::normalization:
      return m.bodies[e.index].name;
    case Equation::Origin::joint:
      return m.joints[e.index].name;
    case Equation::Origin::coordinate:
      return m.coordinates[e.index].name;
    case Equation::Origin::coupling:
      return m.couplings[e.index].name;
    case Equation::Origin::driver:
      break;
  }
  return m.drivers[e.index].name;
}

nb::object equation_list(PySystem& py) {
  constexpr std::array origins{"body",     "joint",  "coordinate",
                               "coupling", "driver", "normalization"};
  std::vector<std::string> texts;
  py.use([&](MechanismSystem& system) {
    const WrittenEquations w = written_equations(system.equations(), {.jacobian = false});
    for (const ProductSum& row : w.rows)
      texts.push_back(written(row, w.symbols, FormulaStyle::text, 6) + " = 0");
  });
  nb::list all;
  for (std::size_t row = 0; row < texts.size(); ++row) {
    const Equation& e = py.equations().equations[row];
    all.append(result("MechanismEquation", e.name, origins[std::size_t(e.origin)],
                      owner(py.mechanism(), e), texts[row]));
  }
  return all;
}

nb::object operations(PySystem& py) {
  const JacobianOperations count =
      py.use([](MechanismSystem& system) { return jacobian_operations(system.equations()); });
  return result("JacobianOperations", count.operations, count.trigonometric);
}

nb::object seats_of(PySystem& py) {
  const std::vector<SO3<double>> seats =
      py.use([](MechanismSystem& system) { return system.seats(); });
  const Output all({seats.size(), 3, 3});
  for (std::size_t b = 0; b < seats.size(); ++b)
    for (int k = 0; k < 9; ++k) all.data[9 * b + k] = seats[b].matrix(k / 3, k % 3);
  return all.array;
}
void seat(PySystem& py, nb::handle value) {
  const Numbers given(value, "seats");
  check_finite(given.all(), "seats");
  const auto shape = given.shape();
  const std::size_t bodies = py.use([](MechanismSystem& system) { return system.seats().size(); });
  if (shape.size() != 3 || shape[0] != bodies || shape[1] != 3 || shape[2] != 3)
    throw Error("are not those of this system", "seats", "give what seats() returned");
  std::vector<SO3<double>> seats;
  for (std::size_t b = 0; b < bodies; ++b) {
    const double* R = given.all().data() + 9 * b;
    seats.push_back(
        {Mat3<double>::rows({R[0], R[1], R[2]}, {R[3], R[4], R[5]}, {R[6], R[7], R[8]})});
  }
  py.use([&](MechanismSystem& system) { system.seat(seats); });
}

nb::object refresh(PySystem& py, nb::handle q_argument, nb::handle v_argument) {
  std::vector<double> q = state(q_argument, "q", py.nq(), "the system's coordinates");
  std::vector<double> v(py.nv(), 0);
  if (!v_argument.is_none()) v = state(v_argument, "v", py.nv(), "the system's velocities");
  const bool changed = py.use([&](MechanismSystem& system) { return system.refresh(q, v); });
  return result("RefreshResult", changed, array(q), array(v));
}

}  // namespace

void bind_mechanism_system(MechanismClasses& c) {
  c.mechanisms.def(
      "formulate", &formulate, nb::arg("formulation") = default_formulation, nb::kw_only(),
      nb::arg("add") = nb::none(), nb::arg("cut") = nb::none(), nb::arg("close_whole") = false,
      nb::arg("distances_only") = false, nb::arg("with_drivers") = true,
      nb::arg("controlled") = nb::none(),
      nb::sig(
          "def formulate(self, formulation: axode.typing.MechanismFormulation = 'natural', *, add: "
          "collections.abc.Iterable[str] | None = None, cut: collections.abc.Iterable[str] | "
          "None = None, close_whole: bool = "
          "False, distances_only: bool = False, with_drivers: bool = True, controlled: "
          "collections.abc.Iterable[str | int] | None = None) -> "
          "MechanismSystem"),
      "The equations in these coordinates. add: coordinates of the mechanism to be added as mixed "
      "ones ('mixed': natural ones with all of them); cut: joints to cut in relative coordinates; "
      "close_whole: loops of relative coordinates closed as a whole, six equations each; "
      "distances_only: planar natural elements of three points by three distances; with_drivers: "
      "False for the mechanism without its drivers; controlled: coordinates on which a control may "
      "act in simulate.");
  c.systems
      .def_prop_ro(
          "mechanism", [](const PySystem& s) { return PyMechanism{s.mechanism()}; },
          nb::sig("def mechanism(self) -> Mechanism"), "The mechanism.")
      .def_prop_ro(
          "formulation", [](const PySystem& s) { return s.name(); },
          nb::sig("def formulation(self) -> str"), "The name of the coordinates.")
      .def_prop_ro("nq", &PySystem::nq, "Number of coordinates q.")
      .def_prop_ro("nv", &PySystem::nv, "Number of velocities v.")
      .def_prop_ro("rows", &PySystem::rows, "Number of equations.")
      .def_prop_ro(
          "coordinate_names",
          [](const PySystem& s) { return text_list(s.equations().coordinate_names); },
          nb::sig("def coordinate_names(self) -> list[str]"), "By number of q.")
      .def_prop_ro(
          "velocity_names",
          [](const PySystem& s) { return text_list(s.equations().velocity_names); },
          nb::sig("def velocity_names(self) -> list[str]"), "By number of v.")
      .def_prop_ro(
          "remarks", [](const PySystem& s) { return text_list(s.equations().remarks); },
          nb::sig("def remarks(self) -> list[str]"), "Decisions a user may want to know.")
      .def_prop_ro(
          "cut_joints",
          [](const PySystem& s) {
            nb::list names;
            for (const int j : s.equations().cut_joints) names.append(s.mechanism().joints[j].name);
            return names;
          },
          nb::sig("def cut_joints(self) -> list[str]"), "Relative: joints not in the tree.")
      .def("__repr__", [](const PySystem& s) {
        return "MechanismSystem('" + s.mechanism().name + "' in " + s.name() + " coordinates, " +
               std::to_string(s.nq()) + " coordinates, " + std::to_string(s.rows()) + " equations)";
      });
  c.both({"equations", "", "list[axode._results.MechanismEquation]",
          "The constraint equations in the forms in use, in the order of rows."},
         &equation_list);
  c.both({"jacobian_operations", "", "axode._results.JacobianOperations",
          "What evaluating one Jacobian costs: sums and products count one each, sines and cosines "
          "apart."},
         &operations);
  c.system_only({"seats", "", "axode.typing.Array",
                 "Frames that Euler angles refer to, (bodies, 3, 3); (0, 3, 3) where there are "
                 "none."},
                &seats_of);
  c.system_only({"seat", "seats: axode.typing.ArrayLike", "None",
                 "Lets Euler angles refer to these frames again."},
                &seat, nb::arg("seats"));
  c.system_only(
      {"refresh", "q: axode.typing.ArrayLike, v: axode.typing.ArrayLike | None = None",
       "axode._results.RefreshResult",
       "Chooses forms of equations and seats of Euler angles anew, which changes q and v."},
      &refresh, nb::arg("q"), nb::arg("v") = nb::none());
}

}  // namespace axode::python::mechanisms
