/// CRC-32 against published values, bit by bit, and in pieces.
#include "axode/io/text/crc32.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace axode::test::crc32_test {
namespace {

/// By the definition: one bit after the other.
std::uint32_t by_bits(std::string_view bytes) {
  std::uint32_t crc = ~0U;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

TEST(Crc32, PublishedValues) {
  EXPECT_EQ(crc32(""), 0U);
  EXPECT_EQ(crc32("123456789"), 0xCBF43926U);  // the check value of this checksum
  EXPECT_EQ(crc32("The quick brown fox jumps over the lazy dog"), 0x414FA339U);
  EXPECT_EQ(crc32(std::string(32, '\0')), 0x190A55ADU);
}

TEST(Crc32, AnyLengthWholeAndInPieces) {
  std::mt19937 random(1);
  std::string bytes(300, '\0');
  for (char& c : bytes) c = static_cast<char>(random());
  for (std::size_t n = 0; n <= bytes.size(); ++n) {
    const std::string_view part = std::string_view(bytes).substr(0, n);
    const std::size_t cut = random() % (n + 1);
    EXPECT_EQ(crc32(part), by_bits(part));
    EXPECT_EQ(crc32(part.substr(cut), crc32(part.substr(0, cut))), by_bits(part));
  }
}

}  // namespace
}  // namespace axode::test::crc32_test
