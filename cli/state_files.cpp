/// States from files, JSON or CSV, told by the ending or by the first character. Read piece by piece:
/// memory does not grow with the number of states.
#include "cli/state_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "axode/error.hpp"
#include "axode/io/text_file.hpp"

namespace axode::cli {

namespace {

volatile std::sig_atomic_t interrupt_noted = 0;

bool is_json(const std::string& file, Bytes& bytes) {
  if (file.ends_with(".json") || file.ends_with(".jsonl")) return true;
  if (file.ends_with(".csv")) return false;
  while (bytes.peek() == ' ' || bytes.peek() == '\n' || bytes.peek() == '\r') bytes.take();
  return bytes.peek() == '{' || bytes.peek() == '[' || bytes.peek() == '/';
}

}  // namespace

Bytes::Bytes(const std::string& file)
    : name(file == "-" ? "standard input" : file),
      file_(file == "-" ? STDIN_FILENO : ::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (file_ < 0) fail("opened");
  for (const int mark : {0xef, 0xbb, 0xbf})  // a byte order mark
    if (peek() == mark) take();
}

Bytes::~Bytes() {
  if (file_ > STDIN_FILENO) ::close(file_);
}

std::string Bytes::place() const { return fmt::format("{}:{}", name, line); }

void Bytes::fill() {
  next_ = end_ = 0;
  while (!interrupted()) {
    const ssize_t n = ::read(file_, buffer_.data(), buffer_.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("read");
    end_ = static_cast<std::size_t>(n);
    return;
  }
}

void Bytes::fail(const char* what) const {
  throw IoError(fmt::format("cannot be {}: {}", what, std::strerror(errno)), name,
                "check the name and the permissions");
}

void append(std::string& text, int byte, const Bytes& bytes) {
  if (text.size() >= max_file_size)
    throw LimitError("one state is longer than 256 MB", bytes.place(), "is this a file of states?");
  text += static_cast<char>(byte);
}

struct StateReader::Source {
  Source(const StateSpace& space, const std::string& file)
      : bytes(file), format(is_json(file, bytes) ? json_states(space) : csv_states(space)) {}
  Bytes bytes;
  std::unique_ptr<StateFormat> format;
};

StateReader::StateReader(const StateSpace& space, const std::string& file)
    : source_(std::make_unique<Source>(space, file)) {}
StateReader::~StateReader() = default;

bool StateReader::next(GivenState& state) { return source_->format->next(source_->bytes, state); }

void note_interrupts() {
  struct sigaction action {};
  action.sa_handler = [](int) { interrupt_noted = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // no SA_RESTART: a waiting read returns
  sigaction(SIGINT, &action, nullptr);
}
bool interrupted() { return interrupt_noted != 0; }

}  // namespace axode::cli
