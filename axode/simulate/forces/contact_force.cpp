#include "axode/simulate/forces/contact_force.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "axode/core/error.hpp"

namespace axode {

namespace {

constexpr int rim_points = 12;

std::vector<Ball> rim_balls(int body, const Shape& shape) {
  std::vector<Ball> balls;
  for (const double end : {-0.5, 0.5})
    for (int i = 0; i < rim_points; ++i) {
      const double angle = 2 * pi<double> * i / rim_points;
      balls.push_back(
          {body,
           shape.pose * Vec3<double>{shape.size.x * std::cos(angle), shape.size.x * std::sin(angle),
                                     end * shape.size.y},
           0});
    }
  return balls;
}

std::vector<Ball> corner_balls(int body, const Shape& shape) {
  std::vector<Ball> balls;
  const Vec3<double> half = 0.5 * shape.size;
  for (const double x : {-1.0, 1.0})
    for (const double y : {-1.0, 1.0})
      for (const double z : {-1.0, 1.0})
        balls.push_back({body, shape.pose * Vec3<double>{x * half.x, y * half.y, z * half.z}, 0});
  return balls;
}

}  // namespace

std::vector<Ball> contact_balls(const Tree& tree, int body, const Shape& shape) {
  const double radius = shape.size.x;
  switch (shape.kind) {
    case Shape::Kind::sphere:
      return {{body, shape.pose.p, radius}};
    case Shape::Kind::capsule:
      return {{body, shape.pose * Vec3<double>{0, 0, -0.5 * shape.size.y}, radius},
              {body, shape.pose * Vec3<double>{0, 0, 0.5 * shape.size.y}, radius}};
    case Shape::Kind::box:
      return corner_balls(body, shape);
    case Shape::Kind::cylinder:
      return rim_balls(body, shape);
    case Shape::Kind::mesh:
      break;
  }
  throw Error("a mesh cannot touch a plane", tree.bodies[body].name,
              "give the body a box, sphere, capsule or cylinder with \"collision\", or balls");
}

std::vector<Ball> contact_balls(const Tree& tree, const std::vector<std::string>& bodies) {
  std::vector<Ball> balls;
  for (const std::string& name : bodies) {
    const int body = body_index(tree, name);
    const std::size_t before = balls.size();
    for (const Shape& shape : tree.bodies[body].shapes)
      if (shape.collision)
        for (const Ball& ball : contact_balls(tree, body, shape)) balls.push_back(ball);
    if (balls.size() == before)
      throw Error(fmt::format("the body '{}' has no collision shape", name), "contact_balls",
                  "give it one, or give balls");
  }
  return balls;
}

CompliantContact ground_contact(const Tree& tree, const std::vector<std::string>& bodies,
                                const ContactLaw& law, double height) {
  return {{-1, {0, 0, height}, {0, 0, 1}}, contact_balls(tree, bodies), law};
}

}  // namespace axode
