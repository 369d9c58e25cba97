/// The GIL of Python, released and acquired by threads that may still run when the interpreter ends.
///
/// A daemon thread that asks for the GIL then is ended by pthread_exit, up to Python 3.13, which unwinds
/// its stack: in C++ that reaches a destructor, or another function that may not throw, and aborts the
/// process. Where it waits for the GIL already, its state may be freed under it. So, before the
/// interpreter ends, threads that are in this module are let go on until they would want the GIL, and
/// wait there until the process has gone, as Python 3.14 does itself.
#pragma once
#include <nanobind/nanobind.h>

namespace axode::python {

/// Without the GIL while it lives. Needs it when made.
class GilRelease {
 public:
  GilRelease() noexcept;
  ~GilRelease();
  GilRelease(const GilRelease&) = delete;
  GilRelease& operator=(const GilRelease&) = delete;

 private:
  PyThreadState* state_;
};

/// With the GIL while it lives.
class GilAcquire {
 public:
  GilAcquire() noexcept;
  ~GilAcquire() { PyGILState_Release(state_); }
  GilAcquire(const GilAcquire&) = delete;
  GilAcquire& operator=(const GilAcquire&) = delete;

 private:
  PyGILState_STATE state_;
};

/// Called with the GIL by the thread that ends the interpreter before it begins: other threads that are
/// in this module get a moment to stop.
void interpreter_ends() noexcept;

}  // namespace axode::python
