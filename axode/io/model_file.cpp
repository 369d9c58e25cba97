#include "axode/io/model_file.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "axode/core/error.hpp"
#include "axode/io/native/native.hpp"
#include "axode/io/text/text_file.hpp"
#include "axode/io/urdf/urdf.hpp"

namespace axode {

namespace {

enum class Format { urdf, native, unknown };

Format format_of_ending(const std::filesystem::path& file) {
  std::string ending = file.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  if (ending == ".urdf" || ending == ".xml") return Format::urdf;
  return ending == ".json" ? Format::native : Format::unknown;
}

/// By the first character that is not white space; JSON may also begin with a comment.
Format format_of_text(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return Format::unknown;
  if (text[first] == '<') return Format::urdf;
  return text[first] == '{' || text[first] == '/' ? Format::native : Format::unknown;
}

}  // namespace

ModelFormat model_format(const std::filesystem::path& file) {
  Format format = format_of_ending(file);
  if (format == Format::unknown) format = format_of_text(read_text_file(file));
  if (format == Format::unknown)
    throw Error("the file is neither URDF nor a model of Axode", file.string(),
                "give a .urdf or .json file");
  return format == Format::urdf ? ModelFormat::urdf : ModelFormat::native;
}

Tree load_tree(const std::filesystem::path& file, const LoadOptions& options) {
  if (model_format(file) == ModelFormat::urdf)
    return build(read_urdf(file, {options.mesh_roots, options.free_base, options.base_velocity}),
                 options.build);
  if (options.free_base)
    throw Error("a free base was asked for, but this format says itself how its bodies move",
                file.string(), "give the base a joint of \"type\": \"free\" in the file");
  return build(read_native(file, {options.mesh_roots}), options.build);
}

void save_tree(const Tree& tree, const std::filesystem::path& file, bool overwrite) {
  const Format format = format_of_ending(file);
  if (format == Format::unknown)
    throw Error("the ending names no model format", file.string(), "write to .urdf, .xml or .json");
  write_text_file(file, format == Format::urdf ? urdf_text(tree) : native_text(tree), overwrite);
}

}  // namespace axode
