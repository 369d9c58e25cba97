/// What a file holds: a tree, a mechanism, a flexible tree, or a run of one of them.
/// Tests: tests/io/file_kind_test.cpp
#pragma once
#include <filesystem>
#include <string_view>

namespace axode {

enum class FileKind { tree, mechanism, flexible, run };

/// "tree", "mechanism", "flexible tree", "run".
std::string_view name(FileKind kind) noexcept;
/// By the ending, of JSON files by the key that names the format. Throws IoError, and Error for JSON
/// that is none.
FileKind file_kind(const std::filesystem::path& file);

}  // namespace axode
