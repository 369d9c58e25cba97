/// axode.Tree: a tree, and memory to evaluate it in.
///
/// Evaluation needs work memory per thread. A call borrows a Workspace and gives it back at its end,
/// so that any number of Python threads may evaluate one tree at the same time.
#pragma once
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "axode/engine/batch.hpp"
#include "axode/engine/engine.hpp"
#include "axode/kinematics/motion.hpp"
#include "axode/kinematics/poses.hpp"
#include "axode/model/tree.hpp"

namespace axode::python {

/// What evaluations of one tree work in, each part made on first use.
class Workspace {
 public:
  explicit Workspace(const Tree& tree) : tree_(&tree) {}
  Engine& engine();
  /// With as many threads as set_threads says.
  Batch& batch();
  Poses<double>& poses();
  /// The same, written for these coordinates by poses(tree, q), as functions of a Tree in C++ that begin with
  /// poses do. Whatever an Engine evaluates takes its own.
  Poses<double>& poses(In<double> q);
  const Tree& tree() const noexcept { return *tree_; }
  template <Rep rep>
  Motion<rep>& motion() {
    return get<Motion<rep>>();
  }
  /// Memory of another type, which is made from a tree.
  template <class T>
  T& get() {
    static constexpr char key = 0;
    for (const auto& [of, memory] : others_)
      if (of == &key) return *static_cast<T*>(memory.get());
    others_.emplace_back(&key, std::make_shared<T>(*tree_));
    return *static_cast<T*>(others_.back().second.get());
  }

 private:
  const Tree* tree_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Batch> batch_;
  std::unique_ptr<Poses<double>> poses_;
  std::vector<std::pair<const void*, std::shared_ptr<void>>> others_;  ///< by type
  int threads_ = -1;
};

/// Does not move: workspaces and other objects refer to its tree.
struct PyTree {
  explicit PyTree(Tree made) : tree(std::move(made)) {}
  PyTree(const PyTree&) = delete;
  PyTree& operator=(const PyTree&) = delete;

  const Tree tree;

 private:
  friend class Borrowed;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace>> free_;
};

/// A workspace for the time of a call: Borrowed work(tree); work->engine().
class Borrowed {
 public:
  explicit Borrowed(PyTree& tree);
  ~Borrowed();
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  Workspace* operator->() const noexcept { return work_.get(); }
  Workspace& operator*() const noexcept { return *work_; }

 private:
  PyTree* tree_;
  std::unique_ptr<Workspace> work_;
};

/// Threads that batches run on; 0: as many as the CPU runs. Throws Error on less.
void set_threads(int threads);
int threads() noexcept;

}  // namespace axode::python
