#include <fmt/format.h>

#include "axode/io/native/detail/native_joint.hpp"
#include "axode/io/native/native.hpp"
#include "axode/io/text/text_file.hpp"

namespace axode {

namespace {

std::string shape_text(const Shape& shape) {
  std::vector<std::string> members;
  const auto add = [&](std::string_view key, const std::string& value) {
    members.push_back(fmt::format("\"{}\": {}", key, value));
  };
  const auto add_text = [&](std::string_view key, const std::string& value) {
    if (!value.empty()) add(key, json_string(value));
  };
  constexpr std::array<std::string_view, 5> kinds{"box", "cylinder", "sphere", "capsule", "mesh"};
  add_text("type", std::string(kinds[std::size_t(shape.kind)]));
  add_text("name", shape.name);
  if (shape.collision) add("collision", "true");
  if (shape.pose != SE3<double>{}) add("at", json_text(shape.pose));
  switch (shape.kind) {
    case Shape::Kind::box:
      add("size", json_text(shape.size));
      break;
    case Shape::Kind::cylinder:
    case Shape::Kind::capsule:
      add("radius", json_number(shape.size.x));
      add("length", json_number(shape.size.y));
      break;
    case Shape::Kind::sphere:
      add("radius", json_number(shape.size.x));
      break;
    case Shape::Kind::mesh:
      add("file", json_string(shape.mesh));
      if (shape.scale != Vec3<double>{1, 1, 1}) add("scale", json_text(shape.scale));
      break;
  }
  add_text("material", shape.material);
  if (shape.rgba) add("rgba", json_numbers(*shape.rgba));
  add_text("texture", shape.texture);
  return fmt::format("{{{}}}", fmt::join(members, ", "));
}

std::string body_text(const Body& body, const std::string& joint) {
  std::string text = fmt::format("    {{\n      \"name\": {},\n", json_string(body.name));
  if (body.inertia_given) text += fmt::format("      \"inertia\": {},\n", json_text(body.inertia));
  if (!body.shapes.empty()) {
    std::vector<std::string> shapes;
    for (const Shape& shape : body.shapes) shapes.push_back(shape_text(shape));
    text += fmt::format("      \"shapes\": [\n        {}\n      ],\n",
                        fmt::join(shapes, ",\n        "));
  }
  return text + fmt::format("      \"joint\": {}\n    }}", joint);
}

std::string frame_text(const Tree& tree, const NamedFrame& frame) {
  std::string text = fmt::format("    {{\"name\": {}", json_string(frame.name));
  if (frame.body >= 0)
    text += fmt::format(", \"on\": {}", json_string(tree.bodies[frame.body].name));
  if (frame.T_BF != SE3<double>{}) text += fmt::format(", \"at\": {}", json_text(frame.T_BF));
  return text + "}";
}

}  // namespace

std::string native_text(const Tree& tree, const NativeWriteOptions& options) {
  const std::size_t n = tree.size();
  std::vector<const Coupling*> coupling(n, nullptr);
  for (const Coupling& c : tree.couplings) coupling[c.follower] = &c;

  std::string text = fmt::format("{{\n  \"axode\": {},\n", native_version);
  if (!tree.name.empty()) text += fmt::format("  \"name\": {},\n", json_string(tree.name));
  text += fmt::format("  \"gravity\": {},\n  \"bodies\": [", json_text(tree.gravity));
  std::vector<SE3<double>> A(n);  // poses at q = 0, each from its parent's: O(n)
  for (std::size_t i = 0; i < n; ++i) {
    const Link& link = tree.links[i];
    A[i] = link.parent < 0 ? link.B : A[link.parent] * link.B;
    const GeometryForm form = options.form.value_or(tree.bodies[i].form);
    text += i > 0 ? ",\n" : "\n";
    text += body_text(tree.bodies[i],
                      joint_text(tree, static_cast<int>(i), A[i], form, coupling[i], "      "));
  }
  text += n > 0 ? "\n  ]" : "]";
  if (!tree.frames.empty()) {
    text += ",\n  \"frames\": [";
    for (std::size_t i = 0; i < tree.frames.size(); ++i)
      text += (i > 0 ? ",\n" : "\n") + frame_text(tree, tree.frames[i]);
    text += "\n  ]";
  }
  text += options.parts + "\n}\n";
  check_utf8(text, "native_text");
  return text;
}

}  // namespace axode
