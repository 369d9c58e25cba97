/// Beams and modes of the reference files tests/data/flexible/params_*.json.
#pragma once
#include <string>
#include <vector>

#include "axode/flexible/beam/beam.hpp"
#include "tests/support/json_data.hpp"

namespace axode::test {

inline Beam reference_beam(const nlohmann::json& link) {
  const auto number = [&](const char* key) { return link.at(key).get<double>(); };
  Beam beam;
  beam.length = number("L");
  beam.material = {number("E"), number("G"), number("rho")};
  beam.root = beam.tip = section_numbers({number("A"), number("Iy"), number("Iz"), number("It")});
  return beam;
}

/// The modes as the file gives them: torsion, bending in y, bending in z.
inline std::vector<BeamMode> reference_modes(const nlohmann::json& link) {
  std::vector<BeamMode> modes;
  for (const auto& mode : link.at("tors")) {
    ModeShape shape{.kind = ModeShape::Kind::sine};
    shape.length = link.at("L").get<double>();
    shape.wave_number = mode.at("k").get<double>();
    shape.scale = mode.at("C").get<double>();
    modes.push_back({ModeDirection::torsion, shape, 0});
  }
  for (const auto& [key, direction] :
       {std::pair{"by", ModeDirection::bend_y}, std::pair{"bz", ModeDirection::bend_z}})
    for (const auto& mode : link.at(key)) {
      ModeShape shape{.kind = ModeShape::Kind::bending};
      shape.length = link.at("L").get<double>();
      shape.wave_number = mode.at("beta").get<double>();
      shape.one_minus_sigma = mode.at("one_minus_sigma").get<double>();
      shape.scale = mode.at("C").get<double>();
      modes.push_back({direction, shape, 0});
    }
  return modes;
}

inline const std::vector<std::string>& reference_chains() {
  static const std::vector<std::string> names{"arm4", "pendulum1", "pendulum1_3d_tipmassmodes",
                                              "planar2"};
  return names;
}

/// Calls f(link, its number from 1, the whole file) for each elastic link of all files.
template <class F>
void for_reference_links(const F& f) {
  for (const std::string& name : reference_chains()) {
    const nlohmann::json file = read_json("flexible/params_" + name + ".json");
    int number = 0;
    for (const auto& link : file.at("chain").at("links")) {
      ++number;
      if (link.at("type") == "elastic") f(link, number, file);
    }
  }
}

}  // namespace axode::test
