/// Run files, exports and states between samples.
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/vector.h>

#include "axode/core/error.hpp"
#include "axode/integrate/dense_output.hpp"
#include "axode/io/export/export_run.hpp"
#include "axode/io/flexible/flexible_file.hpp"
#include "axode/io/flexible/flexible_run.hpp"
#include "axode/io/native/native.hpp"
#include "axode/io/run/run_model_file.hpp"
#include "axode/io/urdf/urdf.hpp"
#include "axode/simulate/systems/tree_system.hpp"
#include "src/flexible/flexible.hpp"
#include "src/run/record.hpp"
#include "src/simulate/simulate.hpp"

namespace axode::python {
namespace {

void save_run(const std::filesystem::path& path, const nb::dict& from, bool overwrite,
              bool binary) {
  const Run run = run_from(from);
  const GilRelease release;
  axode::write_run(path, run, {.overwrite = overwrite, .binary = binary});
}

nb::dict load_run(const std::filesystem::path& path, bool salvage) {
  const Run run = [&] {
    const GilRelease release;
    return read_run(path, salvage);
  }();
  nb::dict result;
  write_run(run, result);
  return result;
}

/// The tree of a run's model: URDF or Axode's format.
PyTree* tree_of_text(const std::string& text, const std::string& source, const std::string& crc,
                     bool merge_fixed, bool free_base, std::string_view base_velocity) {
  const BuildOptions build_options{.merge_fixed_joints = merge_fixed};
  const bool xml = text.find_first_not_of(" \t\r\n") != std::string::npos &&
                   text[text.find_first_not_of(" \t\r\n")] == '<';
  UrdfOptions urdf;
  urdf.free_base = free_base;
  urdf.base_velocity = representation(base_velocity);
  Tree tree =
      build(xml ? parse_urdf(text, source, urdf) : parse_native(text, source), build_options);
  RunMetadata metadata;
  metadata.model_text = text;
  metadata.model_file_crc32 = crc;
  tree.source_crc32 = model_file_crc(metadata);
  return new PyTree(std::move(tree));
}

nb::object interpolated(nb::handle tree_object, nb::handle q0_argument, nb::handle q1_argument,
                        nb::handle v0_argument, nb::handle v1_argument, nb::handle h_argument,
                        nb::handle s_argument) {
  const Tree& tree = tree_of(tree_object);
  const States q0(q0_argument, "q", tree.nq, "coordinates"),
      q1(q1_argument, "q", tree.nq, "coordinates"), v0(v0_argument, "v", tree.nv, "velocities"),
      v1(v1_argument, "v", tree.nv, "velocities");
  const Batching batching{&q0, &q1, &v0, &v1};
  const std::vector<double> h = vector(h_argument, "h"), s = vector(s_argument, "s");
  if (h.size() != batching.count || s.size() != batching.count)
    throw Error("has not one number for each state", "s");
  const LieGroup group = configuration_group(tree);
  std::vector<double> x(group.nx), scratch(3 * std::size_t(group.nv));
  const Output result(batching, {std::size_t(tree.nq)});
  for (std::size_t i = 0; i < batching.count; ++i) {
    const auto x0 = independent_configuration(tree, q0[i]),
               x1 = independent_configuration(tree, q1[i]), r0 = independent_velocity(tree, v0[i]),
               r1 = independent_velocity(tree, v1[i]);
    hermite_state(group, x0, x1, r0, r1, h[i], s[i], scratch, x);
    const std::vector<double> q = expand_configuration(tree, x);
    std::copy(q.begin(), q.end(), result[i].begin());
  }
  return result.array;
}

/// The same of real numbers, which are (times, n).
nb::object interpolated_numbers(nb::handle x0_argument, nb::handle x1_argument,
                                nb::handle r0_argument, nb::handle r1_argument,
                                nb::handle h_argument, nb::handle s_argument) {
  const Numbers x0(x0_argument, "x0"), x1(x1_argument, "x1"), r0(r0_argument, "r0"),
      r1(r1_argument, "r1");
  const std::vector<double> h = vector(h_argument, "h"), s = vector(s_argument, "s");
  const std::size_t size = x0.all().size(), n = h.empty() ? 0 : size / h.size();
  if (s.size() != h.size() || n * h.size() != size || x1.all().size() != size ||
      r0.all().size() != size || r1.all().size() != size)
    throw Error("has not one number for each state", "s");
  const LieGroup group = LieGroup().real(static_cast<int>(n));
  std::vector<double> scratch(3 * n), x(n), all;
  all.reserve(size);
  for (std::size_t i = 0; i < h.size(); ++i) {
    const auto row = [&](const Numbers& of) { return of.all().subspan(i * n, n); };
    hermite_state(group, row(x0), row(x1), row(r0), row(r1), h[i], s[i], scratch, x);
    all.insert(all.end(), x.begin(), x.end());
  }
  return matrix(all, h.size(), n);
}

RunMetadata metadata_of(const Tree& tree) {
  RunMetadata metadata = run_metadata(tree);
  metadata.model_text = native_text(tree, {.form = GeometryForm::body_screws});
  note_model_file(metadata, tree.source_crc32);
  return metadata;
}
RunMetadata metadata_of(const FlexibleSetup& setup) {
  RunMetadata metadata = run_metadata(setup.tree);
  metadata.model_file = setup.description.source;
  metadata.model_text = flexible_text(setup);
  note_model_file(metadata, setup.source_crc32);
  return metadata;
}

}  // namespace

void bind_run(nb::module_& m) {
  m.def("_save_run", &save_run, nb::arg("path"), nb::arg("run"), nb::arg("overwrite"),
        nb::arg("binary"));
  m.def("_load_run", &load_run, nb::arg("path"), nb::arg("salvage"));
  m.def(
      "_export_run",
      [](const nb::dict& run, const std::filesystem::path& path,
         const std::vector<std::string>& quantities, bool overwrite) {
        const Run made = run_from(run);
        const GilRelease release;
        export_run(made, path, quantities, overwrite);
      },
      nb::arg("run"), nb::arg("path"), nb::arg("quantities"), nb::arg("overwrite"));
  m.def("run_quantities", &run_quantities, "Quantities that Run.export can write.");
  m.def("_tree_of_text", &tree_of_text, nb::arg("text"), nb::arg("source"), nb::arg("crc"),
        nb::arg("merge_fixed"), nb::arg("free_base"), nb::arg("base_velocity"),
        nb::rv_policy::take_ownership);
  m.def(
      "_run_metadata",
      [](nb::handle tree) {
        const RunMetadata metadata = nb::isinstance<PyFlexibleTree>(tree)
                                         ? metadata_of(nb::cast<const PyFlexibleTree&>(tree).setup)
                                         : metadata_of(tree_of(tree));
        nb::dict result;
        write_metadata(metadata, result);
        return result;
      },
      nb::arg("tree"));
  m.def("_interpolate", &interpolated, nb::arg("tree"), nb::arg("q0"), nb::arg("q1"), nb::arg("v0"),
        nb::arg("v1"), nb::arg("h"), nb::arg("s"));
  m.def("_interpolate_numbers", &interpolated_numbers, nb::arg("x0"), nb::arg("x1"), nb::arg("r0"),
        nb::arg("r1"), nb::arg("h"), nb::arg("s"));
}

}  // namespace axode::python
