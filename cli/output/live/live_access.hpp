/// Who may see a run that goes on: requests with the secret of its address, for this host, and streams
/// only for pages of its own. Addresses of this machine are open to all its users and, by names that are
/// made to lead here, to pages of the web; hence all three.
/// Tests: tests/cli/live_test.py
#pragma once
#include <string>
#include <string_view>

namespace axode::cli {

/// What a request is told by; a header that is missing or given twice is empty.
struct LiveRequest {
  std::string_view method, target, host, origin;
  bool wants_stream = false;  ///< asks for a WebSocket
};
enum class LiveAnswer : int {
  page = 200,
  stream = 101,
  forbidden = 403,
  unknown = 404,
  refused = 405
};

struct LiveAccess {
  std::string token;  ///< 32 hexadecimal digits
  int port = 0;
  /// Of the page; the stream is at "stream" below it.
  std::string address() const;
  /// Where pages may connect to, as a content security policy says it.
  std::string streams() const;
  LiveAnswer answer_to(const LiveRequest& request) const;
};

/// 128 bits from the system as hexadecimal digits. Throws IoError.
std::string random_token();

}  // namespace axode::cli
