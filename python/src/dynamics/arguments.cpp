/// Arguments of the functions of dynamics: wrenches, states, parts of objects.
#include <cmath>

#include "axode/dynamics/errors.hpp"
#include "axode/model/joint_map.hpp"
#include "src/dynamics/dynamics.hpp"
#include "src/kinematics/frame_names.hpp"

namespace axode::python {

// --- wrenches -------------------------------------------------------------------------------------

Wrenches::Wrenches(const Tree& tree, nb::handle value) : tree_(&tree) {
  const bool several = nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value) ||
                       nb::isinstance<nb::dict>(value);
  if (value.is_none() || (several && nb::len(value) == 0)) return;
  given_ = true;
  if (nb::isinstance<nb::dict>(value)) {
    for (const auto& [on, wrench] : nb::borrow<nb::dict>(value)) add(on, wrench, on);
  } else if (several && nb::hasattr(nb::object(value[0]), "expressed_in")) {
    for (const nb::handle item : value) {
      if (!nb::hasattr(item, "expressed_in"))
        throw nb::type_error("wrenches: a list holds NamedWrench or numbers, not both");
      const nb::object on = item.attr("on"), wrench = item.attr("wrench"),
                       frame = item.attr("expressed_in");
      add(on, wrench, frame);
    }
  } else {
    array_.emplace(value, "wrenches");
    const auto shape = array_->shape();
    batched_ = shape.size() == 3;
    if ((shape.size() != 2 && !batched_) || shape.back() != 6 ||
        shape[shape.size() - 2] != bodies_of(tree))
      throw Error("has another shape than (" + std::to_string(tree.size()) + ", 6) or (batch, " +
                      std::to_string(tree.size()) + ", 6)",
                  "wrenches", "give torque and force for each body, zero where none acts");
    if (batched_) count_ = shape[0];
  }
  sums_.resize(bodies_of(tree));
}

void Wrenches::add(nb::handle on, nb::handle wrench, nb::handle expressed_in) {
  if (!nb::isinstance<nb::str>(on))
    throw nb::type_error("wrenches: name the body or frame each acts on by a str");
  const std::string name(utf8_of(on));
  States numbers(wrench, "wrenches", 6, "torque and force");
  ExternalWrench<double> looked_up = external_wrench(*tree_, {name, {}, {}});
  looked_up.expressed_in = frame_choice(*tree_, expressed_in, "wrenches");
  if (numbers.batched()) {
    if (batched_ && numbers.count() != count_)
      throw Error("the one on '" + name + "' has " + std::to_string(numbers.count()) +
                      " states, others have " + std::to_string(count_),
                  "wrenches", "give as many, or one for all");
    batched_ = true;
    count_ = numbers.count();
  }
  named_.push_back({looked_up, std::move(numbers)});
}

void Wrenches::join(Batching& batching) const {
  if (!batched_) return;
  if (batching.batched && batching.count != count_)
    throw Error("has " + std::to_string(count_) + " states, the other arguments have " +
                    std::to_string(batching.count),
                "wrenches", "give as many, or one for all");
  batching.batched = true;
  batching.count = count_;
}

std::span<const double> Wrenches::row(std::size_t state) const noexcept {
  const std::size_t n = 6 * bodies_of(*tree_);
  return array_->all().subspan(batched_ ? state * n : 0, n);
}

void Wrenches::check(std::size_t state) const {
  const auto refuse = [this](std::size_t body) {
    throw Error("the one on body '" + tree_->bodies[body].name + "' is not finite", "wrenches",
                "give finite numbers");
  };
  for (const Named& w : named_)
    if (!all_finite(w.numbers[state])) refuse(w.wrench.body);
  if (!given_ || by_name()) return;
  for (std::size_t b = 0; b < bodies_of(*tree_); ++b)
    if (!all_finite(row(state).subspan(6 * b, 6))) refuse(b);
}

In<Wrench<Rep::body>> Wrenches::operator()(std::size_t state, const Poses<double>& poses) {
  if (!given_) return {};
  if (by_name()) {
    std::fill(sums_.begin(), sums_.end(), Wrench<Rep::body>{});
    for (Named& w : named_) {
      w.wrench.wrench = read_six(w.numbers[state].data());
      sums_[w.wrench.body] += body_wrench(poses, w.wrench);
    }
  } else {
    const double* numbers = row(state).data();
    for (std::size_t b = 0; b < sums_.size(); ++b) {
      const Vec6<double> W = read_six(numbers + 6 * b);
      sums_[b] = {W.angular, W.linear};
    }
  }
  return sums_;
}

std::span<const double> Wrenches::all(const Batching& batching, std::span<const double> q,
                                      Workspace& work, RunErrors& errors) {
  constexpr std::size_t part = 1024;
  if (!given_) return {};
  if (!by_name() && batched_) return array_->all();
  const std::size_t n = 6 * bodies_of(*tree_);
  const std::size_t nq = tree_->nq;
  all_.resize(batching.count * n);
  for (std::size_t i = 0; i < batching.count; ++i) {
    if (i % part == 0) errors.throw_if_interrupted();
    if (by_name()) work.poses(q.subspan(i * nq, nq));
    const In<Wrench<Rep::body>> sums = (*this)(i, work.poses());
    for (std::size_t b = 0; b < sums.size(); ++b)
      write_six(sums[b].six(), all_.data() + i * n + 6 * b);
  }
  return all_;
}

// --- states ---------------------------------------------------------------------------------------

Motions::Motions(const Tree& tree, nb::handle q, std::initializer_list<Argument> others,
                 const Wrenches* wrenches)
    : tree_(&tree), wrenches_(wrenches), batching_({}) {
  states_[0].emplace(q, "q", tree.nq, "the tree's coordinates");
  names_[0] = "q";
  const States* all[most] = {&*states_[0]};
  for (const Argument& argument : others) {
    names_[count_] = argument.name;
    states_[count_].emplace(argument.value, argument.name, tree.nv, "one number for each velocity");
    all[count_] = &*states_[count_];
    ++count_;
  }
  batching_ = Batching(std::span<const States* const>(all, count_));
  if (wrenches_ != nullptr) wrenches_->join(batching_);
}

void Motions::check(std::size_t state) const {
  check_configuration(*tree_, q(state));
  for (std::size_t k = 1; k < count_; ++k) check_velocity(*tree_, (*states_[k])[state], names_[k]);
  if (wrenches_ != nullptr) wrenches_->check(state);
}

void Motions::explain(std::size_t numbers_of_state, std::span<const double> result) const {
  for (std::size_t i = 0; i < batching_.count; ++i) {
    try {
      check(i);
      check_result(result.subspan(i * numbers_of_state, numbers_of_state));
    } catch (const Error&) {
      rethrow_naming_state(i);
    }
  }
  throw Error("the result is not finite");
}

void Motions::check_quaternions() const {
  const States& q = *states_[0];
  for (const Link& link : tree_->links) {
    if (link.map != JointMap::quaternion && link.map != JointMap::free) continue;
    for (std::size_t i = 0; i < q.count(); ++i) {
      const double* x = q[i].data() + link.q;
      const double squared = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3];
      if (std::abs(squared - 1) <= 1.9e-6) continue;  // else ask exactly
      try {
        check_configuration(*tree_, q[i]);
      } catch (const Error&) {
        if (!q.batched()) throw;
        rethrow_naming_state(i);
      }
    }
  }
}

void Motions::check_couplings(const char* where) const {
  if (tree_->couplings.empty()) return;
  for (std::size_t i = 0; i < batching_.count; ++i) {
    try {
      check(i);
      detail::check_couplings(*tree_, q(i), (*this)(0, i), where);
    } catch (const Error&) {
      if (!batching_.batched) throw;
      rethrow_naming_state(i);
    }
  }
}

const Motion<Rep::body>& motion_at(const Tree& tree, const Borrowed& work, const Motions& at,
                                   std::size_t state) {
  auto& motion = work->get<Motion<Rep::body>>();
  work->poses(at.q(state));
  twists(tree, work->poses(), at(0, state), motion);
  return motion;
}

std::optional<Rep> representation_or_auto(std::string_view name) {
  if (name == "auto") return {};
  return representation(name);
}

nb::object member(nb::handle of, const char* argument, const char* name, const char* type) {
  if (!nb::hasattr(of, name))
    throw nb::type_error((std::string(argument) + ": give axode." + type).c_str());
  return of.attr(name);
}
double number(nb::handle value, const char* argument) {
  double x = 0;
  if (!nb::try_cast(value, x))
    throw nb::type_error((std::string(argument) + ": give a number").c_str());
  return x;
}
int whole_number(nb::handle value, const char* argument) {
  int x = 0;
  if (!nb::try_cast(value, x))
    throw nb::type_error((std::string(argument) + ": give a whole number").c_str());
  return x;
}
int body_argument(const Tree& tree, nb::handle value) {
  if (nb::isinstance<nb::str>(value)) return body_index(tree, utf8_of(value));
  return whole_number(value, "body");
}
int joint_argument(const Tree& tree, nb::handle value) {
  if (nb::isinstance<nb::str>(value)) return joint_index(tree, utf8_of(value));
  return whole_number(value, "joint");
}

std::string signature(const char* name, std::initializer_list<const char*> arrays,
                      const std::string& rest, const std::string& result) {
  std::string text = std::string("def ") + name + "(tree: Tree";
  for (const char* array : arrays) text += std::string(", ") + array + ": axode.typing.ArrayLike";
  if (!rest.empty()) text += ", " + rest;
  return text + ") -> " + result;
}

}  // namespace axode::python
