/// Frames by name: those of the bodies, named frames on them, the world, and composite frames B[A]
/// that have the origin of one and the axes of another [TraversaroSaccon (10)-(13)].
///
///   FrameChoice f = frame(tree, "tool");                              // F
///   FrameChoice g = frame(tree, origin_of("tool").axes_of("world"));  // F[W]
///
/// Looking a name up costs a hash; a FrameChoice is the result, for use in loops.
/// Tests: tests/model/frames_test.cpp
#pragma once
#include <string>
#include <string_view>

#include "axode/model/tree.hpp"

namespace axode {

/// A frame fixed on a body (-1: the world).
struct Frame {
  int body = -1;
  SE3<double> T_BF{};
};
/// A frame with the origin of one frame and the axes of another; often they are the same.
struct FrameChoice {
  Frame origin, axes;
};
/// The name of a frame, or of two for a composite one. Implicit from a name, so that a frame
/// argument can be written "tool". It refers to the characters it was made from: do not store one
/// made from a temporary string.
struct FrameName {
  std::string_view origin = world_name, axes = world_name;
  constexpr FrameName() = default;
  constexpr FrameName(const char* name) : origin(name), axes(name) {}       // NOLINT: implicit
  constexpr FrameName(std::string_view name) : origin(name), axes(name) {}  // NOLINT: implicit
  FrameName(const std::string& name) : origin(name), axes(name) {}          // NOLINT: implicit
  constexpr FrameName axes_of(std::string_view name) const {
    FrameName f = *this;
    f.axes = name;
    return f;
  }
};
/// origin_of("tool").axes_of("world") is tool[world]; alone it is the frame itself.
constexpr FrameName origin_of(std::string_view name) { return {name}; }

/// Finds the frame: "world", a body or a named frame. Throws Error on an unknown name.
Frame simple_frame(const Tree& tree, std::string_view name);
FrameChoice frame(const Tree& tree, const FrameName& name);
/// The same from text: "tool", or "tool[world]" for a composite frame. Names may hold brackets; the
/// whole text is tried first.
FrameChoice frame_from_text(const Tree& tree, std::string_view text);

}  // namespace axode
