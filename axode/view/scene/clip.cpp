#include "axode/view/scene/clip.hpp"

#include <zlib.h>

#include <bit>
#include <cstdint>

#include "axode/io/export/export_run.hpp"
#include "axode/io/run/run_messages.hpp"
#include "axode/lie/rotation.hpp"

namespace axode {

namespace {

template <class T>
void keep_every(std::vector<T>& values, std::size_t columns, std::size_t k) {
  if (columns == 0 || values.empty()) return;
  const std::size_t rows = values.size() / columns;
  std::vector<T> kept;
  for (std::size_t row = 0; row < rows; ++row)
    if (row % k == 0 || row + 1 == rows)
      kept.insert(kept.end(), values.begin() + static_cast<std::ptrdiff_t>(row * columns),
                  values.begin() + static_cast<std::ptrdiff_t>((row + 1) * columns));
  values = std::move(kept);
}

}  // namespace

Clip clip_of(const Run& run) {
  Clip clip;
  clip.times = run.times;
  for (const RunQuantity& quantity : quantities_of(run)) {
    if (quantity.name == "poses")
      clip.poses = *quantity.values;
    else if (!quantity.names.empty())
      clip.series.push_back({quantity.name, quantity.names, quantity.units, *quantity.values});
  }
  clip.events = run.events;
  return clip;
}

void append_pose(const SE3<double>& T, std::vector<double>& poses) {
  const Quaternion<double> q = to_quaternion(T.R);
  poses.insert(poses.end(), {q.w, q.v.x, q.v.y, q.v.z, T.p.x, T.p.y, T.p.z});
}

std::size_t clip_bytes(const Clip& clip) {
  std::size_t numbers = clip.times.size() + clip.poses.size();
  for (const ClipSeries& series : clip.series) numbers += series.values.size();
  return 4 * numbers;
}

std::size_t decimate(Clip& clip, std::size_t max_bytes) {
  const std::size_t bytes = clip_bytes(clip), rows = clip.times.size();
  if (bytes <= max_bytes || rows < 3) return 1;
  const std::size_t k = (bytes + max_bytes - 1) / max_bytes;
  for (ClipSeries& series : clip.series) keep_every(series.values, series.names.size(), k);
  keep_every(clip.poses, clip.poses.size() / rows, k);
  keep_every(clip.times, 1, k);
  return k;
}

std::string packed_bytes(std::string_view bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string small(size, '\0');
  compress2(reinterpret_cast<Bytef*>(small.data()), &size,
            reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()), 6);
  small.resize(size);
  return run::base64(small);
}

std::string packed(std::span<const double> numbers) {
  std::string bytes(4 * numbers.size(), '\0');
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(numbers[i]));
    for (std::size_t k = 0; k < 4; ++k) bytes[4 * i + k] = static_cast<char>(bits >> 8 * k & 255U);
  }
  return packed_bytes(bytes);
}

}  // namespace axode
