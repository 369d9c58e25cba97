/// The messages of run files: their channels, schemas and texts.
///
/// A number is the shortest text that reads back to the same bits, null if it is not finite;
/// checkpoints carry doubles in base64 [RFC4648], rows of /state_binary are the doubles themselves.
/// Tests: tests/io/run/run_messages_test.cpp
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "axode/io/run/mcap.hpp"
#include "axode/io/run/run_file.hpp"

namespace axode::run {

enum Channel : std::uint16_t { state = 1, state_binary, events, checkpoints, summary };

/// All schemas and channels of a run; the states in one of the two forms.
std::vector<McapSchema> schemas(const RunMetadata& metadata, bool binary);
std::vector<McapChannel> channels(bool binary);

/// Metadata as a record of a file and back; the text of the model is apart. Throws Error on what is
/// missing or no run at all.
McapMetadata record_of(const RunMetadata& metadata);
RunMetadata metadata_from(const McapMetadata& record, const std::string& where);

/// Appends the JSON, or the row, of a sample.
void put_json(std::string& to, const RunSample& sample, std::span<const RunExtra> extras = {});
void put_row(std::string& to, const RunSample& sample);
std::string json_of(const RunEvent& event);
std::string json_of(double t, std::span<const double> numbers);

/// Adds the row to the run. Throws Error if it does not fit.
void add_json(Run& run, std::string_view text, const std::string& where);
void add_row(Run& run, std::string_view bytes, const std::string& where);
RunEvent event_from(std::string_view text, const std::string& where);
RunCheckpoint checkpoint_from(std::string_view text, const std::string& where);

/// Bytes as text of 64 characters, and back. Throws Error on other characters or lengths.
std::string base64(std::string_view bytes);
std::string from_base64(std::string_view text, const std::string& where);

}  // namespace axode::run
