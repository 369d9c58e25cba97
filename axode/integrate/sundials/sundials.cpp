#include "axode/integrate/sundials/sundials.hpp"

#include <arkode/arkode_arkstep.h>
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <string>

#include "axode/core/error.hpp"
#include "axode/core/finite.hpp"
#include "axode/integrate/sundials/detail/number_form.hpp"
#include "axode/integrate/sundials/detail/patience.hpp"
#include "axode/integrate/sundials/detail/sundials_dense.hpp"

namespace axode {

struct Sundials::Memory {
  LieGroup group;
  SundialsMethod method;
  StepOptions options;
  Calls calls{};
  SUNContext context = nullptr;
  void* solver = nullptr;
  N_Vector x = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver linear = nullptr;
  std::vector<double> unit{}, v{}, A{},
      product{};  ///< scratch: x with unit quaternions, rates, Jacobian
  std::vector<double> state{};
  double t = 0, previous = 0;
  int stuck = 0;                   ///< steps that did not get on
  StepStatistics before{}, now{};  ///< of starts before this one; in all

  bool is_ark() const { return method == SundialsMethod::dirk; }
  /// SUNDIALS makes no matrices of no numbers: time alone goes on, in one step.
  bool is_empty() const { return group.nx == 0; }
  bool evaluate(double at, const double* numbers) {
    std::copy_n(numbers, unit.size(), unit.begin());
    normalize(group, unit);
    return calls.rate(calls.system, at, unit, v);
  }
};

namespace {

constexpr int recoverable = 1;

template <class Memory>
int rate(double t, N_Vector x, N_Vector to, void* user) {
  auto& m = *static_cast<Memory*>(user);
  const double* numbers = N_VGetArrayPointer(x);
  if (!all_finite({numbers, std::size_t(m.group.nx)})) return recoverable;
  if (!m.evaluate(t, numbers)) return recoverable;
  if (!all_finite(m.v)) return recoverable;
  number_rates(m.group, {numbers, m.unit.size()}, m.v, {N_VGetArrayPointer(to), m.unit.size()});
  return 0;
}

template <class Memory>
int jacobian(double t, N_Vector x, N_Vector, SUNMatrix J, void* user, N_Vector, N_Vector,
             N_Vector) {
  auto& m = *static_cast<Memory*>(user);
  const double* numbers = N_VGetArrayPointer(x);
  if (!m.evaluate(t, numbers)) return recoverable;
  if (!m.calls.jacobian(m.calls.system, t, m.unit, m.A)) return recoverable;
  number_jacobian(m.group, {numbers, m.unit.size()}, m.v, m.A, m.product,
                  {SUNDenseMatrix_Data(J), m.unit.size() * m.unit.size()});
  return 0;
}

/// A call that fails only for want of memory, or on numbers that SUNDIALS refuses.
void expect(int flag) {
  static_assert(CV_MEM_FAIL == ARK_MEM_FAIL);
  if (flag == CV_MEM_FAIL) throw std::bad_alloc();
  if (flag < 0)
    throw Error("the options are refused (code " + std::to_string(flag) + ")", "Sundials",
                "give steps and tolerances of a usual size");
}
void expect(const void* pointer) {
  if (pointer == nullptr) throw std::bad_alloc();
}

void quiet(int, const char*, const char*, char*, void*) {}

template <class Memory>
void make_cvode(Memory& m, double t) {
  m.solver = CVodeCreate(m.method == SundialsMethod::bdf ? CV_BDF : CV_ADAMS, m.context);
  expect(m.solver);
  expect(CVodeSetErrHandlerFn(m.solver, quiet, nullptr));
  expect(CVodeInit(m.solver, rate<Memory>, t, m.x));
  expect(CVodeSetUserData(m.solver, &m));
  expect(CVodeSStolerances(m.solver, m.options.rtol, m.options.atol));
  expect(CVodeSetLinearSolver(m.solver, m.linear, m.matrix));
  expect(CVodeSetJacFn(m.solver, jacobian<Memory>));
  // A Jacobian costs as much as many steps; where it no longer helps, CVODE takes a new one anyway.
  expect(CVodeSetJacEvalFrequency(m.solver, 300));
  if (m.options.step > 0) expect(CVodeSetInitStep(m.solver, m.options.step));
  if (m.options.max_step > 0) expect(CVodeSetMaxStep(m.solver, m.options.max_step));
  if (m.options.min_step > 0) expect(CVodeSetMinStep(m.solver, m.options.min_step));
}

template <class Memory>
void make_arkode(Memory& m, double t) {
  m.solver = ARKStepCreate(nullptr, rate<Memory>, t, m.x, m.context);
  expect(m.solver);
  expect(ARKStepSetErrHandlerFn(m.solver, quiet, nullptr));
  expect(ARKStepSetUserData(m.solver, &m));
  expect(ARKStepSetOrder(m.solver, 5));
  // The other interpolant takes slopes of the solution, which stiffness makes useless.
  expect(ARKStepSetInterpolantType(m.solver, ARK_INTERP_LAGRANGE));
  expect(ARKStepSStolerances(m.solver, m.options.rtol, m.options.atol));
  expect(ARKStepSetLinearSolver(m.solver, m.linear, m.matrix));
  expect(ARKStepSetJacFn(m.solver, jacobian<Memory>));
  if (m.options.step > 0) expect(ARKStepSetInitStep(m.solver, m.options.step));
  if (m.options.max_step > 0) expect(ARKStepSetMaxStep(m.solver, m.options.max_step));
  if (m.options.min_step > 0) expect(ARKStepSetMinStep(m.solver, m.options.min_step));
}

StepVerdict verdict(int flag) {
  switch (flag) {  // the codes of CVODE and ARKODE agree in these
    case CV_SUCCESS:
    case CV_TSTOP_RETURN:
      return StepVerdict::ok;
    case CV_TOO_MUCH_ACC:
    case CV_ERR_FAILURE:
      return StepVerdict::step_underflow;
    case CV_RHSFUNC_FAIL:
    case CV_FIRST_RHSFUNC_ERR:
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR:
      return StepVerdict::not_finite;
    default:
      return StepVerdict::not_converged;
  }
}

template <class Memory>
void count(Memory& m) {
  long steps = 0, rejected = 0, rates = 0, jacobians = 0, setups = 0, iterations = 0, none = 0;
  if (m.is_ark()) {
    ARKStepGetNumSteps(m.solver, &steps);
    ARKStepGetNumErrTestFails(m.solver, &rejected);
    ARKStepGetNumRhsEvals(m.solver, &none, &rates);
    ARKStepGetNumJacEvals(m.solver, &jacobians);
    ARKStepGetNumLinSolvSetups(m.solver, &setups);
    ARKStepGetNumNonlinSolvIters(m.solver, &iterations);
  } else {
    CVodeGetNumSteps(m.solver, &steps);
    CVodeGetNumErrTestFails(m.solver, &rejected);
    CVodeGetNumRhsEvals(m.solver, &rates);
    CVodeGetNumJacEvals(m.solver, &jacobians);
    CVodeGetNumLinSolvSetups(m.solver, &setups);
    CVodeGetNumNonlinSolvIters(m.solver, &iterations);
  }
  m.now = m.before + StepStatistics{steps, rejected, rates, jacobians, setups, iterations};
}

}  // namespace

void Sundials::Delete::operator()(Memory* m) const noexcept {
  if (m == nullptr) return;
  if (m->is_ark())
    ARKStepFree(&m->solver);
  else
    CVodeFree(&m->solver);
  SUNLinSolFree(m->linear);
  SUNMatDestroy(m->matrix);
  N_VDestroy(m->x);
  SUNContext_Free(&m->context);
  delete m;
}

Sundials::Sundials(const LieGroup& group, SundialsMethod method, const StepOptions& options) {
  if (!(options.rtol > 0) || !(options.atol > 0))
    throw Error("tolerances must be positive", "Sundials", "give rtol and atol above zero");
  memory_.reset(new Memory{group, method, options});
  Memory& m = *memory_;
  if (m.is_empty()) return;
  const std::size_t nx = group.nx, nv = group.nv;
  expect(SUNContext_Create(nullptr, &m.context));
  m.x = N_VNew_Serial(group.nx, m.context);
  expect(m.x);
  m.matrix = SUNDenseMatrix(group.nx, group.nx, m.context);
  expect(m.matrix);
  m.linear = static_cast<SUNLinearSolver>(sundials_dense_solver(group.nx, m.context));
  expect(m.linear);
  m.unit.resize(nx);
  m.state.resize(nx);
  m.v.resize(nv);
  m.A.resize(nv * nv);
  m.product.resize(nv * nx);
}

void Sundials::connect(const Calls& calls) { memory_->calls = calls; }

void Sundials::start(double t, std::span<const double> x) {
  Memory& m = *memory_;
  if (!m.is_empty()) std::copy(x.begin(), x.end(), N_VGetArrayPointer(m.x));
  std::copy(x.begin(), x.end(), m.state.begin());
  m.t = m.previous = t;
  m.before = m.now;
  if (m.is_empty()) return;
  if (m.solver == nullptr)
    m.is_ark() ? make_arkode(m, t) : make_cvode(m, t);
  else if (m.is_ark())
    expect(ARKStepReInit(m.solver, nullptr, rate<Memory>, t, m.x));
  else
    expect(CVodeReInit(m.solver, t, m.x));
}

StepVerdict Sundials::advance(double t_stop) {
  Memory& m = *memory_;
  if (m.is_empty()) {
    m.previous = m.t;
    m.t = std::min(t_stop, m.t + m.options.longest());
    ++m.now.steps;
    return StepVerdict::ok;
  }
  double reached = m.t;
  int flag = 0;
  if (m.is_ark()) {
    expect(ARKStepSetStopTime(m.solver, t_stop));
    flag = ARKStepEvolve(m.solver, t_stop, m.x, &reached, ARK_ONE_STEP);
  } else {
    expect(CVodeSetStopTime(m.solver, t_stop));
    flag = CVode(m.solver, t_stop, m.x, &reached, CV_ONE_STEP);
  }
  count(m);
  const StepVerdict result = verdict(flag);
  if (result != StepVerdict::ok) return result;
  // Steps below the rounding of t are made without an end.
  if (reached > m.t)
    m.stuck = 0;
  else if (++m.stuck > max_stuck)
    return StepVerdict::step_underflow;
  m.previous = m.t;
  m.t = reached;
  std::copy_n(N_VGetArrayPointer(m.x), m.state.size(), m.state.begin());
  normalize(m.group, m.state);
  return result;
}

double Sundials::time() const noexcept { return memory_->t; }
double Sundials::previous_time() const noexcept { return memory_->previous; }
std::span<const double> Sundials::state() const noexcept { return memory_->state; }
const StepStatistics& Sundials::statistics() const noexcept { return memory_->now; }

void Sundials::interpolate(double t, std::span<double> x) const {
  Memory& m = *memory_;
  if (t == m.t || m.is_empty()) {
    std::copy(m.state.begin(), m.state.end(), x.begin());
    return;
  }
  const int flag =
      m.is_ark() ? ARKStepGetDky(m.solver, t, 0, m.x) : CVodeGetDky(m.solver, t, 0, m.x);
  if (flag < 0) throw Error("time is not within the last step", "Sundials::interpolate");
  std::copy_n(N_VGetArrayPointer(m.x), x.size(), x.begin());
  normalize(m.group, x);
}

void Sundials::save(std::vector<double>& numbers) const {
  const Memory& m = *memory_;
  numbers.assign({m.t, static_cast<double>(m.now.steps), static_cast<double>(m.now.rejected),
                  static_cast<double>(m.now.rates), static_cast<double>(m.now.jacobians),
                  static_cast<double>(m.now.factorizations),
                  static_cast<double>(m.now.iterations)});
  numbers.insert(numbers.end(), m.state.begin(), m.state.end());
}

void Sundials::load(std::span<const double> numbers) {
  constexpr std::size_t head = 7;
  if (numbers.size() != head + memory_->state.size())
    throw Error("wrong count of numbers", "Sundials::load", "load what save wrote for this system");
  for (const double number : numbers.first(head))
    if (!(std::abs(number) < 1e15))
      throw Error("a count is out of range", "Sundials::load", "load what save wrote");
  const auto whole = [&](std::size_t i) { return static_cast<long>(numbers[i]); };
  memory_->now = {whole(1), whole(2), whole(3), whole(4), whole(5), whole(6)};
  start(numbers[0], numbers.subspan(head));
}

}  // namespace axode
