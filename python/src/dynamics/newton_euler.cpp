/// Newton-Euler equations of one rigid body.
#include "axode/dynamics/inverse/newton_euler.hpp"

#include "src/dynamics/dynamics.hpp"

namespace axode::python {
namespace {

template <class Six>
Six six(nb::handle value, const char* argument) {
  const Vec6<double> x = vec6(value, argument);
  return {x.angular, x.linear};
}

nb::object net_wrench_of(const Inertia<double>& I, nb::handle V, nb::handle A, std::string_view rep,
                         nb::handle T_WB) {
  const SE3<double> at = T_WB.is_none() ? SE3<double>{} : pose(T_WB, "T_WB");
  if (T_WB.is_none() && rep != "body")
    throw Error("is not given", "T_WB", "all forms but 'body' need the pose of the body");
  return with_representation(representation(rep), [&]<Rep r>() {
    return array(
        net_wrench_with_pose<r, double>(at, I, six<Twist<r>>(V, "V"), six<Acceleration<r>>(A, "A"))
            .six());
  });
}

nb::object net_wrench_of_momentum_of(nb::handle V, nb::handle P, nb::handle P_rate,
                                     std::string_view rep) {
  const auto of = [&]<Rep r>() {
    return array(net_wrench_of_momentum<r, double>(six<Twist<r>>(V, "V"), six<Momentum<r>>(P, "P"),
                                                   six<Momentum<r>>(P_rate, "P_rate"))
                     .six());
  };
  switch (choice(rep, "rep", {"body", "spatial", "hybrid"})) {
    case 0:
      return of.template operator()<Rep::body>();
    case 1:
      return of.template operator()<Rep::spatial>();
    default:
      return of.template operator()<Rep::hybrid>();
  }
}

}  // namespace

void bind_dynamics_newton_euler(nb::module_& m) {
  m.def(
      "net_wrench", &net_wrench_of, nb::arg("I"), nb::arg("V"), nb::arg("A"), nb::arg("rep"),
      nb::arg("T_WB") = nb::none(),
      nb::sig("def net_wrench(I: Inertia, V: axode.typing.ArrayLike, A: axode.typing.ArrayLike, "
              "rep: axode.typing.Rep, T_WB: axode.typing.PoseLike | None = None) -> "
              "axode.typing.Array"),
      "Net wrench on a body [N m, N], (6,), from its inertia in the body frame, its twist V and "
      "the rate A of the components of V, all in a representation. All but 'body' need the pose.");
  m.def(
      "net_wrench_in_frame",
      [](const Inertia<double>& I, nb::handle V, nb::handle A, nb::handle V_F) {
        return array(net_wrench_in_frame(I, vec6(V, "V"), vec6(A, "A"), vec6(V_F, "V_F")));
      },
      nb::arg("I"), nb::arg("V"), nb::arg("A"), nb::arg("V_F"),
      nb::sig("def net_wrench_in_frame(I: Inertia, V: axode.typing.ArrayLike, "
              "A: axode.typing.ArrayLike, V_F: axode.typing.ArrayLike) -> axode.typing.Array"),
      "The same in any moving frame F, (6,): inertia and twist of the body in F, the rate of these "
      "numbers, and the twist V_F of F itself, in F.");
  m.def("net_wrench_of_momentum", &net_wrench_of_momentum_of, nb::arg("V"), nb::arg("P"),
        nb::arg("P_rate"), nb::arg("rep"),
        nb::sig("def net_wrench_of_momentum(V: axode.typing.ArrayLike, P: axode.typing.ArrayLike, "
                "P_rate: axode.typing.ArrayLike, rep: typing.Literal['body', 'spatial', 'hybrid']"
                ") -> axode.typing.Array"),
        "Net wrench on a body [N m, N], (6,), from its twist and momentum and the rate of the "
        "numbers of the momentum.");
}

}  // namespace axode::python
