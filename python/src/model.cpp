/// Trees: axode/model and the readers of model files.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "axode/io/model_file.hpp"
#include "axode/model/state.hpp"
#include "src/arrays.hpp"
#include "src/frames.hpp"
#include "src/py_tree.hpp"

namespace axode::python {

void bind_model(nb::module_& m) {
  bind_frames(m);
  m.def("set_threads", &set_threads, nb::arg("threads"),
        "Lets batches run on that many threads; 0 (the default): as many as the CPU runs.");
  m.def("threads", &threads, "Threads that batches run on.");

  nb::class_<PyTree>(m, "Tree",
                     "A tree of rigid bodies: constant data, made by TreeBuilder or from a file.")
      .def_static(
          "from_file",
          [](const std::filesystem::path& path) { return new PyTree(load_tree(path)); },
          nb::arg("path"), "Reads a model file: URDF or Axode's own format.")
      .def_prop_ro(
          "nq", [](const PyTree& t) { return t.tree.nq; }, "Number of coordinates q.")
      .def_prop_ro(
          "nv", [](const PyTree& t) { return t.tree.nv; }, "Number of velocities v.")
      .def("__len__", [](const PyTree& t) { return t.tree.size(); })
      .def(
          "neutral", [](const PyTree& t) { return array(neutral(t.tree)); },
          nb::sig("def neutral(self) -> axode.typing.Array"), "The zero configuration, (nq,).")
      .def(
          "random",
          [](const PyTree& t, std::uint64_t seed) {
            std::mt19937_64 engine(seed);
            return array(random_configuration(t.tree, engine));
          },
          nb::arg("seed"), nb::sig("def random(self, seed: int) -> axode.typing.Array"),
          "A random configuration within the limits, (nq,); the same for the same seed.");
}

}  // namespace axode::python
