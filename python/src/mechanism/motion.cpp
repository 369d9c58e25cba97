/// Poses, twists, coordinates and energies of a mechanism at states, and the way back from poses.
#include "axode/core/error.hpp"
#include "src/mechanism/arguments.hpp"

namespace axode::python::mechanisms {
namespace {

/// Poses, twists and their rates of all bodies.
struct Moving {
  explicit Moving(const PySystem& py)
      : poses(py.mechanism().bodies.size()), twists(poses.size()), rates(poses.size()) {}
  std::vector<SE3<double>> poses;
  std::vector<Twist<Rep::hybrid>> twists;
  std::vector<Vec6<double>> rates;
  void at(MechanismSystem& system, const Arguments& x, std::size_t i) {
    system.motion(x.q(i), x.v(i), poses, twists);
    system.accelerations(x.q(i), x.v(i), x.a(i), rates);
  }
};

nb::object poses_of(PySystem& py, nb::handle q) {
  const Arguments x(py, {}, q);
  Moving bodies(py);
  return each(py, x, {bodies.poses.size(), 4, 4},
              [&](MechanismSystem& system, std::size_t i, auto out) {
                system.poses(x.q(i), bodies.poses);
                system.check_poses(bodies.poses);
                for (std::size_t b = 0; b < bodies.poses.size(); ++b)
                  write_homogeneous(bodies.poses[b], out.data() + 16 * b);
              });
}
nb::object motion_of(PySystem& py, nb::handle q, nb::handle v) {
  const Arguments x(py, {}, q, v);
  Moving bodies(py);
  const Output poses(x.batching, {bodies.poses.size(), 4, 4}),
      twists(x.batching, {bodies.poses.size(), 6});
  py.use([&](MechanismSystem& system) {
    for (std::size_t i = 0; i < x.batching.count; ++i) {
      system.motion(x.q(i), x.v(i), bodies.poses, bodies.twists);
      for (std::size_t b = 0; b < bodies.poses.size(); ++b) {
        write_homogeneous(bodies.poses[b], poses[i].data() + 16 * b);
        write_six(bodies.twists[b].six(), twists[i].data() + 6 * b);
      }
    }
  });
  return result("BodyMotion", poses.array, twists.array);
}
nb::object accelerations_of(PySystem& py, nb::handle q, nb::handle v, nb::handle a) {
  const Arguments x(py, {}, q, v, a);
  Moving bodies(py);
  return each(py, x, {bodies.poses.size(), 6},
              [&](MechanismSystem& system, std::size_t i, auto out) {
                system.accelerations(x.q(i), x.v(i), x.a(i), bodies.rates);
                for (std::size_t b = 0; b < bodies.rates.size(); ++b)
                  write_six(bodies.rates[b], out.data() + 6 * b);
              });
}

nb::object measured(PySystem& py, nb::handle q, nb::handle v, nb::handle a) {
  const Arguments x(py, {}, q, v, a);
  Moving bodies(py);
  const std::size_t n = py.mechanism().coordinates.size();
  const Output value(x.batching, {n}), rate(x.batching, {n}), acceleration(x.batching, {n});
  py.use([&](MechanismSystem& system) {
    for (std::size_t i = 0; i < x.batching.count; ++i) {
      bodies.at(system, x, i);
      for (std::size_t c = 0; c < n; ++c) {
        const TimeValue now = measure(system.mechanism(), static_cast<int>(c), bodies.poses,
                                      bodies.twists, bodies.rates);
        value[i][c] = now.value;
        rate[i][c] = now.rate;
        acceleration[i][c] = now.acceleration;
      }
    }
  });
  return result("TimeValue", value.array, rate.array, acceleration.array);
}

nb::object kinetic(PySystem& py, nb::handle q, nb::handle v) {
  const Arguments x(py, {}, q, v);
  return each_number(py, x, [&](MechanismSystem& system, std::size_t i, auto out) {
    out[0] = system.kinetic_energy(x.q(i), x.v(i));
  });
}
nb::object potential(PySystem& py, nb::handle t, nb::handle q) {
  const Arguments x(py, t, q);
  return each_number(py, x, [&](MechanismSystem& system, std::size_t i, auto out) {
    out[0] = system.potential_energy(x.t(i), x.q(i));
  });
}

nb::object from_poses(PySystem& py, nb::handle value) {
  const std::vector<SE3<double>> poses = poses_argument(py.mechanism(), value, "T_WB");
  return array(py.use([&](MechanismSystem& system) { return system.from_poses(poses); }));
}
nb::object from_twists(PySystem& py, nb::handle q_argument, nb::handle twists_argument) {
  const std::vector<double> q = state(q_argument, "q", py.nq(), coordinates_text);
  const Numbers given(twists_argument, "twists");
  const std::size_t n = py.mechanism().bodies.size();
  if (given.shape().size() != 2 || given.shape()[0] != n || given.shape()[1] != 6)
    throw Error("have not the shape (bodies, 6)", "twists");
  check_finite(given.all(), "twists");
  std::vector<Twist<Rep::hybrid>> twists(n);
  for (std::size_t b = 0; b < n; ++b) {
    const Vec6<double> six = read_six(given.all().data() + 6 * b);
    twists[b] = {six.angular, six.linear};
  }
  return array(py.use([&](MechanismSystem& system) { return system.from_twists(q, twists); }));
}
nb::object mirrored(PySystem& py, double t, nb::handle q_argument) {
  const std::vector<double> q = state(q_argument, "q", py.nq(), coordinates_text);
  time(t);
  const auto mirror = py.use([&](MechanismSystem& system) { return system.mirrored(t, q); });
  return result("Mirror", mirror.found, mirror.what);
}

}  // namespace

void bind_mechanism_motion(MechanismClasses& c) {
  using nb::arg;
  const char* const array_text = "axode.typing.Array";
  const char* const tq = "t: axode.typing.ArrayLike, q: axode.typing.ArrayLike";
  const char* const qv = "q: axode.typing.ArrayLike, v: axode.typing.ArrayLike";
  c.system_only({"poses", "q: axode.typing.ArrayLike", array_text,
                 "Poses of all bodies in the world, the world first, (bodies, 4, 4)."},
                &poses_of, arg("q"));
  c.system_only({"motion", qv, "axode._results.BodyMotion",
                 "Poses (bodies, 4, 4) and twists (bodies, 6) of all bodies: world axes, about the "
                 "bodies' origins [rad/s, m/s]."},
                &motion_of, arg("q"), arg("v"));
  c.system_only({"accelerations",
                 "q: axode.typing.ArrayLike, v: axode.typing.ArrayLike, a: axode.typing.ArrayLike",
                 array_text, "Rates of these twists, (bodies, 6) [rad/s^2, m/s^2]."},
                &accelerations_of, arg("q"), arg("v"), arg("a"));
  c.system_only({"measure",
                 "q: axode.typing.ArrayLike, v: axode.typing.ArrayLike | None = None, a: "
                 "axode.typing.ArrayLike | None = None",
                 "axode._results.TimeValue",
                 "The coordinates of the mechanism with rates and accelerations, each "
                 "(coordinates,); angles in (-pi, pi]."},
                &measured, arg("q"), arg("v") = nb::none(), arg("a") = nb::none());
  c.system_only({"kinetic_energy", qv, "float | axode.typing.Array", "[J]."}, &kinetic, arg("q"),
                arg("v"));
  c.system_only(
      {"potential_energy", tq, "float | axode.typing.Array", "Of gravity and springs [J]."},
      &potential, arg("t"), arg("q"));
  c.system_only({"from_poses", "T_WB: axode.typing.ArrayLike", array_text,
                 "Coordinates (nq,) of a configuration by poses (bodies, 4, 4): exact where the "
                 "poses are assembled, else some guess."},
                &from_poses, arg("T_WB"));
  c.system_only(
      {"from_twists", "q: axode.typing.ArrayLike, twists: axode.typing.ArrayLike", array_text,
       "Velocities (nv,) that give bodies these twists (bodies, 6), as nearly as they "
       "can."},
      &from_twists, arg("q"), arg("twists"));
  c.system_only({"mirrored", "t: float, q: axode.typing.ArrayLike", "axode._results.Mirror",
                 "Whether equations are met by what the model does not mean, such as mirror images "
                 "of bodies; for assembled q."},
                &mirrored, arg("t"), arg("q"));
}

}  // namespace axode::python::mechanisms
