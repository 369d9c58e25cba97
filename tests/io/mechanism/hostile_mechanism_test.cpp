/// Hostile and broken texts for the reader of mechanisms: each loads or is refused, within two
/// seconds, with source, line and remedy; what loads makes equations, or is refused by them.
#include <gtest/gtest.h>

#include <cmath>
#include <ctime>
#include <filesystem>
#include <regex>
#include <string>

#include "axode/core/error.hpp"
#include "axode/io/mechanism/mechanism_file.hpp"
#include "axode/io/text/text_file.hpp"
#include "axode/mechanism/analysis/position.hpp"
#include "axode/mechanism/equations/formulate.hpp"
#include "axode/mechanism/equations/system.hpp"
#include "tests/support/sanitized.hpp"

namespace axode::test::hostile_mechanism {
namespace {

std::string model(const std::string& bodies, const std::string& joints,
                  const std::string& more = "") {
  return "{\"axode_mechanism\": 1, \"planar\": true, \"bodies\": [\n" + bodies +
         "],\n\"joints\": [" + joints + "]" + more + "}";
}
std::string body(const std::string& name, const std::string& more = "") {
  return "{\"name\": \"" + name + "\"" + more + "}";
}
std::string pin(const std::string& name, const std::string& i, const std::string& j,
                const std::string& x = "1") {
  return "{\"name\": \"" + name + "\", \"type\": \"revolute\", \"bodies\": [\"" + i + "\", \"" + j +
         "\"], \"points\": [[" + x + ", 0], [0, 0]]}";
}
std::string pendulum(const std::string& members, const std::string& more = "") {
  return model(body("a", members), pin("A", "world", "a", "0"), more);
}

double seconds_since(std::clock_t start) {
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}
const double max_seconds = is_release() ? 2 : 20;

/// Refused with these words, the source first, and a remedy.
void refused(const std::string& text, const std::string& words) {
  SCOPED_TRACE(text.substr(0, 200));
  const std::clock_t start = std::clock();
  try {
    parse_mechanism(text, "bad.json");
    FAIL() << "it loads";
  } catch (const Error& e) {
    const std::string said = e.what();
    EXPECT_NE(said.find(words), std::string::npos) << said;
    EXPECT_TRUE(said.starts_with("bad.json")) << said;
    EXPECT_FALSE(e.remedy().empty()) << said;
    EXPECT_LT(said.size(), 2000U);
  }
  EXPECT_LT(seconds_since(start), max_seconds);
}

TEST(HostileMechanism, NumbersThatAreNone) {
  for (const char* number : {"NaN", "Infinity", "-Infinity", "nan", "0x10", "1e", "--1", ".5."})
    refused(pendulum(std::string(", \"points\": {\"p\": [") + number + ", 0]}"), "bad.json:2");
  for (const char* number : {"1e999", "-1e400"})
    refused(pendulum(std::string(", \"pose\": {\"angle\": ") + number + "}"), "1.8e308");
  for (const char* text : {"1/0", "0/0", "log(0)", "sqrt(-1)", "1e308*10"})
    refused(
        pendulum("", std::string(", \"drivers\": [{\"coordinate\": \"A.angle\", \"value\": \"") +
                         text + "\"}]"),
        "bad.json:");
}

/// Numbers whose squares overflow: no number that is not finite gets into results unnoticed.
TEST(HostileMechanism, HugeAndTinyNumbers) {
  for (const char* size : {"1e300", "1e160", "1e154", "1e-160", "1e-300"}) {
    SCOPED_TRACE(size);
    const std::string far = size;
    const std::string text =
        model(body("a", ", \"inertia\": {\"mass\": " + far + ", \"com\": [" + far +
                            ", 0], "
                            "\"about_com\": " +
                            far + "}, \"points\": {\"p\": [" + far + ", 0]}") +
                  ", " + body("b", ", \"pose\": {\"position\": [" + far + ", 0]}"),
              pin("A", "world", "a", "0") + ", " + pin("B", "a", "b", far));
    for (const auto family : {CoordinateFamily::natural, CoordinateFamily::reference_point,
                              CoordinateFamily::relative}) {
      try {
        const Mechanism m = parse_mechanism(text, "bad.json");
        MechanismSystem system(make_equations(m, {.family = family}));
        std::vector<SE3<double>> poses;
        for (const MechanismBody& b : m.bodies) poses.push_back(b.pose);
        std::vector<double> q = system.from_poses(poses);
        const PositionResult r = solve_position(system, 0, q);
        if (!r.converged) {
          EXPECT_FALSE(r.message.empty());
          continue;
        }
        for (const double x : q) EXPECT_TRUE(std::isfinite(x));
      } catch (const Error& e) {
        EXPECT_GT(std::string(e.what()).size(), 10U);
      }
    }
  }
}

TEST(HostileMechanism, DeepNesting) {
  for (const char* piece : {"[", "{\"a\":"}) {
    std::string deep;
    for (int k = 0; k < 100000; ++k) deep += piece;
    refused(deep, "");
    refused("{\"axode_mechanism\": 1, \"bodies\": " + deep, "");
  }
  std::string expression(50000, '(');
  refused(pendulum("", ", \"drivers\": [{\"coordinate\": \"A.angle\", \"value\": \"" + expression +
                           "\"}]"),
          "bad.json:");
}

/// Long lists are read in linear time: names are looked up, not searched for.
TEST(HostileMechanism, ManyBodiesAndJoints) {
  std::string bodies, joints, drivers;
  constexpr int n = 40000;
  for (int k = 0; k < n; ++k) {
    const std::string number = std::to_string(k), comma = k > 0 ? ",\n" : "";
    bodies += comma + body("b" + number);
    joints +=
        comma + pin("j" + number, k > 0 ? "b" + std::to_string(k - 1) : "world", "b" + number);
    drivers += comma + "{\"coordinate\": \"j" + number + ".angle\", \"value\": " + number + "}";
  }
  const std::string text = model(bodies, joints, ", \"drivers\": [" + drivers + "]");
  const std::clock_t start = std::clock();
  const Mechanism m = parse_mechanism(text, "many");
  EXPECT_EQ(m.joints.size(), static_cast<std::size_t>(n));
  EXPECT_EQ(m.drivers.back().coordinate, n - 1);
  EXPECT_LT(seconds_since(start), max_seconds);
}

/// A file of more values than max_file_nodes is refused before anything is built.
TEST(HostileMechanism, TooManyValues) {
  std::string zeros = "{\"axode_mechanism\": 1, \"bodies\": [0";
  zeros.reserve(21'000'000);
  for (int k = 0; k < 10'000'000; ++k) zeros += ",0";
  zeros += "]}";
  EXPECT_THROW(parse_mechanism(zeros, "zeros"), LimitError);
}

TEST(HostileMechanism, NamesTakenAndMissing) {
  refused(model(body("a") + ", " + body("a"), ""), "the name is taken");
  refused(model(body(""), ""), "");
  refused(model(body("a"), pin("A", "world", "nobody")), "there is no body");
  refused(model(body("a"), pin("A", "a", "a")), "with itself");
  refused(model(body("a"), pin("A", "world", "a") + ", " + pin("A", "world", "a")), "taken");
}

/// The motion of the reference at rest in one family: finite, or an Error that names a part.
void moves_or_is_refused(const Mechanism& mechanism, CoordinateFamily family) {
  const std::size_t bodies = mechanism.bodies.size();
  try {
    MechanismSystem system(make_equations(mechanism, {.family = family}));
    std::vector<SE3<double>> poses;
    for (const MechanismBody& body : mechanism.bodies) poses.push_back(body.pose);
    const std::vector<double> q = system.from_poses(poses);
    const std::vector<double> v(system.equations().velocities(), 0);
    std::vector<Twist<Rep::hybrid>> twists(bodies);
    system.motion(q, v, poses, twists);
    for (std::size_t b = 0; b < bodies; ++b) {
      EXPECT_TRUE(is_finite(poses[b].p)) << mechanism.bodies[b].name;
      EXPECT_TRUE(is_finite(twists[b].six())) << mechanism.bodies[b].name;
    }
  } catch (const Error& e) {
    EXPECT_FALSE(e.where().empty()) << e.what();
  }
}

/// Every number of a mechanism, made far too large or larger than all else in it.
TEST(HostileMechanism, EveryNumberMayBeHuge) {
  const std::filesystem::path folder =
      std::filesystem::path(AXODE_TEST_DATA) / "../../examples/mechanisms";
  const std::regex number(R"((\[|, |: )(-?[0-9][0-9.e-]*)(?=[\],}]))");
  for (const char* file : {"rssp.json", "problem_2_03_rolling_wheel.json", "slider_crank.json"}) {
    const std::string text = read_text_file(folder / file);
    int refusals = 0, count = 0;
    for (std::sregex_iterator at(text.begin(), text.end(), number), last; at != last; ++at)
      for (const char* huge : {"1.7976931348623157e308", "-1e200", "1e14"}) {
        std::string changed = text;
        changed.replace(at->position(2), at->length(2), huge);
        SCOPED_TRACE(file + (" at " + std::to_string(at->position(2))) + ": " + huge);
        ++count;
        try {
          const Mechanism m = parse_mechanism(changed, "bad.json");
          for (const CoordinateFamily family :
               {CoordinateFamily::natural, CoordinateFamily::relative})
            moves_or_is_refused(m, family);
        } catch (const Error& e) {
          ++refusals;
          EXPECT_TRUE(std::regex_search(e.what(), std::regex("^bad.json:[0-9]"))) << e.what();
        }
      }
    EXPECT_GT(3 * refusals, count) << file;  // lengths are most of the numbers
  }
}

}  // namespace
}  // namespace axode::test::hostile_mechanism
