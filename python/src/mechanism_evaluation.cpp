/// Equations, Jacobians, masses, forces and motions of a mechanism at states, one or many.
#include <cmath>

#include "axode/error.hpp"
#include "axode/mechanism/body_wrenches.hpp"
#include "src/mechanism_options.hpp"

namespace axode::python::mechanisms {
namespace {

constexpr const char* coordinates_text = "the system's coordinates";
constexpr const char* velocities_text = "the system's velocities";

/// Quaternions of the group are unit ones up to rounding.
void check_coordinates(const LieGroup& group, std::span<const double> q) {
  check_finite(q, "q");
  for (const LieGroup::Factor& f : group.factors) {
    if (f.kind == LieGroup::Kind::real) continue;
    double square = 0;
    for (int k = 0; k < 4; ++k) square += q[nth(f.x + k)] * q[nth(f.x + k)];
    if (!(std::abs(square - 1) < 1e-6))
      throw Error("the quaternion at number " + std::to_string(f.x) + " is not of unit length",
                  "q");
  }
}

/// Times, coordinates, velocities and accelerations of a call, each one or many.
class Arguments {
 public:
  Arguments(PySystem& py, nb::handle t, nb::handle q, nb::handle v = {}, nb::handle a = {})
      : times_(t.is_valid() ? t : nb::handle(nb::float_(0.0)), "t"),
        one_time_(!t.is_valid() || is_number(t) || times_.shape().empty()),
        q_(q, "q", py.nq(), coordinates_text),
        v_(given(v, "v", py)),
        a_(given(a, "a", py)),
        none_(nth(py.nv()), 0),
        batching({&q_, v_ ? &*v_ : nullptr, a_ ? &*a_ : nullptr}) {
    check_finite(times_.all(), "t");
    if (times_.shape().size() > 1) throw Error("is neither a time nor (batch,) of them", "t");
    if (!one_time_) {
      if (batching.batched && batching.count != times_.all().size())
        throw Error("has " + std::to_string(times_.all().size()) + " times for " +
                        std::to_string(batching.count) + " states",
                    "t", "give as many, or one for all");
      batching.batched = true;
      batching.count = times_.all().size();
    }
    for (std::size_t i = 0; i < q_.count(); ++i) check_coordinates(py.equations().group, q_[i]);
    for (const auto* x : {&v_, &a_})
      for (std::size_t i = 0; *x && i < (*x)->count(); ++i) check_finite((**x)[i], "v, a");
  }
  double t(std::size_t i) const { return times_.all()[one_time_ ? 0 : i]; }
  std::span<const double> q(std::size_t i) const { return q_[i]; }
  std::span<const double> v(std::size_t i) const { return v_ ? (*v_)[i] : none_; }
  std::span<const double> a(std::size_t i) const { return a_ ? (*a_)[i] : none_; }

 private:
  static std::optional<States> given(nb::handle x, const char* argument, PySystem& py) {
    if (!x.is_valid() || x.is_none()) return {};
    return std::optional<States>(std::in_place, x, argument, py.nv(), velocities_text);
  }
  Numbers times_;
  bool one_time_;
  States q_;
  std::optional<States> v_, a_;
  std::vector<double> none_;

 public:
  Batching batching;
};

/// For each state f(system, i, numbers of the result).
template <class F>
nb::object each(PySystem& py, const Arguments& x, std::initializer_list<std::size_t> shape, F&& f) {
  const Output out(x.batching, shape);
  py.use([&](MechanismSystem& system) {
    for (std::size_t i = 0; i < x.batching.count; ++i) f(system, i, out[i]);
  });
  return out.array;
}
/// The same of one number: a float, or (batch,).
template <class F>
nb::object each_number(PySystem& py, const Arguments& x, F&& f) {
  const nb::object numbers = each(py, x, {}, std::forward<F>(f));
  if (x.batching.batched) return numbers;
  const nb::object item = numbers.attr("item");
  return item();
}

void write_dense(const SparseRows& A, std::span<double> numbers) {
  std::ranges::fill(numbers, 0.0);
  for (int row = 0; row < A.rows; ++row)
    for (int k = A.start[nth(row)]; k < A.start[nth(row + 1)]; ++k)
      numbers[nth(row) * nth(A.columns) + nth(A.column[nth(k)])] += A.value[nth(k)];
}

nb::object index_array(const std::vector<long long>& numbers) {
  nb::list list;
  for (const long long x : numbers) list.append(x);
  const nb::object asarray = nb::module_::import_("numpy").attr("asarray");
  const nb::object int64 = nb::module_::import_("numpy").attr("int64");
  return asarray(list, int64);
}

}  // namespace

nb::object sparse_result(const SparseRows& A) {
  std::vector<long long> rows, columns;
  for (int row = 0; row < A.rows; ++row)
    for (int k = A.start[nth(row)]; k < A.start[nth(row + 1)]; ++k) {
      rows.push_back(row);
      columns.push_back(A.column[nth(k)]);
    }
  return result("SparseMatrix", index_array(rows), index_array(columns), array(A.value),
                nb::make_tuple(A.rows, A.columns));
}

namespace {

nb::object position(PySystem& py, nb::handle t, nb::handle q) {
  const Arguments x(py, t, q);
  return each(py, x, {nth(py.rows())}, [&](MechanismSystem& system, std::size_t i, auto out) {
    system.position(x.t(i), x.q(i), out);
  });
}
nb::object time_rate(PySystem& py, nb::handle t, nb::handle q) {
  const Arguments x(py, t, q);
  return each(py, x, {nth(py.rows())}, [&](MechanismSystem& system, std::size_t i, auto out) {
    system.time_rate(x.t(i), x.q(i), out);
  });
}
nb::object velocity(PySystem& py, nb::handle t, nb::handle q, nb::handle v) {
  const Arguments x(py, t, q, v);
  return each(py, x, {nth(py.rows())}, [&](MechanismSystem& system, std::size_t i, auto out) {
    system.velocity(x.t(i), x.q(i), x.v(i), out);
  });
}
nb::object acceleration_right(PySystem& py, nb::handle t, nb::handle q, nb::handle v) {
  const Arguments x(py, t, q, v);
  return each(py, x, {nth(py.rows())}, [&](MechanismSystem& system, std::size_t i, auto out) {
    system.acceleration_right(x.t(i), x.q(i), x.v(i), out);
  });
}
nb::object forces(PySystem& py, nb::handle t, nb::handle q, nb::handle v) {
  const Arguments x(py, t, q, v);
  return each(py, x, {nth(py.nv())}, [&](MechanismSystem& system, std::size_t i, auto out) {
    std::ranges::fill(out, 0.0);
    system.forces(x.t(i), x.q(i), x.v(i), out);
  });
}

nb::object jacobian(PySystem& py, nb::handle t, nb::handle q) {
  const Arguments x(py, t, q);
  SparseRows J;
  return each(py, x, {nth(py.rows()), nth(py.nv())},
              [&](MechanismSystem& system, std::size_t i, auto out) {
                system.jacobian(x.t(i), x.q(i), J);
                write_dense(J, out);
              });
}
nb::object mass(PySystem& py, nb::handle q) {
  const Arguments x(py, {}, q);
  SparseRows M;
  return each(py, x, {nth(py.nv()), nth(py.nv())},
              [&](MechanismSystem& system, std::size_t i, auto out) {
                system.mass(x.q(i), M);
                write_dense(M, out);
              });
}
nb::object jacobian_sparse(PySystem& py, double t, nb::handle q_argument) {
  const std::vector<double> q = state(q_argument, "q", py.nq(), coordinates_text);
  SparseRows J;
  py.use([&, at = time(t)](MechanismSystem& system) { system.jacobian(at, q, J); });
  return sparse_result(J);
}
nb::object mass_sparse(PySystem& py, nb::handle q_argument) {
  const std::vector<double> q = state(q_argument, "q", py.nq(), coordinates_text);
  SparseRows M;
  py.use([&](MechanismSystem& system) { system.mass(q, M); });
  return sparse_result(M);
}

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

void bind_mechanism_evaluation(MechanismClasses& c) {
  using nb::arg;
  const char* const array_text = "axode.typing.Array";
  const char* const tq = "t: axode.typing.ArrayLike, q: axode.typing.ArrayLike";
  const char* const tqv =
      "t: axode.typing.ArrayLike, q: axode.typing.ArrayLike, v: axode.typing.ArrayLike";
  const char* const qv = "q: axode.typing.ArrayLike, v: axode.typing.ArrayLike";
  c.system_only({"position", tq, array_text, "What the equations Phi(q, t) = 0 miss, (rows,)."},
                &position, arg("t"), arg("q"));
  c.system_only({"jacobian", tq, array_text, "Phi_q, (rows, nv)."}, &jacobian, arg("t"), arg("q"));
  c.system_only({"jacobian_sparse", "t: float, q: axode.typing.ArrayLike",
                 "axode._results.SparseMatrix", "The entries of Phi_q at one state."},
                &jacobian_sparse, arg("t"), arg("q"));
  c.system_only({"time_rate", tq, array_text, "Phi_t, (rows,)."}, &time_rate, arg("t"), arg("q"));
  c.system_only({"velocity", tqv, array_text, "Phi_q v + Phi_t, (rows,)."}, &velocity, arg("t"),
                arg("q"), arg("v"));
  c.system_only({"acceleration_right", tqv, array_text, "c of Phi_q a = c, (rows,)."},
                &acceleration_right, arg("t"), arg("q"), arg("v"));
  c.system_only({"mass", "q: axode.typing.ArrayLike", array_text, "The mass matrix M, (nv, nv)."},
                &mass, arg("q"));
  c.system_only({"mass_sparse", "q: axode.typing.ArrayLike", "axode._results.SparseMatrix",
                 "The entries of M at one state."},
                &mass_sparse, arg("q"));
  c.system_only({"forces", tqv, array_text,
                 "Applied and gyroscopic forces Q of M a + Phi_q^T lambda = Q, (nv,)."},
                &forces, arg("t"), arg("q"), arg("v"));
  c.system_only({"poses", "q: axode.typing.ArrayLike", array_text,
                 "Poses of all bodies in the world, the ground first, (bodies, 4, 4)."},
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
