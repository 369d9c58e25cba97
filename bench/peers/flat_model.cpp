#include "bench/peers/flat_model.hpp"

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <stdexcept>

namespace peers {
namespace {

std::string number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", x);
  return text;
}

const char* name_of(Joint joint) {
  if (joint == Joint::free) return "free";
  return joint == Joint::prismatic ? "prismatic" : "revolute";
}

[[noreturn]] void unreadable(const std::string& path, const std::string& why) {
  throw std::runtime_error(path + ": " + why);
}

std::string stem(const std::string& path) {
  const auto slash = path.find_last_of('/');
  const std::string file = slash == std::string::npos ? path : path.substr(slash + 1);
  return file.substr(0, file.find_last_of('.'));
}

template <std::size_t n>
void read(std::istream& in, std::array<double, n>& numbers) {
  for (double& x : numbers) in >> x;
}

template <std::size_t n>
void write(std::ostream& out, const std::array<double, n>& numbers) {
  for (const double x : numbers) out << ' ' << number(x);
}

}  // namespace

void number_coordinates(Model& model) {
  model.nq = model.nv = 0;
  for (Body& b : model.bodies) {
    b.q = model.nq;
    b.v = model.nv;
    model.nq += b.nq();
    model.nv += b.nv();
  }
}

bool Model::coupled() const {
  for (const Body& b : bodies)
    if (b.leader >= 0) return true;
  return false;
}

Model read_model(const std::string& path) {
  std::ifstream in(path);
  if (!in) unreadable(path, "cannot be opened");
  Model model;
  model.name = stem(path);
  std::string word;
  int size = 0;
  in >> word >> size >> word;
  read(in, model.gravity);
  for (int i = 0; in && i < size; ++i) {
    Body b;
    int index = 0;
    in >> index >> b.parent >> b.name >> word;
    read(in, b.axis);
    read(in, b.R);
    read(in, b.p);
    in >> b.mass;
    read(in, b.com);
    read(in, b.inertia);
    in >> b.leader >> b.ratio >> b.offset;
    if (!in || index != i || b.parent >= i || b.parent < -1 || b.leader >= size)
      unreadable(path, "no body " + std::to_string(i));
    if (word == "free")
      b.joint = Joint::free;
    else if (word == "prismatic")
      b.joint = Joint::prismatic;
    else if (word != "revolute")
      unreadable(path, "unknown joint '" + word + "'");
    model.bodies.push_back(b);
  }
  if (model.bodies.empty()) unreadable(path, "no bodies");
  number_coordinates(model);
  return model;
}

void write_model(const std::string& path, const Model& model) {
  std::ofstream out(path);
  out << "bodies " << model.size() << " gravity";
  write(out, model.gravity);
  out << '\n';
  for (int i = 0; i < model.size(); ++i) {
    const Body& b = model.bodies[i];
    out << i << ' ' << b.parent << ' ' << b.name << ' ' << name_of(b.joint);
    write(out, b.axis);
    write(out, b.R);
    write(out, b.p);
    out << ' ' << number(b.mass);
    write(out, b.com);
    write(out, b.inertia);
    out << ' ' << b.leader << ' ' << number(b.ratio) << ' ' << number(b.offset) << '\n';
  }
  if (!out.flush()) unreadable(path, "cannot be written");
}

States read_states(const std::string& path, const Model& model) {
  std::ifstream in(path, std::ios::binary);
  if (!in) unreadable(path, "cannot be opened");
  std::int64_t head[3] = {};  // number of states, nq, nv
  in.read(reinterpret_cast<char*>(head), sizeof head);
  if (!in || head[1] != model.nq || head[2] != model.nv) unreadable(path, "is not of this model");
  States states;
  const auto take = [&](int size) {
    std::vector<double> x(size);
    in.read(reinterpret_cast<char*>(x.data()),
            static_cast<std::streamsize>(x.size() * sizeof(double)));
    return x;
  };
  for (std::int64_t k = 0; k < head[0]; ++k) {
    states.q.push_back(take(model.nq));
    states.v.push_back(take(model.nv));
    states.a.push_back(take(model.nv));
    states.tau.push_back(take(model.nv));
  }
  if (!in || states.q.empty()) unreadable(path, "is too short");
  return states;
}

void write_states(const std::string& path, const States& states) {
  std::ofstream out(path, std::ios::binary);
  const std::int64_t head[3] = {states.count(), static_cast<std::int64_t>(states.q.at(0).size()),
                                static_cast<std::int64_t>(states.v.at(0).size())};
  out.write(reinterpret_cast<const char*>(head), sizeof head);
  for (std::size_t k = 0; k < states.q.size(); ++k)
    for (const auto* x : {&states.q[k], &states.v[k], &states.a[k], &states.tau[k]})
      out.write(reinterpret_cast<const char*>(x->data()),
                static_cast<std::streamsize>(x->size() * sizeof(double)));
  if (!out.flush()) unreadable(path, "cannot be written");
}

}  // namespace peers
