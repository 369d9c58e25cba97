/// States from files, JSON or CSV, told by the ending or by how they begin. Read piece by piece:
/// memory does not grow with the number of states.
#include "cli/arguments/state_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "axode/core/error.hpp"
#include "axode/io/text/text_file.hpp"

namespace axode::cli {

namespace {

volatile std::sig_atomic_t interrupt_noted = 0;

/// Whether a CSV header whose first column is a coordinate comes next.
bool is_header(const StateSpace& space, Bytes& bytes) {
  const int first = bytes.peek();
  return std::any_of(space.q.begin(), space.q.end(), [&](const Coordinate& c) {
    const std::string& label = c.label;
    if (label.empty() || static_cast<unsigned char>(label[0]) != first) return false;
    const std::string_view text = bytes.ahead(label.size() + 1);
    return text.starts_with(label) &&
           (text.size() == label.size() ||
            std::string_view(",; \t\r\n").find(text.back()) != std::string_view::npos);
  });
}

bool is_json(const StateSpace& space, const std::string& file, Bytes& bytes) {
  if (file.ends_with(".json") || file.ends_with(".jsonl")) return true;
  if (file.ends_with(".csv")) return false;
  const auto is_blank = [](int c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  while (is_blank(bytes.peek())) bytes.take();
  return (bytes.peek() == '{' || bytes.peek() == '[') && !is_header(space, bytes);
}

}  // namespace

Bytes::Bytes(const std::string& file, std::function<void()> before_waiting)
    : name(file == "-" ? "standard input" : file),
      before_waiting_(std::move(before_waiting)),
      file_(file == "-" ? STDIN_FILENO : ::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (file_ < 0) fail("opened");
  struct stat info {};
  may_wait_ = ::fstat(file_, &info) != 0 || !S_ISREG(info.st_mode);
  for (const int mark : {0xef, 0xbb, 0xbf})  // a byte order mark
    if (peek() == mark) take();
}

Bytes::~Bytes() {
  if (file_ > STDIN_FILENO) ::close(file_);
}

std::string Bytes::place() const { return fmt::format("{}:{}", name, line); }

void Bytes::read_more() {
  if (may_wait_) before_waiting_();
  while (!interrupted()) {
    const ssize_t n = ::read(file_, buffer_.data() + end_, buffer_.size() - end_);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("read");
    end_ += n;
    return;
  }
}

void Bytes::fill() {
  next_ = end_ = 0;
  read_more();
}

std::string_view Bytes::ahead(std::size_t n) {
  std::copy(buffer_.data() + next_, buffer_.data() + end_, buffer_.data());
  end_ -= std::exchange(next_, 0);
  n = std::min(n, buffer_.size());
  for (std::size_t before = end_ + 1; end_ < n && end_ != before;) {
    before = end_;
    read_more();
  }
  return {buffer_.data(), std::min(n, end_)};
}

bool Bytes::take_line(std::string& text) {
  text.clear();
  for (bool any = false;; any = true) {
    if (peek() == at_end) return any;
    const std::string_view rest = at_hand();
    const std::size_t length = std::min(rest.find('\n'), rest.size());
    take_within_line(length, text);
    if (length == rest.size()) continue;
    take();
    return true;
  }
}

void Bytes::take(std::size_t n, std::string& text) {
  const char* const from = buffer_.data() + next_;
  line += static_cast<int>(std::count(from, from + n, '\n'));
  take_within_line(n, text);
}

void Bytes::take_within_line(std::size_t n, std::string& text) {
  if (text.size() + n > max_file_size)
    throw LimitError("one state is longer than 256 MB", place(), "is this a file of states?");
  text.append(buffer_.data() + next_, n);
  next_ += n;
}

void Bytes::fail(const char* what) const {
  throw IoError(fmt::format("cannot be {}: {}", what, std::strerror(errno)), name,
                "check the name and the permissions");
}

struct StateReader::Source {
  Source(const StateSpace& space, const std::string& file, std::function<void()> before_waiting)
      : bytes(file, std::move(before_waiting)),
        format(is_json(space, file, bytes) ? json_states(space) : csv_states(space)) {}
  Bytes bytes;
  std::unique_ptr<StateFormat> format;
};

StateReader::StateReader(const StateSpace& space, const std::string& file,
                         std::function<void()> before_waiting)
    : source_(std::make_unique<Source>(space, file, std::move(before_waiting))) {}
StateReader::~StateReader() = default;

bool StateReader::next(GivenState& state) { return source_->format->next(source_->bytes, state); }
GivenState StateReader::blank() const { return source_->format->blank(); }

void note_interrupts() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupt_noted = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // no SA_RESTART: a waiting read returns
  sigaction(SIGINT, &action, nullptr);
}
bool interrupted() { return interrupt_noted != 0; }

}  // namespace axode::cli
