/// Writing text files whole or not at all, and finding meshes: see text_file.hpp.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>
#include <utility>

#include "axode/io/text/descriptor.hpp"
#include "axode/io/text/text_file.hpp"

namespace axode {
namespace fs = std::filesystem;

// --- writing --------------------------------------------------------------------------------------

namespace {

/// A new file in the folder of the target, with the permissions a new file gets. Where the file system
/// has files without a name (O_TMPFILE), it has one only from publish() on: of a program that is killed
/// nothing stays behind.
class TemporaryFile {
 public:
  TemporaryFile(const fs::path& target, bool may_be_nameless) : target_(target) {
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    if (may_be_nameless) file_ = Descriptor(open_apart(folder.c_str(), O_WRONLY | O_TMPFILE));
    if (file_.fd < 0)
      find_name([&](const std::string& free) {
        file_ = Descriptor(open_apart(free.c_str(), O_WRONLY | O_CREAT | O_EXCL));
        return file_.fd >= 0;
      });
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (!name_.empty()) ::unlink(name_.c_str());
  }
  int fd() const noexcept { return file_.fd; }
  bool is_nameless() const noexcept { return name_.empty(); }

  /// Gives the file the name of the target; 0, or what errno says. A link never replaces a file that has
  /// come into being meanwhile; a rename does.
  int publish(bool overwrite) {
    if (link_to(target_)) return 0;
    if (errno == EEXIST && !overwrite) return EEXIST;
    if (name_.empty() && !find_name([&](const std::string& free) { return link_to(free); }))
      return errno;
    std::error_code error;
    if (!overwrite && fs::exists(target_, error)) return EEXIST;  // file systems without links
    if (::rename(name_.c_str(), target_.c_str()) != 0) return errno;
    name_.clear();
    return 0;
  }

 private:
  /// Tries names until make(name) succeeds with one that is free; false if it fails for another reason.
  /// The file has the name only from then on: until then link_to() needs that it has none.
  template <class F>
  bool find_name(const F& make) {
    static std::atomic<unsigned> counter{0};
    do {
      std::string name = target_.string() + "." + std::to_string(::getpid()) + "-" +
                         std::to_string(counter.fetch_add(1)) + ".tmp";
      if (make(name)) {
        name_ = std::move(name);
        return true;
      }
    } while (errno == EEXIST);
    return false;
  }
  bool link_to(const fs::path& to) const {
    if (!name_.empty()) return ::link(name_.c_str(), to.c_str()) == 0;
    const std::string self = "/proc/self/fd/" + std::to_string(file_.fd);
    return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, to.c_str(), AT_SYMLINK_FOLLOW) == 0;
  }

  fs::path target_;
  std::string name_;  ///< empty: it has none
  Descriptor file_;
};

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    text.remove_prefix(n);
  }
  return ::fsync(fd) == 0;
}

/// So that the new name survives a power failure, too.
void sync_folder(const fs::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

}  // namespace

void write_text_file(const fs::path& file, std::string_view text, bool overwrite) {
  const std::string where = file.string();
  const auto fail = [&](int error) {
    if (error == EEXIST) throw IoError("exists already", where, "choose another name or overwrite");
    throw IoError("cannot be written: " + std::generic_category().message(error), where,
                  "check folder, permissions and free space");
  };
  std::error_code error;
  fs::path target = file;
  const fs::file_status before = fs::symlink_status(file, error);
  if (fs::is_symlink(before) && overwrite) target = fs::weakly_canonical(file, error);
  const fs::file_status old = fs::status(target, error);
  if (fs::exists(before) && !overwrite) fail(EEXIST);
  if (fs::exists(old) && !fs::is_regular_file(old))
    throw IoError("is not a regular file", where, "choose another name");

  // Twice: a file without a name cannot get one where /proc is missing.
  for (const bool may_be_nameless : {true, false}) {
    TemporaryFile temporary(target, may_be_nameless);
    if (temporary.fd() < 0) fail(errno);
    if (fs::exists(old)) ::fchmod(temporary.fd(), static_cast<mode_t>(old.permissions()));
    if (!write_all(temporary.fd(), text)) fail(errno);
    const bool was_nameless = temporary.is_nameless();
    const int failure = temporary.publish(overwrite);
    if (failure == 0) break;
    if (failure == EEXIST || !was_nameless) fail(failure);
  }
  sync_folder(target.has_parent_path() ? target.parent_path() : fs::path("."));
}

// --- meshes ---------------------------------------------------------------------------------------

namespace {

bool is_inside(const fs::path& path, const std::vector<fs::path>& roots) {
  return std::any_of(roots.begin(), roots.end(), [&](const fs::path& root) {
    const auto [r, p] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
    return r == root.end() && p != path.end();
  });
}

/// All places where the file of that name could be.
std::vector<fs::path> candidates(std::string_view name, const std::vector<fs::path>& roots) {
  constexpr std::string_view package = "package://", file = "file://";
  std::vector<fs::path> result;
  if (name.starts_with(package)) {
    const std::string_view rest = name.substr(package.size());
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    const std::string_view inside = rest.substr(std::min(slash + 1, rest.size()));
    for (const fs::path& root : roots) {
      if (root.filename() == fs::path(rest.substr(0, slash)))
        result.push_back(root / fs::path(inside).relative_path());
      result.push_back(root / fs::path(rest).relative_path());
    }
    return result;
  }
  const fs::path path(name.starts_with(file) ? name.substr(file.size()) : name);
  if (path.is_absolute()) return {path};
  for (const fs::path& root : roots) result.push_back(root / path);
  return result;
}

}  // namespace

fs::path resolve_mesh(std::string_view name, const std::vector<fs::path>& roots,
                      const std::string& where) {
  std::error_code error;
  std::vector<fs::path> canonical_roots;
  for (const fs::path& root : roots) {
    const fs::path canonical = fs::canonical(root, error);
    if (!error) canonical_roots.push_back(canonical);
  }
  bool leads_out = false;
  for (const fs::path& place : candidates(name, canonical_roots)) {
    fs::path canonical = fs::weakly_canonical(place, error);
    if (error) continue;  // such as a name that is too long, or a loop of links
    if (!is_inside(canonical, canonical_roots))
      leads_out = true;
    else if (fs::is_regular_file(canonical, error))
      return canonical;
  }
  if (leads_out)
    throw Error("the mesh " + in_quotes(name) + " lies outside the folders for meshes", where,
                "give its folder as a mesh root");
  return {};
}

}  // namespace axode
