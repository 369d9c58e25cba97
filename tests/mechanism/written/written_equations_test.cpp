// Written equations against the equations as they are evaluated, on every shipped mechanism, in every
// formulation, with numbers and with names for lengths; and as a book prints them.
#include "axode/mechanism/written/written_equations.hpp"

#include <random>

#include "axode/mechanism/analysis/start_poses.hpp"
#include "axode/mechanism/equations/system.hpp"
#include "tests/mechanism/book_cases.hpp"
#include "tests/mechanism/mechanisms.hpp"

namespace axode::test::writing {
namespace {

/// Some configuration near the start: equations need not be met to be compared.
std::vector<double> some_configuration(MechanismSystem& system, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> step(-.3, .3);
  const std::vector<double> q = book::start(system);
  std::vector<double> d(system.equations().velocities()), result(q);
  for (double& x : d) x = step(random);
  plus(system.configuration(), q, d, result);
  for (const BodyCoordinates& body : system.equations().bodies) {
    if (body.kind != BodyCoordinates::Kind::euler_parameters) continue;
    double square = 0;
    for (int k = 3; k < 7; ++k) square += result[body.x + k] * result[body.x + k];
    for (int k = 3; k < 7; ++k) result[body.x + k] /= std::sqrt(square);
  }
  return result;
}

std::vector<double> dense(const SparseRows& J) {
  std::vector<double> all(std::size_t(J.rows) * J.columns);
  for (int r = 0; r < J.rows; ++r)
    for (int k = J.start[r]; k < J.start[r + 1]; ++k)
      all[std::size_t(r) * J.columns + J.column[k]] += J.value[k];
  return all;
}

/// Derivatives by rates of Euler parameters that keep their length.
void keep_lengths(const MechanismEquations& eq, std::span<const double> q, std::vector<double>& J) {
  const int n = eq.velocities();
  for (const BodyCoordinates& body : eq.bodies) {
    if (body.kind != BodyCoordinates::Kind::euler_parameters) continue;
    const double* e = &q[body.x + 3];
    for (int r = 0; r < eq.rows(); ++r) {
      double* entry = &J[std::size_t(r) * n + body.v + 3];
      const double along = e[0] * entry[0] + e[1] * entry[1] + e[2] * entry[2] + e[3] * entry[3];
      for (int k = 0; k < 4; ++k) entry[k] -= along * e[k];
    }
  }
}

void compare(MechanismSystem& system, const WriteOptions& options, unsigned seed) {
  const double t = .3;
  const std::vector<double> q = some_configuration(system, seed);  // chooses forms
  const MechanismEquations& eq = system.equations();
  const WrittenEquations w = written_equations(eq, options);
  ASSERT_EQ(w.rows.size(), std::size_t(eq.rows()));
  ASSERT_EQ(w.numbers(), eq.numbers());
  std::vector<double> phi(eq.rows());
  system.position(t, q, phi);
  SparseRows sparse;
  system.jacobian(t, q, sparse);
  const std::vector<double> symbols = symbol_values(w, eq.mechanism, t, q);
  std::vector<double> J = dense(sparse), J_written(J.size());
  for (const WrittenEquations::Entry& entry : w.jacobian)
    J_written[std::size_t(entry.row) * eq.velocities() + entry.velocity] =
        value(entry.formula, symbols);
  keep_lengths(eq, q, J);
  keep_lengths(eq, q, J_written);
  double size = 1;
  for (const double x : J) size = std::max(size, std::abs(x));
  for (int r = 0; r < eq.rows(); ++r) {
    const std::string text = written(w.rows[r], w.symbols, FormulaStyle::text);
    EXPECT_NEAR(value(w.rows[r], symbols), phi[r], 1e-12 * (1 + std::abs(phi[r]))) << text;
    for (int k = 0; k < eq.velocities(); ++k) {
      const std::size_t i = std::size_t(r) * eq.velocities() + k;
      EXPECT_NEAR(J_written[i], J[i], 1e-12 * size) << text << " by " << eq.velocity_names[k];
    }
  }
}

std::vector<std::string> texts(const WrittenEquations& w, FormulaStyle style, int digits = 15) {
  std::vector<std::string> result;
  for (const ProductSum& row : w.rows) result.push_back(written(row, w.symbols, style, digits));
  return result;
}

}  // namespace

class WrittenShipped : public testing::TestWithParam<std::string> {};

TEST_P(WrittenShipped, AgreesWithWhatIsEvaluated) {
  const Mechanism m = load_mechanism(book::models / GetParam());
  unsigned seed = 1;
  for (const std::string_view name : formulation_names()) {
    if (m.is_planar && (name == "euler_angles" || name == "quasi_velocities")) continue;
    SCOPED_TRACE(name);
    MechanismSystem system(make_equations(m, formulation_named(m, name)));
    compare(system, {}, seed++);
    compare(system, {.name_lengths = true}, seed++);
  }
  SCOPED_TRACE("loops closed as a whole");
  MechanismSystem whole(
      make_equations(m, {.family = CoordinateFamily::relative, .close_whole = true}));
  compare(whole, {}, seed);
}

INSTANTIATE_TEST_SUITE_P(Written, WrittenShipped, testing::ValuesIn(book::shipped()),
                         book::test_name);

TEST(WrittenEquations, FourBarAsInTheBook) {
  const Mechanism m = load_mechanism(book::models / "example_2_1_four_bar.json");
  const auto rows = [&](const FormulationOptions& how) {
    MechanismSystem system(make_equations(m, how));
    system.from_poses(start_poses(m));
    return texts(written_equations(system.equations(), {.name_lengths = true}), FormulaStyle::text);
  };
  EXPECT_EQ(rows({.family = CoordinateFamily::relative}),
            (std::vector<std::string>{
                "L_B2 cos(B.angle) - L_A1 cos(A.angle) - L_12 cos(A.angle + 1.angle) + L_OB",
                "L_B2 sin(B.angle) - L_A1 sin(A.angle) - L_12 sin(A.angle + 1.angle)",
                "A.angle - f(t)"}));
  EXPECT_EQ(rows({.family = CoordinateFamily::natural}),
            (std::vector<std::string>{
                "1.x^2 + 1.y^2 - L_A1^2", "(2.x - 1.x)^2 + (2.y - 1.y)^2 - L_12^2",
                "(2.x - L_OB)^2 + 2.y^2 - L_B2^2", "1.y - sin(A.angle)", "A.angle - f(t)"}));
  EXPECT_EQ(rows({.family = CoordinateFamily::reference_point})[2],
            "coupler.x - crank.x - L_crank_1 cos(crank.psi) + L_coupler_1 cos(coupler.psi)");
}

TEST(WrittenEquations, DocumentsHoldAllOfIt) {
  const Mechanism m = load_mechanism(book::models / "example_2_1_four_bar.json");
  const WrittenEquations w = written_equations(
      make_equations(m, {.family = CoordinateFamily::relative}), {.name_lengths = true});
  EXPECT_EQ(written_document(w, FormulaStyle::text),
            "L_B2 cos(B.angle) - L_A1 cos(A.angle) - L_12 cos(A.angle + 1.angle) + L_OB = 0\n"
            "L_B2 sin(B.angle) - L_A1 sin(A.angle) - L_12 sin(A.angle + 1.angle) = 0\n"
            "A.angle - f(t) = 0\n\n"
            "J[0, A.angle] = L_A1 sin(A.angle) + L_12 sin(A.angle + 1.angle)\n"
            "J[0, B.angle] = -L_B2 sin(B.angle)\n"
            "J[0, 1.angle] = L_12 sin(A.angle + 1.angle)\n"
            "J[1, A.angle] = -L_A1 cos(A.angle) - L_12 cos(A.angle + 1.angle)\n"
            "J[1, B.angle] = L_B2 cos(B.angle)\n"
            "J[1, 1.angle] = -L_12 cos(A.angle + 1.angle)\n"
            "J[2, A.angle] = 1\n\n"
            "L_OB = 4\nL_A1 = 1\nL_12 = 3.5\nL_B2 = 2.5\n");
  const std::string latex = written_document(w, FormulaStyle::latex);
  EXPECT_NE(latex.find(R"(L_{1 2} \cos\left(\varphi_{A} + \varphi_{1}\right))"), std::string::npos)
      << latex;
}

}  // namespace axode::test::writing
