/// Files that `axode mechanism` writes beside its results.
#include <filesystem>

#include "axode/io/text/text_file.hpp"
#include "cli/commands/mechanism/mechanism.hpp"

namespace axode::cli {

void check_outputs(const MechanismOptions& options, const Mechanism& mechanism) {
  if (!options.svg.empty() && !mechanism.is_planar)
    throw UsageError(fmt::format("{}: only planar mechanisms are drawn; leave the drawing out",
                                 printable(options.svg)));
  for (const std::string& file : {options.out, options.svg}) {
    std::error_code error;
    if (!file.empty() && !options.force &&
        std::filesystem::exists(std::filesystem::symlink_status(file, error)))
      throw IoError("exists already", file, "choose another name or overwrite it with --force");
  }
}

void write_svg(const MechanismOptions& options, const Mechanism& mechanism,
               std::span<const SE3<double>> poses, std::span<const PointPath> paths) {
  if (options.svg.empty()) return;
  write_text_file(options.svg, mechanism_svg(mechanism, poses, paths), options.force);
}

}  // namespace axode::cli
