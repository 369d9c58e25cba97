/// Conversions between representations, pairings, momentum and energy.
#include "axode/core/error.hpp"
#include "axode/screw/convert.hpp"
#include "axode/screw/inertia.hpp"
#include "src/screw/screw.hpp"

namespace axode::python {
namespace {

template <Quantity quantity>
Typed<quantity> converted(nb::handle T_WB, const Typed<quantity>& a, std::string_view to) {
  const SE3<double> T = pose(T_WB, "T_WB");
  return with_representation(a.rep, [&]<Rep from>() {
    return with_representation(representation(to), [&]<Rep target>() {
      return Typed<quantity>::of(
          all_finite(convert_with_pose<target>(T, a.template typed<from>()), "T_WB"));
    });
  });
}

PyAcceleration converted_acceleration(nb::handle T_WB, const PyTwist& V, const PyAcceleration& A,
                                      std::string_view to) {
  const SE3<double> T = pose(T_WB, "T_WB");
  want(A.rep, V.rep, "V");
  return with_representation(A.rep, [&]<Rep from>() {
    return with_representation(representation(to), [&]<Rep target>() {
      return PyAcceleration::of(all_finite(
          convert_with_pose_and_twist<target>(T, V.typed<from>(), A.typed<from>()), "A"));
    });
  });
}

void bind_conversion_functions(nb::module_& m) {
  m.def("convert_with_pose", &converted<Quantity::twist>, nb::arg("T_WB"), nb::arg("V"),
        nb::arg("to"),
        nb::sig("def convert_with_pose(T_WB: SE3 | axode.typing.ArrayLike, V: Twist, to: "
                "axode.typing.Rep) -> Twist"),
        "The twist in another representation; T_WB the pose of the body at that instant.");
  m.def("convert_with_pose", &converted<Quantity::wrench>, nb::arg("T_WB"), nb::arg("W"),
        nb::arg("to"),
        nb::sig("def convert_with_pose(T_WB: SE3 | axode.typing.ArrayLike, W: Wrench, to: "
                "axode.typing.Rep) -> Wrench"),
        "The wrench on the body in another representation.");
  m.def("convert_with_pose", &converted<Quantity::momentum>, nb::arg("T_WB"), nb::arg("P"),
        nb::arg("to"),
        nb::sig("def convert_with_pose(T_WB: SE3 | axode.typing.ArrayLike, P: Momentum, to: "
                "axode.typing.Rep) -> Momentum"),
        "The momentum of the body in another representation.");
  m.def("convert_with_pose_and_twist", &converted_acceleration, nb::arg("T_WB"), nb::arg("V"),
        nb::arg("A"), nb::arg("to"),
        nb::sig("def convert_with_pose_and_twist(T_WB: SE3 | axode.typing.ArrayLike, V: Twist, A: "
                "Acceleration, to: axode.typing.Rep) -> Acceleration"),
        "The acceleration A, derivative of the components of the twist V in the same "
        "representation, in another one.");
  m.def(
      "pairing",
      [](const PyWrench& W, const PyTwist& V) {
        want(W.rep, V.rep, "V");
        return finite(dot(W.six, V.six), "pairing");
      },
      nb::arg("W"), nb::arg("V"), "Power [W] of a wrench on a twist of the same representation.");
  m.def(
      "pairing",
      [](const PyMomentum& P, const PyTwist& V) {
        want(P.rep, V.rep, "V");
        return finite(dot(P.six, V.six), "pairing");
      },
      nb::arg("P"), nb::arg("V"),
      "Twice the kinetic energy [J] of a body with this momentum and twist.");
}

}  // namespace

void bind_conversions(nb::module_& m) {
  bind_conversion_functions(m);
  m.def(
      "momentum",
      [](const Inertia<double>& I, const PyTwist& V) {
        want(Rep::body, V.rep, "V");
        return PyMomentum::of(all_finite(momentum(I, V.typed<Rep::body>()), "V"));
      },
      nb::arg("I"), nb::arg("V"),
      "Momentum M V of the body of inertia I, given in its own frame, with a body twist.");
  m.def(
      "momentum_with_pose",
      [](nb::handle T_WB, const Inertia<double>& I, const PyTwist& V) {
        const SE3<double> T = pose(T_WB, "T_WB");
        return with_representation(V.rep, [&]<Rep rep>() {
          return PyMomentum::of(all_finite(momentum_with_pose(T, I, V.typed<rep>()), "V"));
        });
      },
      nb::arg("T_WB"), nb::arg("I"), nb::arg("V"),
      nb::sig("def momentum_with_pose(T_WB: SE3 | axode.typing.ArrayLike, I: Inertia, V: Twist) -> "
              "Momentum"),
      "Momentum in the representation of the twist; T_WB the pose of the body, I in its own "
      "frame.");
  m.def(
      "kinetic_energy",
      [](const Inertia<double>& I, const PyTwist& V) {
        want(Rep::body, V.rep, "V");
        return finite(kinetic_energy(I, V.typed<Rep::body>()), "V");
      },
      nb::arg("I"), nb::arg("V"),
      "Kinetic energy [J] of the body of inertia I, given in its own frame, with a body twist.");
  m.def(
      "kinetic_energy_with_pose",
      [](nb::handle T_WB, const Inertia<double>& I, const PyTwist& V) {
        const SE3<double> T = pose(T_WB, "T_WB");
        return with_representation(V.rep, [&]<Rep rep>() {
          return finite(kinetic_energy_with_pose(T, I, V.typed<rep>()), "V");
        });
      },
      nb::arg("T_WB"), nb::arg("I"), nb::arg("V"),
      nb::sig("def kinetic_energy_with_pose(T_WB: SE3 | axode.typing.ArrayLike, I: Inertia, V: "
              "Twist) -> float"),
      "Kinetic energy [J] from a twist of any representation.");
}

}  // namespace axode::python
