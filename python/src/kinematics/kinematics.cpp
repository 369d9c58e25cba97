/// Poses, motions, Jacobians: axode/kinematics. Here what all of its bindings share.
#include "src/kinematics/kinematics.hpp"

#include "src/kinematics/frame_names.hpp"

namespace axode::python {

States blocks(nb::handle value, const char* argument, std::size_t rows, std::size_t columns,
              const char* what) {
  const Numbers numbers(value, argument);
  const auto shape = numbers.shape();
  const bool batched = shape.size() == 3;
  if ((shape.size() != 2 && !batched) || shape[shape.size() - 2] != rows ||
      shape.back() != columns) {
    const std::string wanted = std::to_string(rows) + ", " + std::to_string(columns) + ")";
    throw Error("has another shape than (" + wanted + " or (batch, " + wanted, argument,
                std::string("give ") + what);
  }
  const nb::object numpy = nb::module_::import_("numpy");
  const nb::object given = numpy.attr("asarray")(value);
  const std::size_t n = rows * columns;
  return {batched ? nb::object(given.attr("reshape")(shape[0], n))
                  : nb::object(given.attr("reshape")(n)),
          argument, static_cast<int>(n), what};
}

nb::object pose_result(const SE3<double>& T) {
  double numbers[16];
  write_homogeneous(T, numbers);
  check_result(numbers);
  return nb::cast(T);
}

namespace {

int body_number(const Tree& tree, nb::handle value, const char* argument) {
  const Py_ssize_t number = PyNumber_AsSsize_t(value.ptr(), nullptr);  // clipped, never raises here
  if (PyErr_Occurred() != nullptr) throw nb::python_error();
  if (number < 0 || number >= tree.size())
    throw Error("there is no body " + std::to_string(number), argument,
                "the tree has bodies 0 to " + std::to_string(tree.size() - 1));
  return static_cast<int>(number);
}
bool is_index(nb::handle value) {
  return PyIndex_Check(value.ptr()) != 0 && !PyBool_Check(value.ptr());
}
[[noreturn]] void refuse_type(nb::handle value, const char* argument, const char* wanted) {
  throw nb::type_error((std::string(argument) + ": is of type " +
                        nb::type_name(value.type()).c_str() + "; give " + wanted)
                           .c_str());
}

}  // namespace

int body_number_of(const Tree& tree, nb::handle value, const char* argument) {
  if (value.is_none()) return -1;
  if (PyUnicode_Check(value.ptr())) return body_index(tree, utf8_of(value));
  if (is_index(value)) return body_number(tree, value, argument);
  refuse_type(value, argument, "the name of a body or its number");
}

FrameChoice frame_of(const Tree& tree, nb::handle value, const char* argument) {
  if (PyUnicode_Check(value.ptr())) return frame_from_text(tree, utf8_of(value));
  if (value.is_none()) return {};
  if (is_index(value)) {
    const Frame frame{body_number(tree, value, argument), {}};
    return {frame, frame};
  }
  return frame_choice(tree, value, argument);
}

Frame simple_frame_of(const Tree& tree, nb::handle value, const char* argument) {
  const FrameChoice choice = frame_of(tree, value, argument);
  if (choice.origin.body != choice.axes.body || choice.origin.T_BF != choice.axes.T_BF)
    throw Error("has the origin of one frame and the axes of another", argument,
                "give a frame on one body, or say expressed_in instead of rep");
  return choice.origin;
}

std::string frame_text(nb::handle value, const char* argument) {
  if (value.is_none()) return std::string(world_name);
  if (PyUnicode_Check(value.ptr())) return std::string(utf8_of(value));
  if (!nb::isinstance<FrameNames>(value))
    refuse_type(value, argument, "the name of a frame or an axode.Frame");
  const FrameNames names = nb::cast<FrameNames>(value);
  return names.origin == names.axes ? names.origin : names.origin + "[" + names.axes + "]";
}

std::vector<double> single_state(const Tree& tree, nb::handle value, const char* argument) {
  const States q = coordinates(tree, value, argument);
  if (q.batched()) throw Error("has several states", argument, "give one at a time");
  check_configuration(tree, q[0], argument);
  return {q[0].begin(), q[0].end()};
}

void bind_kinematics(nb::module_& m) {
  bind_poses(m);
  bind_higher_order(m);
  bind_jacobians(m);
  bind_frame_kinematics(m);
  bind_centre_of_mass(m);
  bind_manipulability(m);
  bind_system_jacobian(m);
  bind_overall_inverse(m);
  bind_targets(m);
  bind_inverse_kinematics(m);
  bind_joint_variables(m);
}

}  // namespace axode::python
