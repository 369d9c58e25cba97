/// Momenta and composite bodies.
#include "axode/engine/energy.hpp"
#include "src/dynamics/dynamics.hpp"

namespace axode::python {
namespace {

void write_sixes(std::span<const Vec6<double>> sixes, std::span<double> numbers) {
  for (std::size_t i = 0; i < sixes.size(); ++i) write_six(sixes[i], numbers.data() + 6 * i);
}
/// The 6x6 matrix of a linear map.
template <class F>
void write_map(const F& map, double* row_by_row) {
  for (int k = 0; k < 6; ++k) {
    Vec6<double> unit{};
    (k < 3 ? unit.angular[k] : unit.linear[k - 3]) = 1;
    double column[6];
    write_six(map(unit), column);
    for (int i = 0; i < 6; ++i) row_by_row[6 * i + k] = column[i];
  }
}

// --- composite bodies -----------------------------------------------------------------------------

/// What composite_inertias writes; with v also what composite_momenta does, with a all.
nb::object composite_of(PyTree& py, const Motions& at, int arguments, Wrenches* wrenches,
                        const Effects& effects) {
  const Tree& tree = py.tree;
  const Batching& b = at.batching();
  const std::size_t n = bodies_of(tree);
  const Output point(b, {3}), screws(b, {velocities_of(tree), 6}), inertias(b, {n, 6, 6}),
      twists(b, {n, 6}), momenta(b, {n, 6}), accelerations(b, {n, 6}), transmitted(b, {n, 6}),
      coriolis(b, {n, 6, 6});
  const Borrowed work(py);
  at.each([&](std::size_t i) {
    auto& c = work->get<Composite<double>>();
    work->poses(at.q(i));
    if (arguments == 0) composite_inertias(tree, work->poses(), c);
    if (arguments == 1) composite_momenta<double>(tree, work->poses(), at(0, i), c);
    if (arguments == 2)
      composite_motion<double>(tree, work->poses(), at(0, i), at(1, i), c,
                               (*wrenches)(i, work->poses()), effects);
    for (int k = 0; k < 3; ++k) point[i][k] = c.point[k];
    write_sixes(c.screws, screws[i]);
    for (std::size_t body = 0; body < n; ++body)
      write_map([&](const Vec6<double>& X) { return c.inertias[body] * X; },
                inertias[i].data() + 36 * body);
    if (arguments == 0) return;
    write_sixes(c.twists, twists[i]);
    write_sixes(c.momenta, momenta[i]);
    if (arguments == 1) return;
    write_sixes(c.accelerations, accelerations[i]);
    write_sixes(c.wrenches, transmitted[i]);
    for (std::size_t body = 0; body < n; ++body)
      write_map([&](const Vec6<double>& X) { return c.coriolis[body] * X; },
                coriolis[i].data() + 36 * body);
  });
  const nb::object none = nb::none();
  return result("Composite", at.finished(point), at.finished(screws), at.finished(inertias),
                arguments > 0 ? at.finished(twists) : none,
                arguments > 0 ? at.finished(momenta) : none,
                arguments > 1 ? at.finished(accelerations) : none,
                arguments > 1 ? at.finished(transmitted) : none,
                arguments > 1 ? at.finished(coriolis) : none);
}

// --- momenta --------------------------------------------------------------------------------------

/// Six numbers f(engine, q, v).
template <class F>
nb::object six_of_momenta(PyTree& py, nb::handle q, nb::handle v, F&& f) {
  const Tree& tree = py.tree;
  const Motions at(tree, q, {{"v", v}});
  const Output six(at.batching(), {6});
  const Borrowed work(py);
  at.each([&](std::size_t i) { write_six(f(work->engine(), at.q(i), at(0, i)), six[i].data()); });
  return at.finished(six);
}

nb::object body_momenta_of(PyTree& py, nb::handle q, nb::handle v) {
  const Tree& tree = py.tree;
  const Motions at(tree, q, {{"v", v}});
  const Output momenta(at.batching(), {bodies_of(tree), 6});
  const Borrowed work(py);
  std::vector<Momentum<Rep::spatial>> all(bodies_of(tree));
  at.each([&](std::size_t i) {
    auto& motion = work->get<Motion<Rep::body>>();
    work->poses(at.q(i));
    twists(tree, work->poses(), at(0, i), motion);
    body_momenta<double>(tree, work->poses(), motion, all);
    for (std::size_t b = 0; b < all.size(); ++b) write_six(all[b].six(), momenta[i].data() + 6 * b);
  });
  return at.finished(momenta);
}

nb::object momentum_matrix_of(PyTree& py, nb::handle q) {
  const Tree& tree = py.tree;
  const std::size_t n = velocities_of(tree);
  const Motions at(tree, q);
  const Output matrix(at.batching(), {6, n});
  const Borrowed work(py);
  std::vector<Momentum<Rep::hybrid>> columns(n);
  at.each([&](std::size_t i) {
    centroidal_momentum_matrix(work->engine(), at.q(i), columns);
    for (std::size_t k = 0; k < n; ++k) {
      double six[6];
      write_six(columns[k].six(), six);
      for (std::size_t row = 0; row < 6; ++row) matrix[i][row * n + k] = six[row];
    }
  });
  return at.finished(matrix);
}

nb::object momentum_rate_of(PyTree& py, nb::handle q, nb::handle v, nb::handle a) {
  const Tree& tree = py.tree;
  const Motions at(tree, q, {{"v", v}, {"a", a}});
  const Output rate(at.batching(), {6});
  const Borrowed work(py);
  at.each([&](std::size_t i) {
    write_six(centroidal_momentum_rate(work->engine(), at.q(i), at(0, i), at(1, i)).six(),
              rate[i].data());
  });
  return at.finished(rate);
}

nb::object locked_inertia_of(PyTree& py, nb::handle q) {
  const Tree& tree = py.tree;
  const Motions at(tree, q);
  std::vector<Inertia<double>> inertias(at.batching().count);
  const Borrowed work(py);
  at.each([&](std::size_t i) { inertias[i] = locked_inertia(work->engine(), at.q(i)); });
  if (!at.batching().batched) return nb::cast(inertias[0]);
  nb::list all;
  for (const Inertia<double>& inertia : inertias) all.append(inertia);
  return all;
}

nb::object average_velocity_of(PyTree& py, nb::handle q, nb::handle v) {
  return six_of_momenta(py, q, v, [](Engine& engine, In<double> at_q, In<double> at_v) {
    const AverageVelocity<double> average = average_velocity(engine, at_q, at_v);
    if (!average.determined)
      throw Error("it is not determined: there is no mass off a line", "average velocity",
                  "give the bodies mass and inertia");
    return average.twist.six();
  });
}

}  // namespace

void bind_dynamics_momenta(nb::module_& m) {
  const char* composite = "axode._results.Composite";
  m.def(
      "composite_inertias",
      [](PyTree& py, nb::handle q) {
        return composite_of(py, Motions(py.tree, q), 0, nullptr, {});
      },
      nb::arg("tree"), nb::arg("q"),
      nb::sig(signature("composite_inertias", {"q"}, "", composite).c_str()),
      "Joint screws, and the inertia of each body with all it carries, in world axes about one "
      "point.");
  m.def(
      "composite_momenta",
      [](PyTree& py, nb::handle q, nb::handle v) {
        return composite_of(py, Motions(py.tree, q, {{"v", v}}), 1, nullptr, {});
      },
      nb::arg("tree"), nb::arg("q"), nb::arg("v"),
      nb::sig(signature("composite_momenta", {"q", "v"}, "", composite).c_str()),
      "The same with the twist of each body, and the momentum of it and all it carries.");
  def_with_effects(
      m, "composite_motion",
      signature("composite_motion", {"q", "v", "a"}, wrenches_signature + ", " + effects_signature,
                composite),
      "The same with accelerations, wrenches that the joints transmit, and what changes of twists "
      "do "
      "to these.",
      [](PyTree& py, nb::handle q, nb::handle v, nb::handle a, nb::handle wrenches_argument,
         bool gravity, bool armature, bool damping, bool friction) {
        Wrenches wrenches(py.tree, wrenches_argument);
        return composite_of(py, Motions(py.tree, q, {{"v", v}, {"a", a}}, &wrenches), 2, &wrenches,
                            {gravity, armature, damping, friction});
      },
      nb::arg("q"), nb::arg("v"), nb::arg("a"), nb::arg("wrenches") = nb::none());

  m.def("body_momenta", &body_momenta_of, nb::arg("tree"), nb::arg("q"), nb::arg("v"),
        nb::sig(signature("body_momenta", {"q", "v"}).c_str()),
        "Momentum of each body about the world's origin [kg m^2/s, kg m/s], (bodies, 6).");
  m.def(
      "spatial_momentum",
      [](PyTree& py, nb::handle q, nb::handle v) {
        return six_of_momenta(py, q, v, [](Engine& engine, In<double> at_q, In<double> at_v) {
          return spatial_momentum(engine, at_q, at_v).six();
        });
      },
      nb::arg("tree"), nb::arg("q"), nb::arg("v"),
      nb::sig(signature("spatial_momentum", {"q", "v"}).c_str()),
      "Momentum of the tree about the world's origin [kg m^2/s, kg m/s], (6,).");
  m.def(
      "centroidal_momentum",
      [](PyTree& py, nb::handle q, nb::handle v) {
        return six_of_momenta(py, q, v, [](Engine& engine, In<double> at_q, In<double> at_v) {
          return centroidal_momentum(engine, at_q, at_v).six();
        });
      },
      nb::arg("tree"), nb::arg("q"), nb::arg("v"),
      nb::sig(signature("centroidal_momentum", {"q", "v"}).c_str()),
      "Momentum of the tree about its centre of mass, in world axes [kg m^2/s, kg m/s], (6,).");
  m.def("centroidal_momentum_matrix", &momentum_matrix_of, nb::arg("tree"), nb::arg("q"),
        nb::sig(signature("centroidal_momentum_matrix", {"q"}).c_str()),
        "The matrix A_G, (6, nv): the centroidal momentum is A_G v.");
  m.def("centroidal_momentum_rate", &momentum_rate_of, nb::arg("tree"), nb::arg("q"), nb::arg("v"),
        nb::arg("a"), nb::sig(signature("centroidal_momentum_rate", {"q", "v", "a"}).c_str()),
        "Time derivative of the centroidal momentum, A_G a + dA_G/dt v [N m, N], (6,).");
  m.def(
      "average_velocity", &average_velocity_of, nb::arg("tree"), nb::arg("q"), nb::arg("v"),
      nb::sig(signature("average_velocity", {"q", "v"}).c_str()),
      "Twist of the tree with locked joints that has the momentum of the moving one, at the centre "
      "of mass in world axes [rad/s, m/s], (6,). Raises Error if there is no mass off a line.");
  m.def("locked_inertia", &locked_inertia_of, nb::arg("tree"), nb::arg("q"),
        nb::sig(signature("locked_inertia", {"q"}, "", "Inertia").c_str()),
        "Inertia of the tree with locked joints, in the world's frame; a batch gives a list.");
}

}  // namespace axode::python
