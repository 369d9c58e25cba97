#include "axode/integrate/sundials/ida.hpp"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <algorithm>
#include <cmath>
#include <new>

#include "axode/core/error.hpp"
#include "axode/core/finite.hpp"
#include "axode/integrate/detail/flush_denormals.hpp"
#include "axode/integrate/sundials/detail/patience.hpp"
#include "axode/integrate/sundials/detail/sundials_sparse.hpp"
#include "axode/integrate/sundials/number_rates.hpp"

namespace axode {
namespace {
constexpr const char* in_ida = "Ida";
/// Tolerance of multipliers: so large that tests do not see them.
constexpr double no_tolerance = 1e30;
void ida_prints_nothing(int, const char*, const char*, char*, void*) {}
}  // namespace

struct Ida::Work {
  ConstrainedView system;
  SUNContext context = nullptr;
  void* memory = nullptr;
  N_Vector y = nullptr, rate = nullptr, tolerance = nullptr, differential = nullptr;
  N_Vector between = nullptr;  ///< of interpolate
  SUNMatrix matrix = nullptr;
  SUNLinearSolver solver = nullptr;
  SparseAssembly jacobian, by_q, by_v, by_rate, constraints;
  std::vector<double> w, along, product, zero;
  std::vector<FactorMaps> maps;
  std::vector<int> factor_of;  ///< by velocity
  StepStatistics before;       ///< of runs before this start
  bool no_value = false;
  int stuck = 0;  ///< steps that did not get on

  explicit Work(const ConstrainedView& s);
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;
  ~Work();

  int nx() const { return system.nx(); }
  int nv() const { return system.nv(); }
  int m() const { return system.constraints; }
  int size() const { return nx() + nv() + 2 * m(); }
  /// SUNDIALS makes no matrices of no numbers: time alone goes on, in one step.
  bool is_empty() const { return size() == 0; }
  static std::span<double> part(N_Vector v, int first, int count) {
    return {N_VGetArrayPointer(v) + first, std::size_t(count)};
  }
  std::span<double> x(N_Vector v) const { return part(v, 0, nx()); }
  std::span<double> v(N_Vector z) const { return part(z, nx(), nv()); }
  std::span<double> mu(N_Vector z) const { return part(z, nx() + nv(), m()); }
  std::span<double> lambda(N_Vector z) const { return part(z, nx() + nv() + m(), m()); }
  ConstrainedPoint point(double t, N_Vector z, N_Vector dz) const {
    return {t, x(z), v(z), v(dz), lambda(z)};
  }
  void velocity(const ConstrainedPoint& p, N_Vector z);
  int residual(double t, N_Vector z, N_Vector dz, N_Vector r);
  void assemble(double t, double cj, N_Vector z, N_Vector dz);
  void kinematic_rows(double cj, std::span<const double> numbers);
  void tangent_columns(int row, int velocity, double value);
  void prepare(const StepOptions& options, double t);
  void make_matrix(double t);
};

Ida::Work::Work(const ConstrainedView& s) : system(s) {
  SUNContext_Create(nullptr, &context);
  for (N_Vector* z : {&y, &rate, &tolerance, &differential, &between}) {
    *z = N_VNew_Serial(size(), context);
    if (*z == nullptr) throw std::bad_alloc();
  }
  w.assign(nv(), 0.0);
  zero = w;
  along.assign(nv() + m(), 0.0);
  product.assign(nv() + m(), 0.0);
  factor_of.assign(nv(), 0);
  const std::vector<LieGroup::Factor>& factors = system.group->factors;
  maps.resize(factors.size());
  for (std::size_t f = 0; f < factors.size(); ++f)
    for (int k = factors[f].v; k < (f + 1 < factors.size() ? factors[f + 1].v : nv()); ++k)
      factor_of[k] = static_cast<int>(f);
}

Ida::Work::~Work() {
  if (memory != nullptr) IDAFree(&memory);
  if (solver != nullptr) SUNLinSolFree(solver);
  if (matrix != nullptr) SUNMatDestroy(matrix);
  for (N_Vector z : {y, rate, tolerance, differential, between}) N_VDestroy(z);
  SUNContext_Free(&context);
}

/// w = v - G^T mu.
void Ida::Work::velocity(const ConstrainedPoint& p, N_Vector z) {
  system.tangent(p, {}, constraints);
  std::ranges::fill(along, 0.0);
  std::ranges::copy(mu(z), along.begin() + nv());
  multiply(constraints.matrix, along, product);
  for (int k = 0; k < nv(); ++k) w[k] = p.v[k] - product[k];
}

int Ida::Work::residual(double t, N_Vector z, N_Vector dz, N_Vector r) {
  const ConstrainedPoint p = point(t, z, dz);
  no_value = !system.residual(p, {v(r), lambda(r), mu(r)});
  if (no_value) return 1;
  velocity(p, z);
  number_rates(*system.group, p.q, w, x(r));
  for (int k = 0; k < nx(); ++k) x(r)[k] = x(dz)[k] - x(r)[k];
  for (const LieGroup::Factor& f : system.group->factors) {
    if (f.kind == LieGroup::Kind::real) continue;
    double length = 0;
    for (int k = 0; k < 4; ++k) length += p.q[f.x + k] * p.q[f.x + k];
    for (int k = 0; k < 4; ++k) x(r)[f.x + k] -= 0.5 * (1 - length) * p.q[f.x + k];
  }
  return all_finite({N_VGetArrayPointer(r), std::size_t(size())}) ? 0 : 1;
}

/// Derivatives of x' - N (v - G^T mu) - (1 - |x|^2) x/2.
void Ida::Work::kinematic_rows(double cj, std::span<const double> numbers) {
  const std::vector<LieGroup::Factor>& factors = system.group->factors;
  for (std::size_t n = 0; n < factors.size(); ++n) {
    const LieGroup::Factor& f = factors[n];
    if (f.kind == LieGroup::Kind::real) {
      for (int k = 0; k < f.count; ++k) {
        jacobian.add(f.x + k, f.x + k, cj);
        jacobian.add(f.x + k, nx() + f.v + k, -1);
      }
      continue;
    }
    FactorMaps& map = maps[n];
    map = factor_maps(f.kind, numbers.data() + f.x, w.data() + f.v);
    double length = 0;
    for (int k = 0; k < 4; ++k) length += numbers[f.x + k] * numbers[f.x + k];
    for (int i = 0; i < map.nx; ++i) {
      for (int j = 0; j < map.nx; ++j) {
        double entry = (i == j ? cj : 0) - map.slope[i][j];
        if (i < 4 && j < 4)
          entry += numbers[f.x + i] * numbers[f.x + j] - (i == j ? (1 - length) / 2 : 0);
        jacobian.add(f.x + i, f.x + j, entry);
      }
      for (int k = 0; k < map.nv; ++k) jacobian.add(f.x + i, nx() + f.v + k, -map.N[i][k]);
    }
  }
}

/// Adds `value` times the row of the tangent of dx for this velocity.
void Ida::Work::tangent_columns(int row, int velocity, double value) {
  const std::size_t n = factor_of[velocity];
  const LieGroup::Factor& f = system.group->factors[n];
  if (f.kind == LieGroup::Kind::real) {
    jacobian.add(row, f.x + velocity - f.v, value);
    return;
  }
  for (int j = 0; j < maps[n].nx; ++j)
    jacobian.add(row, f.x + j, value * maps[n].tangent[velocity - f.v][j]);
}

void Ida::Work::assemble(double t, double cj, N_Vector z, N_Vector dz) {
  const ConstrainedPoint p = point(t, z, dz);
  velocity(p, z);
  system.tangent(p, {.stiffness = 1}, by_q);
  system.tangent(p, {.mass = cj, .damping = 1}, by_v);
  system.tangent(p, {.rate = 1}, by_rate);
  jacobian.begin(size());
  kinematic_rows(cj, p.q);
  const SparseMatrix& K = by_q.matrix;
  const int force = nx(), gv = nx() + nv(),
            phi = gv + m();  // rows, and first columns of mu, lambda
  for (int column = 0; column < nv() + m(); ++column)
    for (int e = K.start[column]; e < K.start[column + 1]; ++e) {
      const int row = K.row[e];
      const double value = K.value[e];
      if (column >= nv()) {  // G^T, in the forces and with mu in x'
        jacobian.add(force + row, phi + column - nv(), value);
        const std::size_t n = factor_of[row];
        const LieGroup::Factor& f = system.group->factors[n];
        if (f.kind == LieGroup::Kind::real)
          jacobian.add(f.x + row - f.v, gv + column - nv(), value);
        else
          for (int i = 0; i < maps[n].nx; ++i)
            jacobian.add(f.x + i, gv + column - nv(), maps[n].N[i][row - f.v] * value);
      } else if (row >= nv()) {  // G
        tangent_columns(phi + row - nv(), column, value);
        tangent_columns(gv + row - nv(), column, by_rate.matrix.value[e] - value);
        jacobian.add(gv + row - nv(), force + column, value);
      } else {
        tangent_columns(force + row, column, value);
        jacobian.add(force + row, force + column, by_v.matrix.value[e]);
      }
    }
  jacobian.end();
}

/// IDA's matrix of the pattern of the Jacobian.
void Ida::Work::make_matrix(double t) {
  assemble(t, 1, y, rate);
  const SparseMatrix& J = jacobian.matrix;
  matrix = SUNSparseMatrix(size(), size(), J.nonzeros(), CSC_MAT, context);
  solver = static_cast<SUNLinearSolver>(sundials_sparse_solver(size(), context));
}

void Ida::Work::prepare(const StepOptions& options, double t) {
  N_VConst(options.atol, tolerance);
  N_VConst(1, differential);
  for (const std::span<double> algebraic : {mu(differential), lambda(differential)})
    std::ranges::fill(algebraic, 0.0);
  for (const std::span<double> algebraic : {mu(tolerance), lambda(tolerance)})
    std::ranges::fill(algebraic, no_tolerance);
  make_matrix(t);
  memory = IDACreate(context);
  const auto call_residual = [](double time, N_Vector z, N_Vector dz, N_Vector r, void* work) {
    return static_cast<Work*>(work)->residual(time, z, dz, r);
  };
  const auto call_jacobian = [](double time, double cj, N_Vector z, N_Vector dz, N_Vector,
                                SUNMatrix result, void* work, N_Vector, N_Vector, N_Vector) {
    auto& self = *static_cast<Work*>(work);
    self.assemble(time, cj, z, dz);
    const SparseMatrix& J = self.jacobian.matrix;
    std::ranges::copy(J.start, SUNSparseMatrix_IndexPointers(result));
    std::ranges::copy(J.row, SUNSparseMatrix_IndexValues(result));
    std::ranges::copy(J.value, SUNSparseMatrix_Data(result));
    return all_finite(J.value) ? 0 : 1;
  };
  IDASetErrHandlerFn(memory, ida_prints_nothing, nullptr);
  IDAInit(memory, call_residual, t, y, rate);
  IDASetUserData(memory, this);
  IDASVtolerances(memory, options.rtol, tolerance);
  IDASetId(memory, differential);
  IDASetSuppressAlg(memory, SUNTRUE);
  IDASetLinearSolver(memory, solver, matrix);
  IDASetJacFn(memory, call_jacobian);
  if (options.min_step > 0) IDASetMinStep(memory, options.min_step);
  if (options.step > 0) IDASetInitStep(memory, options.step);
  if (options.max_step > 0) IDASetMaxStep(memory, options.max_step);
}

Ida::Ida(const StepOptions& options) : options_(options) { check_options(options, true, in_ida); }
Ida::~Ida() = default;
Ida::Ida(Ida&&) noexcept = default;
Ida& Ida::operator=(Ida&&) noexcept = default;

void Ida::start(const ConstrainedView& system, double t, std::span<const double> x) {
  if (static_cast<int>(x.size()) != system.nx() + system.nv())
    throw Error("the state has the wrong length", in_ida, "it is q and v, one after the other");
  work_ = std::make_unique<Work>(system);
  Work& work = *work_;
  work.before = statistics_;
  N_VConst(0, work.y);
  N_VConst(0, work.rate);
  std::ranges::copy(x.first(system.nx()), work.x(work.y).begin());
  std::ranges::copy(x.subspan(system.nx()), work.v(work.y).begin());
  ConstrainedWork scratch;
  if (!make_consistent(system, t, Work::part(work.y, 0, system.nx() + system.nv()), scratch) ||
      !consistent_acceleration(system, t, work.x(work.y), work.v(work.y), work.v(work.rate),
                               work.lambda(work.y), scratch))
    throw Error("the accelerations are not determined at the start", in_ida,
                "remove constraints stated twice, and give moving parts inertia");
  number_rates(*system.group, work.x(work.y), work.v(work.y), work.x(work.rate));
  if (!work.is_empty()) work.prepare(options_, t);
  time_ = previous_ = t;
  take();
}

/// State, accelerations and multipliers out of IDA's vectors, quaternions of unit length.
void Ida::take() {
  const Work& work = *work_;
  state_.assign(N_VGetArrayPointer(work.y), N_VGetArrayPointer(work.y) + work.nx() + work.nv());
  const std::span<double> q = std::span(state_).first(work.nx());
  plus(*work.system.group, q, work.zero, q);
  acceleration_.assign(work.v(work.rate).begin(), work.v(work.rate).end());
  lambda_.assign(work.lambda(work.y).begin(), work.lambda(work.y).end());
}

StepVerdict Ida::advance(const ConstrainedView& system, double t_stop) {
  const FlushDenormals flush;
  Work& work = *work_;
  work.system = system;
  if (work.is_empty()) {
    previous_ = time_;
    time_ = std::min(t_stop, time_ + options_.longest());
    ++statistics_.steps;
    return StepVerdict::ok;
  }
  IDASetStopTime(work.memory, t_stop);
  double reached = time_;
  const int flag = IDASolve(work.memory, t_stop, &reached, work.y, work.rate, IDA_ONE_STEP);
  const auto count = [&](auto&& function) {
    long n = 0;
    function(work.memory, &n);
    return n;
  };
  const StepStatistics& old = work.before;
  statistics_.rates = old.rates + count(IDAGetNumResEvals);
  statistics_.rejected =
      old.rejected + count(IDAGetNumErrTestFails) + count(IDAGetNumNonlinSolvConvFails);
  statistics_.iterations = old.iterations + count(IDAGetNumNonlinSolvIters);
  statistics_.jacobians = old.jacobians + count(IDAGetNumJacEvals);
  statistics_.factorizations = old.factorizations + count(IDAGetNumLinSolvSetups);
  statistics_.steps = old.steps + count(IDAGetNumSteps);
  if (flag < 0) {
    if (flag == IDA_RES_FAIL || flag == IDA_REP_RES_ERR)
      return work.no_value ? StepVerdict::no_rate : StepVerdict::not_finite;
    return flag == IDA_ERR_FAIL ? StepVerdict::step_underflow : StepVerdict::not_converged;
  }
  // Steps below the rounding of t are made without an end.
  if (reached > time_)
    work.stuck = 0;
  else if (++work.stuck > max_stuck)
    return StepVerdict::step_underflow;
  previous_ = time_;
  time_ = reached;
  take();
  return StepVerdict::ok;
}

void Ida::interpolate(double t, std::span<double> x) const {
  const Work& work = *work_;
  if (t == time_ || work.is_empty()) {
    std::ranges::copy(state_, x.begin());
    return;
  }
  if (IDAGetDky(work.memory, t, 0, work.between) != IDA_SUCCESS)
    throw Error("the time is not within the last step", "Ida::interpolate");
  std::copy_n(N_VGetArrayPointer(work.between), x.size(), x.begin());
  plus(*work.system.group, x.first(work.nx()), work.zero, x.first(work.nx()));
}

void Ida::save(std::vector<double>& numbers) const {
  numbers.assign(1, time_);
  numbers.insert(numbers.end(), state_.begin(), state_.end());
}
void Ida::load(const ConstrainedView& system, std::span<const double> numbers) {
  if (numbers.empty())
    throw Error("there are no numbers to start from", in_ida, "load what save gave");
  start(system, numbers[0], numbers.subspan(1));
}

}  // namespace axode
