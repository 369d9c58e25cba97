/// What `axode report` says of a run: facts, numbers and warnings, as a page or as JSON.
/// Tests: tests/cli/report_test.py
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "axode/view/plot/statistics.hpp"
#include "cli/output/loaded_run.hpp"

namespace axode::cli {

/// One number over all samples.
struct NumberStatistics : SampleStatistics {
  std::string quantity, name, unit;
};
struct ReportTable {
  std::string title, alignment;  ///< 'l' or 'r' for each column
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};
using ReportFacts = std::vector<std::pair<std::string, std::string>>;

/// The model in words.
struct ModelReport {
  std::string kind;  ///< "tree", "flexible", "mechanism"
  std::size_t bodies = 0, joints = 0;
  double mass = 0;  ///< [kg]
  ReportFacts facts;
  std::vector<ReportTable> tables;
};
ModelReport model_report(const std::variant<Tree, FlexibleSetup, Mechanism>& model);

struct RunReport {
  ModelReport model;
  ReportFacts options, closing;  ///< as they stand in the run file
  std::vector<NumberStatistics> numbers;
  double energy_drift = 0;  ///< largest |E - E0 - work| at samples [J]
  double energy_scale = 0;  ///< largest kinetic energy at samples [J]
  std::vector<std::string> warnings;
};
RunReport report_of(const LoadedRun& loaded);

/// One page for browsers that needs nothing else: no scripts, no other files.
std::string report_page(const LoadedRun& loaded, const RunReport& report, const std::string& file);

}  // namespace axode::cli
