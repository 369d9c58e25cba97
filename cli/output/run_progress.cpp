#include "cli/output/run_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>

#include "cli/arguments/duration.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

namespace {
std::atomic<bool> stop_asked{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // as a signal handler needs it
}  // namespace

const std::atomic<bool>& stop_at_interrupt() {
  struct sigaction action {};
  action.sa_handler = [](int) { stop_asked = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // The end of a terminal session, unless the program was started to outlive it (nohup).
  struct sigaction before {};
  if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
    sigaction(SIGHUP, &action, nullptr);
  return stop_asked;
}

RunProgress::RunProgress(double start, double end, bool quiet)
    : start_(start),
      end_(end),
      quiet_(quiet),
      terminal_(isatty(STDERR_FILENO) != 0),
      begin_(Clock::now()),
      next_(begin_ + (terminal_ ? std::chrono::milliseconds(300) : std::chrono::seconds(5))) {}

std::string RunProgress::figures(double t, double elapsed) const {
  const double done = t - start_;
  const double left = done > 0 ? (end_ - t) * elapsed / done : 0;
  return fmt::format("{:.4g} of {:.4g} s, {:.3g} x real time, {} left", t, end_,
                     elapsed > 0 ? done / elapsed : 0, clock_text(left));
}

void RunProgress::update(double t) {
  if (quiet_) return;
  const auto now = Clock::now();
  if (now < next_) return;
  next_ = now + (terminal_ ? std::chrono::milliseconds(100) : std::chrono::seconds(5));
  const double elapsed = std::chrono::duration<double>(now - begin_).count();
  const double part = end_ > 0 ? std::clamp(t / end_, 0.0, 1.0) : 1;
  const int percent = static_cast<int>(100 * part);
  const std::string text = figures(t, elapsed);
  if (!terminal_) {
    note(fmt::format("axode: {}%, {}\n", percent, text));
    return;
  }
  constexpr std::size_t width = 24;
  const auto full = static_cast<std::size_t>(width * part);
  const std::string bar = std::string(full, '#') + std::string(width - full, '.');
  const bool colour = colour_on_stderr();
  std::string line = fmt::format("{}% {}", percent, text);
  const std::size_t length = width + 3 + line.size();
  line.append(shown_ > length ? shown_ - length : 0, ' ');
  shown_ = std::max(shown_, length);
  note(fmt::format("\r[{}{}{}] {}", colour ? "\033[32m" : "", bar, colour ? "\033[0m" : "", line));
}

void RunProgress::clear() {
  if (shown_ == 0) return;
  note(fmt::format("\r{}\r", std::string(shown_, ' ')));
  shown_ = 0;
}

}  // namespace axode::cli
