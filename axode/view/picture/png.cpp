#include "axode/view/picture/png.hpp"

#include <zlib.h>

#include <cstdlib>

#include "axode/core/error.hpp"
#include "axode/io/text/crc32.hpp"

namespace axode {

namespace {

void append_big_endian(std::string& bytes, std::size_t number) {
  for (int k = 3; k >= 0; --k) bytes += static_cast<char>(number >> 8 * k & 255U);
}
void append_chunk(std::string& file, const std::string& type, const std::string& data) {
  append_big_endian(file, data.size());
  file += type + data;
  append_big_endian(file, axode::crc32(type + data));
}

/// Rows as differences: to the pixel on the left, or to the one above, whichever is smaller in sum.
std::string filtered(const Picture& picture) {
  const std::size_t row_size = 3 * std::size_t(picture.width);
  std::string all;
  all.reserve((row_size + 1) * std::size_t(picture.height));
  std::string left(row_size, '\0'), up(row_size, '\0');
  for (std::size_t row = 0; row < static_cast<std::size_t>(picture.height); ++row) {
    const std::uint8_t* at = picture.rgb.data() + row * row_size;
    long left_sum = 0, up_sum = 0;
    for (std::size_t k = 0; k < row_size; ++k) {
      const int a = k < 3 ? 0 : at[k - 3], b = row == 0 ? 0 : at[k - row_size];
      left[k] = static_cast<char>(at[k] - a);
      up[k] = static_cast<char>(at[k] - b);
      left_sum += std::abs(static_cast<signed char>(left[k]));
      up_sum += std::abs(static_cast<signed char>(up[k]));
    }
    all += left_sum < up_sum ? '\1' : '\2';
    all += left_sum < up_sum ? left : up;
  }
  return all;
}

}  // namespace

std::string png_of(const Picture& picture) {
  std::string file("\x89PNG\r\n\x1a\n"), head, data;
  append_big_endian(head, picture.width);
  append_big_endian(head, picture.height);
  head += {8, 2, 0, 0, 0};  // bits, RGB, the only methods there are, not interlaced
  const std::string rows = filtered(picture);
  uLongf size = compressBound(static_cast<uLong>(rows.size()));
  data.resize(size);
  if (compress2(reinterpret_cast<Bytef*>(data.data()), &size,
                reinterpret_cast<const Bytef*>(rows.data()), static_cast<uLong>(rows.size()),
                6) != Z_OK)
    throw LimitError("the picture cannot be compressed", "PNG", "use less memory");
  data.resize(size);
  append_chunk(file, "IHDR", head);
  append_chunk(file, "IDAT", data);
  append_chunk(file, "IEND", {});
  return file;
}

}  // namespace axode
