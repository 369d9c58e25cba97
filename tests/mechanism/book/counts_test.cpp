// The table of docs/mechanism_examples.md: every shipped mechanism, its mobility and how many
// coordinates and equations it has.
#include <set>
#include <sstream>

#include "axode/mechanism/analysis/mobility.hpp"
#include "tests/mechanism/book_cases.hpp"

namespace axode::test::book_counts {
namespace {

/// Of the kinematics alone: no drivers and forces, no masses but of bodies without joints, of which
/// natural coordinates would know nothing.
Mechanism bare(Mechanism m) {
  for (std::size_t b = 1; b < m.bodies.size(); ++b)
    if (std::ranges::any_of(m.joints, [&](const MechanismJoint& joint) {
          return std::ranges::count(joint.body, static_cast<int>(b)) > 0;
        }))
      m.bodies[b].inertia = {};
  m.drivers.clear();
  m.coordinate_forces.clear();
  m.springs.clear();
  m.loads.clear();
  return m;
}

std::string count(const Mechanism& m, const FormulationOptions& options) {
  const MechanismEquations eq = make_equations(m, options);
  return "[" + std::to_string(eq.velocities()) + ", " + std::to_string(eq.rows()) + "]";
}

/// At the configuration where the file starts, in natural coordinates, which know no idle spins.
int mobility_of(const Mechanism& driven) {
  MechanismSystem full(make_equations(driven, {.family = CoordinateFamily::natural}));
  const book::Solved s = book::solve(full, 0, book::start(full));
  EXPECT_TRUE(s.position.converged) << driven.name << ": " << s.position.message;
  if (!s.position.converged) return -1;
  MechanismSystem system(make_equations(bare(driven), {.family = CoordinateFamily::natural}));
  std::vector<double> q = system.from_poses(s.poses);
  EXPECT_TRUE(solve_position(system, 0, q).converged) << driven.name;
  return axode::mobility(system, 0, q).mobility;
}

std::string cells(const std::string& file) {
  const Mechanism driven = load_mechanism(book::models / file), m = bare(driven);
  std::string text = " | " + std::to_string(mobility_of(driven)) + " |";
  for (const book::Formulation& f : book::formulations(m)) {
    if (f.label == "quasi-velocities") continue;
    text += f.label == "Euler angles" ? " or " : text.ends_with("|") ? " " : " | ";
    text += count(m, f.options);
  }
  return text + " |";
}

TEST(BookCounts, TableIsTrue) {
  std::istringstream table(read_text_file(book::root / "docs/mechanism_examples.md"));
  const std::string link = "(../examples/mechanisms/";
  std::set<std::string> listed;
  for (std::string line; std::getline(table, line);) {
    const std::size_t begin = line.find(link);
    if (!line.starts_with("|") || begin == std::string::npos) continue;
    const std::size_t end = line.find(')', begin);
    const std::string file = line.substr(begin + link.size(), end - begin - link.size());
    listed.insert(file);
    EXPECT_EQ(line.substr(end + 1), cells(file)) << line;
  }
  for (const auto& entry : std::filesystem::directory_iterator(book::models)) {
    const std::string file = entry.path().filename().string();
    EXPECT_TRUE(!file.ends_with(".json") || listed.contains(file))
        << file << ": add it to docs/mechanism_examples.md";
  }
}

/// [coordinates, equations] as the book counts them.
TEST(BookCounts, AsTheBook) {
  const auto natural = [](const std::string& file) {
    return count(bare(load_mechanism(book::models / file)), {.family = CoordinateFamily::natural});
  };
  EXPECT_EQ(natural("example_2_1_four_bar.json"), "[4, 3]");
  EXPECT_EQ(natural("example_2_4_six_bar.json"), "[8, 7]");
  EXPECT_EQ(natural("example_2_10_rscr.json"), "[12, 11]");
  EXPECT_EQ(natural("problem_2_18_rssr.json"), "[6, 5]");
  EXPECT_EQ(natural("problem_2_21_manipulator.json"), "[21, 15]");
}

}  // namespace
}  // namespace axode::test::book_counts
