/// What the checked functions of dynamics refuse, said in one way by all of them.
/// Tests: tests/dynamics/errors_test.cpp
#pragma once
#include "axode/error.hpp"
#include "axode/model/state.hpp"
#include "axode/screw/twist.hpp"

namespace axode::detail {

/// Throws Error unless there is one finite wrench for each body, or none at all; `where` names the
/// function.
void check_external(const Tree& tree, In<Wrench<Rep::body, double>> external, const char* where);

/// The body whose joint has velocity k.
int body_of_velocity(const Tree& tree, int k);

/// Throws SingularError: a freedom of the body's joint moves no inertia.
[[noreturn]] void throw_singular(const Tree& tree, int body, const char* where);

}  // namespace axode::detail
