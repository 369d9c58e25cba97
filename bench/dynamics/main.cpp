// Time of the algorithms of dynamics on arms, a tree of all joints, chains and random trees: which
// representation is the quickest, and what the rest costs in terms of it (docs/performance.md).
// Prints tables in Markdown; --quick for a short run. Run in the root of the project.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "axode/dynamics/derivatives/inverse_derivatives.hpp"
#include "axode/dynamics/forward/forward_dynamics.hpp"
#include "axode/dynamics/inverse/inverse_dynamics.hpp"
#include "axode/dynamics/matrices/mass_matrix.hpp"
#include "axode/io/model_file.hpp"
#include "axode/model/builder.hpp"
#include "bench/support/timed.hpp"

namespace {

using namespace axode;
using bench::Timed;

/// Revolute joints in general position.
Tree make_tree(int bodies, bool chain) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  const auto vec = [&](double size) {
    return Vec3<double>{size * normal(random), size * normal(random), size * normal(random)};
  };
  TreeBuilder builder;
  for (int i = 0; i < bodies; ++i) {
    builder.body("b" + std::to_string(i), {1, vec(.1), Sym3<double>::diagonal({.01, .01, .01})});
    const int parent = chain ? i - 1 : std::uniform_int_distribution(-1, i - 1)(random);
    if (parent >= 0) builder.on("b" + std::to_string(parent));
    builder.joint("j" + std::to_string(i), revolute({vec(1), vec(.1)}),
                  body_screws(exp(Vec6<double>{vec(.5), vec(.2)})));
  }
  return builder.build();
}

/// A tree with a state and what is timed on it.
struct Subject {
  std::string name;
  Tree tree;
  std::vector<double> q, v, a, out;
  Poses<double> p;
  std::vector<Timed> all{};
  Subject(std::string n, Tree t) : name(std::move(n)), tree(std::move(t)), p(tree) {
    std::mt19937_64 random(2);
    q = random_configuration(tree, random);
    v.resize(tree.nv);
    for (double& x : v) x = std::uniform_real_distribution(-1., 1.)(random);
    a = out = v;
  }
};

template <Rep rep>
void add_inverse(Subject& s, const char* name) {
  auto work = std::make_shared<InverseDynamics<rep>>(s.tree);
  s.all.push_back({std::string("inverse dynamics, ") + name, [&s, work] {
                     poses<double>(s.tree, s.q, s.p);
                     inverse_dynamics<rep, double>(s.tree, s.p, s.v, s.a, *work, s.out);
                   }});
}
template <Rep rep>
void add_forward(Subject& s, const char* name) {
  auto work = std::make_shared<ForwardDynamics<rep>>(s.tree);
  s.all.push_back({std::string("forward dynamics, ") + name, [&s, work] {
                     poses<double>(s.tree, s.q, s.p);
                     static_cast<void>(
                         forward_dynamics<rep, double>(s.tree, s.p, s.v, s.a, *work, s.out));
                   }});
}

std::unique_ptr<Subject> subject(std::string name, Tree tree) {
  auto made = std::make_unique<Subject>(std::move(name), std::move(tree));
  Subject& s = *made;
  s.all.push_back({"poses", [&s] { poses<double>(s.tree, s.q, s.p); }});
  add_inverse<Rep::body>(s, "body");
  add_inverse<Rep::spatial>(s, "spatial");
  add_inverse<Rep::hybrid>(s, "hybrid");
  add_inverse<Rep::mixed>(s, "mixed");
  add_forward<Rep::body>(s, "body");
  add_forward<Rep::spatial>(s, "spatial");
  add_forward<Rep::hybrid>(s, "hybrid");
  auto composite = std::make_shared<Composite<double>>(s.tree);
  auto M = std::make_shared<PathMatrix<double>>(s.tree);
  const auto matrix = [&s, composite, M] {
    poses<double>(s.tree, s.q, s.p);
    composite_inertias(s.tree, s.p, *composite);
    mass_matrix(s.tree, *composite, *M);
  };
  s.all.push_back({"mass matrix", matrix});
  s.all.push_back({"mass matrix, factorized and solved", [&s, matrix, M] {
                     matrix();
                     s.out = s.v;
                     if (!factorize(*M).ok()) std::abort();
                     solve<double>(*M, s.out);
                   }});
  auto derivatives = std::make_shared<InverseDynamicsDerivatives<double>>(s.tree);
  auto derivatives_work = std::make_shared<InverseDerivativesWork<double>>(s.tree);
  s.all.push_back({"derivatives of inverse dynamics", [&s, derivatives, derivatives_work] {
                     poses<double>(s.tree, s.q, s.p);
                     inverse_dynamics_derivatives<double>(s.tree, s.p, s.v, s.a, *derivatives_work,
                                                          *derivatives);
                   }});
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::strcmp(argv[1], "--quick") == 0;
  std::vector<std::unique_ptr<Subject>> subjects;
  subjects.push_back(subject("PUMA 560", load_tree("models/puma560.json")));
  subjects.push_back(subject("Panda", load_tree("models/panda.json")));
  subjects.push_back(subject("all joints", load_tree("models/all_joints.json")));
  subjects.push_back(subject("chain 10", make_tree(10, true)));
  subjects.push_back(subject("chain 100", make_tree(100, true)));
  subjects.push_back(subject("chain 1000", make_tree(1000, true)));
  subjects.push_back(subject("tree 30", make_tree(30, false)));
  subjects.push_back(subject("tree 1000", make_tree(1000, false)));
  std::vector<Timed*> all;
  for (auto& s : subjects)
    for (Timed& timed : s->all) all.push_back(&timed);
  bench::measure(all, quick ? 3 : 31, quick ? 1e-4 : 2e-3);

  std::printf("Microseconds, one thread, tenth percentile; poses are computed anew in each\n\n| |");
  for (const auto& s : subjects) std::printf(" %s |", s->name.c_str());
  std::printf("\n|---|");
  for (std::size_t i = 0; i < subjects.size(); ++i) std::printf("---|");
  std::printf("\n");
  for (std::size_t k = 0; k < subjects[0]->all.size(); ++k) {
    std::printf("| %s |", subjects[0]->all[k].name.c_str());
    for (const auto& s : subjects) std::printf(" %.3g |", s->all[k].undisturbed() * 1e6);
    std::printf("\n");
  }
}
