// Writes the models of the comparison of libraries, and 32 random states of each, as flat files
// (bench/peers/flat_model.hpp) into a folder.
//
//   bench_peers_models FOLDER [ROBOTS]
//
// Made here, or from the files of models/ (run in the root of the project): puma560, panda7, legs12,
// chain10 to chain10000, tree30, tree100, tree10000, coupled30. With ROBOTS, the folder of URDF files of PyPI's
// example-robot-data, the published robots ur5, panda, anymal, solo12, talos, g1, too.
// Bodies on fixed joints are part of the body they are on, and so are fingers, but for panda_hand and
// talos_hands, whose fingers follow each other as published, and panda_free and talos_free, whose
// fingers all move on their own.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "axode/core/error.hpp"
#include "axode/io/model_file.hpp"
#include "axode/screw/inertia.hpp"
#include "bench/peers/flat_model.hpp"

namespace {

using namespace axode;
namespace fs = std::filesystem;
using Random = std::mt19937_64;
constexpr int states = 32;

double uniform(Random& random, double lower, double upper) {
  return std::uniform_real_distribution(lower, upper)(random);
}
Vec3<double> vector(Random& random, double size) {
  const double x = uniform(random, -size, size), y = uniform(random, -size, size);
  return {x, y, uniform(random, -size, size)};
}
std::array<double, 3> numbers(const Vec3<double>& v) { return {v.x, v.y, v.z}; }

void set_pose(peers::Body& b, const SE3<double>& T) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) b.R[3 * i + j] = T.R.matrix(i, j);
  b.p = numbers(T.p);
}
void set_inertia(peers::Body& b, const Inertia<double>& I) {
  const Sym3<double>& s = I.about_com;
  b.mass = I.mass;
  b.com = numbers(I.com);
  b.inertia = {s.xx, s.xy, s.xz, s.yy, s.yz, s.zz};
}

/// Bodies renumbered depth first, parents before children.
peers::Model depth_first(const peers::Model& model) {
  peers::Model sorted = model;
  sorted.bodies.clear();
  std::vector<int> numbers(model.bodies.size());
  std::vector<std::vector<int>> children(model.bodies.size() + 1);  // the world's are the last
  for (int i = 0; i < model.size(); ++i) {
    const int parent = model.bodies[i].parent;
    children[parent < 0 ? model.size() : parent].push_back(i);
  }
  std::vector<std::pair<int, int>> stack;  // body, its parent's new number
  const auto push_children = [&](int parent, int number) {
    const std::vector<int>& all = children[parent];
    for (auto child = all.rbegin(); child != all.rend(); ++child)
      stack.emplace_back(*child, number);
  };
  push_children(model.size(), -1);
  while (!stack.empty()) {
    const auto [body, parent] = stack.back();
    stack.pop_back();
    sorted.bodies.push_back(model.bodies[body]);
    sorted.bodies.back().parent = parent;
    numbers[body] = sorted.size() - 1;
    push_children(body, sorted.size() - 1);
  }
  for (peers::Body& b : sorted.bodies)
    if (b.leader >= 0) b.leader = numbers[b.leader];
  peers::number_coordinates(sorted);
  return sorted;
}

/// The kind of joint, its axis, and the point of the axis nearest to the origin of the body.
Vec3<double> set_joint(peers::Body& b, const Tree& tree, const Link& link) {
  if (link.map == JointMap::free) {
    b.joint = peers::Joint::free;
    return {};
  }
  if (link.nv != 1)
    throw Error("a joint of several degrees of freedom", b.name, "leave this model out");
  const Vec6<double>& X = tree.screws[link.v];
  const bool turns = link.map == JointMap::screw;
  b.joint = turns ? peers::Joint::revolute : peers::Joint::prismatic;
  const Vec3<double> axis = turns ? X.angular : X.linear;
  b.axis = numbers(axis / norm(axis));
  return turns ? cross(X.angular, X.linear) / squared_norm(axis) : Vec3<double>{};
}

/// The tree without fixed joints, and without those whose name holds `locked`, which stay at zero.
/// Couplings are left out unless asked for.
peers::Model flatten(const Tree& tree, const std::string& locked = {}, bool couplings = false) {
  peers::Model model;
  model.gravity = numbers(tree.gravity);
  struct Place {
    int carrier = -1;  ///< flat body that body is part of
    SE3<double> T{};   ///< pose of the body's frame in that of the carrier
  };
  std::vector<Place> places;
  std::vector<Inertia<double>> inertias;
  for (int i = 0; i < tree.size(); ++i) {
    const Link& link = tree.links[i];
    const Body& body = tree.bodies[i];
    const Place on = link.parent < 0 ? Place{} : places[link.parent];
    const bool stays = !locked.empty() && body.joint_name.find(locked) != std::string::npos;
    Place place{on.carrier, on.T * link.B};
    if (link.map != JointMap::fixed && !stays) {
      peers::Body b;
      b.name = body.name;
      b.parent = on.carrier;
      const SE3<double> shift = translation(set_joint(b, tree, link));
      set_pose(b, place.T * shift);
      place = {model.size(), inverse(shift)};
      model.bodies.push_back(b);
      inertias.emplace_back();
    }
    places.push_back(place);
    if (place.carrier < 0) continue;
    Inertia<double>& sum = inertias[place.carrier];
    sum = sum + transform(place.T, body.inertia);
  }
  for (std::size_t i = 0; i < inertias.size(); ++i) set_inertia(model.bodies[i], inertias[i]);
  for (const Coupling& c : tree.couplings) {
    if (!couplings) break;
    peers::Body& follower = model.bodies[places[c.follower].carrier];
    follower.leader = places[c.leader].carrier;
    follower.ratio = c.ratio, follower.offset = c.offset;
  }
  return depth_first(model);
}

/// A body on a joint in general position: `size` of offsets [m], about 1 kg, moments of inertia of
/// balls of radius 0.3 m and more so that long chains are not badly conditioned.
peers::Body random_body(Random& random, int parent, double size, bool general_axis) {
  peers::Body b;
  b.parent = parent;
  set_pose(b, {exp(vector(random, 2)), vector(random, size)});
  b.axis[std::uniform_int_distribution<std::size_t>(0, 2)(random)] = 1;
  if (general_axis) {
    const Vec3<double> axis = vector(random, 1);
    b.axis = numbers(axis / norm(axis));
  }
  const double x = uniform(random, .04, .08), y = uniform(random, .04, .08),
               z = uniform(random, .04, .08), mass = uniform(random, .5, 2);
  const Sym3<double> diagonal = Sym3<double>::diagonal({y + z, x + z, x + y});
  set_inertia(b, {mass, vector(random, size / 2),
                  congruence(exp(vector(random, 2)).matrix, diagonal) * mass});
  return b;
}

/// Some for bodies whose file gives none.
peers::Model with_inertias(peers::Model model) {
  Random random(4);
  for (peers::Body& b : model.bodies) {
    const peers::Body some = random_body(random, -1, .1, false);
    if (b.mass > 0) continue;
    b.mass = some.mass;
    b.com = some.com;
    b.inertia = some.inertia;
  }
  return model;
}

peers::Model chain(int size) {
  Random random(1);
  peers::Model model;
  for (int i = 0; i < size; ++i) model.bodies.push_back(random_body(random, i - 1, .1, false));
  return model;
}
/// Each body on any before it, a third of the joints prismatic, half of the axes oblique.
peers::Model random_tree(int size) {
  Random random(2);
  peers::Model model;
  for (int i = 0; i < size; ++i) {
    const int parent = i == 0 ? -1 : std::uniform_int_distribution(0, i - 1)(random);
    model.bodies.push_back(random_body(random, parent, .2, i % 2 == 1));
    if (i % 3 == 2) model.bodies.back().joint = peers::Joint::prismatic;
  }
  return model;
}
/// Some joints follow others, in other branches or in their own.
peers::Model coupled(peers::Model model) {
  for (int i = 3; i < model.size(); i += 4) {
    peers::Body& b = model.bodies[i];
    b.leader = i - 2;
    b.ratio = i % 8 == 3 ? .5 : -1;
    b.offset = .1;
  }
  return model;
}
/// A free body with four legs of three joints.
peers::Model legs() {
  Random random(3);
  peers::Model model;
  model.bodies.push_back(random_body(random, -1, .2, false));
  peers::Body& base = model.bodies[0];
  base.joint = peers::Joint::free;
  set_pose(base, {});
  base.axis = {};
  for (int i = 0; i < 12; ++i)
    model.bodies.push_back(random_body(random, i % 3 == 0 ? 0 : i, .2, false));
  return model;
}

peers::States random_states(const peers::Model& model, Random& random) {
  peers::States result;
  std::normal_distribution<double> normal;
  const std::size_t size = model.nv;
  for (int k = 0; k < states; ++k) {
    std::vector<double> q;
    for (const peers::Body& b : model.bodies) {
      const double range = b.joint == peers::Joint::revolute ? std::numbers::pi : 1;
      for (int i = 0; i < (b.joint == peers::Joint::free ? 3 : 1); ++i)
        q.push_back(uniform(random, -range, range));
      if (b.joint != peers::Joint::free) continue;
      std::array<double, 4> turn{normal(random), normal(random), normal(random), normal(random)};
      const double length =
          std::sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
      for (const double x : turn) q.push_back(x / length);
    }
    result.q.push_back(q);
    for (auto* x : {&result.v, &result.a, &result.tau}) {
      x->emplace_back(size);
      for (double& number : x->back()) number = uniform(random, -1, 1);
    }
    for (const peers::Body& b : model.bodies) {
      if (b.leader < 0) continue;
      const peers::Body& leader = model.bodies[b.leader];
      result.q.back()[b.q] = b.ratio * result.q.back()[leader.q] + b.offset;
      for (auto* x : {&result.v, &result.a}) x->back()[b.v] = b.ratio * x->back()[leader.v];
    }
  }
  return result;
}

void write(const fs::path& folder, const std::string& name, peers::Model model) {
  if (model.gravity == std::array<double, 3>{}) model.gravity = {0, 0, -9.81};
  for (std::size_t i = 0; i < model.bodies.size(); ++i) {  // names of files may hold blanks
    std::string& body = model.bodies[i].name;
    if (body.empty()) body = std::string("b").append(std::to_string(i));
    std::replace(body.begin(), body.end(), ' ', '_');
  }
  model = depth_first(model);
  Random random(7);
  peers::write_model(folder / (name + ".model"), model);
  peers::write_states(folder / (name + ".states"), random_states(model, random));
  std::printf("%-10s %5d bodies, %5d velocities\n", name.c_str(), model.size(), model.nv);
}

struct Robot {
  const char *name, *file;
  bool free_base;
  const char* locked;
  bool couplings = false;
};
constexpr Robot robots[] = {
    {"ur5", "ur_description/urdf/ur5_robot.urdf", false, ""},
    {"panda", "panda_description/urdf/panda.urdf", false, "finger"},
    {"anymal", "anymal_b_simple_description/robots/anymal.urdf", true, ""},
    {"solo12", "solo_description/robots/solo12.urdf", true, ""},
    {"talos", "talos_data/robots/talos_reduced.urdf", true, "gripper"},
    {"g1", "g1_description/urdf/g1_29dof_rev_1_0.urdf", true, ""},
    {"panda_hand", "panda_description/urdf/panda.urdf", false, "", true},
    {"panda_free", "panda_description/urdf/panda.urdf", false, ""},
    {"talos_hands", "talos_data/robots/talos_full_v2.urdf", true, "", true},
    {"talos_free", "talos_data/robots/talos_full_v2.urdf", true, ""},
};

void write_all(const fs::path& folder, const fs::path& published) {
  fs::create_directories(folder);
  write(folder, "puma560", with_inertias(flatten(load_tree("models/puma560.json"))));
  write(folder, "panda7", with_inertias(flatten(load_tree("models/panda.json"))));
  write(folder, "legs12", legs());
  for (const int n : {10, 100, 1000, 10000}) write(folder, "chain" + std::to_string(n), chain(n));
  for (const int n : {30, 100, 10000}) write(folder, "tree" + std::to_string(n), random_tree(n));
  write(folder, "coupled30", coupled(depth_first(random_tree(30))));
  if (published.empty()) return;
  for (const Robot& r : robots) {
    LoadOptions options;
    options.free_base = r.free_base;
    write(folder, r.name, flatten(load_tree(published / r.file, options), r.locked, r.couplings));
  }
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc < 2) {
    std::fprintf(stderr, "Usage: %s FOLDER [ROBOTS]\n", argv[0]);
    return 2;
  }
  write_all(argv[1], argc > 2 ? argv[2] : "");
  return 0;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "%s\n", problem.what());
  return 1;
}
