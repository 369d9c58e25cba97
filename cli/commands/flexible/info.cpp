/// `axode info` of a flexible tree: links, beams, masses, coordinates, and the modes of each link.
#include <array>
#include <cmath>
#include <numbers>

#include "cli/commands/flexible/flexible.hpp"

namespace axode::cli {

namespace {

constexpr std::array<std::string_view, 4> joint_kinds{"fixed", "revolute", "prismatic", "helical"};

std::string section_words(const Beam& beam) {
  const Section s = section_at(beam, 0);
  return fmt::format("A {} m^2, Iy {} m^4, Iz {} m^4, torsion {} m^4{}", rounded(s.area),
                     rounded(s.Iy), rounded(s.Iz), rounded(s.torsion),
                     is_uniform(beam) ? "" : " at the root, tapered");
}

void print_links(const FlexibleTree& t, Output& output) {
  Table table({"link", "parent", "joint", "mass [kg]", "beam [m]", "modes"}, "lllrrr");
  for (const FlexibleLink& link : t.links)
    table.row({printable(link.name),
               link.parent < 0 ? "world" : printable(t.links[link.parent].name),
               std::string(joint_kinds[std::size_t(link.joint)]), rounded(mass_of(link)),
               link.beam ? rounded(link.beam->length) : "rigid",
               link.beam ? fmt::format("{}", link.modes.size()) : ""});
  table.print(output);
}

void print_beam(const FlexibleTree& t, const FlexibleLink& link, Output& output) {
  output.print("\n{}: E {} Pa, G {} Pa, {} kg/m^3\n", printable(link.name),
               rounded(link.beam->material.E), rounded(link.beam->material.G),
               rounded(link.beam->material.density));
  output.print("  section         {}\n", section_words(*link.beam));
  output.print("  tip for modes   {} kg; inertia about x {}, y {}, z {} kg m^2\n",
               rounded(link.boundary_y.tip_mass), rounded(link.boundary_x.tip_inertia),
               rounded(link.boundary_z.tip_inertia), rounded(link.boundary_y.tip_inertia));
  const Orthogonality o = orthogonality(link);
  // What is left of rounding differs from one machine to the next.
  const auto shown = [](double x) { return x < 1e-12 ? "below 1e-12" : fmt::format("{:.1g}", x); };
  output.print("  orthogonality   {} in mass, {} in stiffness\n", shown(o.mass),
               shown(o.stiffness));
  Table table({"coordinate", "frequency [Hz]", "value at the tip"}, "lrr");
  for (std::size_t k = 0; k < link.modes.size(); ++k) {
    const BeamMode& mode = link.modes[k];
    table.row({printable(t.coordinate_names[link.first_mode + k]),
               mode.frequency > 0 ? rounded(mode.frequency / two_pi) : "given",
               rounded(shape_at(mode.shape, link.beam->length).value)});
  }
  if (!table.empty()) table.print(output);
}

void print_info(const FlexibleOptions& options, const FlexibleSetup& s, Output& output) {
  const FlexibleTree& t = s.tree;
  output.print("{}: {}, {} joint and {} elastic coordinates\n",
               printable(t.name.empty() ? options.file : t.name), count(t.links.size(), "link"),
               t.joints, t.size - t.joints);
  double mass = 0;
  for (const FlexibleLink& link : t.links) mass += mass_of(link);
  output.print("  mass            {} kg\n", rounded(mass));
  output.print("  gravity         {} m/s^2\n", rounded(t.gravity));
  output.print("  sections turn   {}{}\n", name(t.rotation),
               t.stiffening ? ", with geometric stiffening" : "");
  if (!s.forces.control.kp.empty())
    output.print("  control         {}\n", count(s.forces.control.times.size(), "target"));
  print_links(t, output);
  for (const FlexibleLink& link : t.links)
    if (link.beam) print_beam(t, link, output);
}

void write_mode(const FlexibleTree& t, const FlexibleLink& link, std::size_t k, Json& json) {
  const BeamMode& mode = link.modes[k];
  json.begin_object();
  json.text("coordinate", t.coordinate_names[link.first_mode + k]);
  json.text("direction", name(mode.direction));
  json.number("frequency", mode.frequency / two_pi);
  json.number("tip_value", shape_at(mode.shape, link.beam->length).value);
  const auto diagonal = std::size_t(link.first_mode) + k;
  json.number("stiffness", t.stiffness[diagonal * std::size_t(t.size) + diagonal]);
  json.end();
}

void write_link(const FlexibleTree& t, const FlexibleLink& link, Json& json) {
  json.begin_object();
  json.text("name", link.name);
  json.text("parent", link.parent < 0 ? "world" : t.links[link.parent].name);
  json.text("joint", joint_kinds[std::size_t(link.joint)]);
  json.number("mass", mass_of(link));
  json.boolean("elastic", link.beam.has_value());
  if (link.beam) {
    const Section s = section_at(*link.beam, 0);
    json.number("length", link.beam->length);
    json.numbers("material",
                 Vec3<>{link.beam->material.E, link.beam->material.G, link.beam->material.density});
    json.numbers("section", std::array{s.area, s.Iy, s.Iz, s.torsion});
    json.boolean("tapered", !is_uniform(*link.beam));
    json.number("tip_mass", link.boundary_y.tip_mass);
    json.numbers("tip_inertia", Vec3<>{link.boundary_x.tip_inertia, link.boundary_z.tip_inertia,
                                       link.boundary_y.tip_inertia});
    const Orthogonality o = orthogonality(link);
    json.number("mass_orthogonality", o.mass);
    json.number("stiffness_orthogonality", o.stiffness);
    json.begin_list("modes");
    for (std::size_t k = 0; k < link.modes.size(); ++k) write_mode(t, link, k, json);
    json.end();
  }
  json.end();
}

void write_info(const FlexibleOptions& options, const FlexibleTree& t, Output& output) {
  Json json(output);
  json.begin_object();
  json.text("schema", "axode.flexible/1");
  json.text("model", options.file);
  json.text("name", t.name);
  json.integer("joints", t.joints);
  json.integer("coordinates", t.size);
  json.numbers("gravity", t.gravity);
  json.text("rotation", name(t.rotation));
  json.boolean("stiffening", t.stiffening);
  json.begin_short_list("names");
  for (const std::string& name : t.coordinate_names) json.text({}, name);
  json.end();
  json.begin_list("links");
  for (const FlexibleLink& link : t.links) write_link(t, link, json);
  json.end();
  json.end();
  output.text("\n");
}

}  // namespace

int flexible_info(const FlexibleOptions& options) {
  const FlexibleSetup setup = flexible_setup(options);
  Output output;
  if (options.json)
    write_info(options, setup.tree, output);
  else
    print_info(options, setup, output);
  if (!options.svg.empty())
    write_if_named(options.svg, plot_svg(mode_shapes_plot(setup.tree)), options.force);
  output.flush();
  return exit_ok;
}

}  // namespace axode::cli
