/// Trees: axode/model and the readers of model files.
#include "src/model/model.hpp"

#include "src/kinematics/frame_names.hpp"

namespace axode::python {

void bind_model(nb::module_& m) {
  m.def("set_threads", &set_threads, nb::arg("threads"),
        "Lets batches run on that many threads; 0 (the default): as many as the CPU runs.");
  m.def("threads", &threads, "Threads that batches run on.");

  bind_frames(m);
  bind_shapes(m);
  bind_joints(m);
  nb::class_<PyTree> tree(
      m, "Tree",
      "A tree of rigid bodies: constant data, made by TreeBuilder or from a file.\n\n"
      "Body i is on body parent < i, or on the world (-1), by its joint; the coordinates q and "
      "velocities v of all joints stand one after the other in that order. Many Python threads may "
      "evaluate one tree at the same time.");
  made_by(tree,
          "Tree: is made by axode.load_tree(path), Tree.from_urdf(path) or axode.TreeBuilder");
  bind_tree(m, tree);
  bind_tree_files(m, tree);
  bind_tree_pickle(tree);
  bind_tree_states(m, tree);
  bind_geometry(m);
  bind_joint_maps(m);
  bind_builder(m);
}

}  // namespace axode::python
