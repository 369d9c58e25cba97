#include "axode/view/page/live.hpp"

#include <algorithm>
#include <bit>

#include "axode/view/detail/scene_parts.hpp"

namespace axode {

LiveSamples::LiveSamples(std::size_t columns, std::size_t max_rows)
    : row_bytes_(4 * std::max<std::size_t>(columns, 1)),
      max_rows_(std::max<std::size_t>(std::min(max_rows, usual_bytes / row_bytes_), 2)) {
  bytes_.reserve((max_rows_ + 1) * row_bytes_);  // push() never waits for memory to be moved
}

void LiveSamples::halve() {
  std::size_t kept = 0;
  for (std::size_t row = 0; row < rows(); row += 2)
    std::copy_n(bytes_.data() + row * row_bytes_, row_bytes_, bytes_.data() + kept++ * row_bytes_);
  bytes_.resize(kept * row_bytes_);
  ++halvings_;
}

void LiveSamples::push(std::span<const double> row) {
  std::string bytes(row_bytes_, '\0');
  for (std::size_t i = 0; i < std::min(row.size(), row_bytes_ / 4); ++i) {
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(row[i]));
    for (std::size_t k = 0; k < 4; ++k) bytes[4 * i + k] = static_cast<char>(bits >> 8 * k & 255U);
  }
  const std::lock_guard lock(mutex_);
  if (ended_) return;
  if (rows() >= max_rows_) halve();
  if (pushed_ % (std::uint64_t{1} << halvings_) == 0) bytes_ += bytes;
  ++pushed_;
  newest_.swap(bytes);
}

void LiveSamples::end(std::string text) {
  const std::lock_guard lock(mutex_);
  if (ended_) return;
  // The last sample is always there.
  if (pushed_ > 0 && (pushed_ - 1) % (std::uint64_t{1} << halvings_) != 0) bytes_ += newest_;
  end_ = std::move(text);
  ended_ = true;
}

LiveSamples::Batch LiveSamples::take(Reader& reader, std::size_t max_bytes) const {
  Batch batch;
  const std::lock_guard lock(mutex_);
  if (!reader.begun) reader.begun = true, reader.before = rows(), reader.halvings = halvings_;
  for (; reader.halvings < halvings_; ++reader.halvings) {
    reader.next = (reader.next + 1) / 2;
    reader.before = (reader.before + 1) / 2;
  }
  const std::size_t most = std::max<std::size_t>(max_bytes / row_bytes_, 1);
  const std::size_t waiting = rows() - reader.next;
  const bool all = ended_ || reader.next < reader.before;
  const std::size_t step = all ? 1 : std::max<std::size_t>((waiting + most - 1) / most, 1);
  const std::size_t count = all ? std::min(waiting, most) : (waiting + step - 1) / step;
  // Every step-th, counted back from the newest.
  const std::size_t first = all || count == 0 ? reader.next : rows() - 1 - (count - 1) * step;
  batch.bytes.reserve(count * row_bytes_);
  if (step == 1)
    batch.bytes.assign(bytes_, first * row_bytes_, count * row_bytes_);
  else
    for (std::size_t k = 0; k < count; ++k)
      batch.bytes.append(bytes_, (first + k * step) * row_bytes_, row_bytes_);
  if (count > 0) {
    reader.next = first + (count - 1) * step + 1;
    reader.received += count;
    const std::uint64_t last = std::uint64_t{reader.next - 1} << halvings_;
    reader.left_out = std::min(last + 1, pushed_) - reader.received;
  }
  batch.is_last = ended_ && reader.next == rows();
  if (batch.is_last) batch.end = end_;
  return batch;
}

std::string live_head(const std::vector<ClipSeries>& series) {
  viewing::Json all = viewing::Json::array();
  for (const ClipSeries& one : series)
    all.push_back({{"name", one.name}, {"names", one.names}, {"units", one.units}});
  return viewing::text_of({{"series", all}});
}
std::string live_thinned(std::uint64_t samples) { return viewing::text_of({{"thinned", samples}}); }
std::string live_end(std::string_view ending, double t, std::string_view message) {
  return viewing::text_of({{"ended", ending}, {"t", t}, {"message", message}});
}

std::string_view policy_of(std::string_view page) {
  constexpr std::string_view mark = "http-equiv=\"Content-Security-Policy\" content=\"";
  const std::size_t at = page.find(mark);
  if (at == std::string_view::npos) return "default-src 'none'";
  const std::string_view rest = page.substr(at + mark.size());
  return rest.substr(0, rest.find('"'));
}

}  // namespace axode
