/// Pictures of 8-bit colours, and their PNG files.
/// Tests: tests/view/picture/png_test.cpp
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace axode {

struct Picture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  ///< sRGB, row after row from the top
};
/// The bytes of a PNG file [PNG]; the same for the same picture.
std::string png_of(const Picture& picture);

}  // namespace axode
