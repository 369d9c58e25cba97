/// Functions of a tree and frames, which are methods of Tree as well.
#pragma once
#include <optional>
#include <string>

#include "src/kinematics.hpp"

namespace axode::python {

/// Frames as arguments of a Jacobian; None is not said.
struct JacobianFrames {
  nb::handle of, relative_to, expressed_in, base_velocity_in;
  bool told() const {
    return !relative_to.is_none() || !expressed_in.is_none() || !base_velocity_in.is_none();
  }
  /// Throws Error on unknown names, and on a base velocity without a free base.
  FrameRoles roles(const Tree& tree) const;
};

/// Defines functions in the module, with the tree as first argument, and as methods of Tree.
class TreeFunctions {
 public:
  explicit TreeFunctions(nb::module_& m)
      : module_(m), tree_(nb::borrow<nb::class_<PyTree>>(nb::object(m.attr("Tree")))) {}
  /// `rest` is the signature behind the first argument and its comma.
  template <class F, class... Arguments>
  void def(const char* name, F function, const std::string& rest, const char* text,
           const Arguments&... arguments) const {
    const std::string start = std::string("def ") + name;
    module_.def(name, function, nb::arg("tree"), arguments...,
                nb::sig((start + "(tree: Tree, " + rest).c_str()), text);
    tree_.def(name, function, arguments..., nb::sig((start + "(self, " + rest).c_str()), text);
  }

 private:
  mutable nb::module_ module_;
  mutable nb::class_<PyTree> tree_;
};

}  // namespace axode::python
