/// Reference-point and natural coordinates of one linkage compared: sizes, entries, operations.
#include <cstdio>

#include "axode/linalg/rank.hpp"
#include "axode/mechanism/analysis/position.hpp"
#include "axode/mechanism/description/builder.hpp"
#include "axode/mechanism/equations/formulate.hpp"
#include "axode/mechanism/equations/operation_count.hpp"

using namespace axode;

namespace {

/// Revolute, spherical, cylindrical, revolute [GarciaBayo Ex. 2.10, Figs. 2.46, 2.47]: kinematics
/// alone, with reference points at what would be centres of mass.
Mechanism rscr() {
  const Inertia<double> crank{0, {.5, .05, .1}, {}}, link{0, {.3, -.6, .05}, {}},
      rocker{0, {.2, -.5, .4}, {}};
  return MechanismBuilder("RSCR")
      .body("crank", crank)
      .pose({exp(Vec3<>{0, 0, .1}), {}})
      .body("link", link)
      .pose({exp(Vec3<>{-1.1, -.6, 1.6}), {1, .1, .25}})
      .body("rocker", rocker)
      .pose({exp(Vec3<>{-.45, -.9, -.9}), {3, 1, .5}})
      .joint("R1", PairType::revolute, "world", "crank",
             {.points = {{{0, 0, 0}, {0, 0, 0}}}, .axes = {{{0, 0, 1}, {0, 0, 1}}}})
      .joint("S", PairType::spherical, "crank", "link", {.points = {{{1, 0, .25}, {0, 0, 0}}}})
      .joint("C", PairType::cylindrical, "link", "rocker",
             {.points = {{{.4, -1.5, 0}, {.5, -1.25, 1}}}, .axes = {{{1, 0, 0}, {-2, 1, 1}}}})
      .joint("R2", PairType::revolute, "world", "rocker",
             {.points = {{{3, 1, .5}, {0, 0, 0}}}, .axes = {{{1, 2, 2}, {1, 2, 2}}}})
      .build();
}

struct Row {
  int rows, columns, rank, nonzeros;
  long operations;
};

/// Of a cross product two rows are independent; the book's Table 2.2 keeps all three.
void add_third_rows(MechanismEquations& eq) {
  const std::vector<Equation> two = eq.equations;
  for (Equation third : two)
    if (third.choice == Equation::Choice::component && third.row == 1) {
      third.form = (third.form + 1) % 3;
      third.choice = Equation::Choice::first;
      eq.equations.push_back(third);
    }
}

Row row_of(CoordinateFamily family, bool three_rows) {
  const Mechanism mechanism = rscr();
  MechanismEquations eq = make_equations(mechanism, {.family = family});
  if (three_rows) add_third_rows(eq);
  MechanismSystem system(eq);
  std::vector<SE3<double>> poses;
  for (const MechanismBody& body : mechanism.bodies) poses.push_back(body.pose);
  std::vector<double> q = system.from_poses(poses);
  if (!solve_position(system, 0, q).converged) std::puts("not assembled");
  SparseRows J;
  system.jacobian(0, q, J);
  return {J.rows, J.columns, matrix_rank(J).rank, J.nonzeros(),
          jacobian_operations(system.equations()).operations};
}

}  // namespace

int main() {
  const Row points = row_of(CoordinateFamily::reference_point, false),
            natural = row_of(CoordinateFamily::natural, false),
            more = row_of(CoordinateFamily::natural, true);
  const auto print = [](const char* what, long here_p, long here_n, long here_more,
                        const char* book) {
    std::printf("%-17s %16ld %8ld %18ld   %s\n", what, here_p, here_n, here_more, book);
  };
  std::printf("%-17s %16s %8s %18s   %s\n", "RSCR", "Euler parameters", "natural",
              "three cross rows", "printed in the book");
  print("coordinates", points.columns, natural.columns, more.columns, "21, 12, 12 (text: 13)");
  print("equations", points.rows, natural.rows, more.rows, "20, 11, 12");
  print("rank", points.rank, natural.rank, more.rank, "");
  print("entries of Phi_q", points.nonzeros, natural.nonzeros, more.nonzeros, "128, 51, 57");
  print("operations", points.operations, natural.operations, more.operations,
        "988 (rule not given), 12, 12");
}
