/// `axode plot`: a run as a figure, or as dots in the terminal.
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>

#include "axode/io/run/run_file.hpp"
#include "axode/io/text/text_file.hpp"
#include "axode/view/plot/run_plot.hpp"
#include "cli/arguments/duration.hpp"
#include "cli/arguments/values.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output/figure_cairo.hpp"
#include "cli/output/loaded_run.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

CLI::App* add_plot(CLI::App& app, PlotOptions& options) {
  CLI::App* command =
      app.add_subcommand("plot", "Draw a run as SVG, PNG or PDF, or in the terminal");
  file_with(
      command->add_option("run", options.run, "Run that `axode simulate` has written")->required(),
      {".mcap"}, "RUN");
  const std::vector<std::string> quantities{"q",      "v",       "a",         "tau",
                                            "energy", "kinetic", "potential", "stored",
                                            "total",  "work",    "violation", "reactions"};
  such_as(
      command->add_option("quantities", options.quantities,
                          wrapped(fmt::format("{} (the last two of mechanisms); some columns as "
                                              "q:elbow,wrist; default: q v energy",
                                              alternatives(quantities)))),
      "QUANTITY", quantities);
  file_with(command->add_option("-o,--out", options.out, "Figure to write: .svg, .png or .pdf"),
            {".svg", ".png", ".pdf"});
  command->add_flag("--term", options.term, "Plot in the terminal");
  command->add_option("--from", options.from, "Time at which the plot begins")->type_name("TIME");
  command->add_option("--to", options.to, "Time at which it ends")->type_name("TIME");
  command->add_flag("--degrees", options.degrees, "Angles in degrees");
  file_with(command->add_option("--compare", options.other,
                                "Another run, dashed where names are the same"),
            {".mcap"}, "RUN");
  command->add_option("--size", options.size, "Width and height of the figure, in pixels")
      ->type_name("WxH");
  command->add_flag("--dark", options.dark, "Light lines on dark ground");
  command->add_flag("--force", options.force, "Overwrite the figure if it exists");
  command->add_flag("--salvage", options.salvage, "Read a damaged run file up to the damage");
  command->footer(
      "Examples:\n  axode simulate models/scara.json --for 5s -o swing.mcap\n"
      "  axode plot swing.mcap -o swing.svg\n"
      "  axode plot swing.mcap q:shoulder,elbow tau --degrees -o swing.pdf\n"
      "  axode plot swing.mcap energy --from 1s --to 2s --term");
  return command;
}

namespace {

std::string ending_of(const std::string& file) {
  std::string ending = std::filesystem::path(file).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return ending;
}

void check_figure(const PlotOptions& o) {
  if (o.out.empty() && !o.term)
    throw UsageError("name a figure by -o FILE.svg, .png or .pdf, or plot here with --term");
  if (o.out.empty()) {
    if (!o.size.empty() || o.dark || o.force)
      throw UsageError("--size, --dark and --force are about a figure; name it by -o");
    return;
  }
  const std::string ending = ending_of(o.out);
  if (ending != ".svg" && ending != ".png" && ending != ".pdf")
    throw UsageError(
        fmt::format("-o: {}: the ending names no format of figures; write to .svg, "
                    ".png or .pdf",
                    printable(o.out)));
  std::error_code error;
  for (const std::string& run : {o.run, o.other})
    if (!run.empty() && std::filesystem::equivalent(run, o.out, error))
      throw UsageError(fmt::format("-o: {} is a run; choose another name", printable(o.out)));
  if (!o.force && std::filesystem::exists(std::filesystem::symlink_status(o.out, error)))
    throw IoError("exists already", o.out, "choose another name, or overwrite it with --force");
}

PlotSize size_of(const std::string& text) {
  if (text.empty()) return {};
  const char* const end = text.data() + text.size();
  int width = 0, height = 0;
  const auto first = std::from_chars(text.data(), end, width);
  const bool has_sign = first.ec == std::errc{} && first.ptr != end && *first.ptr == 'x';
  const auto second =
      has_sign ? std::from_chars(first.ptr + 1, end, height) : std::from_chars_result{end, {}};
  if (!has_sign || second.ec != std::errc{} || second.ptr != end)
    throw UsageError(
        fmt::format("--size: '{}' is not a size; write it as 1200x800", printable(text)));
  constexpr int most = 20000;
  if (width < 1 || height < 1 || width > most || height > most)
    throw UsageError(fmt::format("--size: {} is outside of 1x1 to {}x{}", text, most, most));
  constexpr long max_pixels = 64'000'000;
  if (static_cast<long>(width) * height > max_pixels)
    throw LimitError(fmt::format("{} are too many pixels", text), "--size",
                     fmt::format("{} million are the most", max_pixels / 1'000'000));
  return {static_cast<double>(width), static_cast<double>(height)};
}

Run read_for_plot(const std::string& file, bool salvage) {
  Run run = read_run(file, salvage);
  if (run.times.empty())
    throw Error("the run holds no samples", file, "simulate for longer, or sample more often");
  if (!run.complete)
    warn(fmt::format("{} ends early, at {:.6g} s; what is there is drawn", file, run.times.back()));
  return run;
}

/// The stretch of time asked for, which must have samples.
void set_times(const PlotOptions& o, const std::vector<double>& times, RunPlotOptions& how) {
  if (!o.from.empty()) how.from = parse_duration(o.from, "--from");
  if (!o.to.empty()) how.to = parse_duration(o.to, "--to");
  const bool some = std::any_of(times.begin(), times.end(),
                                [&](double t) { return t >= how.from && t <= how.to; });
  if (!some)
    throw UsageError(
        fmt::format("--from, --to: there is no sample in that time; the run goes from "
                    "{:.6g} to {:.6g} s",
                    times.front(), times.back()));
}

std::vector<PlotQuantity> quantities_of(const PlotOptions& o, const Clip& clip) {
  std::vector<std::string> names = o.quantities;
  if (names.empty()) {
    const std::vector<std::string> all = quantity_names(clip);
    for (const char* usual : {"q", "v", "energy"})
      if (std::find(all.begin(), all.end(), usual) != all.end()) names.emplace_back(usual);
  }
  std::vector<PlotQuantity> quantities;
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::find(names.begin(), name, *name) != name)
      throw UsageError(fmt::format("'{}' is there twice; name it once", printable(*name)));
    try {
      quantities.push_back(quantity_named(clip, *name));
    } catch (const Error& error) {
      throw UsageError(error.what());
    }
  }
  return quantities;
}

/// Columns of the terminal.
int terminal_width() {
  winsize window{};
  if (isatty(STDOUT_FILENO) && ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0)
    return std::clamp<int>(window.ws_col, 40, 400);
  const char* columns = std::getenv("COLUMNS");
  const int width = columns != nullptr ? std::atoi(columns) : 0;
  return width > 0 ? std::clamp(width, 40, 400) : 80;
}

bool colour_on_stdout() {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return isatty(STDOUT_FILENO) && !(no_colour != nullptr && *no_colour != '\0') &&
         terminal != nullptr && std::string_view(terminal) != "dumb";
}

std::string figure_bytes(const PlotOptions& o, const Plot& plot) {
  const PlotSize size = size_of(o.size), least = least_size(plot);
  if (size.width > 0 && (size.width < least.width || size.height < least.height))
    throw UsageError(
        fmt::format("--size: {} is too small for {}; take at least {:.0f}x{:.0f}, or "
                    "fewer quantities",
                    o.size, count(plot.panels.size(), "panel"), least.width, least.height));
  const Figure figure = figure_of(plot, size);
  const Theme theme = o.dark ? Theme::dark : Theme::light;
  const std::string ending = ending_of(o.out);
  if (ending == ".svg") return figure_svg(figure, theme);
  if (ending == ".pdf") return figure_pdf(figure, theme);
  return figure_png(figure, theme, o.size.empty() ? 2 : 1);  // sharp where nothing is said
}

/// Title and subtitle: which runs are drawn, and what of them is not.
void name_plot(const PlotOptions& o, const RunMetadata& metadata, RunPlot& drawn) {
  Plot& plot = drawn.plot;
  plot.title = title_of(metadata, o.run);
  const bool some_dashed =
      std::any_of(plot.panels.begin(), plot.panels.end(), [](const PlotPanel& panel) {
        return std::any_of(panel.lines.begin(), panel.lines.end(),
                           [](const PlotLine& line) { return line.dashed; });
      });
  if (!o.other.empty() && !some_dashed)
    throw UsageError(
        fmt::format("--compare: {} has nothing of these names in that time", printable(o.other)));
  if (!o.other.empty())
    plot.subtitle = fmt::format("dashed: {}", std::filesystem::path(o.other).filename().string());
  for (const std::string& remark : drawn.remarks) {
    warn(remark);
    plot.subtitle += (plot.subtitle.empty() ? "" : "; ") + remark;
  }
}

}  // namespace

int run_plot(const PlotOptions& o) {
  check_figure(o);
  size_of(o.size);  // before a long run is read
  const Run run = read_for_plot(o.run, o.salvage);
  const Clip clip = clip_of(run);
  RunPlotOptions how;
  how.degrees = o.degrees;
  set_times(o, clip.times, how);
  const std::vector<PlotQuantity> quantities = quantities_of(o, clip);
  Clip other;
  if (!o.other.empty()) {
    other = clip_of(read_for_plot(o.other, o.salvage));
    how.other = &other;
  }
  RunPlot drawn = plot_of(clip, quantities, how);
  name_plot(o, run.metadata, drawn);
  if (!o.out.empty()) write_text_file(o.out, figure_bytes(o, drawn.plot), o.force);
  if (!o.term) return exit_ok;
  Output output;
  output.text(plot_text(drawn.plot, {terminal_width(), colour_on_stdout(), utf8_output()}));
  output.flush();
  return exit_ok;
}

}  // namespace axode::cli
