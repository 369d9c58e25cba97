#include "cli/output/live/browser.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "axode/core/error.hpp"

namespace axode::cli {

namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

bool has_display() { return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY"); }

bool opened(const std::string& file) {
  if (!has_display()) return false;
  std::string program = is_set("BROWSER") ? std::getenv("BROWSER") : "xdg-open";
  program = program.substr(0, program.find(':'));
  std::string target = std::filesystem::absolute(file).string();
  char* arguments[] = {program.data(), target.data(), nullptr};
  posix_spawn_file_actions_t silent;
  posix_spawn_file_actions_init(&silent);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&silent, stream, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t apart;  // so that Ctrl-C here does not end the browser
  posix_spawnattr_init(&apart);
  posix_spawnattr_setflags(&apart, POSIX_SPAWN_SETPGROUP);
  pid_t process = 0;
  const int failed = posix_spawnp(&process, program.c_str(), &silent, &apart, arguments, environ);
  posix_spawnattr_destroy(&apart);
  posix_spawn_file_actions_destroy(&silent);
  return failed == 0;
}

std::string temporary_page(const std::string& stem) {
  std::error_code error;
  const std::filesystem::path base = std::filesystem::temp_directory_path(error);
  std::string folder = ((error ? std::filesystem::path("/tmp") : base) / "axode-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr)
    throw IoError("cannot be made", folder, "give the page a name by --out");
  return folder + "/" + (stem.empty() ? "view" : stem) + ".html";
}

}  // namespace axode::cli
