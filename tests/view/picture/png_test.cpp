#include "axode/view/picture/png.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

namespace axode::test::png {
namespace {

std::uint32_t word(const std::string& bytes, std::size_t at) {
  std::uint32_t n = 0;
  for (std::size_t k = 0; k < 4; ++k) n = n << 8 | static_cast<unsigned char>(bytes[at + k]);
  return n;
}

/// Reads a file of three chunks back, by zlib and the rules of the filters.
std::vector<std::uint8_t> decoded(const std::string& file, std::size_t width, std::size_t height) {
  EXPECT_EQ(file.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(file.substr(12, 4), "IHDR");
  EXPECT_EQ(word(file, 16), width);
  EXPECT_EQ(word(file, 20), height);
  const std::size_t length = word(file, 33);
  EXPECT_EQ(file.substr(37, 4), "IDAT");
  EXPECT_EQ(word(file, 41 + length),
            ::crc32(0, reinterpret_cast<const Bytef*>(&file[37]), static_cast<uInt>(length + 4)));
  EXPECT_EQ(file.substr(45 + length), std::string("\0\0\0\0IEND\xae\x42\x60\x82", 12));
  const std::size_t row_size = 3 * width;
  std::vector<std::uint8_t> rows((row_size + 1) * height), rgb;
  uLongf size = rows.size();
  EXPECT_EQ(uncompress(rows.data(), &size, reinterpret_cast<const Bytef*>(&file[41]), length),
            Z_OK);
  EXPECT_EQ(size, rows.size());
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t k = 0; k < row_size; ++k) {
      const int filter = rows[y * (row_size + 1)], value = rows[y * (row_size + 1) + 1 + k];
      EXPECT_TRUE(filter == 1 || filter == 2);
      const int before = filter == 1 ? (k < 3 ? 0 : rgb[y * row_size + k - 3])
                                     : (y == 0 ? 0 : rgb[(y - 1) * row_size + k]);
      rgb.push_back(static_cast<std::uint8_t>(value + before));
    }
  return rgb;
}

TEST(Png, ReadsBack) {
  Picture picture{7, 5, {}};
  for (unsigned k = 0; k < 105; ++k)
    picture.rgb.push_back(static_cast<std::uint8_t>(k < 40 ? 200 : 37 * k * k));
  EXPECT_EQ(decoded(png_of(picture), 7, 5), picture.rgb);
  EXPECT_EQ(png_of(picture), png_of(picture));
}

}  // namespace
}  // namespace axode::test::png
