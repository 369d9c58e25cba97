#include "cli/output/loaded_run.hpp"

#include <filesystem>

#include "axode/io/mechanism/mechanism_file.hpp"
#include "axode/io/mechanism/mechanism_run.hpp"
#include "axode/io/run/run_model_file.hpp"
#include "axode/io/scene_file.hpp"
#include "axode/io/text/json.hpp"
#include "axode/io/text/text_file.hpp"
#include "axode/io/urdf/urdf.hpp"
#include "cli/commands/commands.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {

namespace {

bool is_xml(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '<';
}
/// Whether the model is of the format that begins with this key.
bool has_key(const std::string& text, const char* key, const std::string& source) {
  if (is_xml(text)) return false;
  const JsonDocument document(text, source);
  return document.root().kind() == JsonKind::object && document.root().find(key).has_value();
}

/// A flag among the options of the simulation.
bool flag_of(const RunMetadata& metadata, const std::string& source, const char* key,
             bool otherwise) {
  const JsonDocument document(metadata.options, source);
  if (document.root().kind() != JsonKind::object) return otherwise;
  const auto value = document.root().find(key);
  return value && value->kind() == JsonKind::boolean ? value->boolean() : otherwise;
}

/// How the model was read when the run was made.
ModelOptions reading_options(const RunMetadata& metadata, const std::string& source) {
  ModelOptions how;
  const JsonDocument document(metadata.options, source);
  if (document.root().kind() != JsonKind::object) return how;
  how.merge_fixed = flag_of(metadata, source, "merge_fixed", false);
  how.free_base = flag_of(metadata, source, "free_base", false);
  const auto velocity = document.root().find("base_velocity");
  if (velocity && velocity->kind() == JsonKind::text) how.base_velocity = velocity->text();
  return how;
}

/// Meshes are looked for where the run is and where the user says: the run itself, which may come from
/// anybody, has no say in what is read of the disk.
Scene tree_of(const std::string& file, const RunMetadata& metadata,
              const std::vector<std::string>& mesh_roots, const std::string& source) {
  ModelOptions options = reading_options(metadata, source);
  options.mesh_roots = mesh_roots;
  const LoadOptions how = load_options(options);
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  std::vector<std::filesystem::path> roots{folder.empty() ? "." : folder};
  roots.insert(roots.end(), how.mesh_roots.begin(), how.mesh_roots.end());
  const std::string& text = metadata.model_text;
  Scene scene;
  if (is_xml(text))
    scene.tree =
        build(parse_urdf(text, source, {roots, how.free_base, how.base_velocity}), how.build);
  else
    scene = parse_scene(text, source, {roots}, how.build);
  if (!flag_of(metadata, source, "gravity", true)) scene.tree.gravity = {0, 0, 0};
  return scene;
}

using Names = std::vector<std::string>;

/// Throws Error unless the run is of these coordinates and velocities.
void check_names(const Names& q, const Names& v, const Run& run, const std::string& file) {
  if (q.size() != run.nq() || v.size() != run.nv())
    throw Error(fmt::format("the run has {} coordinates and {} velocities, its model {} and {}",
                            run.nq(), run.nv(), q.size(), v.size()),
                file, "make the run anew with this version");
  for (const auto& [of_model, of_run] :
       {std::pair{&q, &run.metadata.q_names}, std::pair{&v, &run.metadata.v_names}})
    for (std::size_t k = 0; k < of_model->size(); ++k)
      if ((*of_model)[k] != (*of_run)[k])
        throw Error(fmt::format("the run is of '{}' where its model has '{}'",
                                printable((*of_run)[k]), printable((*of_model)[k])),
                    file, "it is a run of another model; make it anew");
}

}  // namespace

std::string title_of(const RunMetadata& metadata, const std::string& file) {
  return fmt::format("{}: {}", metadata.model_name,
                     std::filesystem::path(file).filename().string());
}

LoadedRun load_run(const std::string& file, bool salvage,
                   const std::vector<std::string>& mesh_roots) {
  LoadedRun loaded{read_run(file, salvage), {}, {}, {}, {}};
  const Run& run = loaded.run;
  const RunMetadata& metadata = run.metadata;
  if (metadata.model_text.empty())
    throw Error("the run holds no model, so there are no bodies to show", file,
                "record it with `axode simulate`; `axode plot` and `axode export` to CSV need no "
                "model");
  const std::string source = file + ": its model";
  if (model_file_has_changed(metadata))
    loaded.messages.push_back(
        fmt::format("{} has changed since this run was made; shown is the model of the run.",
                    metadata.model_file));
  if (!run.complete)
    loaded.messages.push_back(
        run.times.empty()
            ? std::string("The run file ends early, before its first sample.")
            : fmt::format("The run file ends early, at {:.6g} s; what is there is shown.",
                          run.times.back()));
  for (const std::string& message : loaded.messages) warn(message);
  loaded.clip = clip_of(run);
  if (has_key(metadata.model_text, "axode_flexible", source)) {
    FlexibleSetup setup = parse_flexible(metadata.model_text, source);
    check_names(setup.tree.coordinate_names, setup.tree.coordinate_names, run, file);
    loaded.model = std::move(setup);
  } else if (has_key(metadata.model_text, "axode_mechanism", source)) {
    Mechanism mechanism = parse_mechanism(metadata.model_text, source);
    const RunMetadata named = run_metadata(mechanism);
    check_names(named.q_names, named.v_names, run, file);
    if (loaded.clip.poses.size() != 7 * (mechanism.bodies.size() - 1) * run.times.size())
      throw Error("the run has not the poses of all bodies", file, "make the run anew");
    loaded.model = std::move(mechanism);
  } else {
    Scene scene = tree_of(file, metadata, mesh_roots, source);
    const RunMetadata named = run_metadata(scene.tree);
    check_names(named.q_names, named.v_names, run, file);
    loaded.model = std::move(scene.tree);
    loaded.forces = std::move(scene.forces);
  }
  return loaded;
}

}  // namespace axode::cli
