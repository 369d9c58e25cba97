#include "axode/io/run/run_messages.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "axode/io/text/json.hpp"
#include "axode/io/text/text_file.hpp"

namespace axode::run {
namespace {

void put_number(std::string& to, double value) {
  if (!std::isfinite(value)) {
    to += "null";
  } else if (value == 0) {
    to += std::signbit(value) ? "-0.0" : "0";  // "-0" is an integer to some, without its sign
  } else {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
    to.append(text.data(), end.ptr);
  }
}

/// The key is a JSON string.
void put_numbers(std::string& to, std::string_view key, std::span<const double> values) {
  to += ',';
  to += key;
  to += ":[";
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) to += ',';
    put_number(to, values[i]);
  }
  to += ']';
}

void put_numbers(std::string& to, std::span<const double> values) {
  if (values.empty()) return;
  const std::size_t before = to.size();
  to.resize(before + values.size_bytes());
  std::memcpy(to.data() + before, values.data(), values.size_bytes());
}

/// null is NaN.
double number_from(const JsonValue& value) {
  return value.kind() == JsonKind::null ? std::numeric_limits<double>::quiet_NaN() : value.number();
}

void add_numbers(const JsonValue& object, std::string_view key, std::size_t n,
                 std::vector<double>& to) {
  const JsonValue list = object.at(key, "the file is damaged");
  const std::vector<JsonValue> items = list.items();
  if (items.size() != n) list.fail("has not as many numbers as there are names", "");
  for (const JsonValue& item : items) to.push_back(number_from(item));
}

}  // namespace

void put_json(std::string& to, const RunSample& sample, std::span<const RunExtra> extras) {
  to += "{\"t\":";
  put_number(to, sample.t);
  put_numbers(to, R"("q")", sample.q);
  put_numbers(to, R"("v")", sample.v);
  put_numbers(to, R"("a")", sample.a);
  put_numbers(to, R"("tau")", sample.tau);
  to += ",\"kinetic\":";
  put_number(to, sample.kinetic);
  to += ",\"potential\":";
  put_number(to, sample.potential);
  to += ",\"stored\":";
  put_number(to, sample.stored);
  to += ",\"work\":";
  put_number(to, sample.work);
  std::size_t first = 0;
  for (const RunExtra& extra : extras) {
    put_numbers(to, json_string(extra.name), sample.extras.subspan(first, extra.names.size()));
    first += extra.names.size();
  }
  to += '}';
}

void put_row(std::string& to, const RunSample& sample) {
  put_numbers(to, std::array{sample.t});
  for (const auto& values : {sample.q, sample.v, sample.a, sample.tau}) put_numbers(to, values);
  put_numbers(to, std::array{sample.kinetic, sample.potential, sample.stored, sample.work});
  put_numbers(to, sample.extras);
}

std::string json_of(const RunEvent& event) {
  std::string to = "{\"t\":";
  put_number(to, event.t);
  return to + ",\"name\":" + json_string(event.name) + ",\"text\":" + json_string(event.text) + "}";
}

std::string json_of(double t, std::span<const double> numbers) {
  std::string to = "{\"t\":", bytes;
  put_number(to, t);
  put_numbers(bytes, numbers);
  return to + ",\"numbers\":\"" + base64(bytes) + "\"}";
}

void add_json(Run& run, std::string_view text, const std::string& where) {
  const JsonDocument document(text, where);
  const JsonValue row = document.root();
  const auto number = [&](const char* key) {
    return number_from(row.at(key, "the file is damaged"));
  };
  const double t = number("t");
  const std::array energies{number("kinetic"), number("potential"), number("stored"),
                            number("work")};
  add_numbers(row, "q", run.nq(), run.q);
  add_numbers(row, "v", run.nv(), run.v);
  add_numbers(row, "a", run.nv(), run.a);
  add_numbers(row, "tau", run.nv(), run.tau);
  run.times.push_back(t);
  run.kinetic.push_back(energies[0]);
  run.potential.push_back(energies[1]);
  run.stored.push_back(energies[2]);
  run.work.push_back(energies[3]);
  run.extras.resize(run.metadata.extras.size());
  for (std::size_t k = 0; k < run.extras.size(); ++k)
    add_numbers(row, run.metadata.extras[k].name, run.metadata.extras[k].names.size(),
                run.extras[k]);
}

void add_row(Run& run, std::string_view bytes, const std::string& where) {
  const std::vector<RunExtra>& extras = run.metadata.extras;
  std::size_t n = 5 + run.nq() + 3 * run.nv();
  for (const RunExtra& extra : extras) n += extra.names.size();
  if (bytes.size() != n * sizeof(double))
    throw Error("a row of " + std::to_string(bytes.size()) + " bytes instead of " +
                    std::to_string(n * sizeof(double)),
                where, "the file is damaged");
  const auto take = [&](std::vector<double>& to, std::size_t count) {
    const std::size_t before = to.size(), size = count * sizeof(double);
    to.resize(before + count);
    if (count > 0) std::memcpy(to.data() + before, bytes.data(), size);
    bytes.remove_prefix(size);
  };
  take(run.times, 1);
  take(run.q, run.nq());
  for (std::vector<double>* const to : {&run.v, &run.a, &run.tau}) take(*to, run.nv());
  for (std::vector<double>* const to : {&run.kinetic, &run.potential, &run.stored, &run.work})
    take(*to, 1);
  run.extras.resize(extras.size());
  for (std::size_t k = 0; k < extras.size(); ++k) take(run.extras[k], extras[k].names.size());
}

RunEvent event_from(std::string_view text, const std::string& where) {
  const JsonDocument document(text, where);
  const JsonValue event = document.root();
  const char* const remedy = "the file is damaged";
  return {number_from(event.at("t", remedy)), std::string(event.at("name", remedy).text()),
          std::string(event.at("text", remedy).text())};
}

RunCheckpoint checkpoint_from(std::string_view text, const std::string& where) {
  const JsonDocument document(text, where);
  const char* const remedy = "the file is damaged";
  const std::string bytes = from_base64(document.root().at("numbers", remedy).text(), where);
  if (bytes.size() % sizeof(double) != 0)
    throw Error("a checkpoint that is not a row of numbers", where, remedy);
  RunCheckpoint checkpoint{document.root().at("t", remedy).number(), {}};
  checkpoint.numbers.resize(bytes.size() / sizeof(double));
  if (!bytes.empty()) std::memcpy(checkpoint.numbers.data(), bytes.data(), bytes.size());
  return checkpoint;
}

// --- base64 ---------------------------------------------------------------------------------------

namespace {
constexpr std::string_view digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::array<std::int8_t, 256> make_values() {
  std::array<std::int8_t, 256> result{};
  for (std::int8_t& value : result) value = -1;
  for (std::size_t i = 0; i < digits.size(); ++i)
    result[static_cast<unsigned char>(digits[i])] = static_cast<std::int8_t>(i);
  return result;
}
constexpr std::array<std::int8_t, 256> digit_values = make_values();
}  // namespace

std::string base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t n = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (k < n ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) text += k <= n ? digits[(word >> (18 - 6 * k)) & 63] : '=';
  }
  return text;
}

std::string from_base64(std::string_view text, const std::string& where) {
  const auto fail = [&] { throw Error("is not text in base64", where, "the file is damaged"); };
  if (text.size() % 4 != 0) fail();
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const bool pad = i + k >= text.size() - padding;
      const int value = pad ? 0 : digit_values[static_cast<unsigned char>(text[i + k])];
      if (value < 0) fail();
      word = word << 6 | static_cast<std::uint32_t>(value);
    }
    for (std::size_t k = 0; k < 3; ++k) bytes += static_cast<char>(word >> (16 - 8 * k) & 0xFF);
  }
  bytes.resize(bytes.size() - padding);
  return bytes;
}

}  // namespace axode::run
