/// File descriptors for what is written.
///
/// A program may be started with its standard streams closed (`axode ... >&-`). The next file it opens
/// then gets the number of such a stream, and what is printed goes into that file. Files that are written
/// are therefore opened by open_apart.
/// Tests: tests/io/text/descriptor_test.cpp
#pragma once
#include <utility>

namespace axode {

/// A file descriptor, closed at the end of its scope; -1: none.
struct Descriptor {
  int fd = -1;
  Descriptor() = default;
  explicit Descriptor(int opened) noexcept : fd(opened) {}
  Descriptor(Descriptor&& other) noexcept : fd(std::exchange(other.fd, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd, other.fd);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();
};

/// open(2), close-on-exec, with a result that is never 0, 1 or 2; -1 on failure, with errno set.
int open_apart(const char* name, int flags, unsigned mode = 0666) noexcept;

/// Gives the standard streams that are closed a descriptor on which writing or reading fails, as it did
/// before, so that no file, socket or pipe that is opened later gets their numbers. For programs, at
/// their start.
void hold_standard_streams() noexcept;

}  // namespace axode
