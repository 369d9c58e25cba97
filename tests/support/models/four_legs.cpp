#include "tests/support/models/four_legs.hpp"

#include <cmath>
#include <string>

#include "axode/dynamics/matrices/mass_matrix.hpp"
#include "axode/model/builder.hpp"

namespace axode::test {

namespace {

void add_leg(TreeBuilder& b, const std::string& name, double x, double y, bool stiff) {
  const auto about = [&](const Vec3<>& axis, double z) {
    return stiff ? fixed() : revolute({.axis = axis, .point = {x, y, z}});
  };
  const double knee = -FourLegs::thigh, foot = knee - FourLegs::shank;
  const auto rod = [&](double m, double from, double to) {
    const double l = from - to;
    return Inertia<>{
        m, {x, y, (from + to) / 2}, Sym3<>::diagonal({m * l * l / 12, m * l * l / 12, m * 1e-3})};
  };
  b.body(name + "_hip", {.8, {x, y, 0}, Sym3<>::diagonal({.002, .002, .002})})
      .on("trunk")
      .joint(name + "_roll", about({1, 0, 0}, 0));
  b.body(name + "_thigh", rod(1.2, 0, knee))
      .on(name + "_hip")
      .joint(name + "_pitch", about({0, 1, 0}, 0));
  b.body(name + "_shank", rod(.5, knee, foot))
      .on(name + "_thigh")
      .joint(name + "_knee", about({0, 1, 0}, knee));
  b.frame(name + "_foot", {.on = name + "_shank", .at = translation(Vec3<>{x, y, foot})});
}

}  // namespace

Tree four_legs(Rep base_velocity, bool stiff) {
  TreeBuilder b("four_legs");
  b.body("trunk", {12, {}, Sym3<>::diagonal({.1, .3, .35})})
      .joint("free", free_joint({.velocity = base_velocity}));
  const double x = FourLegs::length / 2, y = FourLegs::width / 2;
  add_leg(b, "fl", x, y, stiff);
  add_leg(b, "fr", x, -y, stiff);
  add_leg(b, "hl", -x, y, stiff);
  add_leg(b, "hr", -x, -y, stiff);
  return b.build();
}

std::vector<double> standing(const Tree& tree, double bend) {
  std::vector<double> q = neutral(tree);
  if (tree.nq == 7) bend = 0;
  q[6] = (FourLegs::thigh + FourLegs::shank) * std::cos(bend);
  for (std::size_t leg = 0; 7 + 3 * leg < q.size(); ++leg) {
    const double angle = leg < 2 ? bend : -bend;
    q[8 + 3 * leg] = angle;
    q[9 + 3 * leg] = -2 * angle;
  }
  return q;
}

std::vector<Contact> feet_on_ground(const Tree& tree, const Directions& directions) {
  std::vector<Contact> contacts;
  for (const char* name : FourLegs::names) {
    const std::string foot = std::string(name).append("_foot");
    contacts.push_back(
        contact(tree, {.at = origin_of(foot).axes_of("world"), .directions = directions}));
  }
  return contacts;
}

double mass(const Tree& tree) {
  double sum = 0;
  for (const Body& body : tree.bodies) sum += body.inertia.mass;
  return sum;
}

Eigen::MatrixXd held_rows(const Tree& tree, const Poses<double>& poses,
                          std::span<const Contact> contacts) {
  int m = 0;
  for (const Contact& c : contacts) m += c.directions.count();
  Eigen::MatrixXd J(m, tree.nv);
  std::vector<Vec6<>> columns(tree.nv);
  int row = 0;
  for (const Contact& c : contacts) {
    contact_jacobian<double>(tree, poses, c, columns);
    for (int i = 0; i < 6; ++i) {
      if (!c.directions[i]) continue;
      for (int k = 0; k < tree.nv; ++k) J(row, k) = columns[k][i];
      ++row;
    }
  }
  return J;
}

Eigen::VectorXd held_entries(std::span<const Contact> contacts, std::span<const Vec6<>> values) {
  std::vector<double> held;
  for (std::size_t c = 0; c < contacts.size(); ++c)
    for (int i = 0; i < 6; ++i)
      if (contacts[c].directions[i]) held.push_back(values[c][i]);
  return Eigen::Map<Eigen::VectorXd>(held.data(), static_cast<Eigen::Index>(held.size()));
}

Eigen::MatrixXd full_mass_matrix(const Tree& tree, const std::vector<double>& q) {
  DenseMatrix<double> M = reference::mass_matrix(tree, q);
  return Eigen::Map<Eigen::MatrixXd>(M.values.data(), M.rows, M.columns);
}

}  // namespace axode::test
