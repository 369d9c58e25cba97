#include "axode/simulate/run/method.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "axode/core/error.hpp"
#include "axode/core/names.hpp"

namespace axode {

namespace {

struct Row {
  Method method;
  std::string_view name;
  std::string_view
      kinds;  ///< t(ree), a(bsolute coordinates of a tree), m(echanism), f(lexible tree)
  bool fixed_step = false;
};
constexpr std::array<Row, 20> table{{
    {Method::automatic, "automatic", "tamf"},
    {Method::mk1, "mk1", "tf"},
    {Method::mk2, "mk2", "tf"},
    {Method::mk3, "mk3", "tf"},
    {Method::mk4, "mk4", "tf"},
    {Method::mk5, "mk5", "tf"},
    {Method::cf4, "cf4", "tf", true},
    {Method::semi_implicit, "semi-implicit", "tf", true},
    {Method::momentum_preserving, "momentum-preserving", "t", true},
    {Method::variational, "variational", "tf", true},
    {Method::cvode, "cvode", "tf"},
    {Method::adams, "adams", "tf"},
    {Method::arkode, "arkode", "tf"},
    {Method::generalized_alpha, "generalized-alpha", "amf"},
    {Method::ida, "ida", "amf"},
    {Method::projection, "projection", "m"},
    {Method::baumgarte, "baumgarte", "m"},
    {Method::augmented_lagrangian, "augmented-lagrangian", "m"},
    {Method::null_space, "null-space", "m"},
    {Method::generalized_alpha_stabilized, "generalized-alpha-stabilized", "m"},
}};

const Row& row(Method method) { return table[std::size_t(method)]; }

bool has_any(const Row& r, std::string_view kinds) {
  return r.kinds.find_first_of(kinds) != std::string_view::npos;
}
std::string_view letters_of(ModelKind kind) {
  constexpr std::array<std::string_view, 3> letters{"ta", "m", "f"};
  return letters[std::size_t(kind)];
}

/// Names of the methods that one of the kinds has.
std::string names(std::string_view kinds, bool with_automatic) {
  std::string list;
  for (const Row& r : table)
    if (has_any(r, kinds) && (with_automatic || r.method != Method::automatic))
      list += (list.empty() ? "" : ", ") + std::string(r.name);
  return list;
}

}  // namespace

std::string_view name(Method method) noexcept { return row(method).name; }

std::string_view name(Formulation formulation) noexcept {
  return formulation == Formulation::relative ? "relative" : "absolute";
}

std::string_view name(ModelKind kind) noexcept {
  constexpr std::array<std::string_view, 3> texts{"tree", "mechanism", "flexible tree"};
  return texts[std::size_t(kind)];
}

std::span<const Method> methods_of(ModelKind kind) noexcept {
  struct List {
    std::array<Method, table.size()> methods{};
    std::size_t count = 0;
  };
  static const auto lists = [] {
    std::array<List, 3> all;
    for (std::size_t k = 0; k < all.size(); ++k)
      for (const Row& r : table)
        if (has_any(r, letters_of(ModelKind(k)))) all[k].methods[all[k].count++] = r.method;
    return all;
  }();
  const List& list = lists[std::size_t(kind)];
  return std::span(list.methods).first(list.count);
}

Method method_named(std::string_view wanted, ModelKind kind) {
  for (const Row& r : table)
    if (has_any(r, letters_of(kind)) && is_same_name(r.name, wanted)) return r.method;
  throw Error("there is no method '" + std::string(wanted) + "'", "method",
              "choose " + names(letters_of(kind), true));
}

Formulation formulation_named(std::string_view wanted) {
  for (const Formulation f : {Formulation::relative, Formulation::absolute})
    if (name(f) == wanted) return f;
  throw Error("there is no formulation '" + std::string(wanted) + "'", "formulation",
              "choose relative or absolute");
}

bool has_fixed_step(Method method) noexcept { return row(method).fixed_step; }

Method method_for(Method method, Formulation formulation) {
  const bool absolute = formulation == Formulation::absolute;
  if (method == Method::automatic) return absolute ? Method::generalized_alpha : Method::mk5;
  const std::string_view kind = absolute ? "a" : "t";
  if (!has_any(row(method), kind))
    throw Error("method '" + std::string(name(method)) + "' does not exist in " +
                    std::string(name(formulation)) + " coordinates",
                "simulate", "choose " + names(kind, false) + ", or the other coordinates");
  return method;
}

void check_method(Method method, ModelKind kind) {
  if (has_any(row(method), letters_of(kind))) return;
  throw Error(
      "method '" + std::string(name(method)) + "' does not exist for a " + std::string(name(kind)),
      "simulate", "choose " + names(letters_of(kind), false));
}

}  // namespace axode
