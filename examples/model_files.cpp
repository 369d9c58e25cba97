#include <cstdio>
#include <filesystem>

#include "axode/io/model_file.hpp"

int main() {
  const axode::Tree tree = axode::load_tree("models/scara.json");
  std::printf("%s: %d bodies, %d warnings\n", tree.name.c_str(), tree.size(),
              static_cast<int>(tree.warnings.size()));
  const auto copy = std::filesystem::temp_directory_path() / "axode_example_scara.urdf";
  axode::save_tree(tree, copy, /*overwrite=*/true);
  std::printf("as URDF: %d bodies\n", axode::load_tree(copy).size());
  std::filesystem::remove(copy);
}
