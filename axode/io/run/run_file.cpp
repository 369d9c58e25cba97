#include "axode/io/run/run_file.hpp"

#include <cmath>

#include "axode/io/run/detail/run_head.hpp"
#include "axode/io/run/run_messages.hpp"

namespace axode {
namespace {

/// Time of a message: nanoseconds, as near as they come.
std::uint64_t nanoseconds(double t) {
  constexpr double most = 9e18;
  const double ns = std::round(t * 1e9);
  return ns > 0 ? static_cast<std::uint64_t>(std::min(ns, most)) : 0;  // none for NaN
}

}  // namespace

RunWriter::RunWriter(std::unique_ptr<Data> data) : data_(std::move(data)) {}
RunWriter::RunWriter(RunWriter&&) noexcept = default;
RunWriter& RunWriter::operator=(RunWriter&&) noexcept = default;
RunWriter::~RunWriter() = default;

RunWriter::RunWriter(const std::filesystem::path& file, const RunMetadata& metadata,
                     const RunWriterOptions& options)
    : data_(new Data{.file{file, run::profile, options.overwrite},
                     .nq = metadata.q_names.size(),
                     .nv = metadata.v_names.size(),
                     .extras = metadata.extras,
                     .binary = options.binary,
                     .text{}}) {
  McapWriter& to = data_->file;
  const bool xml =
      metadata.model_text.find_first_not_of(" \t\r\n") == metadata.model_text.find('<');
  to.metadata(run::with_checksum(run::record_of(metadata)));
  to.attachment(
      {run::model_attachment, xml ? "application/xml" : "application/json", metadata.model_text});
  for (McapSchema& schema : run::schemas(metadata, options.binary)) to.schema(std::move(schema));
  for (McapChannel& channel : run::channels(options.binary)) to.channel(std::move(channel));
}

void RunWriter::sample(const RunSample& sample) {
  const std::size_t nq = data_->nq, nv = data_->nv;
  if (sample.q.size() != nq || sample.v.size() != nv || sample.a.size() != nv ||
      sample.tau.size() != nv)
    throw Error("a sample needs as many numbers as the run has names", "RunWriter::sample",
                "give q of " + std::to_string(nq) + ", v, a and tau of " + std::to_string(nv));
  std::size_t extras = 0;
  for (const RunExtra& extra : data_->extras) extras += extra.names.size();
  if (sample.extras.size() != extras)
    throw Error("a sample needs as many numbers as the run has names", "RunWriter::sample",
                "give extras of " + std::to_string(extras));
  data_->text.clear();
  if (data_->binary)
    run::put_row(data_->text, sample);
  else
    run::put_json(data_->text, sample, data_->extras);
  data_->file.message(data_->binary ? run::state_binary : run::state, nanoseconds(sample.t),
                      data_->text);
}

void RunWriter::event(const RunEvent& event) {
  data_->file.message(run::events, nanoseconds(event.t), run::json_of(event));
}

void RunWriter::checkpoint(double t, std::span<const double> numbers) {
  data_->file.message(run::checkpoints, nanoseconds(t), run::json_of(t, numbers));
  data_->file.close_chunk();
}

void RunWriter::finish(double t, std::string_view summary) {
  data_->file.message(run::summary, nanoseconds(t), summary);
  data_->file.finish();
}

void append(Run& run, const RunSample& sample) {
  const auto add = [](std::vector<double>& to, std::span<const double> numbers) {
    to.insert(to.end(), numbers.begin(), numbers.end());
  };
  run.times.push_back(sample.t);
  add(run.q, sample.q);
  add(run.v, sample.v);
  add(run.a, sample.a);
  add(run.tau, sample.tau);
  run.kinetic.push_back(sample.kinetic);
  run.potential.push_back(sample.potential);
  run.stored.push_back(sample.stored);
  run.work.push_back(sample.work);
  const std::vector<RunExtra>& extras = run.metadata.extras;
  run.extras.resize(extras.size());
  std::size_t first = 0;
  for (std::size_t k = 0; k < extras.size(); first += extras[k++].names.size())
    add(run.extras[k], sample.extras.subspan(first, extras[k].names.size()));
}

void write_run(const std::filesystem::path& file, const Run& run, const RunWriterOptions& options) {
  RunWriter writer(file, run.metadata, options);
  auto next_event = run.events.begin();
  std::vector<double> extras;
  for (std::size_t i = 0; i < run.times.size(); ++i) {
    const auto row = [i](const std::vector<double>& all, std::size_t n) {
      return std::span(all).subspan(i * n, n);
    };
    extras.clear();
    for (std::size_t k = 0; k < run.extras.size(); ++k) {
      const auto numbers = row(run.extras[k], run.metadata.extras[k].names.size());
      extras.insert(extras.end(), numbers.begin(), numbers.end());
    }
    writer.sample({run.times[i], row(run.q, run.nq()), row(run.v, run.nv()), row(run.a, run.nv()),
                   row(run.tau, run.nv()), run.kinetic[i], run.potential[i], run.stored[i],
                   run.work[i], extras});
    for (; next_event != run.events.end() && next_event->t <= run.times[i]; ++next_event)
      writer.event(*next_event);
  }
  for (; next_event != run.events.end(); ++next_event) writer.event(*next_event);
  if (run.checkpoint) writer.checkpoint(run.checkpoint->t, run.checkpoint->numbers);
  writer.finish(run.times.empty() ? 0 : run.times.back(), run.summary);
}

Run read_run(const std::filesystem::path& file, bool salvage) {
  const std::string where = file.string();
  Run run;
  run::Head head;
  head.salvage = salvage;
  McapHandlers handlers;
  head.add_to(handlers, where);
  bool begun = false;
  handlers.message = [&](const McapChannel& channel, const McapMessage& message) {
    if (!std::exchange(begun, true)) {
      head.expect(where);
      run.metadata = head.metadata;
    }
    const auto source = [&] { return where + ": " + channel.topic; };
    if (channel.topic == "/state")
      run::add_json(run, message.data, source());
    else if (channel.topic == "/state_binary")
      run::add_row(run, message.data, source());
    else if (channel.topic == "/events")
      run.events.push_back(run::event_from(message.data, source()));
    else if (channel.topic == "/checkpoint")
      run.checkpoint = run::checkpoint_from(message.data, source());
    else if (channel.topic == "/summary")
      run.summary = message.data;
  };
  const McapContents contents = read_mcap(file, handlers, {.salvage = salvage});
  head.expect(where);
  if (!begun) run.metadata = head.metadata;
  run.complete = contents.complete;
  return run;
}

}  // namespace axode
