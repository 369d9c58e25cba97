// Mechanisms by generalized-alpha and IDA, which take the constrained equations as they are.
#include <algorithm>
#include <optional>

#include "axode/core/error.hpp"
#include "axode/integrate/steppers/generalized_alpha.hpp"
#include "axode/integrate/sundials/ida.hpp"
#include "axode/simulate/run/detail/mechanism_run.hpp"

namespace axode::detail {
namespace {

/// x = (q, v) in units; the equations without the redundant ones.
struct Implicit : MechanismModel {
  static constexpr bool has_work = false;
  std::optional<IndependentRows> rows;  ///< chosen again with each form of the equations

  using MechanismModel::MechanismModel;
  void choose_rows(double t) { use_rows(independent_rows(system, t, q_, units)); }
  void use_rows(std::vector<int> chosen) { rows.emplace(system, std::move(chosen), units); }
  std::vector<double> state() const {
    std::vector<double> x(q_.size() + v_.size());
    to_units(q_, v_, x);
    return x;
  }
  void look(double, std::span<const double> x) { from_units(x, q_, v_); }
  void put(double t, std::span<const double> q, std::span<const double> v, std::span<double> x) {
    meet_equations(t, q, v);
    to_units(q_, v_, x);
  }
  Correction correct(double t, std::span<double> x) {
    look(t, x);
    if (!refresh()) return Correction::unchanged;
    choose_rows(t);
    to_units(q_, v_, x);
    return Correction::equations;
  }
  void save(std::vector<double>& numbers) {
    MechanismModel::save(numbers);
    const std::vector<double> chosen(rows->rows().begin(), rows->rows().end());
    save_list(chosen, numbers);
  }
  void load(SavedNumbers& saved) {
    MechanismModel::load(saved);
    std::vector<int> chosen;
    for (const double row : saved.take_list()) {
      if (!(row > (chosen.empty() ? -1 : chosen.back()) &&
            row < static_cast<double>(lambda.size())))
        throw Error("the checkpoint has a row that does not exist", "simulate",
                    "resume with the model and options of the first run");
      chosen.push_back(static_cast<int>(row));
    }
    use_rows(std::move(chosen));
  }
};

/// A stepper that may find no acceleration at a start: instead of an exception its next step fails.
template <class Stepper>
struct Starting {
  static constexpr bool restarts_at_checkpoint = Stepper::restarts_at_checkpoint;
  Stepper stepper;
  std::string* why_not;
  double failed_at = 0;
  std::vector<double> failed_with{};  ///< empty: started

  bool failed() const noexcept { return !failed_with.empty(); }
  void start(IndependentRows& system, double t, std::span<const double> x) {
    const std::vector<double> from(x.begin(), x.end());
    try {
      stepper.start(system, t, x);
      failed_with.clear();
    } catch (const Error& error) {
      *why_not = error.problem();
      failed_at = t;
      failed_with = from;
    }
  }
  void load(IndependentRows& system, std::span<const double> numbers) {
    stepper.load(system, numbers);
  }
  StepVerdict advance(IndependentRows& system, double t_stop) {
    return failed() ? StepVerdict::no_rate : stepper.advance(system, t_stop);
  }
  double time() const noexcept { return failed() ? failed_at : stepper.time(); }
  double previous_time() const noexcept { return failed() ? failed_at : stepper.previous_time(); }
  std::span<const double> state() const noexcept {
    return failed() ? std::span<const double>(failed_with) : stepper.state();
  }
  void interpolate(double t, std::span<double> x) const {
    if (failed())
      std::ranges::copy(failed_with, x.begin());
    else
      stepper.interpolate(t, x);
  }
  const StepStatistics& statistics() const noexcept { return stepper.statistics(); }
  void save(std::vector<double>& numbers) const { stepper.save(numbers); }
};

}  // namespace

RunResult run_implicit(const RunTask& task, MechanismSystem& system, const State<double>& initial) {
  RunResult refused;
  Implicit model(task, system);
  if (!task.resume) {
    if (!model.begin(initial, refused)) return refused;
    model.choose_rows(task.options.start);
    model.figures.left_out = left_out_rows(*model.rows);
  } else {
    model.use_rows({});  // those of the checkpoint come later
  }
  const StepOptions step = step_options(task);
  const auto state = [&] { return model.state(); };
  if (task.method == Method::ida)
    return run_loop(
        task, *model.rows, model,
        [&] {
          return Starting<Ida>{Ida(step), &model.why_not};
        },
        state);
  const GeneralizedAlphaOptions options{.step = step,
                                        .spectral_radius = task.options.mechanism.spectral_radius,
                                        .fixed_step = step.step > 0,
                                        .direct = task.method == Method::generalized_alpha};
  return run_loop(
      task, *model.rows, model,
      [&] {
        return Starting<GeneralizedAlpha>{GeneralizedAlpha(options), &model.why_not};
      },
      state);
}

}  // namespace axode::detail
