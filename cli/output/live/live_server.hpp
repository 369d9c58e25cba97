/// Serves a run that goes on to browsers of this machine: its page, and its samples by WebSocket.
///
/// From a thread of its own, on the loopback address and a port the system chooses. Nothing a client does
/// reaches the run: the server only reads the samples, a few dozen times a second. Numbers and sizes of
/// connections, requests and frames, and the time they may take, are limited.
/// Tests: tests/cli/live_test.py
#pragma once
#include <atomic>
#include <memory>
#include <string>

#include "axode/view/page/live.hpp"

namespace axode::cli {

class LiveServer {
 public:
  /// `scene`: with SceneOptions::live; `head`: live_head. Throws IoError. Samples must outlive it.
  LiveServer(const LiveSamples& samples, const std::string& scene, std::string head);
  LiveServer(const LiveServer&) = delete;
  LiveServer& operator=(const LiveServer&) = delete;
  /// Ends all connections.
  ~LiveServer();

  /// Of the page.
  std::string address() const;
  /// After the end of the samples: returns when every stream has all of them, at the latest after
  /// `for_streams` seconds; where there was none yet, when none comes within `for_first`; or at a stop.
  void wait(double for_first, double for_streams, const std::atomic<bool>& stop) const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace axode::cli
