#include "axode/io/mesh/mesh_file.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <fstream>

#include "axode/core/error.hpp"
#include "axode/view/picture/gltf.hpp"
#include "axode/view/picture/solids.hpp"
#include "tests/view/surface.hpp"

namespace axode::test::mesh_file {
namespace {

std::vector<Vec3<double>> corners_of(const TriangleMesh& mesh) {
  std::vector<Vec3<double>> corners;
  for (const std::uint32_t c : mesh.triangles) corners.push_back(mesh.positions[c]);
  return corners;
}
void append_word(std::string& bytes, std::uint32_t word) {
  for (int k = 0; k < 4; ++k) bytes += static_cast<char>(word >> 8 * k & 255U);
}
std::string binary_stl(const std::vector<Vec3<double>>& corners, std::uint32_t count) {
  std::string bytes(80, 's');
  append_word(bytes, count);
  for (std::size_t k = 0; k < corners.size(); ++k) {
    if (k % 3 == 0) bytes.append(12, '\0');
    for (int i = 0; i < 3; ++i)
      append_word(bytes, std::bit_cast<std::uint32_t>(static_cast<float>(corners[k][i])));
    if (k % 3 == 2) bytes.append(2, '\0');
  }
  return bytes;
}
std::string text_stl(const std::vector<Vec3<double>>& corners) {
  std::string text = "solid box\n";
  for (std::size_t k = 0; k < corners.size(); ++k) {
    if (k % 3 == 0) text += "facet normal 0 0 0\nouter loop\n";
    text += "vertex " + std::to_string(corners[k].x) + " " + std::to_string(corners[k].y) + " " +
            std::to_string(corners[k].z) + "\n";
    if (k % 3 == 2) text += "endloop endfacet\n";
  }
  return text + "endsolid box\n";
}
const std::vector<Vec3<double>> box = corners_of(box_mesh({1, 2, 4}));

TEST(MeshFile, StlInBothForms) {
  EXPECT_EQ(parse_stl(binary_stl(box, 12), "a.stl").corners, box);
  EXPECT_EQ(parse_stl(text_stl(box), "a.stl").corners, box);
  // Some programs begin binary files with the word that begins texts.
  std::string bytes = binary_stl(box, 12);
  bytes.replace(0, 5, "solid");
  EXPECT_EQ(parse_stl(bytes, "a.stl").corners, box);
}

TEST(MeshFile, BrokenStl) {
  EXPECT_THROW(parse_stl("", "a"), Error);
  EXPECT_THROW(parse_stl("solid nothing endsolid", "a"), Error);
  EXPECT_THROW(parse_stl(binary_stl(box, 13), "a"), Error);
  EXPECT_THROW(parse_stl(binary_stl(box, 0xffffffff), "a"), Error);
  EXPECT_THROW(parse_stl(binary_stl({}, 0), "a"), Error);
  for (std::size_t size = 0; size < 600; size += 7)
    EXPECT_THROW(parse_stl(binary_stl(box, 12).substr(0, size), "a"), Error) << size;
  const std::string text = text_stl(box);
  for (std::size_t size = 0; size < text.size() - 12; size += 13)
    EXPECT_THROW(parse_stl(text.substr(0, size), "a"), Error) << size;
  for (const double bad : {std::nan(""), HUGE_VAL, 1e30}) {
    std::vector<Vec3<double>> corners = box;
    corners[7].y = bad;
    EXPECT_THROW(parse_stl(binary_stl(corners, 12), "a"), Error);
  }
  EXPECT_THROW(parse_stl("solid vertex nan 0 0 vertex 0 1 0 vertex 0 0 1 endsolid", "a"), Error);
}

TEST(MeshFile, Obj) {
  // A pyramid: its base is a square; points from the front and from the end.
  const MeshPiece piece = parse_obj(
      "# pyramid\nmtllib none.mtl\nv 1 1 0\nv -1 1 0\r\nv -1 -1 0\nv 1 -1 0\nv 0 0 3 1.0\n"
      "vn 0 0 1\nf 1//1 4//1 3//1 2//1\nf 1/9/1 2 5\nf 2 3 5\nf 3 4 -1\nf -2 -5 -1\n",
      "a.obj");
  const TriangleMesh mesh = with_normals(piece.corners);
  EXPECT_TRUE(is_closed(mesh));
  EXPECT_NEAR(volume(mesh), 4, 1e-14);
  EXPECT_THROW(parse_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "a"), Error);
  EXPECT_THROW(parse_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", "a"), Error);
  EXPECT_THROW(parse_obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -4 2 1\n", "a"), Error);
  EXPECT_THROW(parse_obj("v 0 0 0\nf 99999999999999999999 1 1\n", "a"), Error);
  EXPECT_THROW(parse_obj("v 0 0\n", "a"), Error);
  EXPECT_THROW(parse_obj("v 0 0 inf\n", "a"), Error);
  EXPECT_THROW(parse_obj("v 0 0 0\n", "a"), Error);
}

/// A tetrahedron of volume 1/6 in a node, in millimetres.
std::string collada(const std::string& transform, const std::string& p = "0 2 1 0 1 3 0 3 2 1 2 3",
                    const std::string& positions = "0 0 0 1 0 0 0 1 0 0 0 1") {
  return R"(<?xml version="1.0"?><COLLADA><asset><unit name="mm" meter="0.001"/>
<up_axis>Z_UP</up_axis></asset><library_effects><effect id="e"><profile_COMMON><technique><phong>
<diffuse><color>1 0.5 0.25 1</color></diffuse></phong></technique></profile_COMMON></effect>
</library_effects><library_materials><material id="m"><instance_effect url="#e"/></material>
</library_materials><library_geometries><geometry id="g"><mesh><source id="s"><float_array id="f"
count="12">)" +
         positions +
         R"(</float_array><technique_common><accessor source="#f" count="4" stride="3"/>
</technique_common></source><vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
<polylist material="red" count="4"><input semantic="VERTEX" source="#v" offset="0"/>
<vcount>3 3 3 3</vcount><p>)" +
         p + R"(</p></polylist></mesh></geometry></library_geometries><library_visual_scenes>
<visual_scene id="w"><node>)" +
         transform + R"(<node><instance_geometry url="#g"><bind_material><technique_common>
<instance_material symbol="red" target="#m"/></technique_common></bind_material>
</instance_geometry></node></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#w"/></scene></COLLADA>)";
}

TEST(MeshFile, Collada) {
  const auto pieces = parse_collada(
      collada(
          "<translate>1000 0 0</translate><rotate>0 0 1 90</rotate><scale>1000 2000 1000</scale>"),
      "a.dae");
  ASSERT_EQ(pieces.size(), 1U);
  EXPECT_EQ(pieces[0].rgba, (std::array{1.0, 0.5, 0.25, 1.0}));
  const TriangleMesh mesh = with_normals(pieces[0].corners);
  EXPECT_TRUE(is_closed(mesh));
  EXPECT_NEAR(volume(mesh), 2.0 / 6, 1e-14);
  // In metres, the point (0, 1, 0): twice as long, turned to -x and moved by 1.
  EXPECT_LT(norm(pieces[0].corners[1] - Vec3<double>{-1, 0, 0}), 1e-15);
  // Mirrored it is still seen from outside.
  const auto mirrored =
      parse_collada(collada("<matrix>-1e3 0 0 0  0 1e3 0 0  0 0 1e3 0  0 0 0 1</matrix>"), "a.dae");
  EXPECT_NEAR(volume(with_normals(mirrored[0].corners)), 1.0 / 6, 1e-14);
}

TEST(MeshFile, BrokenCollada) {
  EXPECT_NO_THROW(parse_collada(collada(""), "a"));
  EXPECT_THROW(parse_collada("<robot/>", "a"), Error);
  EXPECT_THROW(parse_collada("<COLLADA/>", "a"), Error);
  EXPECT_THROW(parse_collada(collada("", "0 2 1 0 1 3 0 3 2 1 2 4"), "a"), Error);
  EXPECT_THROW(parse_collada(collada("", "0 2 1 0 1 3 0 3 2 1 2"), "a"), Error);
  EXPECT_THROW(parse_collada(collada("", "0 2 1 0 1 3 0 3 2 1 2 -1"), "a"), Error);
  EXPECT_THROW(parse_collada(collada("", "0 2 1", "0 0 0 1 0 0 nan 1 0"), "a"), Error);
  EXPECT_THROW(parse_collada(collada("<matrix>1 2 3</matrix>"), "a"), Error);
  const std::string whole = collada("");
  for (std::size_t size = 0; size < whole.size(); size += 11)
    EXPECT_THROW(parse_collada(whole.substr(0, size), "a"), Error) << size;
  // A scene of very many instances is not followed to its end.
  std::string many;
  for (int k = 0; k < 5000; ++k) many += R"(<instance_geometry url="#g"/>)";
  EXPECT_THROW(parse_collada(collada(many), "a"), LimitError);
  // Nor is one whose surfaces have counts of sides and no corners.
  const std::size_t counts = whole.find("3 3 3 3");
  std::string threes;
  for (int k = 0; k < 100'000; ++k) threes += " 3";
  const std::string sides = std::string(whole).replace(counts, 7, threes);
  std::string some;
  for (int k = 0; k < 300; ++k) some += R"(<instance_geometry url="#g"/>)";
  const auto with = [&](std::string text, std::string_view old, const std::string& other) {
    return text.replace(text.find(old), old.size(), other);
  };
  EXPECT_NO_THROW(parse_collada(sides, "a"));
  const std::string begin = "<visual_scene id=\"w\"><node>";
  EXPECT_THROW(parse_collada(with(sides, begin, begin + some), "a"), LimitError);
  // What is not read is told, not left out.
  EXPECT_THROW(parse_collada(collada("<instance_node url=\"#w\"/>"), "a"), Error);
  EXPECT_THROW(parse_collada(with(whole, "<vertices id=", "<tristrips/><vertices id="), "a"),
               Error);
}

/// As drawing programs write it: a polygon after the other, each with its own corners.
TEST(MeshFile, ColladaOfManyPolygons) {
  std::string text = collada("");
  const std::size_t from = text.find("<polylist"), to = text.find("</polylist>");
  std::string polygons = R"(<polygons><input semantic="VERTEX" source="#v" offset="0"/>)";
  for (int k = 0; k < 20'000; ++k) polygons += "<p>0 2 1</p>";
  text.replace(from, to + 11 - from, polygons + "</polygons>");
  EXPECT_EQ(parse_collada(text, "a")[0].corners.size(), 60'000U);
}

/// What the writer of drawings makes, with what is given to change it.
TEST(MeshFile, Gltf) {
  Drawing drawing;
  drawing.bodies = {"box", "tetrahedron"};
  drawing.parts = {{0, box_mesh({1, 2, 3}), {0.5, 0, 1, 0.5}}, {1, box_mesh({1, 1, 1})}};
  drawing.poses.resize(2);
  drawing.poses[1].p = {5, 0, 7};
  const std::string bytes = gltf_of(drawing);
  const auto pieces = parse_gltf(bytes, "a.glb");
  ASSERT_EQ(pieces.size(), 2U);
  const TriangleMesh mesh = with_normals(pieces[0].corners);
  EXPECT_TRUE(is_closed(mesh));
  EXPECT_NEAR(volume(mesh), 6, 1e-6);
  // sRGB of half the light.
  EXPECT_NEAR((*pieces[0].rgba)[0], 0.735357, 1e-6);
  EXPECT_EQ((*pieces[0].rgba)[3], 0.5);
  Vec3<double> middle{};
  for (const Vec3<double>& p : pieces[1].corners) middle += p / 36;
  EXPECT_LT(norm(middle - Vec3<double>{5, 7, 0}), 1e-6);  // z up became y up

  for (std::size_t size = 0; size < bytes.size(); size += 37)
    EXPECT_THROW(parse_gltf(bytes.substr(0, size), "a"), Error) << size;
  // Whatever one byte becomes, it is read or refused.
  for (std::size_t at = 12; at < bytes.size(); at += 3)
    for (const char other : {'\0', '9', '}', '\xff'}) {
      std::string changed = bytes;
      changed[at] = other;
      try {
        parse_gltf(changed, "a");
      } catch (const Error&) {
      }
    }
}

TEST(MeshFile, GltfAsText) {
  const auto file = [](const std::string& node, const std::string& uri) {
    return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[)" + node +
           R"(],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"accessors":[{"bufferView":0,
"componentType":5126,"count":3,"type":"VEC3"}],"bufferViews":[{"buffer":0,"byteLength":36}],
"buffers":[{"byteLength":36,"uri":")" +
           uri + R"("}]})";
  };
  // (0, 0, 0), (1, 0, 0), (0, 1, 0) as float32.
  const std::string data =
      "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA";
  const auto pieces =
      parse_gltf(file(R"({"mesh":0,"translation":[1,2,3],"scale":[2,2,-2]})", data), "a.gltf");
  ASSERT_EQ(pieces[0].corners.size(), 3U);
  EXPECT_EQ(pieces[0].corners[0], (Vec3<double>{1, 2, 3}));
  EXPECT_EQ(pieces[0].corners[2], (Vec3<double>{3, 2, 3}));  // mirrored: turned round
  EXPECT_THROW(parse_gltf(file(R"({"mesh":0})", "numbers.bin"), "a"), Error);
  EXPECT_THROW(parse_gltf(file(R"({"mesh":9})", data), "a"), Error);
  EXPECT_THROW(parse_gltf(file(R"({"mesh":0,"children":[0]})", data), "a"), LimitError);
  EXPECT_THROW(parse_gltf(file(R"({"mesh":0,"children":[0,0]})", data), "a"), LimitError);
  EXPECT_THROW(parse_gltf(file(R"({"children":[-1]})", data), "a"), Error);
  EXPECT_THROW(parse_gltf("[]", "a"), Error);
  // Only the first buffer can be the chunk beside the text, and strips are not left out unseen.
  const auto with = [&](std::string_view old, const std::string& other) {
    std::string text = file(R"({"mesh":0})", data);
    return text.replace(text.find(old), old.size(), other);
  };
  EXPECT_NO_THROW(parse_gltf(with("\"buffers\":[", "\"buffers\":["), "a"));
  EXPECT_THROW(parse_gltf(with("\"}]}", "\"},{\"byteLength\":36}]}"), "a"), Error);
  EXPECT_THROW(parse_gltf(with("{\"attributes\"", "{\"mode\":5,\"attributes\""), "a"), Error);
}

TEST(MeshFile, ByEnding) {
  const auto folder = std::filesystem::path(testing::TempDir());
  const auto write = [&](const char* name, const std::string& bytes) {
    std::ofstream(folder / name, std::ios::binary) << bytes;
    return folder / name;
  };
  EXPECT_EQ(load_mesh(write("mesh.STL", binary_stl(box, 12)))[0].corners, box);
  EXPECT_EQ(load_mesh(write("mesh.dae", collada(""))).size(), 1U);
  EXPECT_EQ(load_mesh(write("mesh.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"))[0].corners.size(),
            3U);
  EXPECT_THROW(load_mesh(write("mesh.txt", "")), Error);
  EXPECT_THROW(load_mesh(folder / "nowhere.stl"), IoError);
}

TEST(MeshFile, Normals) {
  const TriangleMesh sharp = with_normals(box);
  EXPECT_EQ(sharp.positions.size(), 24U);  // three normals at each of eight corners
  EXPECT_LT(normal_error(sharp), 1e-7);
  EXPECT_TRUE(is_closed(sharp));
  const TriangleMesh ball = sphere_mesh(2, 48);
  const TriangleMesh smooth = with_normals(corners_of(ball));
  for (std::size_t k = 0; k < smooth.positions.size(); ++k)
    EXPECT_LT(norm(smooth.normals[k] - normalized(smooth.positions[k])), 0.05);
  EXPECT_EQ(smooth.positions.size(), 48U * 23 + 2);
  // Triangles without area have no normals.
  const Vec3<double> p{1, 2, 3}, q{2, 3, 4};
  EXPECT_TRUE(with_normals(std::vector<Vec3<double>>{p, p, q, p, q, q}).triangles.empty());
}

}  // namespace
}  // namespace axode::test::mesh_file
