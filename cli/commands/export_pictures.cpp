#include "cli/commands/export_pictures.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cmath>
#include <exception>
#include <filesystem>
#include <functional>
#include <mutex>
#include <thread>

#include "axode/io/text/text_file.hpp"
#include "axode/view/picture/gltf.hpp"
#include "axode/view/picture/picture.hpp"
#include "cli/arguments/duration.hpp"
#include "cli/commands/info.hpp"
#include "cli/commands/view_scenes.hpp"
#include "cli/output/output.hpp"

namespace axode::cli {
namespace fs = std::filesystem;

namespace {

constexpr int longest_side = 8192, max_pixels = 3840 * 2160;
constexpr double max_frames = 36'000;

constexpr std::array<std::pair<const char*, CameraView>, 4> cameras{{{"home", CameraView::home},
                                                                     {"front", CameraView::front},
                                                                     {"side", CameraView::side},
                                                                     {"top", CameraView::top}}};

CameraView camera_named(const std::string& name) {
  for (const auto& [known, view] : cameras)
    if (name == known) return view;
  return CameraView::home;
}

void read_size(const std::string& text, PictureSettings& settings) {
  const char *at = text.data(), *end = at + text.size();
  const auto first = std::from_chars(at, end, settings.width);
  const bool cross = first.ec == std::errc{} && first.ptr != end && *first.ptr == 'x';
  const auto second = cross ? std::from_chars(first.ptr + 1, end, settings.height) : first;
  if (!cross || second.ec != std::errc{} || second.ptr != end || settings.width < 16 ||
      settings.height < 16)
    throw UsageError(fmt::format(
        "--size: '{}' is not a size; write such as 1280x720, 16 pixels at least", printable(text)));
  if (settings.width > longest_side || settings.height > longest_side ||
      settings.width * settings.height > max_pixels)
    throw LimitError(fmt::format("{} are too many pixels", text), "--size",
                     "3840x2160 are the most, sides up to 8192");
}

void check_options(const ExportOptions& options, ExportKind kind) {
  const auto only = [](bool given, bool fits, const char* option, const char* what) {
    if (given && !fits) throw UsageError(fmt::format("{} is for {} only", option, what));
  };
  const bool is_picture = kind == ExportKind::picture || kind == ExportKind::frames;
  const bool is_run = is_run_file(options.model.file);
  const ModelOptions& model = options.model;
  only(!options.quantities.empty(), kind == ExportKind::table, "--quantities", "tables");
  only(!options.size.empty(), is_picture, "--size", "pictures");
  only(!options.camera.empty(), is_picture, "--camera", "pictures");
  only(options.screws, is_picture, "--screws", "pictures");
  only(options.fps.has_value(), kind == ExportKind::frames, "--fps", "folders of pictures");
  only(!options.at.empty(), kind == ExportKind::picture, "--at", "one picture (.png)");
  only(options.salvage, is_run || kind == ExportKind::table, "--salvage", "runs");
  const bool is_model = !is_run && kind != ExportKind::table;
  only(model.merge_fixed, is_model, "--merge-fixed", "models");
  only(model.free_base, is_model, "--free-base", "models");
  only(!model.base_velocity.empty(), is_model, "--base-velocity", "models");
  only(!model.mesh_roots.empty(), kind != ExportKind::table, "--mesh-root", "pages and pictures");
}

Camera camera_for(const Drawing& drawing, const ExportOptions& options,
                  const PictureSettings& settings) {
  return camera_of(drawing, camera_named(options.camera), settings.width, settings.height);
}

std::string picture_bytes(const Drawing& drawing, double t, const Camera& camera, bool screws,
                          int digits) {
  PictureOptions how{screws, {}};
  if (!drawing.times.empty()) how.label = fmt::format("t = {:.{}f} s", t, digits);
  return png_of(picture_of(drawing, t, camera, how));
}

void export_picture(const Drawing& drawing, const ExportOptions& options,
                    const PictureSettings& settings, const std::string& out) {
  double t = drawing.times.empty() ? 0 : drawing.times.front();
  if (!options.at.empty()) {
    t = parse_duration(options.at, "--at");
    if (drawing.times.empty()) throw UsageError("--at: nothing moves here; leave it away");
    if (t < drawing.times.front() || t > drawing.times.back())
      throw UsageError(fmt::format("--at: the run goes from {:.6g} s to {:.6g} s",
                                   drawing.times.front(), drawing.times.back()));
  }
  write_text_file(
      out, picture_bytes(drawing, t, camera_for(drawing, options, settings), options.screws, 3),
      options.force);
}

std::string frame_name(std::size_t number) { return fmt::format("frame_{:05}.png", number); }

/// Whether it is a frame of any number.
bool is_frame(const std::string& name) {
  return name.size() == frame_name(0).size() && name.starts_with("frame_") &&
         name.ends_with(".png") &&
         std::all_of(name.begin() + 6, name.end() - 4, [](char c) { return c >= '0' && c <= '9'; });
}

/// The folder is there, and without frames: those of before would be taken for the end of these.
void make_room(const fs::path& folder, bool force) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder))
    throw IoError("cannot be made", folder.string(), "check name and permissions");
  std::vector<fs::path> old;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (is_frame(entry.path().filename().string())) old.push_back(entry.path());
  if (!old.empty() && !force)
    throw IoError("exists already", std::min_element(old.begin(), old.end())->string(),
                  "choose another folder, or replace its frames with --force");
  for (const fs::path& file : old)
    if (!fs::remove(file, error))
      throw IoError("cannot be removed", file.string(), "check its permissions");
}

/// As many as there are processors, while their pictures in the making fit into some 600 MB.
std::size_t workers_for(const PictureSettings& settings) {
  const std::size_t fitting = max_pixels / (settings.width * settings.height);
  return std::clamp<std::size_t>(fitting, 1, std::max(1U, std::thread::hardware_concurrency()));
}
/// Frames 0 to count - 1 by several threads. Throws the first error of them.
void write_all(std::size_t count, std::size_t workers,
               const std::function<void(std::size_t)>& write_frame) {
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failing;
  const auto work = [&] {
    try {
      for (std::size_t k = next++; k < count; k = next++) write_frame(k);
    } catch (...) {
      const std::lock_guard lock(failing);
      if (!failure) failure = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t k = 1; k < std::min(workers, count); ++k) threads.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

void export_frames(const Drawing& drawing, const ExportOptions& options,
                   const PictureSettings& settings, const std::string& out) {
  const double begin = drawing.times.empty() ? 0 : drawing.times.front();
  const double length = drawing.times.empty() ? 0 : drawing.times.back() - begin;
  const double last = std::floor(length * settings.fps + 1e-6);
  if (last >= max_frames)
    throw LimitError(fmt::format("{:.0f} pictures are too many", last + 1), printable(out),
                     fmt::format("{:.0f} are the most; choose a lower --fps", max_frames));
  make_room(out, options.force);
  const Camera camera = camera_for(drawing, options, settings);
  const auto write_frame = [&](std::size_t k) {
    const double t = begin + static_cast<double>(k) / settings.fps;
    const int digits = settings.fps > 100 ? 3 : 2;
    write_text_file(fs::path(out) / frame_name(k),
                    picture_bytes(drawing, t, camera, options.screws, digits), options.force);
  };
  write_all(static_cast<std::size_t>(last) + 1, workers_for(settings), write_frame);
}

std::string page_of(const ExportOptions& options) {
  const bool is_run = is_run_file(options.model.file);
  ViewOptions view;
  view.model = options.model;
  return view_page(
      {is_run ? scene_of_run(options.model.file, options.salvage, options.model.mesh_roots)
              : scene_of_file(view)});
}

}  // namespace

ExportKind export_kind(const std::string& out) {
  std::error_code error;
  if (out.ends_with('/') || fs::is_directory(out, error)) return ExportKind::frames;
  std::string ending = fs::path(out).extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  for (const char* table : {".csv", ".npz", ".h5", ".hdf5"})
    if (ending == table) return ExportKind::table;
  if (ending == ".html") return ExportKind::page;
  if (ending == ".glb") return ExportKind::animation;
  if (ending == ".png") return ExportKind::picture;
  throw UsageError(
      fmt::format("{}: the ending names no format; write to .csv, .npz, .h5, .hdf5, "
                  ".html, .glb, .png, or to a folder (frames/)",
                  printable(out)));
}

std::vector<std::string> camera_names() {
  std::vector<std::string> names(cameras.size());
  for (std::size_t k = 0; k < names.size(); ++k) names[k] = cameras[k].first;
  return names;
}

PictureSettings picture_settings(const ExportOptions& options, ExportKind kind) {
  check_options(options, kind);
  PictureSettings settings;
  camera_named(options.camera);
  if (!options.size.empty()) read_size(options.size, settings);
  if (options.fps) settings.fps = *options.fps;
  if (!(settings.fps > 0 && settings.fps <= 1000))
    throw UsageError("--fps: choose more than 0 and at most 1000 pictures for each second");
  return settings;
}

void export_drawn(const ExportOptions& options, ExportKind kind, const std::string& out) {
  const PictureSettings settings = picture_settings(options, kind);
  if (kind == ExportKind::page) return write_text_file(out, page_of(options), options.force);
  const Drawing drawing = drawing_of_file(options.model, options.salvage);
  if (kind == ExportKind::animation) return write_text_file(out, gltf_of(drawing), options.force);
  if (kind == ExportKind::picture) return export_picture(drawing, options, settings, out);
  export_frames(drawing, options, settings, out);
}

}  // namespace axode::cli
