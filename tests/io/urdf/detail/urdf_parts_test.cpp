/// Parts of URDF files: places in messages, attributes, poses, inertias, shapes and materials.
#include "axode/io/urdf/detail/urdf_parts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "axode/lie/rotation.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/near.hpp"

namespace axode::test::urdf_parts_test {
namespace {

using V3 = Vec3<double>;

constexpr double eps = epsilon<double>;

/// An element alone, with what reading it needs.
struct Part {
  explicit Part(std::string given)
      : text(std::move(given)), file(text, "f.urdf"), context{file, roots} {}
  XmlElement root() const { return file.root(); }
  std::string text;
  XmlFile file;
  std::vector<std::filesystem::path> roots;
  urdf::Context context;
  urdf::Owner owner{"link", "arm"};
};

TEST(UrdfParts, MessagesNameFileLineElementAndOwner) {
  Part part("\n<origin xyz='1 2,5 3'/>");
  expect_says(message([&] { urdf::pose_of(part.context, part.root(), part.owner); }),
              "f.urdf:2: <origin> of link 'arm': \"2,5\" is not a number; write a decimal point");
  EXPECT_EQ(urdf::where(part.context, part.root(), {"origin", "a\nb"}),
            "f.urdf:2: origin 'a\\x0ab'");
}

TEST(UrdfParts, TakesEachPartOnce) {
  Part part("<a>\n<b/>\n<c/>\n<d/>\n<d/>\n<e/></a>");
  const auto found = urdf::parts(part.context, part.root(), part.owner, {"c", "b", "x"}, {"e"});
  EXPECT_EQ(found[0].name(), "c");
  EXPECT_EQ(found[1].name(), "b");
  EXPECT_FALSE(found[2]);
  ASSERT_EQ(part.context.warnings.size(), 1u);  // d once, e is expected
  EXPECT_EQ(part.context.warnings[0].text,
            "f.urdf:4: <d> of link 'arm': is unknown here and ignored");
  expect_says(message([&] { urdf::parts(part.context, part.root(), part.owner, {"d"}); }),
              "f.urdf:5: <d> of link 'arm': there is another one in line 4; keep one");
}

TEST(UrdfParts, RemarksEndAfterFifty) {
  std::string text = "<a>";
  for (int i = 0; i < 1000; ++i) text += "<b" + std::to_string(i) + "/>";
  Part part(text + "</a>");
  urdf::parts(part.context, part.root(), part.owner, {});
  EXPECT_EQ(part.context.warnings.size(), 51u);
  expect_says(part.context.warnings.back().text, "further remarks are left out");
}

TEST(UrdfParts, AttributesAndNames) {
  std::string text = "<a name=' ' number='2' rest='${prefix}arm' big='";
  for (int i = 0; i < 2000; ++i) text += 'x';
  Part part(text += "'/>");
  EXPECT_EQ(urdf::number_of(part.context, part.root(), "number", part.owner), 2);
  EXPECT_EQ(urdf::number_of(part.context, part.root(), "none", part.owner, 7), 7);
  const auto said = [&](const char* name) {
    return message([&] { urdf::name_of(part.context, part.root(), name, part.owner); });
  };
  expect_says(said("name"), "the attribute name is empty; write name=");
  expect_says(said("none"), "the attribute none is missing; write none=");
  expect_says(said("big"), "has 2000 characters; ");
  expect_says(said("rest"), "run xacro first");
  expect_says(message([&] { urdf::number_of(part.context, part.root(), "none", part.owner); }),
              "none is missing");
}

SE3<double> pose(const std::string& attributes) {
  const Part part("<origin " + attributes + "/>");
  return urdf::pose_of(part.context, part.root(), part.owner);
}

TEST(UrdfParts, Poses) {
  EXPECT_EQ(pose(""), SE3<double>{});
  EXPECT_EQ(pose("xyz='1 2 3' rpy='0 0 0'"), translation(V3{1, 2, 3}));
  const double a = 0.3, b = -0.7, c = 2.1;
  const Mat3<double> R{{std::cos(c) * std::cos(b), std::sin(c) * std::cos(b), -std::sin(b)},
                       {std::cos(c) * std::sin(b) * std::sin(a) - std::sin(c) * std::cos(a),
                        std::sin(c) * std::sin(b) * std::sin(a) + std::cos(c) * std::cos(a),
                        std::cos(b) * std::sin(a)},
                       {std::cos(c) * std::sin(b) * std::cos(a) + std::sin(c) * std::sin(a),
                        std::sin(c) * std::sin(b) * std::cos(a) - std::cos(c) * std::sin(a),
                        std::cos(b) * std::cos(a)}};
  expect_near(pose("rpy='.3 -.7 2.1'").R.matrix, R, 8 * eps);
  expect_near(pose("rpy='100.3 0 0'").R, rotation_about(0, 100.3 - 32 * pi<double>), 200 * eps);
  EXPECT_LT(orthogonality_error(pose("rpy='1e300 -1e9 1e17'").R.matrix), 8 * eps);
  expect_near(pose("quat_xyzw='0 0 .6 .8'").R, rotation_about(2, 2 * std::atan2(.6, .8)), 8 * eps);
  expect_says(message([] { pose("quat_xyzw='0 0 0 0'"); }), "the quaternion has length 0; ");
  expect_says(message([] { pose("quat_xyzw='0 0 0 1' rpy='0 0 0'"); }), "both rpy and quat_xyzw; ");
  expect_says(message([] { pose("quat_xyzw='0 0 1'"); }), "holds 3 numbers instead of 4");
}

TEST(UrdfParts, InertiaInARotatedFrame) {
  Part part(
      "<inertial><origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/><mass value='5'/>"
      "<inertia ixx='1' ixy='.1' ixz='.2' iyy='2' iyz='.3' izz='2.5'/></inertial>");
  const Inertia<double> I = urdf::inertia_of(part.context, part.root(), part.owner);
  EXPECT_EQ(I.mass, 5);
  EXPECT_EQ(I.com, (V3{1, 2, 3}));
  // A quarter turn about z takes x to y and y to -x.
  expect_near(I.about_com, Sym3<double>{2, 1, 2.5, -.1, -.3, .2}, 8 * eps);
  Part bare("<inertial><mass value='5'/></inertial>");
  EXPECT_EQ(urdf::inertia_of(bare.context, bare.root(), bare.owner).about_com, Sym3<double>{});
  EXPECT_EQ(bare.context.warnings.size(), 1u);
}

TEST(UrdfParts, ShapesOfAllKinds) {
  const auto shape = [](const std::string& geometry) {
    Part part("<collision name='s'><origin xyz='0 0 1'/><geometry>" + geometry +
              "</geometry></collision>");
    return urdf::shape_of(part.context, part.root(), part.owner).value_or(Shape{});
  };
  using Kind = Shape::Kind;
  EXPECT_EQ(shape("<box size='1 2 3'/>").size, (V3{1, 2, 3}));
  EXPECT_EQ(shape("<sphere radius='2'/>").size, (V3{2, 0, 0}));
  EXPECT_EQ(shape("<cylinder radius='2' length='3'/>").size, (V3{2, 3, 0}));
  EXPECT_EQ(shape("<capsule radius='2' length='3'/>").kind, Kind::capsule);
  const Shape mesh = shape("<mesh filename='a.stl' scale='1 2 3'/>");
  EXPECT_EQ(mesh.kind, Kind::mesh);
  EXPECT_EQ(mesh.mesh, "a.stl");
  EXPECT_EQ(mesh.scale, (V3{1, 2, 3}));
  EXPECT_EQ(mesh.name, "s");
  EXPECT_TRUE(mesh.collision);
  EXPECT_EQ(mesh.pose, translation(V3{0, 0, 1}));
  EXPECT_EQ(shape("<heightmap/>").name, "");  // none, with a warning
  expect_says(message([&] { shape(""); }), "<geometry> of link 'arm': there is no geometry; ");
  expect_says(message([&] { shape("<box size='1 1 1'/><sphere radius='1'/>"); }), "more than one");
  expect_says(message([&] { shape("<box size='1 -1 1'/>"); }), "a size is negative; ");
  expect_says(message([&] { shape("<mesh/>"); }), "the attribute filename is missing");
}

/// Published robots have textures without a file.
TEST(UrdfParts, TextureWithoutFile) {
  Part part(
      "<robot><visual><geometry><box size='1 1 1'/></geometry><material name='m'>"
      "<color rgba='1 0 0 1'/><texture/></material></visual>"
      "<visual><geometry><box size='1 1 1'/></geometry><material name='n'>"
      "<color rgba='1 0 0 1'/><texture filename=''/></material></visual></robot>");
  for (XmlElement e = part.root().first_child(); e; e = e.next())
    EXPECT_EQ(urdf::shape_of(part.context, e, part.owner)->texture, "");
  ASSERT_EQ(part.context.warnings.size(), 1u);
  expect_says(part.context.warnings[0].text, "names no file and is ignored");
}

TEST(UrdfParts, Materials) {
  Part part(
      "<robot><material name='red'><color rgba='1 0 0 1'/></material>"
      "<material name='red'><color rgba='0 1 0 1'/></material>"
      "<visual><geometry><box size='1 1 1'/></geometry><material name='red'/></visual>"
      "<visual><geometry><box size='1 1 1'/></geometry><material name='tiles'>"
      "<texture filename='t.png'/></material></visual>"
      "<visual><geometry><box size='1 1 1'/></geometry><material name='tiles'/></visual>"
      "<visual><geometry><box size='1 1 1'/></geometry><material name='lost'/></visual></robot>");
  XmlElement e = part.root().first_child();
  for (int i = 0; i < 2; ++i, e = e.next()) urdf::add_material(part.context, e);
  expect_says(part.context.warnings.at(0).text, "material 'red': is defined already");
  std::vector<Shape> shapes;
  for (; e; e = e.next()) shapes.push_back(*urdf::shape_of(part.context, e, part.owner));
  EXPECT_EQ(shapes[0].rgba, (std::array<double, 4>{1, 0, 0, 1}));
  EXPECT_EQ(shapes[1].texture, "t.png");
  EXPECT_EQ(shapes[2].texture, "t.png");
  EXPECT_EQ(shapes[3].material, "lost");
  expect_says(part.context.warnings.at(1).text, "\"lost\" is not defined");
}

}  // namespace
}  // namespace axode::test::urdf_parts_test
