#include "axode/io/text/message_place.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "axode/io/text/text_file.hpp"

namespace axode::test::message_place {
namespace {

class MessagePlace : public testing::Test {
 protected:
  void SetUp() override {
    file = std::filesystem::temp_directory_path() /
           ("axode_message_place_" + std::to_string(::getpid()) + ".json");
  }
  void TearDown() override { std::filesystem::remove(file); }
  /// The line; -1 if there is none.
  int line(const std::string& text, const char* message) const {
    write_text_file(file, text, true);
    const std::string place = place_of_message(file, message);
    if (place == file.string()) return -1;
    EXPECT_TRUE(place.starts_with(file.string() + ":")) << place;
    return std::stoi(place.substr(file.string().size() + 1));
  }
  std::filesystem::path file;
};

constexpr const char* model = R"(// a comment
{
  "axode_mechanism": 1, "name": "A",
  "bodies": [
    {"name": "A"},
    {"name": "crank"},
    {"name": "crank2"}
  ],
  "joints": [
    {"name": "A",
     "type": "revolute"}
  ],
  "drivers": [
    {"coordinate": "A.angle", "value": 1}
  ]
})";

TEST_F(MessagePlace, IsTheObjectOfTheNameThatStandsFirst) {
  EXPECT_EQ(line(model, "body 'crank': no inertia; see 'A'"), 6);
  EXPECT_EQ(line(model, "equation 'crank2: |A-B|^2' (body 'crank2')"), 7);
  EXPECT_EQ(line(model, "coordinate \"crank.x\" is not finite"), 6);
}

TEST_F(MessagePlace, IsOfTheKindThatTheMessageSays) {
  EXPECT_EQ(line(model, "joint 'A' moves no inertia"), 10);
  EXPECT_EQ(line(model, "body 'A' moves no inertia"), 5);
  EXPECT_EQ(line(model, "driver 'A.angle' cannot get to 3"), 14);
}

TEST_F(MessagePlace, IsTheModelIfNoPartIsNamed) {
  EXPECT_EQ(line(model, "no convergence"), 2);
  EXPECT_EQ(line(model, "crank without quotes, 'crank3'"), 2);
}

TEST_F(MessagePlace, IsFoundInUrdf) {
  const char* urdf =
      "<?xml version=\"1.0\"?>\n<robot name=\"r\">\n <link name=\"a\"/>\n"
      " <joint name=\"a\"\n type=\"fixed\"/>\n</robot>\n";
  EXPECT_EQ(line(urdf, "joint 'a' is odd"), 4);
  EXPECT_EQ(line(urdf, "body 'a' is odd"), 3);
  EXPECT_EQ(line(urdf, "all is odd"), 2);
}

TEST_F(MessagePlace, IsTheFileIfThatIsNoModel) {
  EXPECT_EQ(line("[1, 2", "anything"), -1);
  EXPECT_EQ(line("", "anything"), -1);
  EXPECT_EQ(place_of_message("/nowhere/at.json", "anything"), "/nowhere/at.json");
}

}  // namespace
}  // namespace axode::test::message_place
