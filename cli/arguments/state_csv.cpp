/// States as CSV: a header that names coordinates, then one state in each line. Columns are separated by
/// commas, semicolons or tabs, as the header is. Rows of plain numbers, as nearly all are, are read
/// without detours; others, and those with something wrong, cell by cell.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "axode/core/error.hpp"
#include "axode/io/text/text_file.hpp"
#include "cli/arguments/state_files.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

namespace {

constexpr std::array<std::string_view, orders> prefixes{"q", "v", "a", "tau"};

/// One line without its end; false at the end of the file and when interrupted.
bool read_line(Bytes& bytes, std::string& line) { return bytes.take_line(line) && !interrupted(); }

bool is_empty(const std::string& line) {
  return line.find_first_not_of(" \t\r") == std::string::npos;
}

/// A line of plain numbers. False if it is anything else.
bool read_numbers(std::string_view line, char separator, std::span<double> numbers) {
  const char *at = line.data(), *const end = at + line.size();
  const auto skip_blanks = [&] {
    while (at != end && (*at == ' ' || *at == '\r' || *at == '\t') && *at != separator) ++at;
  };
  for (std::size_t c = 0; c < numbers.size(); ++c) {
    if (c > 0 && (at == end || *at++ != separator)) return false;
    skip_blanks();
    const char* const digits = at != end && *at == '-' ? at + 1 : at;
    if (digits == end || (*digits != '.' && (*digits < '0' || *digits > '9'))) return false;
    const auto [next, error] = std::from_chars(at, end, numbers[c]);
    if (error != std::errc{}) return false;
    at = next;
    skip_blanks();
  }
  return at == end;
}

/// The cells of a line without white space around them, those in quotes without the quotes.
void split_cells(std::string_view line, char separator, std::vector<std::string>& cells) {
  cells.assign(1, {});
  bool quotes = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    std::string& cell = cells.back();
    const char c = line[i];
    if (c == '"' && quotes && i + 1 < line.size() && line[i + 1] == '"')
      cell += line[++i];
    else if (c == '"' && (quotes || cell.find_first_not_of(" \t") == std::string::npos))
      quotes = !quotes;
    else if (c == separator && !quotes)
      cells.emplace_back();
    else
      cell += c;
  }
  for (std::string& cell : cells) {
    cell.erase(cell.find_last_not_of(" \t\r") + 1);
    cell.erase(0, cell.find_first_not_of(" \t"));
  }
}

class CsvStates : public StateFormat {
 public:
  explicit CsvStates(const StateSpace& space) : space_(space) {}

  bool next(Bytes& bytes, GivenState& state) override {
    if (columns_.empty()) read_header(bytes);
    int row = 0;
    do {
      row = bytes.line;
      if (!read_line(bytes, line_)) return false;
    } while (is_empty(line_));
    if (!set_plain(state)) set_any(state, fmt::format("{}:{}", bytes.name, row));
    return true;
  }
  GivenState blank() const override {
    GivenState state;
    NamedByOrder named;
    for (const Column& column : columns_) {
      if (column.time)
        state.time = 0;
      else if (column.order != Order::q)
        named[std::size_t(column.order)].push_back({column.label, {Number{}}});
    }
    set(state, named, "");
    return state;
  }

 private:
  using NamedByOrder = std::array<std::vector<NamedNumbers>, orders>;
  struct Column {
    std::string title, label;
    Order order = Order::q;
    bool time = false;
    std::size_t place = 0;  ///< of the coordinate
  };

  /// From a row of plain numbers. False if it is none, or something is wrong.
  bool set_plain(GivenState& state) {
    if (!plain_ || !read_numbers(line_, separator_, numbers_)) return false;
    state = neutral_;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (columns_[c].time)
        state.time = numbers_[c];
      else
        state.find(columns_[c].order)->numbers[columns_[c].place] = numbers_[c];
    }
    try {
      for (std::size_t i = 0; i < orders; ++i)
        if (const auto order = static_cast<Order>(i); Values* const values = state.find(order))
          complete(space_, order, *values, "");
    } catch (const Error&) {
      return false;
    }
    return true;
  }
  void set_any(GivenState& state, const std::string& where) {
    split_cells(line_, separator_, cells_);
    if (cells_.size() != columns_.size())
      throw Error(fmt::format("{} in the row, {} in the header", count(cells_.size(), "cell"),
                              columns_.size()),
                  where, "give each column one number with a decimal point");
    NamedByOrder named;
    state = {};
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      const Number number = parse_value(cells_[c], fmt::format("{}: {}", where, columns_[c].title));
      if (columns_[c].time)
        state.time = number.value;
      else
        named[std::size_t(columns_[c].order)].push_back({columns_[c].label, {number}});
    }
    set(state, named, where);
  }
  void set(GivenState& state, const NamedByOrder& named, const std::string& where) const {
    for (std::size_t i = 0; i < orders; ++i)
      if (const auto order = static_cast<Order>(i); order == Order::q || !named[i].empty())
        state.set(order, by_name(space_, order, named[i], where));
  }

  void read_header(Bytes& bytes) {
    const std::string where = bytes.place();
    if (!read_line(bytes, line_) || is_empty(line_))
      throw Error("the first line names no columns", where,
                  "name joints, such as shoulder,elbow,v:shoulder, or q0,q1,v0");
    for (const char candidate : {'\t', ';', ','})  // a comma, if there is one, is it
      if (line_.find(candidate) != std::string::npos) separator_ = candidate;
    split_cells(line_, separator_, cells_);
    bool timed = false;
    for (const std::string& title : cells_) {
      columns_.push_back(column(title, where));
      if (columns_.back().time && std::exchange(timed, true))
        throw Error("there are two columns of time", where, "remove one of them");
    }
    prepare_plain();
  }
  void prepare_plain() {
    numbers_.resize(columns_.size());
    neutral_.q = nothing_given(space_, Order::q);
    for (Column& column : columns_) {
      if (column.time) continue;
      if (!neutral_.find(column.order))
        neutral_.set(column.order, nothing_given(space_, column.order));
      const auto& labels = column.order == Order::q ? space_.q_by_label : space_.v_by_label;
      column.place = labels.at(column.label);
      char& given = neutral_.find(column.order)->given[column.place];
      if (std::exchange(given, 1)) plain_ = false;  // twice
    }
  }

  /// By joint, "v:joint", or number, "v3".
  Column column(const std::string& title, const std::string& where) const {
    Column result{title, title};
    if (space_.q_by_label.contains(title)) return result;
    result.time = title == "time" || title == "t";
    if (result.time) return result;
    for (std::size_t i = 0; i < orders; ++i) {
      if (!title.starts_with(prefixes[i])) continue;
      const std::string rest = title.substr(prefixes[i].size());
      result.order = static_cast<Order>(i);
      const auto& coordinates = space_.of(result.order);
      const bool is_number = !rest.empty() && rest.size() < 9 &&
                             rest.find_first_not_of("0123456789") == std::string::npos;
      if (is_number && std::stoul(rest) < coordinates.size()) {
        result.label = coordinates[std::stoul(rest)].label;
        return result;
      }
      const auto& labels = result.order == Order::q ? space_.q_by_label : space_.v_by_label;
      if (rest.starts_with(':') && labels.contains(rest.substr(1))) {
        result.label = rest.substr(1);
        return result;
      }
    }
    throw Error(fmt::format("column {} is not a coordinate of the model", in_quotes(title)), where,
                "name joints (joint[k] in those of several), q0.. or time; velocities are "
                "v:joint or v0.., and likewise a and tau; `axode info` lists them");
  }

  const StateSpace& space_;
  char separator_ = ',';
  std::vector<Column> columns_;
  std::string line_;
  std::vector<std::string> cells_;
  // For rows of plain numbers.
  bool plain_ = true;
  GivenState neutral_;  ///< with what is given marked
  std::vector<double> numbers_;
};

}  // namespace

std::unique_ptr<StateFormat> csv_states(const StateSpace& space) {
  return std::make_unique<CsvStates>(space);
}

}  // namespace axode::cli
