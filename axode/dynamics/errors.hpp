/// What the checked functions of dynamics refuse, said in one way by all of them.
/// Tests: tests/dynamics/errors_test.cpp
#pragma once
#include "axode/core/error.hpp"
#include "axode/model/state.hpp"
#include "axode/screw/twist.hpp"

namespace axode::detail {

/// Throws Error unless there is one finite wrench for each body, or none at all; `where` names the
/// function.
void check_external(const Tree& tree, In<Wrench<Rep::body, double>> external, const char* where);

/// Throws Error if q, or the velocities or accelerations `rates`, break a coupling of the tree: by
/// more than 1e-9 rad or m, or 1e-9 of the rate.
void check_couplings(const Tree& tree, In<double> q, In<double> rates, const char* where);

/// The body whose joint has velocity k.
int body_of_velocity(const Tree& tree, int k);

/// Throws SingularError: a degree of freedom of the body's joint moves no inertia.
[[noreturn]] void throw_singular(const Tree& tree, int body, const char* where);

}  // namespace axode::detail
