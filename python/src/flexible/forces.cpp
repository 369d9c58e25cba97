// Forces of flexible trees from Python.
#include "src/flexible/forces.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "axode/core/error.hpp"
#include "axode/core/finite.hpp"
#include "axode/io/mechanism/mechanism_file.hpp"
#include "axode/io/text/json.hpp"
#include "src/shared/callbacks.hpp"

namespace axode::python {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double finite_number(nb::handle value, const char* argument) {
  const Numbers numbers(value, argument);
  if (numbers.all().size() != 1 || !std::isfinite(numbers.all()[0]))
    throw Error("is not a finite number", argument);
  return numbers.all()[0];
}

/// As files say it: an expression in t, {"polynomial": ...} or {"times": ..., "values": ...}.
TimeFunction told_function(nb::handle value, const char* argument) {
  const nb::module_ json = nb::module_::import_("json");
  const nb::object text = json.attr("dumps")(nb::borrow(value));
  const JsonDocument document(nb::cast<std::string>(text), argument);
  return time_function_from_json(document.root()).function;
}

Signal signal_argument(nb::handle value, const char* argument) {
  if (PyCallable_Check(value.ptr()) != 0)
    return SignalFunction(PySignal{PyFunction(value, argument)});
  if (nb::isinstance<nb::str>(value) || nb::isinstance<nb::dict>(value))
    return SignalFunction(
        [f = told_function(value, argument)](double t, std::span<const double>,
                                             std::span<const double>) { return f(t).value; });
  return finite_number(value, argument);
}

TimeFunction motion_argument(nb::handle value) {
  if (PyCallable_Check(value.ptr()) == 0) {
    if (nb::isinstance<nb::str>(value) || nb::isinstance<nb::dict>(value))
      return told_function(value, "motion");
    return constant_in_time(finite_number(value, "motion"));
  }
  return [f = PyFunction(value, "motion")](double t) {
    TimeValue at{nan, nan, nan};
    RunErrors::current()->guard([&] {
      const GilAcquire gil;
      const nb::object function = f.object(), result = function(t);
      const Numbers numbers(result, "motion");
      const auto x = numbers.all();
      if (x.size() != 3 || !axode::all_finite(x))
        throw Error("is not (value, rate, acceleration), three finite numbers", "motion");
      at = {x[0], x[1], x[2]};
    });
    return at;
  };
}

/// Throws nb::type_error unless the value is of a class of axode/_flexible.py.
void want_class(nb::handle value, const char* type_name, const char* argument) {
  const nb::module_ module = nb::module_::import_("axode._flexible");
  const nb::object type = module.attr(type_name);
  const int is_one = PyObject_IsInstance(value.ptr(), type.ptr());
  if (is_one < 0) throw nb::python_error();
  if (is_one == 0)
    throw nb::type_error((std::string(argument) + ": give axode." + type_name).c_str());
}

std::optional<double> optional_number(nb::handle value, const char* argument) {
  if (value.is_none()) return {};
  return finite_number(value, argument);
}

}  // namespace

FlexibleLoad load_argument(const FlexibleTree& tree, nb::handle told) {
  want_class(told, "FlexibleLoad", "loads");
  const nb::object link = nb::getattr(told, "link"), station = nb::getattr(told, "station"),
                   force = nb::getattr(told, "force"), torque = nb::getattr(told, "torque"),
                   follows = nb::getattr(told, "follows");
  FlexibleLoad load;
  load.link = link_argument(tree, link);
  load.station = station_argument(tree, load.link, optional_number(station, "station"));
  load.wrench = {vec3(torque, "torque"), vec3(force, "force")};
  load.follows = nb::cast<bool>(follows);
  return load;
}

FlexibleControl control_argument(const FlexibleTree& tree, nb::handle told) {
  want_class(told, "FlexibleControl", "control");
  const nb::object kp = nb::getattr(told, "kp"), kd = nb::getattr(told, "kd"),
                   times = nb::getattr(told, "times"), targets = nb::getattr(told, "targets");
  const std::size_t joints = tree.joints;
  FlexibleControl control{vector(kp, "kp"), vector(kd, "kd"), vector(times, "times"), {}};
  const States rows(targets, "targets", tree.joints, "one number for each joint");
  for (std::size_t k = 0; k < rows.count(); ++k)
    control.targets.emplace_back(rows[k].begin(), rows[k].end());
  if (control.kp.size() != joints || control.kd.size() != joints)
    throw Error("gains are not those of all joints", "control",
                "give one for each of the " + std::to_string(joints) + " joints");
  return control;
}

FlexibleForces forces_argument(const FlexibleTree& tree, nb::handle told) {
  want_class(told, "FlexibleForces", "forces");
  FlexibleForces forces;
  const nb::object control = nb::getattr(told, "control"),
                   joint_forces = nb::getattr(told, "joint_forces"),
                   loads = nb::getattr(told, "loads"), prescribed = nb::getattr(told, "prescribed");
  if (!control.is_none()) forces.control = control_argument(tree, control);
  if (PyMapping_Check(joint_forces.ptr()) == 0 || !nb::hasattr(joint_forces, "items"))
    throw nb::type_error("joint_forces: give {joint: force}");
  if (nb::len(joint_forces) > 0) {
    forces.joint_forces.assign(tree.joints, Signal(0.0));
    const nb::object items = joint_forces.attr("items")();
    for (const nb::handle item : items) {
      const nb::object joint = item[nb::int_(0)], force = item[nb::int_(1)];
      const int i = coordinate_argument(tree, joint, "joint_forces", tree.joints);
      forces.joint_forces[i] = signal_argument(force, "joint_forces");
    }
  }
  for (const nb::handle load : loads) {
    forces.loads.push_back(load_argument(tree, load));
    const nb::object factor = nb::getattr(load, "factor");
    forces.load_factors.push_back(signal_argument(factor, "factor"));
  }
  for (const nb::handle p : prescribed) {
    want_class(p, "PrescribedJoint", "prescribed");
    const nb::object joint = nb::getattr(p, "joint"), motion = nb::getattr(p, "motion"),
                     switches = nb::getattr(p, "switches");
    forces.prescribed.push_back({coordinate_argument(tree, joint, "prescribed", tree.joints),
                                 motion_argument(motion), vector(switches, "switches")});
  }
  return forces;
}

}  // namespace axode::python
