/// The chains of the reference vectors as trees.
#pragma once
#include "axode/flexible/tree/flexible_tree.hpp"
#include "tests/support/json_data.hpp"

namespace axode::test {

inline FlexibleLink reference_link(const nlohmann::json& given, int number) {
  FlexibleLink link;
  link.name = "link" + std::to_string(number);
  link.parent = number - 2;
  link.mount = {{mat3(given["Rfix"])}, vec3(given["pfix"])};
  if (given["type"] == "rigid") {
    const Mat3<> I = mat3(given["I"]);
    link.rigid = parameters(Inertia<>{given["m"], vec3(given["com"]), Sym3<>::of(I)});
    return link;
  }
  Section section{given["A"], given["Iy"], given["Iz"], given["It"]};
  link.beam = Beam{given["L"],
                   {given["E"], given["G"], given["rho"]},
                   section_numbers(section),
                   section_numbers(section)};
  for (const auto& [key, direction] :
       {std::pair{"tors", ModeDirection::torsion}, std::pair{"by", ModeDirection::bend_y},
        std::pair{"bz", ModeDirection::bend_z}})
    for (const auto& mode : given[key]) {
      ModeShape shape;
      shape.length = link.beam->length;
      shape.scale = mode["C"];
      if (direction == ModeDirection::torsion) {
        shape.wave_number = mode["k"];
      } else {
        shape.kind = ModeShape::Kind::bending;
        shape.wave_number = mode["beta"];
        shape.one_minus_sigma = mode["one_minus_sigma"];
      }
      link.modes.push_back({direction, shape, 0});
    }
  return link;
}

/// "arm4", "pendulum1", "pendulum1_3d_tipmassmodes" or "planar2".
inline FlexibleTree reference_chain(const std::string& name,
                                    SectionRotation rotation = SectionRotation::xyz) {
  const nlohmann::json given = read_json("flexible/params_" + name + ".json")["chain"];
  FlexibleTree tree;
  tree.name = name;
  tree.gravity = vec3(given["g"]);
  tree.rotation = rotation;
  SE3<> end;  // of the link before, in its frame or section
  int number = 0;
  for (const auto& link : given["links"]) {
    tree.links.push_back(reference_link(link, ++number));
    FlexibleLink& made = tree.links.back();
    made.mount = end * made.mount;
    end = {};
    if (link["type"] == "rigid") end.p = vec3(link["distal"]);
    if (made.parent >= 0 && tree.links[made.parent].beam)
      made.station = tree.links[made.parent].beam->length;
  }
  return complete(tree);
}

}  // namespace axode::test
