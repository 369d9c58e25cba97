// Functions of time, drivers, forces and starting values of mechanism files.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "axode/io/detail/native_forces.hpp"
#include "axode/io/mechanism/mechanism_file.hpp"
#include "axode/simulate/forces/signal.hpp"

namespace axode {

namespace {

constexpr std::array<std::string_view, 3> function_keys{"polynomial", "times", "values"};
constexpr std::array<std::string_view, 3> driver_keys{"name", "coordinate", "value"};
constexpr std::array<std::string_view, 3> mechanism_forces_keys{"coordinates", "springs", "loads"};
constexpr std::array<std::string_view, 6> coordinate_force_keys{"name", "coordinate", "stiffness",
                                                                "rest", "damping",    "force"};
constexpr std::array<std::string_view, 6> mechanism_spring_keys{"name",   "between", "stiffness",
                                                                "length", "damping", "force"};
constexpr std::array<std::string_view, 5> mechanism_load_keys{"name", "body", "point", "force",
                                                              "torque"};
constexpr std::array<std::string_view, 2> mechanism_initial_keys{"q", "v"};
constexpr std::array<JsonObjectKeys, 7> mechanism_force_objects{
    {{"function", function_keys},
     {"driver", driver_keys},
     {"forces", mechanism_forces_keys},
     {"coordinate_force", coordinate_force_keys},
     {"spring", mechanism_spring_keys},
     {"load", mechanism_load_keys},
     {"initial", mechanism_initial_keys}}};

/// Horner's rule, with derivatives.
TimeValue polynomial_at(const std::vector<double>& c, double t) {
  TimeValue f;
  for (std::size_t k = c.size(); k-- > 0;) {
    f.acceleration = f.acceleration * t + 2 * f.rate;
    f.rate = f.rate * t + f.value;
    f.value = f.value * t + c[k];
  }
  return f;
}

/// The cubic between two samples; at rest outside.
TimeValue spline_at(const Samples& f, double t) {
  if (t < f.times.front()) return {f.values.front(), 0, 0};
  if (t >= f.times.back()) return {f.values.back(), 0, 0};
  const auto after = std::upper_bound(f.times.begin(), f.times.end(), t);
  const std::size_t i = (after - f.times.begin()) - 1;
  const double h = f.times[i + 1] - f.times[i], u = (t - f.times[i]) / h;
  const double rise = f.values[i + 1] - f.values[i];
  // y_i + h s_i u + a u^2 + b u^3
  const double s0 = h * f.slopes[i], s1 = h * f.slopes[i + 1];
  const double a = 3 * rise - 2 * s0 - s1, b = s0 + s1 - 2 * rise;
  return {f.values[i] + u * (s0 + u * (a + u * b)), (s0 + u * (2 * a + 3 * u * b)) / h,
          (2 * a + 6 * u * b) / (h * h)};
}

/// There are no joints of a tree: messages do not offer them.
Expression expression_in_time(std::string_view text, const std::string& where) {
  constexpr std::string_view joints = "q[joint], v[joint], ";
  const Tree none;
  try {
    return compile_expression(none, text, where);
  } catch (const Error& e) {
    if (e.problem().starts_with("there is no joint"))
      throw Error("a function of time has no joints", e.where(),
                  "write it in t; forces on coordinates have stiffness and damping");
    std::string remedy = e.remedy();
    const std::size_t at = remedy.find(joints);
    if (at == std::string::npos) throw;
    throw Error(e.problem(), e.where(), remedy.erase(at, joints.size()));
  }
}

TextFunction expression_function(std::string_view text, const std::string& where) {
  Expression e = expression_in_time(text, where);
  TextFunction result;
  result.text = json_string(text);
  result.function = [e = std::move(e)](double t) {
    const auto [value, rate, acceleration] = value_in_time(e, t);
    return TimeValue{value, rate, acceleration};
  };
  return result;
}

TextFunction object_function(const JsonValue& value) {
  value.check_keys(function_keys, "a function of time");
  const auto polynomial = value.find("polynomial");
  if (polynomial) {
    for (const std::string_view key : {"times", "values"})
      if (const auto other = value.find(key))
        other->fail("a function of time is said twice", "give a polynomial or samples");
    std::vector<double> c = number_list(*polynomial);
    if (c.empty()) polynomial->fail("a polynomial without coefficients", "give one at least");
    std::string text = fmt::format("{{\"polynomial\": {}}}", json_numbers(c));
    return {[c = std::move(c)](double t) { return polynomial_at(c, t); }, std::move(text)};
  }
  Samples f = detail::at_value(value, [&] {
    return samples(number_list(value.at("times", "add \"times\": [...]")),
                   number_list(value.at("values", "add \"values\": [...]")), Between::cubic);
  });
  std::string text = fmt::format("{{\"times\": {}, \"values\": {}}}", json_numbers(f.times),
                                 json_numbers(f.values));
  return {[f = std::move(f)](double t) { return spline_at(f, t); }, std::move(text)};
}

/// The member "force" as a function of time.
void read_force(const JsonValue& object, std::function<double(double)>& force, std::string& text) {
  const auto given = object.find("force");
  if (!given) return;
  TextFunction f = time_function_from_json(*given);
  text = std::move(f.text);
  force = [f = std::move(f.function)](double t) { return f(t).value; };
}

void driver_from_json(const JsonValue& value, MechanismDescription& description) {
  value.check_keys(driver_keys, "a driver");
  MechanismDescription::Driver driver;
  driver.line = value.line();
  driver.name = text_member(value, "name");
  driver.coordinate = value.at("coordinate", "add \"coordinate\": the one it drives").text();
  TextFunction f = time_function_from_json(
      value.at("value", "add \"value\": a number, or an expression such as \"0.1 + 2*t\""));
  driver.motion = std::move(f.function);
  driver.text = std::move(f.text);
  description.drivers.push_back(std::move(driver));
}

void coordinate_force_from_json(const JsonValue& value, MechanismDescription& description) {
  value.check_keys(coordinate_force_keys, "a force on a coordinate");
  MechanismDescription::OnCoordinate told;
  told.line = value.line();
  told.coordinate = value.at("coordinate", "add \"coordinate\": the one it acts on").text();
  told.force.name = text_member(value, "name");
  read_number(value, "stiffness", told.force.stiffness);
  read_number(value, "rest", told.force.rest);
  read_number(value, "damping", told.force.damping);
  read_force(value, told.force.force, told.force.text);
  description.coordinate_forces.push_back(std::move(told));
}

void mechanism_spring_from_json(const JsonValue& value, MechanismDescription& description) {
  value.check_keys(mechanism_spring_keys, "a spring");
  MechanismDescription::Spring told;
  told.line = value.line();
  told.spring.name = text_member(value, "name");
  const JsonValue between =
      value.at("between", "add \"between\": [[\"body\", \"point\"], [\"body\", \"point\"]]");
  const auto ends = between.items();
  if (ends.size() != 2) between.fail(fmt::format("{} ends", ends.size()), "give two points");
  for (std::size_t k = 0; k < 2; ++k)
    told.between[k] = detail::spot_on_from_json(ends[k], description.is_planar);
  read_number(value, "stiffness", told.spring.stiffness);
  read_number(value, "length", told.spring.length);
  read_number(value, "damping", told.spring.damping);
  read_force(value, told.spring.force, told.spring.text);
  description.springs.push_back(std::move(told));
}

/// Components of a force or torque, each a number or a function of time.
struct Components {
  std::vector<TextFunction> functions;
  bool varies = false;
  std::string text;
};
Components components_from_json(const JsonValue& value, std::size_t count) {
  Components c;
  const auto items = value.kind() == JsonKind::list ? value.items() : std::vector{value};
  if (items.size() != count && !(count == 2 && items.size() == 3))
    value.fail(fmt::format("{} has {} components", value.title(), items.size()),
               fmt::format("give {}", count));
  for (const JsonValue& item : items) {
    c.functions.push_back(time_function_from_json(item));
    c.varies = c.varies || item.kind() != JsonKind::number;
    c.text += (c.text.empty() ? "" : ", ") + c.functions.back().text;
  }
  if (count > 1) c.text = "[" + c.text + "]";
  return c;
}

void mechanism_load_from_json(const JsonValue& value, MechanismDescription& description) {
  value.check_keys(mechanism_load_keys, "a load");
  MechanismDescription::Load told;
  told.line = value.line();
  told.load.name = text_member(value, "name");
  told.on.body = value.at("body", "add \"body\": the one it acts on").text();
  const bool planar = description.is_planar;
  if (const auto point = value.find("point")) told.on.spot = detail::spot_from_json(*point, planar);
  // The functions in the order torque x, y, z, force x, y, z; numbers go to the constant part.
  std::array<TimeFunction, 6> varying;
  bool varies = false;
  for (const bool is_force : {true, false}) {
    const std::string_view key = is_force ? "force" : "torque";
    const auto given = value.find(key);
    if (!given) continue;
    Components c = components_from_json(*given, !planar ? 3 : is_force ? 2 : 1);
    varies = varies || c.varies;
    told.load.text += fmt::format("{}\"{}\": {}", told.load.text.empty() ? "" : ", ", key, c.text);
    Vec3<double>& constant = is_force ? told.load.force : told.load.torque;
    for (std::size_t k = 0; k < c.functions.size(); ++k) {
      const std::size_t axis = planar && !is_force ? 2 : k;
      if (c.varies)
        varying[(is_force ? 3 : 0) + axis] = std::move(c.functions[k].function);
      else
        constant[static_cast<int>(axis)] = c.functions[k].function(0).value;
    }
  }
  if (varies)
    told.load.varying = [varying](double t) {
      Vec6<double> w{};
      for (int k = 0; k < 6; ++k)
        if (const auto& f = varying[k]) w[k] = f(t).value;
      return w;
    };
  else
    told.load.text.clear();
  description.loads.push_back(std::move(told));
}

}  // namespace

TextFunction time_function_from_json(const JsonValue& value) {
  if (value.kind() == JsonKind::number)
    return {constant_in_time(value.number()), json_number(value.number())};
  if (value.kind() == JsonKind::text) return expression_function(value.text(), value.where());
  if (value.kind() != JsonKind::object)
    value.fail(fmt::format("{} is not a function of time", name(value.kind())),
               "write a number, an expression such as \"0.1 + 2*t\", {\"polynomial\": [...]} or "
               "{\"times\": [...], \"values\": [...]}");
  return object_function(value);
}

TextFunction time_function_from_text(std::string_view text, const std::string& where) {
  return expression_function(text, where);
}

namespace detail {

std::span<const JsonObjectKeys> mechanism_force_keys() noexcept { return mechanism_force_objects; }

void forces_from_json(const JsonValue& model, MechanismDescription& description) {
  const auto each = [&](const std::optional<JsonValue>& list, const auto& read) {
    if (list)
      for (const JsonValue& item : list->items()) read(item, description);
  };
  each(model.find("drivers"), driver_from_json);
  if (const auto forces = model.find("forces")) {
    forces->check_keys(mechanism_forces_keys, "\"forces\"");
    each(forces->find("coordinates"), coordinate_force_from_json);
    each(forces->find("springs"), mechanism_spring_from_json);
    each(forces->find("loads"), mechanism_load_from_json);
  }
  const auto initial = model.find("initial");
  if (!initial) return;
  initial->check_keys(mechanism_initial_keys, "\"initial\"");
  for (const std::string_view key : mechanism_initial_keys)
    if (const auto values = initial->find(key))
      for (const JsonValue& value : values->members())
        description.initial.push_back(
            {std::string(value.key()), value.number(), key == "v", value.line()});
}

}  // namespace detail

}  // namespace axode
