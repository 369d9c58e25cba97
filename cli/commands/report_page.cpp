/// `axode report`: the page.
#include <algorithm>
#include <array>
#include <cmath>

#include "axode/version.hpp"
#include "axode/view/plot/run_plot.hpp"
#include "cli/commands/report.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

namespace {

constexpr const char* report_style = R"(
:root{color-scheme:light dark;--text:#1c2127;--faint:#5d6670;--paper:#fff;--line:#dfe3e7;
--soft:#f5f7f8;--warn:#8a4b00;--warn-paper:#fff6e5;--warn-line:#f0c36d}
body{margin:0 auto;max-width:60rem;padding:1.5rem 1rem 3rem;color:var(--text);
background:var(--paper);font:15px/1.5 system-ui,'Helvetica Neue',Arial,sans-serif}
h1{font-size:1.6rem;margin:0;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:2.2rem 0 .6rem;border-bottom:1px solid var(--line);
padding-bottom:.25rem}
h3{font-size:1rem;margin:1.2rem 0 .4rem}
p{margin:.3rem 0}.faint{color:var(--faint)}
code{font:13px/1.5 ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}
pre{background:var(--soft);border:1px solid var(--line);border-radius:4px;padding:.6rem .8rem;
margin:.4rem 0;white-space:pre-wrap}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(10rem,1fr));gap:.5rem 1.5rem;
margin:.6rem 0}
dt{color:var(--faint);font-size:.85rem}dd{margin:0;overflow-wrap:anywhere}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}
th,td{padding:.2rem .9rem .2rem 0;text-align:left;border-bottom:1px solid var(--line);
vertical-align:top}
th{color:var(--faint);font-weight:600;white-space:nowrap}.r{text-align:right}
.warnings{background:var(--warn-paper);border:1px solid var(--warn-line);border-radius:4px;
color:var(--warn);padding:.5rem .8rem;margin:1rem 0}
.warnings ul{margin:.2rem 0;padding-left:1.2rem}
figure{margin:1rem 0}svg{max-width:100%;height:auto;display:block}
footer{margin-top:3rem;color:var(--faint);font-size:.85rem;border-top:1px solid var(--line);
padding-top:.5rem}
@media print{body{max-width:none;padding:0;font-size:11px}figure,tr{break-inside:avoid}
h2,h3{break-after:avoid}}
)";
constexpr const char* dark_style =
    ":root{--text:#e8eaed;--faint:#9aa4af;--paper:#15191e;--line:#2c333b;--soft:#1c2228;"
    "--warn:#f2c879;--warn-paper:#2b2417;--warn-line:#6b5220}";

/// Four digits, short.
std::string brief(double x) { return std::isfinite(x) ? fmt::format("{:.5g}", x) : "not finite"; }

std::string facts_html(const ReportFacts& facts) {
  std::string html = "<dl>\n";
  for (const auto& [key, value] : facts)
    html += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", xml_text(key), xml_text(value));
  return html + "</dl>\n";
}

std::string table_html(const ReportTable& table) {
  const auto row_html = [&](const std::vector<std::string>& cells, const char* tag) {
    std::string html = "<tr>";
    for (std::size_t c = 0; c < cells.size(); ++c)
      html += fmt::format("<{0}{1}>{2}</{0}>", tag, table.alignment[c] == 'r' ? " class=\"r\"" : "",
                          xml_text(cells[c]));
    return html + "</tr>\n";
  };
  std::string html = table.title.empty() ? "" : fmt::format("<h3>{}</h3>\n", xml_text(table.title));
  html +=
      "<div class=\"wide\"><table>\n<thead>" + row_html(table.head, "th") + "</thead>\n<tbody>\n";
  for (const auto& row : table.rows) html += row_html(row, "td");
  return html + "</tbody>\n</table></div>\n";
}

std::string warnings_html(const std::vector<std::string>& warnings) {
  if (warnings.empty()) return "";
  std::string html = "<section class=\"warnings\" aria-label=\"Warnings\"><strong>" +
                     count(warnings.size(), "warning") + "</strong><ul>\n";
  for (const std::string& warning : warnings) html += "<li>" + xml_text(warning) + "</li>\n";
  return html + "</ul></section>\n";
}

/// "rejected_steps" as "Rejected steps".
std::string in_words(std::string key) {
  std::replace(key.begin(), key.end(), '_', ' ');
  if (!key.empty() && key[0] >= 'a' && key[0] <= 'z') key[0] = static_cast<char>(key[0] - 32);
  return key;
}

ReportFacts summary_facts(const LoadedRun& loaded, const RunReport& report) {
  const Run& run = loaded.run;
  ReportFacts facts{{"Samples", std::to_string(run.times.size())}};
  if (!run.times.empty())
    facts.emplace_back(
        "Time", fmt::format("{} to {} s", rounded(run.times.front()), rounded(run.times.back())));
  facts.emplace_back("Energy drift", fmt::format("{:.3g} J", report.energy_drift));
  facts.emplace_back("Largest kinetic energy", fmt::format("{:.5g} J", report.energy_scale));
  for (const NumberStatistics& s : report.numbers)
    if (s.quantity == "violation")
      facts.emplace_back("Largest violation, " + s.name,
                         fmt::format("{:.3g}{}{}", s.max, s.unit.empty() ? "" : " ", s.unit));
  constexpr std::array<std::string_view, 6> told{"t",       "energy_drift",   "energy_scale",
                                                 "samples", "position_error", "velocity_error"};
  for (const auto& [key, value] : report.closing)
    if (std::find(told.begin(), told.end(), key) == told.end())
      facts.emplace_back(in_words(key), value);
  return facts;
}

bool is_always_zero(const NumberStatistics& s) {
  return s.min == 0 && s.max == 0 && s.not_finite == 0;
}

std::string numbers_html(const Clip& clip, const RunReport& report) {
  std::string html;
  std::vector<std::string> quantities;
  for (const NumberStatistics& s : report.numbers)
    if (std::find(quantities.begin(), quantities.end(), s.quantity) == quantities.end() &&
        s.unit != "J")
      quantities.push_back(s.quantity);
  quantities.emplace_back("energies");
  for (const std::string& quantity : quantities) {
    const bool energies = quantity == "energies";
    ReportTable table{energies ? "Energies" : quantity_named(clip, quantity).title,
                      "lrrrrrrl",
                      {"name", "min", "at [s]", "max", "at [s]", "rms", "last", "unit"},
                      {}};
    std::size_t zeros = 0;
    for (const NumberStatistics& s : report.numbers) {
      if (energies ? s.unit != "J" : s.quantity != quantity) continue;
      if ((quantity == "reactions" || quantity == "tau") && is_always_zero(s)) {
        ++zeros;
        continue;
      }
      table.rows.push_back({s.name, brief(s.min), brief(s.min_time), brief(s.max),
                            brief(s.max_time), brief(s.rms), brief(s.last), s.unit});
    }
    if (!table.rows.empty()) html += table_html(table);
    if (zeros > 0)
      html += fmt::format("<p class=\"faint\">{}: {} left out, always 0.</p>\n",
                          xml_text(table.title), count(zeros, "row"));
  }
  return html;
}

bool is_always_zero(const RunReport& report, std::string_view quantity) {
  return std::all_of(report.numbers.begin(), report.numbers.end(), [&](const NumberStatistics& s) {
    return s.quantity != quantity || is_always_zero(s);
  });
}

std::string plots_html(const Clip& clip, const RunReport& report) {
  std::string html;
  const std::vector<std::string> there = quantity_names(clip);
  for (const char* quantity : {"q", "v", "tau", "energy", "drift", "violation", "reactions"}) {
    if (std::find(there.begin(), there.end(), quantity) == there.end()) continue;
    if (quantity == std::string_view("tau") && is_always_zero(report, quantity)) {
      html += "<p class=\"faint\">Joint forces are always 0.</p>\n";
      continue;
    }
    RunPlot drawn = plot_of(clip, {quantity_named(clip, quantity)}, {});
    drawn.plot.columns = 1;
    Figure figure = figure_of(drawn.plot);
    figure.title = drawn.plot.panels.front().title;
    html += "<figure>\n" + figure_svg(figure, Theme::page);
    for (const std::string& remark : drawn.remarks)
      html += fmt::format("<figcaption class=\"faint\">{}</figcaption>\n", xml_text(remark));
    html += "</figure>\n";
  }
  return html;
}

std::string events_html(const std::vector<RunEvent>& events) {
  constexpr std::size_t most = 200;
  if (events.empty()) return "";
  ReportTable table{"", "rll", {"time [s]", "event", ""}, {}};
  for (std::size_t i = 0; i < std::min(events.size(), most); ++i)
    table.rows.push_back({brief(events[i].t), events[i].name, events[i].text});
  return "<h2>Events</h2>\n" + table_html(table) +
         (events.size() > most
              ? fmt::format("<p class=\"faint\">and {} more</p>\n", events.size() - most)
              : "");
}

std::string making_html(const RunMetadata& m, const ReportFacts& options) {
  return fmt::format("<h2>How it was made</h2>\n<pre><code>{}</code></pre>\n",
                     xml_text(m.command_line)) +
         facts_html({{"Axode", m.axode_version}, {"Model file", m.model_file}}) +
         (options.empty() ? "" : "<h3>Options</h3>\n" + facts_html(options));
}

}  // namespace

std::string report_page(const LoadedRun& loaded, const RunReport& report, const std::string& file) {
  const RunMetadata& metadata = loaded.run.metadata;
  const std::string title = xml_text(title_of(metadata, file));
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>{}{}\n@media screen and (prefers-color-scheme:dark){{{}{}}}\n"
      "</style>\n</head>\n<body>\n",
      title, report_style, theme_css(Theme::light), dark_style, theme_css(Theme::dark));
  page += fmt::format("<header><h1>{}</h1></header>\n<main>\n", title);
  page += warnings_html(report.warnings);
  page += "<h2>Summary</h2>\n" + facts_html(summary_facts(loaded, report));
  if (!loaded.run.times.empty())
    page += "<h2>Plots</h2>\n" + plots_html(loaded.clip, report) + "<h2>Numbers</h2>\n" +
            numbers_html(loaded.clip, report);
  page += events_html(loaded.run.events);
  page += "<h2>Model</h2>\n" + facts_html(report.model.facts);
  for (const ReportTable& table : report.model.tables) page += table_html(table);
  page += making_html(metadata, report.options);
  return page +
         fmt::format("</main>\n<footer>Made by Axode {}.</footer>\n</body>\n</html>\n", version);
}

}  // namespace axode::cli
