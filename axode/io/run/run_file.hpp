/// Runs of simulations as files: MCAP with states, events and checkpoints, and all it takes to
/// repeat the run. docs/runs.md describes the channels.
///
/// The file is written while the simulation runs, five times a second: in chunks of 256 kB, and one
/// after each checkpoint. It holds no wall-clock times, so the same run gives the same bytes, and so does one
/// that was interrupted and resumed. Numbers read back to the same bits (numbers that are not finite
/// as NaN, except in binary). About 0.15 us for each number in JSON, 0.05 us in binary.
/// Tests: tests/io/run/run_file_test.cpp
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "axode/core/error.hpp"
#include "axode/model/tree.hpp"

namespace axode {

/// Further numbers of each sample: "poses", "reactions", "violation" of a mechanism.
struct RunExtra {
  std::string name;
  std::vector<std::string> names, units;  ///< of the numbers
  bool operator==(const RunExtra&) const = default;
};

/// What a run is of, and how it came about.
struct RunMetadata {
  std::string axode_version, command_line;
  std::string model_name, model_file, model_text;  ///< the text is an attachment of the file
  std::string options = "{}";                      ///< of the simulation, a JSON object
  std::vector<std::string> q_names, v_names;       ///< "elbow", or "ball[2]" in joints of several
  std::vector<std::string> q_units, v_units, a_units, tau_units;  ///< "rad", "m/s", ...
  std::vector<RunExtra> extras = {};
  std::string model_file_crc32 = {};  ///< if the text is not that of the file (run_model_file.hpp)
  bool operator==(const RunMetadata&) const = default;
};
/// Names and units of the tree's coordinates and velocities, its name and Axode's version.
RunMetadata run_metadata(const Tree& tree);

/// The motion at a time: nq coordinates, nv velocities, accelerations and joint forces; energies,
/// `stored` in springs, stops and contacts, and the work done by all that acts beside gravity [J].
struct RunSample {
  double t = 0;
  std::span<const double> q, v, a, tau;
  double kinetic = 0, potential = 0, stored = 0, work = 0;
  std::span<const double> extras = {};  ///< one after the other
};
struct RunEvent {
  double t = 0;
  std::string name, text;
  bool operator==(const RunEvent&) const = default;
};
/// What continuing the run to the same bits needs.
struct RunCheckpoint {
  double t = 0;
  std::vector<double> numbers;
};

struct RunWriterOptions {
  bool overwrite = false;
  bool binary = false;  ///< states as rows of float64 on /state_binary instead of JSON on /state
};

/// Writes a run. What cannot be written throws IoError; the file then holds all up to the last whole
/// chunk and can be read. Destroyed before finish() it ends the file as it is, without summary.
class RunWriter {
 public:
  RunWriter(const std::filesystem::path& file, const RunMetadata& metadata,
            const RunWriterOptions& options = {});
  RunWriter(RunWriter&&) noexcept;
  RunWriter& operator=(RunWriter&&) noexcept;
  ~RunWriter();

  /// A run that goes on after its last checkpoint; what is behind that is cut off. What is written
  /// from then on makes the file the same, byte for byte, as that of a run never interrupted.
  struct Resumed;
  /// Throws Error if there is no checkpoint in the file, if its header, metadata or model are damaged
  /// or, where it was finished, anything in it is. The file then stays as it was.
  static Resumed resume(const std::filesystem::path& file);
  /// The same for the run of these metadata. Where the run was interrupted before its first checkpoint,
  /// be it before there was a file, it is started again: there is nothing to go on from. Throws Error
  /// also if the run in the file has another model, other options or another version of Axode.
  struct Continued;
  static Continued resume_or_start(const std::filesystem::path& file, const RunMetadata& metadata,
                                   const RunWriterOptions& options = {});

  void sample(const RunSample& sample);
  void event(const RunEvent& event);
  /// Also brings all so far to the file.
  void checkpoint(double t, std::span<const double> numbers);
  /// Ends the file with the closing figures, a JSON object. Wall-clock times do not belong there.
  void finish(double t, std::string_view summary);

 private:
  struct Data;
  explicit RunWriter(std::unique_ptr<Data> data);
  /// A writer of the run in the file, behind a chunk that ends there.
  static RunWriter going_on(const std::filesystem::path& file, const RunMetadata& metadata,
                            std::uint64_t end, bool binary);
  std::unique_ptr<Data> data_;
};
struct RunWriter::Resumed {
  RunWriter writer;
  RunMetadata metadata;
  RunCheckpoint checkpoint;
};
struct RunWriter::Continued {
  RunWriter writer;
  std::optional<RunCheckpoint> checkpoint;  ///< none: from the start
};

/// A run in memory: one row for each sample.
struct Run {
  RunMetadata metadata;
  std::vector<double> times;         ///< [s]
  std::vector<double> q, v, a, tau;  ///< row after row: nq, or nv numbers for each time
  std::vector<double> kinetic, potential, stored, work;  ///< [J]
  std::vector<std::vector<double>> extras;               ///< in the order of the metadata
  std::vector<RunEvent> events;
  std::optional<RunCheckpoint> checkpoint;  ///< the last one
  std::string summary;                      ///< closing figures as JSON; empty if cut
  bool complete = false;                    ///< false: the file ends early

  std::size_t nq() const noexcept { return metadata.q_names.size(); }
  std::size_t nv() const noexcept { return metadata.v_names.size(); }
};
/// Adds the sample to the run, whose metadata say how many numbers it has.
void append(Run& run, const RunSample& sample);
/// Writes a run that is in memory; its events come after the samples they are at.
void write_run(const std::filesystem::path& file, const Run& run,
               const RunWriterOptions& options = {});
/// Reads a run; of one that was cut all that is in whole chunks. Throws IoError, LimitError, and
/// Error if the file is no run, is cut before its metadata, or is damaged. With `salvage` damage is
/// taken for the end, and metadata as far as they can be read.
Run read_run(const std::filesystem::path& file, bool salvage = false);

}  // namespace axode
