#include "axode/io/text/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "axode/core/error.hpp"

namespace axode {
namespace {

[[noreturn]] void fail_to_read(const std::string& name, int error) {
  throw IoError("cannot be read: " + std::generic_category().message(error), name,
                "check the name and the permissions");
}

}  // namespace

InputFile::InputFile(const std::filesystem::path& file)
    : name(file.string()),
      // O_NONBLOCK: a pipe without a writer is refused below instead of waited for.
      file_(::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  struct stat status {};
  if (file_.fd < 0 || ::fstat(file_.fd, &status) != 0) fail_to_read(name, errno);
  if (!S_ISREG(status.st_mode))
    throw IoError("is not a regular file", name, "give the name of a file");
  size = static_cast<std::uint64_t>(status.st_size);
}

void InputFile::read(std::uint64_t offset, std::uint64_t n, std::string& to) const {
  to.resize(n);
  std::size_t done = 0;
  while (done < to.size()) {
    const ssize_t got =
        ::pread(file_.fd, to.data() + done, to.size() - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_to_read(name, errno);
    if (got == 0) break;
    done += got;
  }
  to.resize(done);
}

}  // namespace axode
