/// Writing text files whole or not at all, and finding meshes: see text_file.hpp.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>

#include "axode/io/text_file.hpp"

namespace axode {
namespace fs = std::filesystem;

// --- writing --------------------------------------------------------------------------------------

namespace {

/// Creates a new file beside the target, with the permissions a new file gets.
struct TemporaryFile {
  std::string name;
  int fd = -1;
  explicit TemporaryFile(const fs::path& target) {
    static std::atomic<unsigned> counter{0};
    do {
      name = target.string() + "." + std::to_string(::getpid()) + "-" +
             std::to_string(counter.fetch_add(1)) + ".tmp";
      fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (fd < 0 && errno == EEXIST);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (fd >= 0) ::close(fd);
    if (!name.empty()) ::unlink(name.c_str());
  }
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

  TemporaryFile temporary(target);
  if (temporary.fd < 0) {
    temporary.name.clear();
    fail(errno);
  }
  if (fs::exists(old)) fs::permissions(temporary.name, old.permissions(), error);
  if (!write_all(temporary.fd, text)) fail(errno);
  // A link never replaces a file that has come into being meanwhile; not all file systems have it.
  const bool linked = !overwrite && ::link(temporary.name.c_str(), target.c_str()) == 0;
  if (!overwrite && !linked && (errno == EEXIST || fs::exists(target, error))) fail(EEXIST);
  if (!linked) {
    if (::rename(temporary.name.c_str(), target.c_str()) != 0) fail(errno);
    temporary.name.clear();
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
