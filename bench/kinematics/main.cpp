// Cost per body of the kinematics of chains and random trees of 10 to 10,000 bodies in the four
// representations: docs/performance.md. Prints tables in Markdown; --quick for a short run.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "axode/kinematics/inverse/overall_inverse.hpp"
#include "axode/kinematics/jacobian.hpp"
#include "axode/kinematics/motion.hpp"
#include "axode/model/builder.hpp"
#include "bench/support/timed.hpp"

namespace {

using namespace axode;
using bench::Timed;

/// Revolute, prismatic and helical joints in general position, three of five revolute.
Tree make_tree(int bodies, bool chain, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  const auto vec = [&](double size) {
    return Vec3<double>{size * normal(random), size * normal(random), size * normal(random)};
  };
  TreeBuilder builder;
  for (int i = 0; i < bodies; ++i) {
    const HelixAxis g{vec(1), vec(.1), .05};
    const Joint joint = i % 5 == 1   ? prismatic({g.axis})
                        : i % 5 == 3 ? helical(g)
                                     : revolute({g.axis, g.point});
    builder.body("b" + std::to_string(i), {1, vec(.1), Sym3<double>::diagonal({.01, .01, .01})});
    const int parent = chain ? i - 1 : std::uniform_int_distribution(-1, i - 1)(random);
    if (parent >= 0) builder.on("b" + std::to_string(parent));
    builder.joint("j" + std::to_string(i), joint, body_screws(exp(Vec6<double>{vec(.5), vec(.2)})));
  }
  return builder.build();
}

/// A tree with a state and what is timed on it.
struct Subject {
  Tree tree;
  std::vector<double> q, v;
  Poses<double> p;
  std::vector<Timed> all{};
};

template <Rep rep>
void add(const std::string& name, const Tree& tree, const std::vector<double>& q, Poses<double>& p,
         const std::vector<double>& v, std::vector<Timed>& all) {
  auto motion = std::make_shared<Motion<rep>>(tree);
  all.push_back({"whole state " + name, [&tree, &q, &p, &v, motion] {
                   poses<double>(tree, q, p);
                   accelerations<rep>(tree, p, v, v, *motion);
                 }});
  all.push_back({"twists " + name, [&tree, &p, &v, motion] { twists<rep>(tree, p, v, *motion); }});
  all.push_back({"accelerations " + name,
                 [&tree, &p, &v, motion] { accelerations<rep>(tree, p, v, v, *motion); }});
  auto solved = std::make_shared<std::vector<double>>(v.size());
  auto work = std::make_shared<LeastSquaresWork>(tree);
  twists<rep>(tree, p, v, *motion);
  all.push_back({"overall inverse " + name, [&tree, &p, motion, solved] {
                   joint_velocities<rep>(tree, p, motion->twists, *solved);
                 }});
  all.push_back({"least squares " + name, [&tree, &p, motion, solved, work] {
                   least_squares_velocities<rep>(tree, p, motion->twists, {}, *work, *solved);
                 }});
  auto columns = std::make_shared<std::vector<Twist<rep>>>(v.size());
  const int last = tree.size() - 1;
  all.push_back(
      {"Jacobian " + name, [&tree, &p, columns, last] { jacobian<rep>(tree, p, last, *columns); }});
}

std::unique_ptr<Subject> make_subject(int n, bool chain, std::mt19937_64& random) {
  Tree tree = make_tree(n, chain, random);
  std::vector<double> q(tree.nq), v(q.size());
  for (double& x : q) x = std::uniform_real_distribution(-3., 3.)(random);
  for (double& x : v) x = std::uniform_real_distribution(-1., 1.)(random);
  Poses<double> p(tree);
  auto subject = std::make_unique<Subject>(Subject{std::move(tree), q, v, std::move(p)});
  Subject& s = *subject;
  poses<double>(s.tree, s.q, s.p);
  s.all.push_back({"poses", [&s] { poses<double>(s.tree, s.q, s.p); }});
  add<Rep::body>("body", s.tree, s.q, s.p, s.v, s.all);
  add<Rep::spatial>("spatial", s.tree, s.q, s.p, s.v, s.all);
  add<Rep::hybrid>("hybrid", s.tree, s.q, s.p, s.v, s.all);
  add<Rep::mixed>("mixed", s.tree, s.q, s.p, s.v, s.all);
  if (!chain)  // the path to one body of a random tree is short: no cost per body
    std::erase_if(s.all, [](const Timed& t) { return t.name.starts_with("Jacobian"); });
  return subject;
}

void table(const char* title, bool chain, const std::vector<int>& sizes, int rounds,
           double least_seconds) {
  std::mt19937_64 random(1);
  std::vector<std::unique_ptr<Subject>> subjects;
  for (const int n : sizes) subjects.push_back(make_subject(n, chain, random));
  std::vector<Timed*> all;
  for (auto& subject : subjects)
    for (Timed& timed : subject->all) all.push_back(&timed);
  bench::measure(all, rounds, least_seconds);
  std::vector<std::vector<double>> nanoseconds;
  std::vector<std::string> names;
  for (auto& subject : subjects) {
    names.clear();
    nanoseconds.emplace_back();
    for (Timed& timed : subject->all) {
      names.push_back(timed.name);
      nanoseconds.back().push_back(timed.undisturbed() / subject->tree.size() * 1e9);
    }
  }
  std::printf("\n%s: ns per body, tenth percentile of %d samples\n\n| n |", title, rounds);
  for (const int n : sizes) std::printf(" %d |", n);
  std::printf(" most / least, n >= 100 |\n|---|");
  for (std::size_t i = 0; i <= sizes.size(); ++i) std::printf("---|");
  std::printf("\n");
  std::vector<std::size_t> order(names.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  const auto kind = [&](std::size_t k) { return std::string("wptaJol").find(names[k][0]); };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return kind(a) < kind(b); });
  for (const std::size_t k : order) {
    std::printf("| %s |", names[k].c_str());
    double least = 1e300, most = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      std::printf(" %.1f |", nanoseconds[i][k]);
      if (sizes[i] < 100) continue;
      least = std::min(least, nanoseconds[i][k]);
      most = std::max(most, nanoseconds[i][k]);
    }
    std::printf(" %.2f |\n", most / least);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  const std::vector<int> sizes{10, 30, 100, 300, 1000, 3000, 10'000};
  const int rounds = quick ? 3 : 41;
  const double least_seconds = quick ? 1e-4 : 2e-3;
  table("Chains", true, sizes, rounds, least_seconds);
  table("Random trees", false, sizes, rounds, least_seconds);
}
