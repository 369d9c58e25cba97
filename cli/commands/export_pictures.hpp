/// `axode export`: pictures and animations of runs and models.
/// Tests: tests/cli/export_pictures_test.py
#pragma once
#include <string>
#include <vector>

#include "cli/commands/commands.hpp"

namespace axode::cli {

enum class ExportKind { table, page, animation, picture, frames };
/// By the ending of the name, or as a folder. Throws UsageError on others.
ExportKind export_kind(const std::string& out);

/// Those of --camera.
std::vector<std::string> camera_names();

/// What pictures are made with. Throws UsageError on what cannot be understood and on options that are
/// not for this kind of file, LimitError on sizes beyond all use.
struct PictureSettings {
  int width = 1280, height = 720;
  double fps = 30;
};
PictureSettings picture_settings(const ExportOptions& options, ExportKind kind);

/// Writes `out`; that it may be written is checked.
void export_drawn(const ExportOptions& options, ExportKind kind, const std::string& out);

}  // namespace axode::cli
