/// Pictures of drawings by a renderer of our own: no display, no browser, the same bytes for the same
/// drawing.
///
///   const Camera camera = camera_of(drawing, CameraView::home, 1280, 720);
///   write_text_file("arm.png", png_of(picture_of(drawing, 0.5, camera)), false);
///
/// Tests: tests/view/picture/picture_test.cpp
#pragma once
#include <optional>
#include <string>

#include "axode/view/picture/drawing.hpp"
#include "axode/view/picture/png.hpp"

namespace axode {

/// From where it is seen: from the front right above, along -x, along y, from above.
enum class CameraView { home, front, side, top };

struct Camera {
  int width = 1280, height = 720;  ///< of the picture
  Vec3<double> eye{}, target{};    ///< [m] in the world
  double focal = 1;                ///< pixels that a length has at its own distance
};
/// So that the drawing fits the picture over all its time.
Camera camera_of(const Drawing& drawing, CameraView view, int width, int height);

/// Pixels from the left and from the top, and distance along the line of sight [m].
Vec3<double> projected(const Camera& camera, const Vec3<double>& point);

struct PictureOptions {
  bool screws = false;  ///< axes of the joints
  std::string label{};  ///< in the lower left corner: digits and "t = s.-"
};
Picture picture_of(const Drawing& drawing, double t, const Camera& camera,
                   const PictureOptions& options = {});

}  // namespace axode
