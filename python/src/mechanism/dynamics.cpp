/// axode.mechanism.VelocityTransformation: dynamics in two stages, by the velocities of relative coordinates.
#include "axode/core/error.hpp"
#include "axode/mechanism/dynamics/velocity_transformation.hpp"
#include "src/mechanism/options.hpp"

namespace axode::python::mechanisms {
namespace {

/// Systems of its own, as those of Python may be used in between.
class PyVelocityTransformation {
 public:
  PyVelocityTransformation(MechanismSystem relative, MechanismSystem other)
      : relative_(std::move(relative)),
        other_(std::move(other)),
        transformation_(relative_, other_) {}
  PyVelocityTransformation(const PyVelocityTransformation&) = delete;
  PyVelocityTransformation& operator=(const PyVelocityTransformation&) = delete;

  int nz() const { return relative_.equations().numbers(); }
  int nv() const { return relative_.equations().velocities(); }
  int rows() const { return relative_.equations().rows(); }
  const VelocityTransformation& get() const { return transformation_; }

  void move_to(nb::handle z, nb::handle rates) {
    const auto at = state(z, "z", nz(), "the relative coordinates");
    const auto speed = state(rates, "rates", nv(), "the relative velocities");
    transformation_.move_to(at, speed);
    moved_ = true;
  }
  void want_state() const {
    if (!moved_) throw Error("there is no state yet", "VelocityTransformation", "call move_to");
  }
  VelocityTransformation& moved() {
    want_state();
    return transformation_;
  }
  nb::object dense() {
    const SparseRows& R = moved().matrix();
    const Output all({std::size_t(R.rows), std::size_t(R.columns)});
    std::ranges::fill(all.all(), 0.0);
    for (int row = 0; row < R.rows; ++row)
      for (int k = R.start[row]; k < R.start[row + 1]; ++k)
        all.data[std::size_t(row) * R.columns + R.column[k]] += R.value[k];
    return all.array;
  }
  nb::object accelerate(double t, nb::handle z, nb::handle rates) {
    const auto at = state(z, "z", nz(), "the relative coordinates");
    const auto speed = state(rates, "rates", nv(), "the relative velocities");
    std::vector<double> a(nv(), 0), lambda(rows(), 0);
    RunErrors errors;
    const bool done = transformation_.accelerate(time(t), at, speed, a, lambda);
    errors.rethrow();
    moved_ = true;
    return result("MechanismAcceleration", done, array(a), array(lambda),
                  done ? std::string() : transformation_.why());
  }

 private:
  MechanismSystem relative_, other_;
  VelocityTransformation transformation_;
  bool moved_ = false;
};

MechanismSystem copy_of(PySystem& py) {
  return py.use([](MechanismSystem& system) { return MechanismSystem(system); });
}

}  // namespace

void bind_mechanism_dynamics(nb::module_& m) {
  using Self = PyVelocityTransformation;
  nb::class_<Self>(m, "VelocityTransformation",
                   "Dynamics in two stages: forces and masses in the coordinates q of one "
                   "formulation, motion in the relative velocities z' of another: q' = R z'. Made "
                   "of two systems of one mechanism, the first in relative coordinates; it works "
                   "on copies of both.")
      .def(
          "__init__",
          [](Self* self, PySystem& relative, PySystem& other) {
            new (self) Self(copy_of(relative), copy_of(other));
          },
          nb::arg("relative"), nb::arg("other"),
          nb::sig("def __init__(self, relative: MechanismSystem, other: MechanismSystem) -> None"))
      .def("move_to", &Self::move_to, nb::arg("z"), nb::arg("rates"),
           nb::sig("def move_to(self, z: axode.typing.ArrayLike, rates: axode.typing.ArrayLike) -> "
                   "None"),
           "Moves to relative coordinates z and velocities; may change forms of equations of the "
           "other formulation.")
      .def_prop_ro(
          "q", [](Self& self) { return array(self.moved().q()); },
          nb::sig("def q(self) -> axode.typing.Array"),
          "The coordinates of the other formulation at the state moved to.")
      .def_prop_ro(
          "velocity", [](Self& self) { return array(self.moved().velocity()); },
          nb::sig("def velocity(self) -> axode.typing.Array"), "And its velocities.")
      .def("matrix", &Self::dense, nb::sig("def matrix(self) -> axode.typing.Array"),
           "R of q' = R z' at the state moved to, (nv of the other, nv of the relative one).")
      .def(
          "bias", [](Self& self) { return array(self.moved().bias()); },
          nb::sig("def bias(self) -> axode.typing.Array"), "R' z': what q'' is where z'' is zero.")
      .def("accelerate", &Self::accelerate, nb::arg("t"), nb::arg("z"), nb::arg("rates"),
           nb::sig("def accelerate(self, t: float, z: axode.typing.ArrayLike, rates: "
                   "axode.typing.ArrayLike) -> axode._results.MechanismAcceleration"),
           "z'' and the multipliers of the equations in relative coordinates at (t, z, z').")
      .def(
          "transformed",
          [](Self& self, nb::handle acceleration) {
            const auto a =
                state(acceleration, "acceleration", self.nv(), "the relative accelerations");
            return array(self.moved().transformed(a));
          },
          nb::arg("acceleration"),
          nb::sig("def transformed(self, acceleration: axode.typing.ArrayLike) -> "
                  "axode.typing.Array"),
          "q'' = R z'' + R' z', of the state moved to.");
}

}  // namespace axode::python::mechanisms
