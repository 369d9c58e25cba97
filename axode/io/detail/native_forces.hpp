/// The parts of Axode's model format for simulation: forces, controllers, contacts, initial state.
///
/// The format is explained in docs/model_format.md. A signal is a number, an expression in quotes, or
/// samples {"times": [...], "values": [...], "between": "linear"}.
/// Tests: tests/io/detail/native_forces_test.cpp
#pragma once
#include <span>
#include <string>

#include "axode/io/text/json_values.hpp"
#include "axode/simulate/forces/forces.hpp"

namespace axode {

/// The keys of the model's members that only simulation reads.
std::span<const std::string_view> native_scene_parts() noexcept;
/// The keys of "forces", "spring", ..., "initial".
std::span<const JsonObjectKeys> native_forces_keys() noexcept;
std::span<const JsonObjectKeys> native_control_keys() noexcept;

/// The member "initial" of the model: neutral and at rest where it says nothing. Coupled joints
/// follow. Throws Error with file:line, as all here.
State<double> initial_from_json(const Tree& tree, const JsonValue& model);
/// Members "forces", "controllers" and "contacts". References hold the initial configuration where
/// they say nothing.
Forces forces_from_json(const Tree& tree, const JsonValue& model, const State<double>& initial);

namespace detail {
/// f(), its Error told at the place of the value.
template <class F>
auto at_value(const JsonValue& value, const F& f) {
  try {
    return f();
  } catch (const LimitError&) {
    throw;
  } catch (const Error& e) {
    value.fail(e.problem(), e.remedy());
  }
}
/// A coordinate or velocity for each joint named: a number, or a list with one for each.
void joint_numbers_from_json(const Tree& tree, const JsonValue& object, bool coordinates,
                             Out<double> numbers);
void controllers_from_json(const Tree& tree, const JsonValue& list, const State<double>& initial,
                           Forces& forces);
void contacts_from_json(const Tree& tree, const JsonValue& list, Forces& forces);
}  // namespace detail

/// The parts for simulation as members of a file, ",\n  \"forces\": ..." and so on, values unchanged;
/// empty if there are none. They name bodies and joints, so that they hold in any geometry form.
std::string scene_parts_text(const JsonValue& model);

}  // namespace axode
