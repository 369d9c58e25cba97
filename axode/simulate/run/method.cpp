#include "axode/simulate/run/method.hpp"

#include <array>
#include <string>

#include "axode/core/error.hpp"
#include "axode/core/names.hpp"

namespace axode {

namespace {

struct Row {
  Method method;
  std::string_view name;
  bool fixed_step, absolute;
};
constexpr std::array<Row, 15> table{{
    {Method::automatic, "automatic", false, false},
    {Method::mk1, "mk1", false, false},
    {Method::mk2, "mk2", false, false},
    {Method::mk3, "mk3", false, false},
    {Method::mk4, "mk4", false, false},
    {Method::mk5, "mk5", false, false},
    {Method::cf4, "cf4", true, false},
    {Method::semi_implicit, "semi-implicit", true, false},
    {Method::momentum_preserving, "momentum-preserving", true, false},
    {Method::variational, "variational", true, false},
    {Method::cvode, "cvode", false, false},
    {Method::adams, "adams", false, false},
    {Method::arkode, "arkode", false, false},
    {Method::generalized_alpha, "generalized-alpha", false, true},
    {Method::ida, "ida", false, true},
}};

const Row& row(Method method) { return table[std::size_t(method)]; }

/// Names of methods, all or those of a formulation.
template <class Wanted>
std::string names(Wanted&& wanted) {
  std::string list;
  for (const Row& r : table)
    if (wanted(r)) list += (list.empty() ? "" : ", ") + std::string(r.name);
  return list;
}

}  // namespace

std::string_view name(Method method) noexcept { return row(method).name; }

std::string_view name(Formulation formulation) noexcept {
  return formulation == Formulation::relative ? "relative" : "absolute";
}

std::span<const Method> all_methods() noexcept {
  static constexpr auto methods = [] {
    std::array<Method, table.size()> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = table[i].method;
    return all;
  }();
  return methods;
}

Method method_named(std::string_view wanted) {
  for (const Row& r : table)
    if (is_same_name(r.name, wanted)) return r.method;
  throw Error("there is no method '" + std::string(wanted) + "'", "method",
              "choose " + names([](const Row&) { return true; }));
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
  if (row(method).absolute != absolute)
    throw Error("method '" + std::string(name(method)) + "' does not exist in " +
                    std::string(name(formulation)) + " coordinates",
                "simulate", "choose " + names([&](const Row& r) {
                              return r.method != Method::automatic && r.absolute == absolute;
                            }) + ", or the other coordinates");
  return method;
}

}  // namespace axode
