/// Descriptors that stay away from the standard streams, also where these are closed.
#include "axode/io/text/descriptor.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <utility>

namespace axode::test::descriptor_test {
namespace {

/// Whether f() holds in a process of its own whose standard streams are closed.
bool holds_without_streams(const std::function<bool()>& f) {
  const pid_t child = ::fork();
  if (child == 0) {
    for (const int stream : {0, 1, 2}) ::close(stream);
    ::_exit(f() ? 0 : 1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool is_closed(int fd) { return ::fcntl(fd, F_GETFD) < 0 && errno == EBADF; }

TEST(Descriptor, FilesNeverGetTheNumberOfAStream) {
  EXPECT_TRUE(holds_without_streams([] {
    const Descriptor a(open_apart("/dev/null", O_WRONLY)), b(open_apart("/dev/null", O_WRONLY));
    return a.fd > 2 && b.fd > 2 && is_closed(0) && is_closed(1) && is_closed(2);
  }));
  const Descriptor usual(open_apart("/dev/null", O_WRONLY));
  EXPECT_GT(usual.fd, 2);
  EXPECT_EQ(::fcntl(usual.fd, F_GETFD), FD_CLOEXEC);
  EXPECT_EQ(open_apart("/no/such/file", O_WRONLY), -1);
  EXPECT_EQ(errno, ENOENT);
}

TEST(Descriptor, HeldStreamsStayUseless) {
  EXPECT_TRUE(holds_without_streams([] {
    hold_standard_streams();
    char byte = 'x';
    const bool useless = ::read(0, &byte, 1) < 0 && errno == EBADF && ::write(1, &byte, 1) < 0 &&
                         errno == EBADF && ::write(2, &byte, 1) < 0 && errno == EBADF;
    return useless && ::open("/dev/null", O_WRONLY) > 2;
  }));
}

TEST(Descriptor, StreamsThatAreOpenStay) {
  const auto flags = ::fcntl(1, F_GETFL);
  hold_standard_streams();
  EXPECT_EQ(::fcntl(1, F_GETFL), flags);
}

TEST(Descriptor, IsClosedOnceAndMoves) {
  int number = -1;
  {
    Descriptor a(::open("/dev/null", O_RDONLY));
    number = a.fd;
    Descriptor b = std::move(a);
    EXPECT_EQ(b.fd, number);
    Descriptor c;
    c = std::move(b);
    EXPECT_EQ(c.fd, number);
  }
  EXPECT_TRUE(is_closed(number));
}

}  // namespace
}  // namespace axode::test::descriptor_test
