/// States as CSV: a header that names coordinates, then one state in each line. Columns are separated by
/// commas, semicolons or tabs, as the header is.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "axode/error.hpp"
#include "axode/io/text_file.hpp"
#include "cli/output.hpp"
#include "cli/state_files.hpp"

namespace axode::cli {

namespace {

/// One line without its end; false at the end of the file and when interrupted.
bool read_line(Bytes& bytes, std::string& line) {
  line.clear();
  int byte = at_end;
  while ((byte = bytes.take()) != at_end && byte != '\n') append(line, byte, bytes);
  return (byte != at_end || !line.empty()) && !interrupted();
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
    std::string where;
    do {
      where = bytes.place();
      if (!read_line(bytes, line_)) return false;
    } while (line_.find_first_not_of(" \t\r") == std::string::npos);
    split_cells(line_, separator_, cells_);
    if (cells_.size() != columns_.size())
      throw Error(fmt::format("{} in the row, {} in the header", count(cells_.size(), "cell"),
                              columns_.size()),
                  where, "give each column one number with a decimal point");
    std::array<std::vector<NamedNumbers>, 3> named;
    state = {};
    for (std::size_t c = 0; c < cells_.size(); ++c) {
      const Number number = parse_value(cells_[c], fmt::format("{}: {}", where, columns_[c].title));
      if (columns_[c].time)
        state.time = number.value;
      else
        named[static_cast<std::size_t>(columns_[c].order)].push_back({columns_[c].label, {number}});
    }
    state.q = by_name(space_, Order::q, named[0], where);
    if (!named[1].empty()) state.qd = by_name(space_, Order::qd, named[1], where);
    if (!named[2].empty()) state.qdd = by_name(space_, Order::qdd, named[2], where);
    return true;
  }
  StateShape shape() const override {
    StateShape shape;
    for (const Column& column : columns_) {
      if (column.time)
        shape.time = true;
      else if (column.order != Order::q)
        (column.order == Order::qd ? shape.qd : shape.qdd) = true;
    }
    return shape;
  }

 private:
  struct Column {
    std::string title, label;
    Order order = Order::q;
    bool time = false;
  };

  void read_header(Bytes& bytes) {
    const std::string where = bytes.place();
    if (!read_line(bytes, line_) || line_.find_first_not_of(" \t\r") == std::string::npos)
      throw Error("the first line names no columns", where,
                  "name joints, such as shoulder,elbow,qd:shoulder, or q0,q1,qd0");
    for (const char candidate : {'\t', ';', ','})  // a comma, if there is one, is it
      if (line_.find(candidate) != std::string::npos) separator_ = candidate;
    split_cells(line_, separator_, cells_);
    bool timed = false;
    for (const std::string& title : cells_) {
      columns_.push_back(column(title, where));
      if (columns_.back().time && std::exchange(timed, true))
        throw Error("there are two columns of time", where, "remove one of them");
    }
  }

  /// By joint, "qd:joint", or number, "qd3".
  Column column(const std::string& title, const std::string& where) const {
    Column result{title, title, Order::q, false};
    if (space_.q_by_label.contains(title)) return result;
    result.time = title == "time" || title == "t";
    if (result.time) return result;
    const std::size_t letters = std::min(title.find_first_not_of("qd"), title.size());
    const std::string prefix = title.substr(0, letters), rest = title.substr(letters);
    if (prefix == "q" || prefix == "qd" || prefix == "qdd") {
      result.order = static_cast<Order>(prefix.size() - 1);
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
    throw Error(fmt::format("column {} is no coordinate of the model", in_quotes(title)), where,
                "name joints (joint[k] in those of several), q0.. or time; velocities are "
                "qd:joint or qd0..; `axode info` lists them");
  }

  const StateSpace& space_;
  char separator_ = ',';
  std::vector<Column> columns_;
  std::string line_;
  std::vector<std::string> cells_;
};

}  // namespace

std::unique_ptr<StateFormat> csv_states(const StateSpace& space) {
  return std::make_unique<CsvStates>(space);
}

}  // namespace axode::cli
