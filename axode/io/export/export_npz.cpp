/// NPZ files: an uncompressed zip of .npy arrays of version 1.0 [NPY] [ZIP].
#include <cstdint>
#include <cstring>

#include "axode/io/export/export_run.hpp"
#include "axode/io/text/crc32.hpp"

namespace axode {
namespace {

template <class T>
void put(std::string& to, T number) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &number, sizeof(T));
  to.append(bytes, sizeof(T));
}

/// Head of an array of that type; padded so that the numbers begin at a multiple of 64.
std::string npy_head(const std::string& type, const std::string& shape) {
  std::string text =
      "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  text.append(63 - (10 + text.size()) % 64, ' ');
  text += '\n';
  std::string head("\x93NUMPY\x01\x00", 8);
  put(head, static_cast<std::uint16_t>(text.size()));
  return head + text;
}

std::string npy_of(const std::vector<double>& values, const std::string& shape) {
  std::string to = npy_head("<f8", shape);
  if (!values.empty())
    to.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
  return to;
}

/// Code points of UTF-8, which here comes from files that were checked.
std::u32string code_points(const std::string& text) {
  std::u32string to;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >> 6 == 2 && !to.empty())
      to.back() = to.back() << 6 | (byte & 0x3FU);
    else
      to += static_cast<char32_t>(byte < 0x80   ? byte
                                  : byte < 0xE0 ? byte & 0x1FU
                                  : byte < 0xF0 ? byte & 0x0FU
                                                : byte & 0x07U);
  }
  return to;
}

/// Texts of equal length, as NumPy stores them: UTF-32 filled up with zeros.
std::string npy_of(const std::vector<std::string>& texts) {
  std::vector<std::u32string> points;
  std::size_t longest = 1;
  for (const std::string& text : texts) {
    points.push_back(code_points(text));
    longest = std::max(longest, points.back().size());
  }
  std::string to = npy_head("<U" + std::to_string(longest), std::to_string(texts.size()) + ",");
  for (std::u32string& text : points) {
    text.resize(longest);
    to.append(reinterpret_cast<const char*>(text.data()), longest * sizeof(char32_t));
  }
  return to;
}

/// A zip file as it grows. Lengths have 64 bits throughout ("zip64"), so there is no limit.
class Zip {
 public:
  void add(const std::string& name, const std::string& data) {
    const std::uint64_t offset = file_.size(), size = data.size();
    const std::uint32_t crc = crc32(data);
    put(file_, std::uint32_t{0x04034b50});
    entry(file_, name, crc);
    put(file_, std::uint16_t{20});  // length of the extra field
    file_ += name;
    put(file_, std::uint16_t{1});
    put(file_, std::uint16_t{16});
    put(file_, size);
    put(file_, size);
    file_ += data;

    put(directory_, std::uint32_t{0x02014b50});
    put(directory_, std::uint16_t{45});
    entry(directory_, name, crc);
    put(directory_, std::uint16_t{28});
    directory_.append(10, '\0');  // comment, disk, attributes
    put(directory_, ~std::uint32_t{0});
    directory_ += name;
    put(directory_, std::uint16_t{1});
    put(directory_, std::uint16_t{24});
    put(directory_, size);
    put(directory_, size);
    put(directory_, offset);
    ++entries_;
  }
  std::string finish() {
    const std::uint64_t start = file_.size(), length = directory_.size();
    file_ += directory_;
    put(file_, std::uint32_t{0x06064b50});  // the end in 64 bits
    put(file_, std::uint64_t{44});
    put(file_, std::uint16_t{45});
    put(file_, std::uint16_t{45});
    put(file_, std::uint64_t{0});
    put(file_, entries_);
    put(file_, entries_);
    put(file_, length);
    put(file_, start);
    put(file_, std::uint32_t{0x07064b50});  // where that is
    put(file_, std::uint32_t{0});
    put(file_, start + length);
    put(file_, std::uint32_t{1});
    put(file_, std::uint32_t{0x06054b50});  // the end as it was before
    put(file_, std::uint32_t{0});
    put(file_, static_cast<std::uint16_t>(entries_));
    put(file_, static_cast<std::uint16_t>(entries_));
    put(file_, ~std::uint32_t{0});
    put(file_, ~std::uint32_t{0});
    put(file_, std::uint16_t{0});
    return std::move(file_);
  }

 private:
  /// What both heads of an entry share.
  static void entry(std::string& to, const std::string& name, std::uint32_t crc) {
    put(to, std::uint16_t{45});  // version needed
    put(to, std::uint16_t{0});   // flags
    put(to, std::uint16_t{0});   // stored as it is
    put(to, std::uint16_t{0});   // time and date: the first there are, 1980-01-01
    put(to, std::uint16_t{0x21});
    put(to, crc);
    put(to, ~std::uint32_t{0});  // lengths: in the extra field
    put(to, ~std::uint32_t{0});
    put(to, static_cast<std::uint16_t>(name.size()));
  }
  std::string file_, directory_;
  std::uint64_t entries_ = 0;
};

}  // namespace

std::string npz_of(const Run& run, const std::vector<std::string>& quantities) {
  Zip zip;
  const std::string rows = std::to_string(run.times.size());
  zip.add("time.npy", npy_of(run.times, rows + ","));
  for (const RunQuantity& x : quantities_of(run, quantities)) {
    const bool scalar = x.values == &run.kinetic || x.values == &run.potential ||
                        x.values == &run.stored || x.values == &run.work;
    zip.add(x.name + ".npy",
            npy_of(*x.values, rows + (scalar ? "," : ", " + std::to_string(x.names.size()))));
    if (scalar) continue;
    zip.add(x.name + "_names.npy", npy_of(x.names));
    zip.add(x.name + "_units.npy", npy_of(x.units));
  }
  return zip.finish();
}

}  // namespace axode
