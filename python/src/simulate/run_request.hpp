/// What a run of any kind of model is given from Python, and what it gives back.
#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "axode/io/run/run_record.hpp"
#include "src/shared/arrays.hpp"
#include "src/shared/callbacks.hpp"

namespace axode::python {

/// Of a sequence of axode.Event, whose functions are called while a RunErrors is current.
std::vector<SimulationEvent> events_argument(nb::handle events);

struct RunRequest {
  SimulateOptions options;
  std::optional<Checkpoint> resume;
  std::filesystem::path out;  ///< the run file; empty: none
  RunWriterOptions how;
  bool resume_file = false;  ///< continue the run in it
};
/// Options by the names of axode.simulate. Throws Error and nb::type_error naming the option.
RunRequest request_from(const nb::dict& from, ModelKind kind);

/// Quantities of samples in memory.
struct RunColumn {
  std::string name;
  std::vector<std::string> labels, units;  ///< of one number for each sample: no label, one unit
  std::vector<double> values{};            ///< row after row
  void add(std::span<const double> numbers) {
    values.insert(values.end(), numbers.begin(), numbers.end());
  }
};
struct RunColumns {
  std::vector<double> t{};
  std::vector<RunColumn> columns{};
  /// {"t": ..., "columns": {name: (values, labels, units)}}.
  void write(nb::dict& to) const;
};
/// q, v, a, tau and the energies of all kinds; `keep` adds those of a sample to the first columns.
RunColumns columns_of(const RunMetadata& metadata);
void keep(const Sample& sample, RunColumns& columns);

/// One run: samples in memory and in the run file, events, the last checkpoint, how it ended.
class RunRecording {
 public:
  RunRecording(RunRequest& request, RunErrors& errors, ModelKind kind, RunColumns columns);

  RunColumns columns;
  /// `metadata` with options and model; opens the run file, if one is requested.
  void open(RunMetadata metadata);
  std::string options_json = "{}";
  /// `take` keeps a sample in the columns, `file_sample` is what the file has of it. Without the GIL; what goes
  /// wrong is kept by the errors.
  void run(const std::function<void(const Sample&)>& take,
           const std::function<RunSample(const Sample&)>& file_sample,
           const std::function<RunResult(const RunObserver&, const Checkpoint*)>& simulate);
  RunResult result;
  bool known = false;  ///< else the run was ended by an exception
  /// For axode/_simulate.py.
  void write(nb::dict& to) const;

 private:
  RunObserver observer(const std::function<void(const Sample&)>& take,
                       const std::function<RunSample(const Sample&)>& file_sample);
  void write_result(nb::dict& to) const;

  RunRequest* request_;
  RunErrors* errors_;
  ModelKind kind_;
  std::vector<EventRecord> events_;
  std::optional<Checkpoint> checkpoint_;
  std::optional<RunRecorder> file_;
};

/// Gives a class the method `simulate`, that of axode._simulate.
void bind_simulate_method(nb::handle type);

}  // namespace axode::python
