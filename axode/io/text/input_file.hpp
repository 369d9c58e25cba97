/// A regular file, read by position: also one that grows or shrinks meanwhile.
/// Tests: tests/io/text/input_file_test.cpp
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

#include "axode/io/text/descriptor.hpp"

namespace axode {

class InputFile {
 public:
  /// Throws IoError if it cannot be read or is not a regular file.
  explicit InputFile(const std::filesystem::path& file);
  /// n bytes from there on; fewer if the file ends before. Throws IoError.
  void read(std::uint64_t offset, std::uint64_t n, std::string& to) const;

  std::string name;
  std::uint64_t size = 0;  ///< when it was opened

 private:
  Descriptor file_;
};

}  // namespace axode
