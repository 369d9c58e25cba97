/// Functions of a tree and frames, which are methods of Tree as well.
#pragma once
#include <optional>
#include <string>

#include "src/kinematics/kinematics.hpp"

namespace axode::python {

/// Frames of the components of a twist: one pair of frames for both parts, but two in the mixed
/// representation.
struct TwistFrames {
  FrameRoles linear;
  std::optional<FrameRoles> angular;
  /// The six numbers that value(roles) gives, of each half in its own frame.
  template <class Value>
  Vec6<double> operator()(Value&& value) const {
    Vec6<double> result = value(linear);
    if (angular) result.angular = value(*angular).angular;
    return result;
  }
};

/// Arguments of twists, accelerations and Jacobians of frames; None: left out.
struct TwistArguments {
  nb::handle of, rep, relative_to, expressed_in, base_velocity_in;
  /// Hybrid if left out. Throws Error on unknown names and if `expressed_in` is given as well.
  Rep representation() const;
  /// Throws Error on unknown names, and on a base velocity without a free base.
  TwistFrames frames(const Tree& tree) const;
};

/// Defines functions in the module, with an object of a class as first argument, and as methods of
/// that class.
template <class Class>
class FunctionsAndMethods {
 public:
  FunctionsAndMethods(nb::module_& m, const char* type, const char* first_argument)
      : module_(m),
        class_(nb::borrow<nb::class_<Class>>(nb::object(m.attr(type)))),
        type_(type),
        first_(first_argument) {}
  /// `rest` is the signature behind the first argument and its comma.
  template <class F, class... Arguments>
  void def(const char* name, F function, const std::string& rest, const char* text,
           const Arguments&... arguments) {
    const std::string start = std::string("def ") + name;
    const std::string first = first_ + ": " + type_;
    const std::string comma = rest.starts_with(')') ? "" : ", ";
    module_.def(name, function, nb::arg(first_.c_str()), arguments...,
                nb::sig((start + "(" + first + comma + rest).c_str()), text);
    class_.def(name, function, arguments..., nb::sig((start + "(self" + comma + rest).c_str()),
               text);
  }

 private:
  nb::module_ module_;
  nb::class_<Class> class_;
  std::string type_, first_;
};
using TreeFunctions = FunctionsAndMethods<PyTree>;

}  // namespace axode::python
