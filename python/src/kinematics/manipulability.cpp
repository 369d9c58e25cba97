/// Singular values of Jacobians and what follows: axode/kinematics/manipulability.hpp.
#include "axode/kinematics/manipulability.hpp"

#include <nanobind/stl/array.h>

#include "axode/engine/frames.hpp"
#include "src/kinematics/frame_names.hpp"
#include "src/kinematics/kinematics.hpp"
#include "src/shared/results.hpp"

namespace axode::python {
namespace {

TaskRows task_rows(nb::handle rows) {
  std::string_view name;
  if (nb::try_cast(rows, name)) {
    constexpr TaskRows by_name[] = {all_rows, rotation_rows, translation_rows};
    return by_name[choice(name, "rows", {"all", "rotation", "translation"})];
  }
  TaskRows result;
  if (!nb::try_cast(rows, result, false))
    throw nb::type_error("rows: give 'all', 'rotation', 'translation' or six truth values");
  return result;
}

nb::object rows_of(const std::vector<std::vector<double>>& rows, std::size_t columns) {
  const Output result({rows.size(), columns});
  for (std::size_t i = 0; i < rows.size(); ++i)
    std::copy(rows[i].begin(), rows[i].end(), result.data + i * columns);
  check_result(result.all());
  return result.array;
}
std::vector<std::vector<double>> rows_from(nb::handle value, const char* argument) {
  const Numbers numbers(value, argument);
  const auto shape = numbers.shape();
  if (shape.size() != 2) throw Error("is not of two dimensions", argument);
  check_numbers(numbers.all(), argument);
  std::vector<std::vector<double>> rows(shape[0]);
  for (std::size_t i = 0; i < shape[0]; ++i) {
    const auto row = numbers.all().subspan(i * shape[1], shape[1]);
    rows[i].assign(row.begin(), row.end());
  }
  return rows;
}

nb::object manipulability_result(const Manipulability& m) {
  nb::list axes;
  for (const PrincipalAxis& a : m.axes)
    axes.append(result("PrincipalAxis", array(a.axis), a.velocity, a.force));
  const std::size_t nv = m.joint_vectors.front().size();
  return result("Manipulability", array(m.singular_values), axes, rows_of(m.joint_vectors, nv),
                rows_of(m.null_space, nv), m.index, m.condition, m.rank,
                nb::tuple(nb::cast(m.options.rows)), m.options.length, m.options.rank_tolerance);
}

/// What the inverses need of a result, read back from the named tuple.
Manipulability manipulability_from(nb::handle given) {
  nb::object type = nb::module_::import_("axode._results").attr("Manipulability");
  if (!nb::isinstance(given, type)) throw nb::type_error("m: give the result of manipulability");
  const nb::object singular_values = given.attr("singular_values"), axes = given.attr("axes"),
                   joint_vectors = given.attr("joint_vectors"), rank = given.attr("rank"),
                   rows = given.attr("rows"), length = given.attr("length");
  Manipulability m;
  m.singular_values = vector(singular_values, "m.singular_values");
  check_numbers(m.singular_values, "m.singular_values");
  for (const nb::handle axis : axes) {
    const nb::object six = axis.attr("axis");
    m.axes.push_back({vec6(six, "m.axes"), 0, 0});
  }
  m.joint_vectors = rows_from(joint_vectors, "m.joint_vectors");
  m.rank = nb::cast<int>(rank);
  m.options.rows = task_rows(rows);
  m.options.length = nb::cast<double>(length);
  if (m.joint_vectors.empty() || m.axes.size() < m.singular_values.size() ||
      m.joint_vectors.size() < m.singular_values.size())
    throw Error("its parts do not belong together", "m", "give the result of manipulability");
  return m;
}

nb::object of_frame(PyTree& py, nb::handle q_argument, nb::handle frame, nb::handle rows,
                    double length, double rank_tolerance) {
  const FrameChoice of = frame_choice(py.tree, frame, "frame");
  const std::vector<double> q = single_state(py.tree, q_argument);
  const Borrowed work(py);
  std::vector<Vec6<double>> columns(velocities_of(py.tree));
  jacobian(work->engine(), q, FrameRoles{.of = of}, columns);
  return manipulability_result(
      manipulability(py.tree, columns, {task_rows(rows), length, rank_tolerance}));
}
nb::object of_matrix(nb::handle jacobian, nb::handle rows, double length, double rank_tolerance) {
  const auto lines = rows_from(jacobian, "jacobian");
  if (lines.size() != 6)
    throw Error("has " + std::to_string(lines.size()) + " rows", "jacobian", "give (6, nv)");
  std::vector<Vec6<double>> columns(lines[0].size());
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (int i = 0; i < 6; ++i) columns[k][i] = lines[i][k];
  return manipulability_result(manipulability(columns, {task_rows(rows), length, rank_tolerance}));
}

}  // namespace

void bind_manipulability(nb::module_& m) {
  const auto rows = nb::arg("rows") = "all";
  const auto length = nb::arg("length") = 1.0;
  const auto tolerance = nb::arg("rank_tolerance") = 1e-10;
  const std::string options =
      "*, rows: typing.Literal['all', 'rotation', 'translation'] "
      "| collections.abc.Sequence[bool] = 'all', length: float = 1.0, "
      "rank_tolerance: float = 1e-10) -> axode._results.Manipulability";
  m.def(
      "manipulability", &of_frame, nb::arg("tree"), nb::arg("q"), nb::arg("frame"), nb::kw_only(),
      rows, length, tolerance,
      nb::sig(("def manipulability(tree: Tree, q: axode.typing.ArrayLike, "
               "frame: axode.typing.FrameLike, " +
               options)
                  .c_str()),
      "Singular values of the hybrid Jacobian of a frame at one state, with the rank, null space, "
      "ellipsoids and Yoshikawa's index that follow. `rows` count, of the six; rotations are "
      "multiplied by `length`, the metres that count as a radian. Joint vectors are of the "
      "independent velocities where joints are coupled.");
  m.def("manipulability", &of_matrix, nb::arg("jacobian"), nb::kw_only(), rows, length, tolerance,
        nb::sig(("def manipulability(jacobian: axode.typing.ArrayLike, " + options).c_str()),
        "The same of any Jacobian, (6, nv).");
  m.def(
      "pseudo_inverse_times",
      [](nb::handle given, nb::handle twist) {
        return array(pseudo_inverse_times(manipulability_from(given), vec6(twist, "twist")));
      },
      nb::arg("m"), nb::arg("twist"),
      nb::sig("def pseudo_inverse_times(m: axode._results.Manipulability, "
              "twist: axode.typing.ArrayLike) -> axode.typing.Array"),
      "The joint velocities of least norm whose twist is nearest to the one given [rad/s, m/s] in "
      "the rows that count, (nv,).");
  m.def(
      "damped_inverse_times",
      [](nb::handle given, nb::handle twist, double damping) {
        return array(
            damped_inverse_times(manipulability_from(given), vec6(twist, "twist"), damping));
      },
      nb::arg("m"), nb::arg("twist"), nb::arg("damping"),
      nb::sig("def damped_inverse_times(m: axode._results.Manipulability, "
              "twist: axode.typing.ArrayLike, damping: float) -> axode.typing.Array"),
      "The joint velocities that minimise |J v - V|^2 + damping^2 |v|^2, (nv,): bounded near "
      "singularities.");
}

}  // namespace axode::python
