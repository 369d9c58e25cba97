/// Blobs of pages read back: base64 by the table of RFC 4648, zlib by its own inflate.
#pragma once
#include <zlib.h>

#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace axode::test {

inline std::string from_base64(std::string_view text) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 4 != 0) throw std::runtime_error("base64 of odd length");
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    if (c == '=') break;
    const std::size_t digit = digits.find(c);
    if (digit == std::string_view::npos) throw std::runtime_error("no digit of base64");
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 255U);
  }
  return bytes;
}

inline std::string unpacked_bytes(std::string_view text) {
  const std::string small = from_base64(text);
  std::string bytes(1 << 20, '\0');
  auto size = static_cast<uLongf>(bytes.size());
  if (uncompress(reinterpret_cast<Bytef*>(bytes.data()), &size,
                 reinterpret_cast<const Bytef*>(small.data()),
                 static_cast<uLong>(small.size())) != Z_OK)
    throw std::runtime_error("no zlib data, or more than 1 MB");
  bytes.resize(size);
  return bytes;
}

/// Numbers of little-endian float32.
inline std::vector<float> floats(std::string_view bytes) {
  std::vector<float> numbers;
  for (std::size_t i = 0; i + 4 <= bytes.size(); i += 4) {
    std::uint32_t bits = 0;
    for (std::size_t k = 4; k-- > 0;) bits = bits << 8 | static_cast<unsigned char>(bytes[i + k]);
    numbers.push_back(std::bit_cast<float>(bits));
  }
  return numbers;
}
inline std::vector<float> unpacked(std::string_view text) { return floats(unpacked_bytes(text)); }

}  // namespace axode::test
