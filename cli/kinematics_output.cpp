/// `axode kinematics`: its text, its JSON (schema axode.kinematics/1) and its CSV.
#include <array>
#include <cmath>
#include <optional>

#include "axode/error.hpp"
#include "axode/lie/rotation.hpp"
#include "cli/kinematics.hpp"

namespace axode::cli {

std::array<double, 4> tidy_quaternion(const SO3<double>& R) {
  std::array<double, 4> e = to_euler_parameters(R);
  for (const double x : e) {
    if (std::abs(x) <= 1e-12) continue;
    if (x < 0)
      for (double& y : e) y = -y;
    break;
  }
  return e;
}

std::string assignments(const StateSpace& space, Order order, std::span<const double> x) {
  std::string text;
  for (std::size_t i = 0; i < space.tree.links.size(); ++i) {
    const Link& link = space.tree.links[i];
    const int first = order == Order::q ? link.q : link.v,
              n = order == Order::q ? int{link.nq} : int{link.nv};
    for (int k = 0; k < n; ++k) {
      if (k > 0)
        text += ',';
      else
        text += fmt::format("{}{}=", text.empty() ? "" : " ",
                            printable(space.tree.bodies[i].joint_name));
      text += rounded(x[static_cast<std::size_t>(first + k)]);
    }
  }
  return text;
}

namespace {

constexpr std::array<const char*, 6> six_names{"wx", "wy", "wz", "vx", "vy", "vz"};

std::array<double, 6> six(const Vec6<double>& a) {
  return {a.angular.x, a.angular.y, a.angular.z, a.linear.x, a.linear.y, a.linear.z};
}

std::vector<std::string> pose_names(RotationForm form) {
  switch (form) {
    case RotationForm::matrix:
      return {"x", "y", "z", "r11", "r12", "r13", "r21", "r22", "r23", "r31", "r32", "r33"};
    case RotationForm::rpy:
      return {"x", "y", "z", "roll", "pitch", "yaw"};
    default:
      return {"x", "y", "z", "qw", "qx", "qy", "qz"};
  }
}

/// In the order of pose_names.
std::vector<double> pose_numbers(RotationForm form, const SE3<double>& T) {
  std::vector<double> numbers{T.p.x, T.p.y, T.p.z};
  if (form == RotationForm::matrix) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) numbers.push_back(T.R.matrix(i, j));
  } else if (form == RotationForm::rpy) {
    const Vec3<double> a = to_roll_pitch_yaw(T.R);
    numbers.insert(numbers.end(), {a.x, a.y, a.z});
  } else {
    const auto e = tidy_quaternion(T.R);
    numbers.insert(numbers.end(), e.begin(), e.end());
  }
  return numbers;
}

// --- text -----------------------------------------------------------------------------------------

class TextPrinter : public StatePrinter {
 public:
  TextPrinter(Output& output, bool many) : output_(output), many_(many) {}

  void state(Kinematics& k, const GivenState& state, std::size_t number) override {
    if (number > 0) output_.text("\n");
    if (many_ && state.time)
      output_.print("State {}, time {} s\n", number, rounded(*state.time));
    else if (many_)
      output_.print("State {}\n", number);
    print_values("q  ", k.space, Order::q, state.q);
    if (state.qd) print_values("qd ", k.space, Order::qd, *state.qd);
    if (state.qdd) print_values("qdd", k.space, Order::qdd, *state.qdd);
    print_poses(k);
    const bool moves = state.qd || state.qdd;
    if (moves) print_six("Twists", k, [&](std::size_t i) { return k.twist(i); });
    if (state.qdd) print_six("Accelerations", k, [&](std::size_t i) { return k.acceleration(i); });
    if (k.options.jacobian)
      for (std::size_t i = 0; i < k.size(); ++i) print_jacobian(k, i);
    if (k.has_mass()) print_centre_of_mass(k, moves, state.qdd.has_value());
  }
  void end(const Ending&) override {}

 private:
  void print_values(const char* title, const StateSpace& space, Order order,
                    const std::vector<double>& x) {
    output_.print("{} {}\n", title, assignments(space, order, x));
  }
  void print_rows(std::vector<std::string> names, const Kinematics& k, const auto& numbers) {
    names.insert(names.begin(), "frame");
    Table table(std::move(names));
    for (std::size_t i = 0; i < k.size(); ++i) {
      std::vector<std::string> cells{printable(k.name(i))};
      for (const double x : numbers(i)) cells.push_back(rounded(x));
      table.row(std::move(cells));
    }
    table.print(output_);
  }
  void print_poses(const Kinematics& k) {
    output_.print("\nPoses relative to {}\n", printable(k.relative_to));
    print_rows(pose_names(k.rotation), k,
               [&](std::size_t i) { return pose_numbers(k.rotation, k.pose(i)); });
  }
  void print_six(const char* title, const Kinematics& k, const auto& value) {
    output_.print("\n{} relative to {}, {}\n", title, printable(k.relative_to),
                  k.options.representation);
    print_rows({six_names.begin(), six_names.end()}, k,
               [&](std::size_t i) { return six(value(i)); });
  }
  void print_jacobian(Kinematics& k, std::size_t i) {
    output_.print("\nJacobian of {} relative to {}, {}\n", printable(k.name(i)),
                  printable(k.relative_to), k.options.representation);
    std::vector<std::string> head{""};
    for (const Coordinate& c : k.space.v) head.push_back(printable(c.label));
    Table table(std::move(head));
    const auto& columns = k.jacobian(i);
    for (std::size_t r = 0; r < 6; ++r) {
      std::vector<std::string> cells{six_names[r]};
      for (const Vec6<double>& column : columns) cells.push_back(rounded(six(column)[r]));
      table.row(std::move(cells));
    }
    table.print(output_);
  }
  void print_centre_of_mass(const Kinematics& k, bool moves, bool accelerates) {
    output_.print("\nCentre of mass in the world\n  position      {}\n",
                  rounded(centre_of_mass(k.sums())));
    if (moves) output_.print("  velocity      {}\n", rounded(centre_of_mass_velocity(k.sums())));
    if (accelerates)
      output_.print("  acceleration  {}\n", rounded(centre_of_mass_acceleration(k.sums())));
  }
  Output& output_;
  bool many_;
};

// --- JSON -----------------------------------------------------------------------------------------

class JsonPrinter : public StatePrinter {
 public:
  JsonPrinter(const Kinematics& k, Output& output) : k_(k), json_(output) {}

  void begin() override {
    json_.begin_object();
    json_.text("schema", "axode.kinematics/1");
    json_.text("model", k_.options.model.file);
    json_.text("rep", k_.options.representation);
    json_.text("relative_to", k_.relative_to);
    json_.begin_short_list("coordinates");
    for (const Coordinate& c : k_.space.q) json_.text({}, c.label);
    json_.end();
    json_.begin_short_list("velocities");
    for (const Coordinate& c : k_.space.v) json_.text({}, c.label);
    json_.end();
    json_.begin_list("states");
  }
  void state(Kinematics& k, const GivenState& state, std::size_t) override {
    json_.begin_object();
    if (state.time) json_.number("time", *state.time);
    json_.numbers("q", state.q);
    if (state.qd) json_.numbers("qd", *state.qd);
    if (state.qdd) json_.numbers("qdd", *state.qdd);
    json_.begin_object("frames");
    for (std::size_t i = 0; i < k.size(); ++i) frame(k, i, state);
    json_.end();
    if (k.has_mass()) centre(k, state);
    json_.end();
  }
  void end(const Ending& ending) override {
    json_.end();
    if (ending.interrupted) json_.boolean("interrupted", true);
    if (!ending.error.empty()) json_.text("error", ending.error);
    json_.end();
  }

 private:
  void frame(Kinematics& k, std::size_t i, const GivenState& state) {
    json_.begin_object(k.name(i));
    const SE3<double> T = k.pose(i);
    json_.begin_object("pose");
    json_.numbers("position", T.p);
    if (k.rotation == RotationForm::matrix) {
      json_.begin_list("matrix");
      for (int r = 0; r < 3; ++r)
        json_.numbers({}, std::array{T.R.matrix(r, 0), T.R.matrix(r, 1), T.R.matrix(r, 2)});
      json_.end();
    } else if (k.rotation == RotationForm::rpy) {
      json_.numbers("rpy", to_roll_pitch_yaw(T.R));
    } else {
      json_.numbers("quaternion", tidy_quaternion(T.R));
    }
    json_.end();
    if (state.qd || state.qdd) json_.numbers("twist", k.twist(i));
    if (state.qdd) json_.numbers("acceleration", k.acceleration(i));
    if (k.options.jacobian) jacobian(k, i);
    json_.end();
  }
  void jacobian(Kinematics& k, std::size_t i) {
    const auto& columns = k.jacobian(i);
    json_.begin_list("jacobian");
    std::vector<double> row(columns.size());
    for (std::size_t r = 0; r < 6; ++r) {
      for (std::size_t c = 0; c < columns.size(); ++c) row[c] = six(columns[c])[r];
      json_.numbers({}, row);
    }
    json_.end();
  }
  void centre(const Kinematics& k, const GivenState& state) {
    json_.begin_object("centre_of_mass");
    json_.numbers("position", centre_of_mass(k.sums()));
    if (state.qd || state.qdd) json_.numbers("velocity", centre_of_mass_velocity(k.sums()));
    if (state.qdd) json_.numbers("acceleration", centre_of_mass_acceleration(k.sums()));
    json_.end();
  }
  const Kinematics& k_;
  Json json_;
};

// --- CSV ------------------------------------------------------------------------------------------

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string cell = "\"";
  for (const char c : text) cell.append(c == '"' ? 2 : 1, c);
  return cell + '"';
}

/// One row for each state; the first says which columns there are.
class CsvPrinter : public StatePrinter {
 public:
  CsvPrinter(const Kinematics& k, Output& output) : k_(k), output_(output) {}

  void state(Kinematics& k, const GivenState& state, std::size_t number) override {
    const Shape shape = shape_of(state.shape());
    if (!shape_) header(shape);
    if (shape != shape_)
      throw Error("time, qd or qdd is given in some states and not in others",
                  fmt::format("state {}", number), "give it in all, or print --json");
    if (shape.time) cell(*state.time);
    for (const double x : state.q) cell(x);
    for (std::size_t i = 0; i < k.size(); ++i) {
      for (const double x : pose_numbers(k.rotation, k.pose(i))) cell(x);
      if (shape.twist)
        for (const double x : six(k.twist(i))) cell(x);
      if (shape.acceleration)
        for (const double x : six(k.acceleration(i))) cell(x);
    }
    end_row();
  }
  void end(const Ending& ending) override {
    if (!shape_ && ending.error.empty()) header(shape_of(ending.shape));
  }

 private:
  struct Shape {
    bool time = false, twist = false, acceleration = false;
    bool operator==(const Shape&) const = default;
  };
  static Shape shape_of(const StateShape& s) { return {s.time, s.qd || s.qdd, s.qdd}; }
  void header(const Shape& shape) {
    shape_ = shape;
    if (shape.time) cell(std::string("time"));
    for (const Coordinate& c : k_.space.q) cell(c.label);
    for (std::size_t i = 0; i < k_.size(); ++i) {
      for (const std::string& name : pose_names(k_.rotation)) cell(k_.name(i) + "." + name);
      if (shape.twist)
        for (const char* name : six_names) cell(k_.name(i) + "." + name);
      if (shape.acceleration)
        for (const char* name : six_names) cell(k_.name(i) + ".d" + name);
    }
    end_row();
  }
  void cell(const std::string& text) { write(csv_cell(text)); }
  void cell(double number) { write(exact(number)); }
  void write(const std::string& text) {
    if (!first_) output_.text(",");
    first_ = false;
    output_.text(text);
  }
  void end_row() {
    output_.text("\n");
    first_ = true;
  }
  const Kinematics& k_;
  Output& output_;
  std::optional<Shape> shape_;
  bool first_ = true;
};

}  // namespace

std::unique_ptr<StatePrinter> state_printer(const Kinematics& kinematics, Output& output,
                                            bool many) {
  if (kinematics.options.json) return std::make_unique<JsonPrinter>(kinematics, output);
  if (kinematics.options.csv) return std::make_unique<CsvPrinter>(kinematics, output);
  return std::make_unique<TextPrinter>(output, many);
}

}  // namespace axode::cli
