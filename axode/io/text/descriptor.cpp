#include "axode/io/text/descriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace axode {

Descriptor::~Descriptor() {
  if (fd >= 0) ::close(fd);
}

int open_apart(const char* name, int flags, unsigned mode) noexcept {
  const int fd = ::open(name, flags | O_CLOEXEC, mode);
  if (fd < 0 || fd > STDERR_FILENO) return fd;
  const int apart = ::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  const int error = errno;
  ::close(fd);
  errno = error;
  return apart;
}

void hold_standard_streams() noexcept {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    // For the other direction: EBADF stays what users of the stream find. open(2) takes the lowest
    // number, which is this one.
    ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace axode
