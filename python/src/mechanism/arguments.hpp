/// Times, coordinates, velocities and accelerations as arguments, each one or many.
#pragma once
#include "src/mechanism/mechanism.hpp"

namespace axode::python::mechanisms {

/// Times, coordinates, velocities and accelerations of a call, each one or many.
class Arguments {
 public:
  Arguments(PySystem& py, nb::handle t, nb::handle q, nb::handle v = {}, nb::handle a = {})
      : times_(t.is_valid() ? t : nb::handle(nb::float_(0.0)), "t"),
        one_time_(!t.is_valid() || is_number(t) || times_.shape().empty()),
        q_(q, "q", py.nq(), coordinates_text),
        v_(given(v, "v", py)),
        a_(given(a, "a", py)),
        none_(py.nv(), 0),
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
    for (std::size_t i = 0; i < q_.count(); ++i) check_state(py.equations().group, q_[i], "q");
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

/// For each state f(system, i, numbers of the result). Ctrl-C is heard between states.
template <class F>
nb::object each(PySystem& py, const Arguments& x, std::initializer_list<std::size_t> shape, F&& f) {
  const Output out(x.batching, shape);
  RunErrors errors;
  const auto work = [&](MechanismSystem& system) {
    for (std::size_t i = 0; i < x.batching.count; ++i) {
      if (i % 64 == 0 && errors.interrupted()) return;
      f(system, i, out[i]);
    }
  };
  py.use(work, errors);
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

}  // namespace axode::python::mechanisms
