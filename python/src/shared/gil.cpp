/// The GIL at the end of the interpreter.
#include "src/shared/gil.hpp"

#include <cxxabi.h>
#include <unistd.h>

#include <atomic>
#include <thread>

namespace axode::python {
namespace {

std::atomic<std::thread::id> ending_thread{};

[[noreturn]] void wait_for_the_end() noexcept {
  for (;;) ::pause();
}

/// After the end began there is no interpreter to ask, for other threads than the one that ends it.
bool has_gone() noexcept {
  const std::thread::id by = ending_thread.load();
  return by != std::thread::id{} && by != std::this_thread::get_id() && Py_IsInitialized() == 0;
}

/// f(), which may end the thread: by an exception that must not be finished, so its handler waits.
template <class F>
auto or_wait(F&& f) {
  if (has_gone()) wait_for_the_end();
  try {
    return f();
  } catch (abi::__forced_unwind&) {
    wait_for_the_end();
  }
}

}  // namespace

GilRelease::~GilRelease() {
  or_wait([this] { PyEval_RestoreThread(state_); });
}
GilAcquire::GilAcquire() noexcept : state_(or_wait([] { return PyGILState_Ensure(); })) {}

void interpreter_ends() noexcept { ending_thread.store(std::this_thread::get_id()); }

}  // namespace axode::python
