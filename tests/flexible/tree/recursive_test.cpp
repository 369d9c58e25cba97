#include "axode/flexible/tree/recursive.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "axode/flexible/any_scalar/recursive.hpp"
#include "axode/linalg/eigen.hpp"
#include "tests/flexible/random_flexible_tree.hpp"
#include "tests/flexible/reference_chains.hpp"
#include "tests/support/allocations.hpp"

namespace axode::test::flexible_recursive {

/// A number that counts what is done with it.
struct Counted {
  double value = 0;
  static inline long operations = 0;
  Counted() = default;
  Counted(double a) : value(a) {}
  static Counted counted(double a) {
    ++operations;
    return {a};
  }
  friend Counted operator+(Counted a, Counted b) { return counted(a.value + b.value); }
  friend Counted operator-(Counted a, Counted b) { return counted(a.value - b.value); }
  friend Counted operator*(Counted a, Counted b) { return counted(a.value * b.value); }
  friend Counted operator/(Counted a, Counted b) { return counted(a.value / b.value); }
  friend Counted operator-(Counted a) { return {-a.value}; }
  Counted& operator+=(Counted b) { return *this = *this + b; }
  Counted& operator-=(Counted b) { return *this = *this - b; }
  friend constexpr auto operator<=>(Counted a, Counted b) { return a.value <=> b.value; }
  friend constexpr bool operator==(Counted a, Counted b) { return a.value == b.value; }
};
inline Counted sqrt(Counted a) { return Counted::counted(std::sqrt(a.value)); }
inline bool is_finite(Counted a) { return std::isfinite(a.value); }
inline SinCos<Counted> sincos(Counted a) {
  Counted::operations += 2;
  return {std::sin(a.value), std::cos(a.value)};
}

}  // namespace axode::test::flexible_recursive

template <>
struct axode::RealOf<axode::test::flexible_recursive::Counted> {
  using type = double;
};

namespace axode::test::flexible_recursive {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Dense {
  Rows mass;
  Eigen::VectorXd rates;
  bool positive = false;
};
template <class P>
Dense dense(const FlexibleTree& tree, const std::vector<double>& q, const std::vector<double>& v,
            const std::vector<double>& tau) {
  const auto n = static_cast<Eigen::Index>(q.size());
  std::vector<double> mass(q.size() * q.size()), forces(q.size());
  FlexibleWork<P> work = make_flexible_work<P>(tree);
  axode::flexible_equations<P>(tree, q, v, work, mass, forces);
  const auto list = [n](const std::vector<double>& a) {
    return Eigen::Map<const Eigen::VectorXd>(a.data(), n);
  };
  const auto square = [n](const std::vector<double>& a) {
    return Eigen::Map<const Rows>(a.data(), n, n);
  };
  Dense result{square(mass), {}, false};
  const Eigen::LLT<Eigen::MatrixXd> factor(result.mass);
  result.positive = factor.info() == Eigen::Success;
  const Eigen::VectorXd rhs =
      list(tau) - list(forces) - square(tree.stiffness) * list(q) - square(tree.damping) * list(v);
  result.rates = result.mass.partialPivLu().solve(rhs);
  return result;
}

/// True if both found an acceleration; they must agree on whether there is one.
template <class P>
bool expect_dense(const FlexibleTree& tree, const std::vector<double>& q,
                  const std::vector<double>& v, const std::vector<double>& tau,
                  RecursiveWork<P>& work, double tolerance = 1e-10) {
  std::vector<double> rates(q.size());
  const RecursiveOutcome outcome = recursive_acceleration<P>(tree, q, v, tau, work, rates);
  const Dense expected = dense<P>(tree, q, v, tau);
  EXPECT_EQ(outcome.solved, expected.positive);
  if (!outcome.solved) {
    EXPECT_NE(message(tree, outcome).find("link"), std::string::npos);
    return false;
  }
  const double scale = std::max(1.0, expected.rates.cwiseAbs().maxCoeff());
  for (std::size_t k = 0; k < q.size(); ++k)
    EXPECT_NEAR(rates[k], expected.rates[static_cast<Eigen::Index>(k)], tolerance * scale)
        << tree.coordinate_names[k];
  return true;
}

TEST(FlexibleRecursive, MeetsTheDenseEquationsOnTreesOfAllKinds) {
  RandomFlexible by;
  int linear = 0;
  for (int trial = 0; trial < 60; ++trial) {
    const FlexibleTree tree = random_flexible_tree(
        by, 1 + by.below(9), static_cast<SectionRotation>(trial % 3), trial % 2 == 0);
    RecursiveWork<Exact<double>> exact_work = make_recursive_work<Exact<double>>(tree);
    RecursiveWork<FirstOrder> linear_work = make_recursive_work<FirstOrder>(tree);
    for (int state = 0; state < 3; ++state) {
      const auto q = random_coordinates(by, tree, 2, 0.02),
                 v = random_coordinates(by, tree, 1, 0.2), tau = random_coordinates(by, tree, 5, 1);
      EXPECT_TRUE(expect_dense(tree, q, v, tau, exact_work));
      if (expect_dense(tree, q, v, tau, linear_work)) ++linear;
    }
  }
  EXPECT_GT(linear, 150);
}

TEST(FlexibleRecursive, BeamsWithoutModesCarryWhatIsAtTheirStations) {
  RandomFlexible by;
  FlexibleTree tree;
  tree.name = "chain";
  for (int i = 0; i < 4; ++i) {
    FlexibleLink link;
    link.name = "link" + std::to_string(i);
    link.parent = i - 1;
    link.station = i > 0 ? 0.8 : 0;
    while (i < 3 && link.modes.empty()) make_elastic(by, link);
    if (i == 1) link.modes.clear();
    if (i == 3) make_rigid(by, link);
    link.axis = normalized(by.vector(1));
    tree.links.push_back(link);
  }
  tree = complete(tree);
  const auto q = random_coordinates(by, tree, 2, 0.01), v = random_coordinates(by, tree, 1, 0.1),
             tau = random_coordinates(by, tree, 5, 1);
  RecursiveWork<Exact<double>> exact = make_recursive_work<Exact<double>>(tree);
  RecursiveWork<FirstOrder> linear = make_recursive_work<FirstOrder>(tree);
  EXPECT_TRUE(expect_dense(tree, q, v, tau, exact));
  EXPECT_TRUE(expect_dense(tree, q, v, tau, linear));
}

TEST(FlexibleRecursive, MeetsTheReferenceArm) {
  for (const std::string name : {"planar2", "arm4"}) {
    const FlexibleTree tree = reference_chain(name);
    RecursiveWork<Exact<double>> exact = make_recursive_work<Exact<double>>(tree);
    RecursiveWork<FirstOrder> linear = make_recursive_work<FirstOrder>(tree);
    const nlohmann::json states = read_json("flexible/vectors_" + name + ".json")["states"];
    EXPECT_FALSE(states.empty());
    for (const auto& state : states) {
      const std::vector<double> q = flat(state["q"]), v = flat(state["u"]);
      std::vector<double> tau = flat(state["T"]), rates(q.size());
      tau.resize(q.size());
      for (const bool is_linear : {false, true}) {
        const RecursiveOutcome outcome =
            is_linear ? recursive_acceleration<FirstOrder>(tree, q, v, tau, linear, rates)
                      : recursive_acceleration<Exact<double>>(tree, q, v, tau, exact, rates);
        ASSERT_TRUE(outcome.solved);
        const std::vector<double> udot = flat(state[is_linear ? "lin_xyz" : "nonlin_xyz"]["udot"]);
        double scale = 0;
        for (const double a : udot) scale = std::max(scale, std::abs(a));
        for (std::size_t k = 0; k < q.size(); ++k) EXPECT_NEAR(rates[k], udot[k], 1e-9 * scale);
      }
    }
  }
}

TEST(FlexibleRecursive, NamesTheLinkWhereTheLinearMassMatrixIsLost) {
  RandomFlexible by;
  int lost = 0;
  for (int trial = 0; trial < 40; ++trial) {
    const FlexibleTree tree = random_flexible_tree(by, 4, SectionRotation::zyx, true);
    RecursiveWork<FirstOrder> work = make_recursive_work<FirstOrder>(tree);
    const auto q = random_coordinates(by, tree, 2, 1), v = random_coordinates(by, tree, 1, 0.2),
               tau = random_coordinates(by, tree, 5, 1);
    if (!expect_dense(tree, q, v, tau, work, 1e-7)) ++lost;
  }
  EXPECT_GT(lost, 5);
}

/// In a long chain M has a condition number of 1e9, so that what is compared is M v', row by row.
template <class P>
void expect_small_residual(const FlexibleTree& tree, const std::vector<double>& q,
                           const std::vector<double>& v, const std::vector<double>& tau) {
  std::vector<double> rates(q.size());
  RecursiveWork<P> work = make_recursive_work<P>(tree);
  ASSERT_TRUE(recursive_acceleration<P>(tree, q, v, tau, work, rates).solved);
  const Dense expected = dense<P>(tree, q, v, tau);
  const Eigen::Map<const Eigen::VectorXd> found(rates.data(), tree.size);
  const Eigen::VectorXd off = expected.mass * (found - expected.rates);
  const Eigen::VectorXd scale = expected.mass.cwiseAbs() * found.cwiseAbs();
  for (Eigen::Index k = 0; k < tree.size; ++k) EXPECT_LE(std::abs(off[k]), 1e-10 * scale[k]) << k;
  EXPECT_LE((found - expected.rates).norm(), 1e-7 * expected.rates.norm());
}
TEST(FlexibleRecursive, ChainOfFiftyElasticLinks) {
  RandomFlexible by;
  FlexibleTree tree;
  tree.name = "chain";
  for (int i = 0; i < 50; ++i) {
    FlexibleLink link;
    link.name = "link" + std::to_string(i);
    link.parent = i - 1;
    if (i > 0) link.station = tree.links.back().beam->length;
    link.axis = i % 2 == 0 ? Vec3<>{0, 0, 1} : Vec3<>{0, 1, 0};
    while (link.modes.empty()) make_elastic(by, link);
    tree.links.push_back(link);
  }
  tree = complete(tree);
  const auto q = random_coordinates(by, tree, 0.3, 1e-5),
             v = random_coordinates(by, tree, 0.1, 1e-2), tau = random_coordinates(by, tree, 5, 1);
  expect_small_residual<Exact<double>>(tree, q, v, tau);
  expect_small_residual<FirstOrder>(tree, q, v, tau);

  // where deflections add up over the chain, the linear M is lost in both forms
  const auto bent = random_coordinates(by, tree, 0.3, 1e-2);
  RecursiveWork<FirstOrder> work = make_recursive_work<FirstOrder>(tree);
  std::vector<double> rates(q.size());
  EXPECT_FALSE(recursive_acceleration<FirstOrder>(tree, bent, v, tau, work, rates).solved);
  EXPECT_FALSE(dense<FirstOrder>(tree, bent, v, tau).positive);
}

/// Operations for a chain of n equal links.
long operations(int n) {
  RandomFlexible by;
  FlexibleTree tree;
  tree.name = "chain";
  FlexibleLink link;
  while (link.modes.size() < 5) {
    link.modes.clear();
    make_elastic(by, link);
  }
  link.mount = {exp(by.vector(1)), by.vector(0.1)};
  for (int i = 0; i < n; ++i) {
    link.name = "link" + std::to_string(i);
    link.parent = i - 1;
    link.station = i > 0 ? link.beam->length : 0;
    tree.links.push_back(link);
  }
  tree = complete(tree);
  const std::vector<Counted> q(tree.size, Counted(1e-3));
  std::vector<Counted> rates(q.size());
  RecursiveWork<Exact<Counted>> work = make_recursive_work<Exact<Counted>>(tree);
  Counted::operations = 0;
  EXPECT_TRUE(recursive_acceleration<Exact<Counted>>(tree, q, q, q, work, rates).solved);
  return Counted::operations;
}
TEST(FlexibleRecursive, EachFurtherLinkCostsTheSame) {
  const long ten = operations(10), twenty = operations(20), eighty = operations(80);
  EXPECT_GT(ten, 1000);
  EXPECT_EQ(eighty - twenty, 6 * (twenty - ten));
}

TEST(FlexibleRecursive, DoesNotAllocate) {
  RandomFlexible by;
  const FlexibleTree tree = random_flexible_tree(by, 8, SectionRotation::zyx, true);
  const auto q = random_coordinates(by, tree, 2, 1e-3), v = random_coordinates(by, tree, 1, 0.1),
             tau = random_coordinates(by, tree, 5, 1);
  std::vector<double> rates(q.size());
  RecursiveWork<Exact<double>> exact = make_recursive_work<Exact<double>>(tree);
  RecursiveWork<FirstOrder> linear = make_recursive_work<FirstOrder>(tree);
  EXPECT_EQ(count_allocations([&] {
              (void)recursive_acceleration<Exact<double>>(tree, q, v, tau, exact, rates);
              (void)recursive_acceleration<FirstOrder>(tree, q, v, tau, linear, rates);
            }),
            0);
}

}  // namespace axode::test::flexible_recursive
