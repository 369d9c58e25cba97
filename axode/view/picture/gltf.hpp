/// Drawings as binary glTF 2.0 (.glb), for Blender, game engines and other viewers.
///
/// A root node turns z up into y up; below it stands a node for each body, moved by the animation.
/// Elastic links bend by the weights of their morph targets. Times are float32, those that fall
/// together are left out; a run that begins before 0 is moved to begin there, as glTF wants it.
/// O(size of the drawing) [glTF].
/// Tests: tests/view/picture/gltf_test.cpp, viewer/tests/gltf.test.mjs
#pragma once
#include <string>

#include "axode/view/picture/drawing.hpp"

namespace axode {

/// The bytes of the file. Throws LimitError if they are more than a file may have (4 GB).
std::string gltf_of(const Drawing& drawing);

}  // namespace axode
