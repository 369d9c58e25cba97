/// What happens over time in a scene: samples of named quantities, events, poses where coordinates
/// alone do not tell them. In a page it stands as float32, compressed by zlib, in base64.
/// Tests: tests/view/scene/clip_test.cpp
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "axode/io/run/run_file.hpp"
#include "axode/lie/se3.hpp"

namespace axode {

struct ClipSeries {
  std::string name;                       ///< "q", "v", "tau", "kinetic", ...
  std::vector<std::string> names, units;  ///< of the columns
  std::vector<double> values;             ///< row after row, one for each time
};
struct Clip {
  std::vector<double> times;  ///< [s]
  std::vector<ClipSeries> series;
  /// By time and body: quaternion (w, x, y, z) and position, or empty.
  std::vector<double> poses;
  std::vector<RunEvent> events;
};

/// The samples of a run.
Clip clip_of(const Run& run);
/// Appends a pose to the seven numbers of each.
void append_pose(const SE3<double>& T, std::vector<double>& poses);

/// Bytes the clip takes as float32, before compression.
std::size_t clip_bytes(const Clip& clip);
/// Every k-th sample, with the least k that makes it fit; k. The last sample stays.
std::size_t decimate(Clip& clip, std::size_t max_bytes);

/// Numbers as a page holds them: float32, little-endian, zlib, base64.
std::string packed(std::span<const double> numbers);
/// Bytes: zlib, base64.
std::string packed_bytes(std::string_view bytes);

}  // namespace axode
