#include "bench/support/compare.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <optional>
#include <string_view>

#include "bench/support/kernel.hpp"

namespace axode::bench {

std::vector<Contender>& contenders() {
  static std::vector<Contender> all;
  return all;
}

namespace {

struct Timed {
  std::string contender;
  Kernel kernel;
  double ns = 0;  ///< per system, median
};
struct Row {
  std::string operation;
  std::vector<Timed> timed;

  /// The fastest writing of a contender.
  const Timed* best(const std::string& contender) const {
    const Timed* found = nullptr;
    for (const Timed& t : timed)
      if (t.contender == contender && (!found || t.ns < found->ns)) found = &t;
    return found;
  }
};

/// One row per operation, in the order of the subject.
std::vector<Row> rows_of(const Comparison& comparison) {
  std::vector<Row> rows;
  std::map<std::string, std::vector<Kernel>> kernels;
  for (const Contender& c : contenders()) kernels[c.name] = c.kernels();
  for (const Kernel& k : kernels[comparison.subject])
    rows.push_back({k.operation, {{comparison.subject, k}}});
  for (const auto* names : {&comparison.peers, &comparison.wide})
    for (const std::string& name : *names)
      for (const Kernel& k : kernels[name])
        for (Row& row : rows)
          if (row.operation == k.operation) row.timed.push_back({name, k});
  return rows;
}

/// False, and says so, where a contender's results differ from those of the subject.
bool agree(const Row& row, double tolerance) {
  row.timed[0].kernel.pass();
  const std::vector<double> expected = row.timed[0].kernel.results();
  bool good = true;
  for (const Timed& t : row.timed) {
    t.kernel.pass();
    const std::vector<double> actual = t.kernel.results();
    double worst = actual.size() == expected.size() ? 0 : INFINITY;
    for (std::size_t i = 0; i < expected.size() && std::isfinite(worst); ++i) {
      const double difference = std::abs(actual[i] - expected[i]);
      if (!(difference <= worst)) worst = std::isnan(difference) ? INFINITY : difference;
    }
    if (worst <= tolerance) continue;
    std::fprintf(stderr, "%s: %s (%s) differs from %s by %.1e\n", row.operation.c_str(),
                 t.contender.c_str(), t.kernel.writing.c_str(), row.timed[0].contender.c_str(),
                 worst);
    good = false;
  }
  return good;
}

/// Takes the medians that Google Benchmark reports; prints nothing.
class Medians : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs)
      if (run.aggregate_name == "median") ns[run.run_name.function_name] = run.GetAdjustedCPUTime();
  }
  std::map<std::string, double> ns;
};

void time(Row& row) {
  benchmark::ClearRegisteredBenchmarks();
  for (std::size_t i = 0; i < row.timed.size(); ++i) {
    const auto& pass = row.timed[i].kernel.pass;
    benchmark::RegisterBenchmark(std::to_string(i).c_str(), [&pass](benchmark::State& state) {
      pass();  // inputs into the cache
      for ([[maybe_unused]] auto _ : state) pass();
    });
  }
  Medians medians;
  benchmark::RunSpecifiedBenchmarks(&medians);
  for (std::size_t i = 0; i < row.timed.size(); ++i)
    row.timed[i].ns =
        medians.ns[std::to_string(i)] / static_cast<double>(row.timed[i].kernel.systems);
}

std::string cpu_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  utsname name{};
  return uname(&name) == 0 ? name.machine : "unknown";
}

bool has(const std::vector<Row>& rows, const std::string& contender) {
  return std::any_of(rows.begin(), rows.end(),
                     [&](const Row& row) { return row.best(contender) != nullptr; });
}

void print_cell(const Timed* timed) {
  timed ? std::printf(" %8.2f |", timed->ns) : std::printf("        - |");
}

void print(const Comparison& comparison, const std::vector<Row>& rows) {
  std::printf("%s on %s, g++ %s. Time in ns; ratio = time of the other / time of %s.\n\n",
              comparison.title.c_str(), cpu_name().c_str(), __VERSION__,
              comparison.subject.c_str());
  std::printf("| %-22s | %8s |", "operation", comparison.subject.c_str());
  for (const auto& name : comparison.peers) std::printf(" %8s | ratio |", name.c_str());
  for (const auto& name : comparison.wide)
    if (has(rows, name)) std::printf(" %8s |", name.c_str());
  std::printf("\n|:-----------------------|---------:|");
  for (std::size_t i = 0; i < comparison.peers.size(); ++i) std::printf("---------:|------:|");
  for (const auto& name : comparison.wide)
    if (has(rows, name)) std::printf("---------:|");
  std::printf("\n");
  for (const Row& row : rows) {
    std::printf("| %-22s |", row.operation.c_str());
    print_cell(&row.timed[0]);
    for (const auto& name : comparison.peers) {
      const Timed* peer = row.best(name);
      print_cell(peer);
      peer ? std::printf(" %5.2f |", peer->ns / row.timed[0].ns) : std::printf("     - |");
    }
    for (const auto& name : comparison.wide)
      if (has(rows, name)) print_cell(row.best(name));
    std::printf("\n");
  }
  std::printf("\n");
}

bool write_json(const std::string& path, const Comparison& comparison,
                const std::vector<Row>& rows) {
  std::ofstream file(path);
  file << "{\"title\": \"" << comparison.title << "\", \"cpu\": \"" << cpu_name()
       << "\", \"unit\": \"ns per system\",\n \"operations\": [";
  for (const Row& row : rows) {
    file << (&row == rows.data() ? "\n" : ",\n") << "  {\"name\": \"" << row.operation
         << "\", \"times\": [";
    for (const Timed& t : row.timed)
      file << (&t == row.timed.data() ? "" : ",") << "\n    {\"contender\": \"" << t.contender
           << "\", \"writing\": \"" << t.kernel.writing << "\", \"ns\": " << t.ns
           << ", \"ratio\": " << t.ns / row.timed[0].ns << "}";
    file << "]}";
  }
  file << "]}\n";
  return static_cast<bool>(file.flush());
}

/// The value of --json=..., taken out of the arguments.
std::optional<std::string> take_json(std::vector<char*>& arguments) {
  constexpr std::string_view option = "--json=";
  const auto at = std::find_if(arguments.begin(), arguments.end(), [&](const char* a) {
    return std::string_view(a).starts_with(option);
  });
  if (at == arguments.end()) return {};
  std::string path = *at + option.size();
  arguments.erase(at);
  return path;
}

}  // namespace

int compare(const Comparison& comparison, int argc, char** argv) {
  std::string defaults[] = {"--benchmark_repetitions=31", "--benchmark_min_time=0.003",
                            "--benchmark_enable_random_interleaving=true"};
  std::vector<char*> arguments(argv, argv + argc);
  for (std::string& argument : defaults)  // in front, so that given ones win
    arguments.insert(arguments.begin() + 1, argument.data());
  const std::optional<std::string> json = take_json(arguments);
  int count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;

  std::vector<Row> rows = rows_of(comparison);
  bool good = true;
  for (const Row& row : rows) good = agree(row, comparison.tolerance) && good;
  if (!good) return 1;
  for (Row& row : rows) time(row);
  print(comparison, rows);
  if (json && !write_json(*json, comparison, rows)) {
    std::fprintf(stderr, "cannot write %s\n", json->c_str());
    return 5;
  }
  return 0;
}

}  // namespace axode::bench
