#include "tests/support/json_data.hpp"

#include <fstream>
#include <stdexcept>

namespace axode::test {

nlohmann::json read_json(const std::string& name) {
  std::ifstream file(std::string(AXODE_TEST_DATA) + "/" + name);
  if (!file) throw std::runtime_error("no test data " + name);
  return nlohmann::json::parse(file);
}

Vec3<double> vec3(const nlohmann::json& a) {
  return {a.at(0).get<double>(), a.at(1).get<double>(), a.at(2).get<double>()};
}
Vec6<double> vec6(const nlohmann::json& a) {
  return {{a.at(0).get<double>(), a.at(1).get<double>(), a.at(2).get<double>()},
          {a.at(3).get<double>(), a.at(4).get<double>(), a.at(5).get<double>()}};
}
Mat3<double> mat3(const nlohmann::json& a) {
  return Mat3<double>::rows(vec3(a.at(0)), vec3(a.at(1)), vec3(a.at(2)));
}
Mat6<double> mat6(const nlohmann::json& a) {
  Mat6<double> m;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) m(i, j) = a.at(i).at(j).get<double>();
  return m;
}
SE3<double> pose(const nlohmann::json& a) {
  const auto entry = [&](std::size_t i, std::size_t j) { return a.at(i).at(j).get<double>(); };
  const auto row = [&](std::size_t i) {
    return Vec3<double>{entry(i, 0), entry(i, 1), entry(i, 2)};
  };
  return {{Mat3<double>::rows(row(0), row(1), row(2))}, {entry(0, 3), entry(1, 3), entry(2, 3)}};
}
std::vector<double> flat(const nlohmann::json& a) {
  if (!a.is_array()) return {a.get<double>()};
  std::vector<double> all;
  for (const auto& x : a) {
    const std::vector<double> part = flat(x);
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

}  // namespace axode::test
