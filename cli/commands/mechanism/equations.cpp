/// `axode mechanism equations`: the constraint equations written out in coordinates, lengths and angles.
#include "axode/mechanism/analysis/start_poses.hpp"
#include "axode/mechanism/written/written_equations.hpp"
#include "cli/commands/mechanism/mechanism.hpp"

namespace axode::cli {

namespace {

FormulaStyle style_named(const std::string& name) {
  return name == "latex"    ? FormulaStyle::latex
         : name == "python" ? FormulaStyle::python
                            : FormulaStyle::text;
}

void write_equations(const MechanismOptions& options, const MechanismSystem& system,
                     const WrittenEquations& w, FormulaStyle style, Output& output) {
  Json json(output);
  json.begin_object();
  json.text("schema", "axode.mechanism_equations/1");
  json.text("model", options.file);
  json.text("formulation", options.coordinates);
  json.begin_list("coordinates");
  for (int x = 0; x < w.numbers(); ++x) json.text({}, w.symbols[x].text);
  json.end();
  json.begin_list("rows");
  for (std::size_t row = 0; row < w.rows.size(); ++row) {
    json.begin_object();
    json.text("name", system.equations().equations[row].name);
    json.text("zero", written(w.rows[row], w.symbols, style));
    json.end();
  }
  json.end();
  json.begin_list("jacobian");
  for (const WrittenEquations::Entry& entry : w.jacobian) {
    json.begin_object();
    json.integer("row", entry.row);
    json.text("velocity", w.velocity_names[entry.velocity]);
    json.text("derivative", written(entry.formula, w.symbols, style));
    json.end();
  }
  json.end();
  json.begin_object("lengths");
  for (std::size_t k = 0; k < w.lengths.size(); ++k)
    json.number(w.symbols[w.symbols.size() - w.lengths.size() + k].text, w.lengths[k]);
  json.end();
  json.end();
  output.text("\n");
}

}  // namespace

int mechanism_equations(const MechanismOptions& options) {
  const Mechanism mechanism = mechanism_of(options);
  MechanismSystem system(make_equations(mechanism, formulation_of(options, mechanism)));
  system.from_poses(start_poses(mechanism));  // chooses the forms of rows
  const WrittenEquations w = written_equations(
      system.equations(),
      {.name_lengths = options.lengths == "names", .jacobian = options.with_jacobian});
  const FormulaStyle style = style_named(options.style);
  Output output;
  if (options.json)
    write_equations(options, system, w, style, output);
  else
    output.text(written_document(w, style));
  output.flush();
  return exit_ok;
}

}  // namespace axode::cli
