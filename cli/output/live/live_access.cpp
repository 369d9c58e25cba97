#include "cli/output/live/live_access.hpp"

#include <fmt/format.h>
#include <sys/random.h>

#include <array>
#include <cerrno>

#include "axode/core/error.hpp"

namespace axode::cli {

namespace {

/// In a time that does not depend on where they differ.
bool is_same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    difference |= static_cast<unsigned char>(a[k]) ^ static_cast<unsigned char>(b[k]);
  return difference == 0;
}

}  // namespace

std::string LiveAccess::address() const {
  return fmt::format("http://127.0.0.1:{}/{}/", port, token);
}

std::string LiveAccess::streams() const {
  return fmt::format("ws://127.0.0.1:{0}/{1}/stream ws://localhost:{0}/{1}/stream", port, token);
}

LiveAnswer LiveAccess::answer_to(const LiveRequest& request) const {
  const std::string number = fmt::format("127.0.0.1:{}", port),
                    name = fmt::format("localhost:{}", port);
  if (request.host != number && request.host != name) return LiveAnswer::forbidden;
  if (request.method != "GET") return LiveAnswer::refused;
  const std::string page = fmt::format("/{}/", token);
  if (is_same(request.target, page) && !request.wants_stream) return LiveAnswer::page;
  if (!is_same(request.target, page + "stream") || !request.wants_stream)
    return LiveAnswer::unknown;
  const bool is_own = request.origin == "http://" + std::string(request.host);
  return is_own ? LiveAnswer::stream : LiveAnswer::forbidden;
}

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  std::size_t have = 0;
  while (have < bytes.size()) {
    const ssize_t n = getrandom(bytes.data() + have, bytes.size() - have, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) throw IoError("the system gives no random numbers", "--live", "run it without");
    have += n;
  }
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

}  // namespace axode::cli
