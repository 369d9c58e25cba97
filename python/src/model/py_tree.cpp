/// Workspaces that calls borrow, and the number of threads.
#include "src/model/py_tree.hpp"

#include <atomic>
#include <thread>

#include "axode/core/error.hpp"

namespace axode::python {
namespace {
std::atomic<int> chosen_threads = 0;
}

void set_threads(int n) {
  if (n < 0) throw Error("is " + std::to_string(n), "threads", "give 0 for all, or more");
  chosen_threads = n;
}
int threads() noexcept {
  // Asked once: the system takes microseconds to tell.
  static const int of_cpu = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int n = chosen_threads;
  return n > 0 ? n : of_cpu;
}

Engine& Workspace::engine() {
  if (!engine_) engine_ = std::make_unique<Engine>(*tree_);
  return *engine_;
}
Batch& Workspace::batch() {
  if (const int wanted = threads(); !batch_ || threads_ != wanted) {
    batch_ = std::make_unique<Batch>(*tree_, wanted);
    threads_ = wanted;
  }
  return *batch_;
}
Poses<double>& Workspace::poses() {
  if (!poses_) poses_ = std::make_unique<Poses<double>>(*tree_);
  return *poses_;
}
Poses<double>& Workspace::poses(In<double> q) {
  axode::poses<double>(*tree_, q, poses());
  return *poses_;
}

Borrowed::Borrowed(PyTree& tree) : tree_(&tree) {
  const std::scoped_lock lock(tree.mutex_);
  if (!tree.free_.empty()) {
    work_ = std::move(tree.free_.back());
    tree.free_.pop_back();
  } else {
    work_ = std::make_unique<Workspace>(tree.tree);
  }
}
Borrowed::~Borrowed() {
  const std::scoped_lock lock(tree_->mutex_);
  tree_->free_.push_back(std::move(work_));
}

}  // namespace axode::python
