/// COLLADA: triangles of the visual scene with their colours. See mesh_file.hpp.
#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "axode/io/mesh/mesh_file.hpp"
#include "axode/io/text/xml.hpp"
#include "axode/lie/rotation.hpp"

namespace axode {

namespace {

using detail::Affine;

XmlElement child(XmlElement parent, std::string_view name) {
  XmlElement found = parent ? parent.first_child() : XmlElement{};
  while (found && found.name() != name) found = found.next();
  return found;
}
XmlElement at_path(XmlElement element, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) element = child(element, name);
  return element;
}
std::string_view value(XmlElement element, const char* attribute) {
  return element ? element.attribute(attribute).value_or("") : "";
}

class Collada {
 public:
  Collada(std::string_view text, const std::string& source) : file_(text, source) {
    note_names(file_.root());
  }
  std::vector<MeshPiece> pieces();

 private:
  [[noreturn]] void refuse(const std::string& problem, XmlElement where) const {
    throw Error(problem, file_.place(where), "export the mesh anew");
  }
  void note_names(XmlElement root);
  XmlElement named(std::string_view reference) const;
  std::vector<double> numbers(XmlElement element) const;
  std::vector<std::size_t> indices(XmlElement element) const;
  std::vector<double> fixed(XmlElement element, std::size_t count) const;
  Affine transform_of(XmlElement node) const;
  std::vector<Vec3<double>> points(XmlElement source) const;
  /// Where the indices of a surface find its positions.
  struct Corners {
    std::size_t stride = 1, offset = 0;
    const std::vector<Vec3<double>>* points = nullptr;
  };
  Corners corners_of(XmlElement surface);
  void count_work(std::size_t numbers, XmlElement where);
  void add_node(XmlElement node, const Affine& parent);
  void add_geometry(XmlElement geometry, XmlElement instance, const Affine& at);
  void add_surface(XmlElement surface, XmlElement instance, const Affine& at);
  std::optional<std::array<double, 4>> colour(std::string_view symbol, XmlElement instance) const;

  XmlFile file_;
  std::unordered_map<std::string_view, XmlElement> names_;
  std::unordered_map<std::string_view, std::vector<Vec3<double>>> points_;  ///< by source
  std::vector<MeshPiece> pieces_;
  std::size_t work_ = 0;
};

void Collada::note_names(XmlElement root) {
  std::vector<XmlElement> open{root};
  while (!open.empty()) {
    XmlElement element = open.back();
    open.pop_back();
    for (; element; element = element.next()) {
      if (const std::string_view id = value(element, "id"); !id.empty())
        names_.emplace(id, element);
      if (element.first_child()) open.push_back(element.first_child());
    }
  }
}
/// The element of a reference "#id", or none.
XmlElement Collada::named(std::string_view reference) const {
  const auto found = names_.find(reference.substr(reference.starts_with('#') ? 1 : 0));
  return found == names_.end() ? XmlElement{} : found->second;
}

std::vector<double> Collada::numbers(XmlElement element) const {
  std::vector<double> all;
  if (!element) return all;
  detail::TextWords words{element.text()};
  const std::string where = file_.place(element);
  for (std::string_view word = words.next(); !word.empty(); word = words.next())
    all.push_back(parse_number(word, where));
  return all;
}
std::vector<std::size_t> Collada::indices(XmlElement element) const {
  std::vector<std::size_t> all;
  for (const double x : numbers(element)) {
    if (!(x >= 0 && x < 1e9)) refuse("an index is out of range", element);
    all.push_back(static_cast<std::size_t>(x));
  }
  return all;
}
std::vector<double> Collada::fixed(XmlElement element, std::size_t count) const {
  std::vector<double> all = numbers(element);
  if (all.size() != count) refuse(std::to_string(count) + " numbers are needed here", element);
  return all;
}

Affine Collada::transform_of(XmlElement node) const {
  Affine all;
  for (XmlElement e = node.first_child(); e; e = e.next()) {
    if (e.name() == "matrix") {
      const std::vector<double> m = fixed(e, 16);
      all = all *
            Affine{Mat3<double>::rows({m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}),
                   {m[3], m[7], m[11]}};
    } else if (e.name() == "translate") {
      const std::vector<double> t = fixed(e, 3);
      all = all * Affine{Mat3<double>::identity(), {t[0], t[1], t[2]}};
    } else if (e.name() == "rotate") {
      const std::vector<double> r = fixed(e, 4);
      const Vec3<double> axis{r[0], r[1], r[2]};
      if (max_abs(axis) > 0)
        all = all * Affine{rotation_from_axis_angle(axis, r[3] * pi<double> / 180).matrix, {}};
    } else if (e.name() == "scale") {
      const std::vector<double> s = fixed(e, 3);
      all = all * Affine{Mat3<double>::diagonal({s[0], s[1], s[2]}), {}};
    }
  }
  return all;
}

std::vector<Vec3<double>> Collada::points(XmlElement source) const {
  const XmlElement accessor = at_path(source, {"technique_common", "accessor"});
  const std::string_view told = value(accessor, "stride");
  const double stride = told.empty() ? 3 : parse_number(told, file_.place(accessor));
  if (!(stride >= 3 && stride < 100)) refuse("positions have three numbers", source);
  const std::vector<double> all = numbers(child(source, "float_array"));
  std::vector<Vec3<double>> result;
  const auto step = static_cast<std::size_t>(stride);
  for (std::size_t k = 0; k + 2 < all.size(); k += step)
    result.push_back({all[k], all[k + 1], all[k + 2]});
  return result;
}

/// The colour of a material: symbol -> material -> effect -> diffuse.
std::optional<std::array<double, 4>> Collada::colour(std::string_view symbol,
                                                     XmlElement instance) const {
  XmlElement bound =
      child(at_path(instance, {"bind_material", "technique_common"}), "instance_material");
  while (bound && (bound.name() != "instance_material" || value(bound, "symbol") != symbol))
    bound = bound.next();
  const XmlElement material = named(value(bound, "target"));
  const XmlElement effect = named(value(child(material, "instance_effect"), "url"));
  const XmlElement technique = at_path(effect, {"profile_COMMON", "technique"});
  for (const char* model : {"phong", "lambert", "blinn"})
    if (const XmlElement c = at_path(technique, {model, "diffuse", "color"})) {
      const std::vector<double> rgba = numbers(c);
      if (rgba.size() == 4) return std::array{rgba[0], rgba[1], rgba[2], 1.0};
    }
  return {};
}

Collada::Corners Collada::corners_of(XmlElement surface) {
  Corners corners;
  XmlElement vertices;
  for (XmlElement input = surface.first_child(); input; input = input.next()) {
    if (input.name() != "input") continue;
    const std::string_view told = value(input, "offset");
    const double place = told.empty() ? 0 : parse_number(told, file_.place(input));
    if (!(place >= 0 && place < 100)) refuse("an offset is out of range", input);
    corners.stride = std::max(corners.stride, static_cast<std::size_t>(place) + 1);
    if (value(input, "semantic") != "VERTEX") continue;
    corners.offset = static_cast<std::size_t>(place);
    vertices = named(value(input, "source"));
  }
  XmlElement position = child(vertices, "input");
  while (position && value(position, "semantic") != "POSITION") position = position.next();
  const XmlElement source = named(value(position, "source"));
  if (!source) refuse("the surface has no positions", surface);
  const auto [known, is_new] = points_.try_emplace(value(source, "id"));
  if (is_new) known->second = points(source);
  corners.points = &known->second;
  return corners;
}

/// Instances multiply what is in a file: counted is all that is done.
void Collada::count_work(std::size_t numbers, XmlElement where) {
  work_ += numbers;
  if (work_ > 20 * max_mesh_triangles)
    throw LimitError("the mesh is too large", file_.place(where), "simplify it");
}

void Collada::add_surface(XmlElement surface, XmlElement instance, const Affine& at) {
  const XmlElement counts = child(surface, "vcount");
  count_work(10'000 + (counts ? counts.text().size() : 0), surface);
  const Corners from = corners_of(surface);
  const std::vector<std::size_t> sides = indices(counts);
  MeshPiece piece{{}, colour(value(surface, "material"), instance)};
  for (XmlElement p = surface.first_child(); p; p = p.next()) {
    if (p.name() != "p") continue;
    const std::vector<std::size_t> index = indices(p);
    const std::size_t corners = index.size() / from.stride;
    count_work(100 + index.size() + sides.size(), p);
    const auto corner = [&](std::size_t k) {
      if (k >= corners || index[k * from.stride + from.offset] >= from.points->size())
        refuse("an index is out of range", p);
      return at.M * (*from.points)[index[k * from.stride + from.offset]] + at.p;
    };
    const std::size_t whole = surface.name() == "polygons" ? std::max<std::size_t>(corners, 3) : 3;
    std::size_t first = 0;
    for (std::size_t face = 0; first < corners; ++face) {
      const std::size_t n = face < sides.size() ? sides[face] : whole;
      for (std::size_t k = 2; k < n; ++k)
        for (const std::size_t c : {first, first + k - 1, first + k})
          piece.corners.push_back(corner(c));
      first += n;
    }
  }
  if (determinant(at.M) < 0) detail::turn_round(piece.corners);
  if (!piece.corners.empty()) pieces_.push_back(std::move(piece));
}

void Collada::add_geometry(XmlElement geometry, XmlElement instance, const Affine& at) {
  const XmlElement mesh = child(geometry, "mesh");
  count_work(100, instance);
  for (XmlElement e = mesh ? mesh.first_child() : mesh; e; e = e.next()) {
    count_work(1, e);
    if (e.name() == "tristrips" || e.name() == "trifans")
      refuse("it has strips or fans; write single triangles", e);
    if (e.name() == "triangles" || e.name() == "polylist" || e.name() == "polygons")
      add_surface(e, instance, at);
  }
}

// As deep as the file may be.
void Collada::add_node(XmlElement node, const Affine& parent) {
  const Affine at = parent * transform_of(node);
  for (XmlElement e = node.first_child(); e; e = e.next()) {
    if (e.name() == "instance_geometry") add_geometry(named(value(e, "url")), e, at);
    if (e.name() == "node") add_node(e, at);
    if (e.name() == "instance_node") refuse("it has instances of nodes; write them out", e);
  }
}

std::vector<MeshPiece> Collada::pieces() {
  const XmlElement root = file_.root();
  if (root.name() != "COLLADA") refuse("this is not a COLLADA file", root);
  const XmlElement unit = at_path(root, {"asset", "unit"});
  const std::string_view told = value(unit, "meter");
  const double metre = told.empty() ? 1 : parse_number(told, file_.place(unit));
  const Affine scale{Mat3<double>::diagonal({metre, metre, metre}), {}};
  XmlElement scene = named(value(at_path(root, {"scene", "instance_visual_scene"}), "url"));
  if (!scene) scene = at_path(root, {"library_visual_scenes", "visual_scene"});
  if (!scene) refuse("there is no scene in it", root);
  for (XmlElement e = scene.first_child(); e; e = e.next())
    if (e.name() == "node") add_node(e, scale);
  if (pieces_.empty()) refuse("there are no triangles in its scene", scene);
  return std::move(pieces_);
}

}  // namespace

std::vector<MeshPiece> parse_collada(std::string_view text, const std::string& source) {
  return Collada(text, source).pieces();
}

}  // namespace axode
