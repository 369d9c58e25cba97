/// Frames as arguments: "tool", "tool[world]" or axode.Frame("tool", "world").
#pragma once
#include <string>

#include "axode/model/frames.hpp"
#include "src/shared/bind.hpp"

namespace axode::python {

/// axode.Frame: the names of the frames that give origin and axes.
struct FrameNames {
  std::string origin = world_name, axes = world_name;
  /// Refers to the characters of this one.
  FrameName name() const { return origin_of(origin).axes_of(axes); }
  friend bool operator==(const FrameNames&, const FrameNames&) = default;
};

/// The frame that a str or axode.Frame names, both found in the tree. Throw Error on an unknown name,
/// nb::type_error on another type, naming the argument.
FrameNames frame_names(const Tree& tree, nb::handle value, const char* argument = "frame");
FrameChoice frame_choice(const Tree& tree, nb::handle value, const char* argument = "frame");

/// The type of such an argument in signatures: axode.typing.FrameLike.
void bind_frames(nb::module_& m);

}  // namespace axode::python
