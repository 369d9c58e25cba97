#include "axode/screw/subgroup.hpp"

#include <string>
#include <vector>

#include "axode/core/error.hpp"

namespace axode {

std::string_view symbol(MotionSubgroup group) noexcept {
  constexpr std::array<std::string_view, 12> symbols{"{I}",   "R",          "SO(2)",     "H_p",
                                                     "R^2",   "SO(2) x R",  "R^3",       "SO(3)",
                                                     "SE(2)", "H_p |x R^2", "SE(2) x R", "SE(3)"};
  return symbols[std::size_t(group)];
}

namespace {

/// Which of the canonical screws a subgroup has: translations along x, y, z, rotations about them.
struct Pattern {
  std::array<bool, 3> translations, rotations;
};
constexpr Pattern pattern(MotionSubgroup group) {
  using G = MotionSubgroup;
  constexpr std::array<bool, 3> none{}, z{false, false, true}, xy{true, true, false},
      all{true, true, true};
  switch (group) {
    case G::identity:
      return {none, none};
    case G::translation_1:
      return {z, none};
    case G::rotation:
      return {none, z};
    case G::helical:
      return {none, z};
    case G::translation_2:
      return {xy, none};
    case G::cylindrical:
      return {z, z};
    case G::translation_3:
      return {all, none};
    case G::spherical:
      return {none, all};
    case G::planar:
      return {xy, z};
    case G::helical_planar:
      return {xy, z};
    case G::schoenflies:
      return {all, z};
    case G::full:
      return {all, all};
  }
  return {none, none};
}

/// An orthonormal basis of screws, with linear parts measured in `length`.
template <class S>
struct OrthonormalScrews {
  S tolerance;
  ScrewSystem<S> basis;

  /// The part of X that the basis does not span.
  Vec6<S> residual(Vec6<S> X) const {
    for (const Vec6<S>& b : basis) X -= b * dot(b, X);
    return X;
  }
  /// Adds what the candidates, of norm about 1, span beyond the basis; true if that was anything.
  /// The most independent one goes first: in another order a near-dependent pair would bring in a
  /// direction that is mostly rounding.
  bool add(std::span<const Vec6<S>> candidates) {
    const int before = basis.size;
    while (basis.size < 6) {
      Vec6<S> best{};
      S largest = tolerance;
      for (const Vec6<S>& X : candidates) {
        const Vec6<S> rest = residual(X);
        if (const S size = sqrt(dot(rest, rest)); size > largest) {
          largest = size;
          best = rest / size;
        }
      }
      if (largest <= tolerance) break;
      basis.screws[basis.size++] = best;
    }
    return basis.size > before;
  }
};

template <class S>
Vec6<S> unit(const Vec6<S>& X) {
  const S largest = max_abs(X);
  if (largest == S(0)) return X;
  const Vec6<S> scaled = X / largest;
  return scaled / sqrt(dot(scaled, scaled));
}

/// Brings a basis to echelon form: pure translations first, then screws with independent, orthogonal
/// angular parts. Returns the number of translations.
template <class S>
int separate_translations(ScrewSystem<S>& basis, S tolerance) {
  std::array<Vec6<S>, 6> turning{}, moving{};
  int turns = 0, moves = 0;
  std::array<bool, 6> used{};
  for (int round = 0; round < 3; ++round) {  // there are no more than three directions
    // The screw with the largest angular part left serves as the next pivot.
    int pivot = -1;
    S largest = tolerance;
    for (int i = 0; i < basis.size; ++i) {
      const std::size_t k = i;
      if (const S size = norm(basis.screws[k].angular); !used[k] && size > largest) {
        largest = size;
        pivot = i;
      }
    }
    if (pivot < 0) break;
    const std::size_t p = pivot;
    used[p] = true;
    const Vec6<S> X = basis.screws[p] / largest;
    turning[turns++] = X;
    for (std::size_t i = 0; i < 6; ++i)
      if (!used[i]) basis.screws[i] -= X * dot(X.angular, basis.screws[i].angular);
  }
  for (int i = 0; i < basis.size; ++i)
    if (const std::size_t k = i; !used[k]) moving[moves++] = {{}, basis.screws[k].linear};
  for (int i = 0; i < moves; ++i) basis.screws[i] = moving[i];
  for (int i = 0; i < turns; ++i) basis.screws[moves + i] = turning[i];
  return moves;
}

}  // namespace

template <std::floating_point S>
ScrewSystem<S> subgroup_screws(MotionSubgroup group, const SE3<S>& T_WF,
                               std::type_identity_t<S> pitch) {
  using G = MotionSubgroup;
  const bool pitched = group == G::helical || group == G::helical_planar;
  const char* where = "subgroup_screws";
  if (!is_finite(T_WF.R.matrix) || !is_finite(T_WF.p))
    throw Error("the frame is not finite", where, "give a pose of finite numbers");
  if (!is_finite(pitch))
    throw Error("the pitch is not finite", where, "translations are subgroups of their own");
  if (pitch != S(0) && !pitched)
    throw Error("only H_p and H_p |x R^2 have a pitch, not " + std::string(symbol(group)), where,
                "leave the pitch out");
  ScrewSystem<S> system;
  const auto add = [&](const Vec6<S>& X) { system.screws[system.size++] = Ad(T_WF, X); };
  const Pattern p = pattern(group);
  for (int i = 0; i < 3; ++i)
    if (p.translations[i]) {
      Vec6<S> X{};
      X.linear[i] = S(1);
      add(X);
    }
  for (int i = 0; i < 3; ++i)
    if (p.rotations[i]) {
      Vec6<S> X{};
      X.angular[i] = S(1);
      X.linear[i] = pitch;
      add(X);
    }
  return system;
}

template <std::floating_point S>
GeneratedSubgroup<S> generated_subgroup(std::span<const Vec6<S>> screws,
                                        std::type_identity_t<S> length,
                                        std::type_identity_t<S> tolerance) {
  const char* where = "generated_subgroup";
  if (!(length > S(0)) || !is_finite(length))
    throw Error("the length must be positive", where, "give the size of the mechanism in metres");
  if (!(tolerance >= S(0)))
    throw Error("the tolerance must not be negative", where, "0 takes all digits for real");
  std::vector<Vec6<S>> candidates;
  for (const Vec6<S>& given : screws) {
    const Vec6<S> X{given.angular, given.linear / length};
    if (!is_finite(X))
      throw Error("screw " + std::to_string(candidates.size() + 1) + " is not finite", where,
                  "give six finite numbers, and a length that does not make them overflow");
    candidates.push_back(unit(X));
  }
  OrthonormalScrews<S> algebra{tolerance, {}};
  while (algebra.add(candidates)) {  // then complete by the screw products; at most six rounds
    candidates.clear();
    for (const Vec6<S>& X : algebra.basis)
      for (const Vec6<S>& Y : algebra.basis) candidates.push_back(ad(X, Y));
  }

  using G = MotionSubgroup;
  GeneratedSubgroup<S> result{G::identity, algebra.basis, S(0)};
  const int moves = separate_translations(result.basis, tolerance);
  const int turns = result.basis.size - moves;
  if (turns == 0) {
    constexpr std::array<G, 4> translations{G::identity, G::translation_1, G::translation_2,
                                            G::translation_3};
    result.group = translations[moves];
  } else if (turns == 1) {
    const Vec6<S>& X = result.basis.screws[moves];
    const S pitch = dot(X.angular, X.linear);
    const bool pitched = abs(pitch) > tolerance;
    if (moves == 0) result.group = pitched ? G::helical : G::rotation;
    if (moves == 1) result.group = G::cylindrical;
    if (moves == 2) result.group = pitched ? G::helical_planar : G::planar;
    if (moves == 3) result.group = G::schoenflies;
    if (pitched && (moves == 0 || moves == 2)) result.pitch = pitch * length;
  } else {
    result.group = moves == 0 ? G::spherical : G::full;
  }
  for (int i = 0; i < result.basis.size; ++i) {
    Vec3<S>& linear = result.basis.screws[i].linear;
    linear = i < moves ? normalized(linear) : linear * length;
  }
  return result;
}

template ScrewSystem<double> subgroup_screws(MotionSubgroup, const SE3<double>&, double);
template ScrewSystem<float> subgroup_screws(MotionSubgroup, const SE3<float>&, float);
template GeneratedSubgroup<double> generated_subgroup(std::span<const Vec6<double>>, double,
                                                      double);
template GeneratedSubgroup<float> generated_subgroup(std::span<const Vec6<float>>, float, float);

}  // namespace axode
