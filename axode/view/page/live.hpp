/// A run that goes on, for pages that look on: samples in bounded memory, and what is told of them.
///
///   LiveSamples samples(columns);              // shared by two threads
///   samples.push(row);                         // the one that simulates, at every sample
///   LiveSamples::Reader reader;                // one for each page, in the other one
///   send(samples.take(reader, 1 << 18).bytes);
///
/// push() and take() copy under a short lock and wait for nothing else. When memory is full every
/// second sample goes; a reader that is slow misses samples and is told how many, but always has the
/// newest, and at the end the last.
/// Tests: tests/view/page/live_test.cpp
#pragma once
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "axode/view/scene/clip.hpp"

namespace axode {

class LiveSamples {
 public:
  static constexpr std::size_t usual_rows = 200'000, usual_bytes = 64'000'000;
  /// Of rows of so many numbers; as many as `max_rows`, less if that takes more than usual_bytes.
  explicit LiveSamples(std::size_t columns, std::size_t max_rows = usual_rows);

  /// One row: the time, then the numbers of all series. Kept as float32. For one thread.
  void push(std::span<const double> row);
  /// No more samples come; `text` tells how it ended (live_end).
  void end(std::string text);

  /// How far someone has read.
  struct Reader {
    std::size_t next = 0;    ///< row to come
    std::size_t before = 0;  ///< rows that were there at first: those come one and all
    unsigned halvings = 0;   ///< of the memory, as far as `next` knows
    bool begun = false;
    std::uint64_t received = 0;  ///< samples
    std::uint64_t left_out = 0;  ///< samples up to the last one received that did not come
  };
  struct Batch {
    std::string bytes;     ///< rows of float32, little-endian
    bool is_last = false;  ///< nothing more will come
    std::string end;       ///< of end(), with the last
  };
  /// What is new, at most so many bytes but at least a row. While the run goes on what does not fit
  /// is thinned, so that the newest row is among it.
  Batch take(Reader& reader, std::size_t max_bytes) const;

 private:
  void halve();
  std::size_t rows() const { return bytes_.size() / row_bytes_; }

  std::size_t row_bytes_, max_rows_;
  mutable std::mutex mutex_;
  std::string bytes_;   ///< rows 0, 2^halvings, 2 2^halvings, ... of those pushed
  std::string newest_;  ///< row
  unsigned halvings_ = 0;
  std::uint64_t pushed_ = 0;
  bool ended_ = false;
  std::string end_;
};

/// The first message of a stream: names and units of the columns behind the time.
std::string live_head(const std::vector<ClipSeries>& series);
/// Told to a page that so many samples did not come to.
std::string live_thinned(std::uint64_t samples);
/// The last message: how the run ended, when, and why.
std::string live_end(std::string_view ending, double t, std::string_view message);

/// The page of a scene with SceneOptions::live, which may connect to these addresses alone.
std::string live_page(const std::string& scene, std::string_view streams);
/// The content security policy that stands in a page.
std::string_view policy_of(std::string_view page);

}  // namespace axode
