#include "cli/output/quantity.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "cli/commands/commands.hpp"

namespace axode::cli {

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) cell.append(c == '"' ? 2 : 1, c);
  return cell + '"';
}

std::vector<double> six(const Vec6<double>& a) {
  return {a.angular.x, a.angular.y, a.angular.z, a.linear.x, a.linear.y, a.linear.z};
}

void check_finite(std::span<const Quantity> quantities, const std::string& where) {
  for (const Quantity& q : quantities)
    for (std::size_t i = 0; i < q.numbers.size(); ++i) {
      if (std::isfinite(q.numbers[i])) continue;
      const std::string of =
          q.of.empty() ? "" : fmt::format(" of {} '{}'", q.of, q.rows[i / q.columns.size()]);
      throw NumericalError(fmt::format("the {}{} is not finite", q.what, of), where,
                           "give smaller values");
    }
}

// --- text -----------------------------------------------------------------------------------------

namespace {

void print_line(const Quantity& q, std::size_t width, Output& output) {
  output.print("  {:<{}}  ", q.rows.front(), width);
  if (q.numbers.size() == 1) {
    output.text(rounded(q.numbers.front()));
  } else {
    for (std::size_t i = 0; i < q.numbers.size(); ++i)
      output.print("{}{}", i > 0 ? " " : "(", rounded(q.numbers[i]));
    output.text(")");
  }
  if (!q.units.empty()) output.print(" {}", q.units.front());
  output.text("\n");
}

/// Quantities with the same rows one after the other become one table.
class SharedTable {
 public:
  void add(const Quantity& q) {
    if (rows_.empty()) head_.emplace_back(q.of);
    const std::size_t count = q.rows.size();
    const bool continues =
        count > 0 && rows_.size() >= count &&
        std::equal(q.rows.begin(), q.rows.end(), rows_.end() - std::ptrdiff_t(count),
                   [](const std::string& name, const auto& row) { return row.front() == name; });
    if (rows_.empty() || (continues && rows_.size() == count)) {
      for (const std::string& column : q.columns) head_.push_back(printable(column));
      alignment_.append(q.columns.size(), 'r');
      if (!q.units.empty()) head_.emplace_back();
      if (!q.units.empty()) alignment_ += 'l';
    }
    for (std::size_t r = 0; r < q.rows.size(); ++r) {
      if (!continues) rows_.push_back({q.rows[r]});
      std::vector<std::string>& row = continues ? rows_[rows_.size() - count + r] : rows_.back();
      for (std::size_t c = 0; c < q.columns.size(); ++c)
        row.push_back(rounded(q.numbers[r * q.columns.size() + c]));
      if (!q.units.empty()) row.push_back(q.units[r]);
    }
  }
  void print(Output& output) {
    Table table(std::move(head_), alignment_);
    for (std::vector<std::string>& row : rows_) {
      row.front() = printable(row.front());
      table.row(std::move(row));
    }
    table.print(output);
  }

 private:
  std::vector<std::string> head_;
  std::vector<std::vector<std::string>> rows_;
  std::string alignment_ = "l";
};

}  // namespace

void print_text(std::span<const Quantity> quantities, Output& output) {
  std::unordered_map<std::string_view, std::size_t> by_title;
  std::vector<std::vector<const Quantity*>> groups;
  for (const Quantity& q : quantities) {
    const auto [at, is_new] = by_title.emplace(q.title, groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(&q);
  }
  for (const auto& group : groups) {
    output.print("\n{}\n", printable(group.front()->title));
    SharedTable table;
    std::size_t width = 12;
    for (const Quantity* q : group)
      if (q->style == Style::line) width = std::max(width, q->rows.front().size());
    for (const Quantity* q : group)
      q->style == Style::line ? print_line(*q, width, output) : table.add(*q);
    if (group.front()->style == Style::table) table.print(output);
  }
}

// --- JSON -----------------------------------------------------------------------------------------

namespace {

void write_value(const Quantity& q, Json& json) {
  const std::string_view key = q.keys.back();
  if (q.shape == Shape::number) return json.number(key, q.numbers.front());
  if (q.shape == Shape::list) return json.numbers(key, q.numbers);
  const std::size_t width = q.width > 0 ? q.width : q.columns.size();
  json.begin_list(key);
  for (std::size_t i = 0; i < q.numbers.size(); i += width)
    json.numbers({}, std::span(q.numbers).subspan(i, width));
  json.end();
}

}  // namespace

void write_json(std::span<const Quantity> quantities, Json& json) {
  std::vector<std::string_view> open;
  for (const Quantity& q : quantities) {
    const auto outer = std::span(q.keys).first(q.keys.size() - 1);
    const std::size_t common =
        std::mismatch(open.begin(), open.end(), outer.begin(), outer.end()).first - open.begin();
    for (; open.size() > common; open.pop_back()) json.end();
    for (const std::string_view key : outer.subspan(common)) {
      json.begin_object(key);
      open.push_back(key);
    }
    write_value(q, json);
  }
  for (; !open.empty(); open.pop_back()) json.end();
}

// --- CSV ------------------------------------------------------------------------------------------

std::vector<std::string> csv_titles(const Quantity& q) {
  std::vector<std::string> titles;
  for (const std::string& row : q.rows)
    for (const std::string& column : q.columns) {
      std::string title(q.csv);
      if (q.shape == Shape::matrix && q.width == 0)
        title.append(row).append(".").append(column);
      else if (q.shape != Shape::number)
        title += q.columns.size() == 1 ? row : column;
      titles.push_back(std::move(title));
    }
  return titles;
}

}  // namespace axode::cli
