/// The GIL at the end of the interpreter.
#include "src/shared/gil.hpp"

#include <cxxabi.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace axode::python {
namespace {

std::atomic<std::thread::id> ending_thread{};
std::atomic<int> busy{0};  ///< threads without the GIL in this module

[[noreturn]] void wait_for_the_end() noexcept {
  for (;;) ::pause();
}
/// Waits for ever where another thread ends the interpreter.
void wait_if_it_ends() noexcept {
  const std::thread::id by = ending_thread.load();
  if (by == std::thread::id{} || by == std::this_thread::get_id()) return;
  --busy;
  wait_for_the_end();
}

/// f(), which takes the GIL and may end the thread: by an exception that must not be finished, so its
/// handler waits.
template <class F>
auto or_wait(F&& f) {
  wait_if_it_ends();
  try {
    return f();
  } catch (abi::__forced_unwind&) {
    wait_for_the_end();
  }
}

}  // namespace

GilRelease::GilRelease() noexcept {
  ++busy;
  state_ = PyEval_SaveThread();
}
GilRelease::~GilRelease() {
  or_wait([this] { PyEval_RestoreThread(state_); });
  --busy;
}
GilAcquire::GilAcquire() noexcept : state_(or_wait([] { return PyGILState_Ensure(); })) {}

void interpreter_ends() noexcept {
  ending_thread.store(std::this_thread::get_id());
  if (busy == 0) return;
  PyThreadState* const state = PyEval_SaveThread();
  for (int k = 0; k < 200 && busy > 0; ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  PyEval_RestoreThread(state);
}

}  // namespace axode::python
