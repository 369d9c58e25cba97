#include "axode/io/text/crc32.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace axode {
namespace {

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

/// tables[k][b]: what byte b does to the checksum when k more bytes follow it.
constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t b = 0; b < 256; ++b) {
    std::uint32_t crc = b;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB88320U : 0U);
    tables[0][b] = crc;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t b = 0; b < 256; ++b)
      tables[k][b] = (tables[k - 1][b] >> 8) ^ tables[0][tables[k - 1][b] & 0xFF];
  return tables;
}
constexpr Tables tables = make_tables();

static_assert(std::endian::native == std::endian::little);

}  // namespace

std::uint32_t crc32(std::string_view bytes, std::uint32_t before) noexcept {
  std::uint32_t crc = ~before;
  const char* p = bytes.data();
  std::size_t n = bytes.size();
  for (; n >= 8; n -= 8, p += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, p, 8);
    word ^= crc;
    crc = 0;
    for (std::size_t k = 0; k < 8; ++k) crc ^= tables[7 - k][(word >> (8 * k)) & 0xFF];
  }
  for (; n > 0; --n, ++p)
    crc = (crc >> 8) ^ tables[0][(crc ^ static_cast<unsigned char>(*p)) & 0xFF];
  return ~crc;
}

}  // namespace axode
