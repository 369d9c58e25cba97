/// What the bindings of inverse kinematics and of targets share.
#pragma once
#include "axode/kinematics/inverse/targets.hpp"
#include "src/kinematics/kinematics.hpp"

namespace axode::python {

nb::object target_error_result(const TargetError& error);

}  // namespace axode::python
