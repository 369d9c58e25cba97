#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "axode/core/error.hpp"
#include "axode/dynamics/parameters/calibration.hpp"
#include "axode/lie/adjoint.hpp"

namespace axode {

namespace {

double squared_norm(const Vec6<double>& a) { return dot(a, a); }

/// An orthonormal basis of the span of some six-vectors, at most six of them.
std::vector<Vec6<double>> basis(std::vector<Vec6<double>> rows) {
  std::vector<Vec6<double>> found;
  const auto shorter = [](const Vec6<double>& a, const Vec6<double>& b) {
    return squared_norm(a) < squared_norm(b);
  };
  double largest = 0;
  while (!rows.empty() && found.size() < 6) {
    const Vec6<double> longest = *std::max_element(rows.begin(), rows.end(), shorter);
    const double length = std::sqrt(squared_norm(longest));
    largest = std::max(largest, length);
    if (!(length > 1e-7 * largest)) break;
    found.push_back(longest / length);
    for (Vec6<double>& row : rows) row -= found.back() * dot(found.back(), row);
  }
  return found;
}

}  // namespace

Frame detail::measured_frame(const Tree& tree, const FrameName& name) {
  const FrameChoice choice = frame(tree, name);
  if (name.origin != name.axes || choice.origin.body < 0)
    throw Error("it is not fixed on a body", "frame '" + std::string(name.origin) + "'",
                "name a body or a frame on one");
  return choice.origin;
}

std::vector<int> detail::path_to(const Tree& tree, int body) {
  std::vector<int> path;
  for (int i = body; i >= 0; i = tree.links[i].parent) path.push_back(i);
  std::reverse(path.begin(), path.end());
  return path;
}

Tree apply(const Tree& tree, std::span<const GeometricVariation> variations,
           In<double> parameters) {
  variations_at(tree, variations, parameters);  // checks them
  Tree result = tree;
  for (std::size_t k = 0; k < variations.size(); ++k) {
    SE3<double>& B = result.links[variations[k].body].B;
    B = B * exp(variations[k].U * parameters[k]);
  }
  return result;
}

std::vector<GeometricVariation> all_variations(const Tree& tree, const FrameName& frame) {
  std::vector<GeometricVariation> all;
  for (const int i : detail::path_to(tree, detail::measured_frame(tree, frame).body))
    for (const GeometricVariation& x : six_variations(i)) all.push_back(x);
  return all;
}

std::vector<GeometricVariation> minimal_variations(const Tree& tree, const FrameName& frame) {
  std::vector<GeometricVariation> all;
  for (const int i : detail::path_to(tree, detail::measured_frame(tree, frame).body)) {
    const Link& link = tree.links[i];
    if (link.parent < 0) {
      all = six_variations(i);
      continue;
    }
    // Displacements that commute with the parent's joint are those with ad_X Y = 0 for its screws
    // X: what is perpendicular to them is spanned by the rows of ad_X.
    const Link& parent = tree.links[link.parent];
    std::vector<Vec6<double>> rows;
    for (int k = parent.v; k < parent.v + parent.nv; ++k)
      for (int row = 0; row < 6; ++row) {
        Vec6<double> e{};
        e[row] = 1;
        rows.push_back(ad_transpose(tree.screws[k], e));
      }
    for (const Vec6<double>& Y : basis(std::move(rows))) all.push_back({i, Ad_inverse(link.B, Y)});
  }
  return all;
}

}  // namespace axode
