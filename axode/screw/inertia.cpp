#include "axode/screw/inertia.hpp"

#include <algorithm>
#include <sstream>

#include "axode/core/error.hpp"
#include "axode/lie/symmetric_eigen.hpp"

namespace axode {

template <std::floating_point S>
Inertia<S> inertia_from_parameters(const InertiaParameters<S>& p) {
  if (!is_finite(p.mass) || !is_finite(p.first_moment) || !is_finite(p.about_origin.matrix()))
    throw Error("the parameters have entries that are not finite", "inertia_from_parameters",
                "give ten finite numbers");
  if (p.mass == S(0)) {
    if (p.first_moment == Vec3<S>{}) return {S(0), {}, p.about_origin};
    throw Error("the mass is zero but the first moment is not", "inertia_from_parameters",
                "a massless body has no first moment m c");
  }
  const Vec3<S> com = p.first_moment / p.mass;
  const Inertia<S> I{p.mass, com, p.about_origin - minus_skew_squared(com) * p.mass};
  if (!is_finite(I.com) || !is_finite(I.about_com.matrix()))
    throw Error("the mass is too small for the first moment", "inertia_from_parameters",
                "check the units");
  return I;
}

template <std::floating_point S>
Inertia<S> inertia_from_pseudo_inertia(const std::array<std::array<S, 4>, 4>& J,
                                       std::type_identity_t<S> tolerance) {
  const char* where = "inertia_from_pseudo_inertia";
  S asymmetry = S(0), largest = S(0);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) {
      asymmetry = max(asymmetry, abs(J[i][j] - J[j][i]));
      largest = max(largest, abs(J[i][j]));
    }
  if (!is_finite(largest))
    throw Error("the pseudo-inertia has entries that are not finite", where, "give finite numbers");
  if (!(asymmetry <= tolerance * largest)) {
    std::ostringstream problem;
    problem.precision(3);
    problem << "the pseudo-inertia is not symmetric: entries differ by " << asymmetry
            << " (allowed: " << tolerance * largest << ")";
    throw Error(problem.str(), where, "give [Sigma, m c; m c^T, m] with Sigma symmetric");
  }
  return inertia_from_parameters(InertiaParameters<S>{
      J[3][3],
      {J[0][3], J[1][3], J[2][3]},
      rotational_inertia_of_binet(Sym3<S>{J[0][0], J[1][1], J[2][2], J[0][1], J[0][2], J[1][2]})});
}

template <std::floating_point S>
Inertia<S> inertia_from_matrix(const Mat6<S>& M, std::type_identity_t<S> tolerance) {
  if (!is_finite(M.aa) || !is_finite(M.al) || !is_finite(M.la) || !is_finite(M.ll))
    throw Error("the matrix has entries that are not finite", "inertia_from_matrix",
                "give finite numbers");
  const S mass = trace(M.ll) / S(3);
  const InertiaParameters<S> p{mass, unskew(M.al), Sym3<S>::of(M.aa)};
  const Mat3<S> first_moment = skew(p.first_moment);
  const Mat6<S> rebuilt{p.about_origin.matrix(), first_moment, -first_moment,
                        Mat3<S>::diagonal({mass, mass, mass})};
  const S error = max_abs(M - rebuilt), allowed = tolerance * max_abs(M);
  if (!(error <= allowed)) {
    std::ostringstream problem;
    problem.precision(3);
    problem << "the matrix is not the inertia of a rigid body: it differs from the form "
               "[Theta, m c~; -m c~, m I] by "
            << error << " (allowed: " << allowed << ")";
    throw Error(problem.str(), "inertia_from_matrix",
                "check the order of the blocks: angular part first");
  }
  return inertia_from_parameters(p);
}

template <std::floating_point S>
std::string physical_violation(const Inertia<S>& I, std::type_identity_t<S> tolerance) {
  std::ostringstream text;
  text.precision(6);
  const Mat3<S> A = I.about_com.matrix();
  if (!is_finite(I.mass) || !is_finite(I.com) || !is_finite(A))
    return "the inertia has entries that are not finite";
  if (I.mass <= S(0)) {
    text << "the mass must be positive but is " << I.mass << " kg";
    return text.str();
  }
  const S scale = select(max_abs(A) > S(0), max_abs(A), S(1));  // so that nothing overflows
  const Mat3<S> B{A.x / scale, A.y / scale, A.z / scale};
  auto values =
      symmetric_eigen<S, 3>({{{B.x.x, B.y.x, B.z.x}, {B.x.y, B.y.y, B.z.y}, {B.x.z, B.y.z, B.z.z}}})
          .values;
  std::sort(values.begin(), values.end());
  const auto [small, middle, large] = values;
  // About another point the moments were larger by m c^2, and so was their rounding.
  const S allowed = tolerance * (S(1) + I.mass / scale * squared_norm(I.com));
  if (!(small >= -allowed)) {
    text << "the principal moments of inertia must not be negative but the smallest is "
         << scale * small << " kg m^2 (all: " << scale * small << ", " << scale * middle << ", "
         << scale * large << ")";
  } else if (!(large <= small + middle + allowed)) {
    text << "the triangle inequality is violated: the largest principal moment of inertia "
         << scale * large << " kg m^2 exceeds the sum of the others, " << scale * small << " + "
         << scale * middle << " = " << scale * (small + middle);
  }
  return text.str();
}

template <std::floating_point S>
void check_physical(const Inertia<S>& I, const std::string& where) {
  if (const std::string violation = physical_violation(I); !violation.empty())
    throw Error(violation, where, "no rigid body has such an inertia; mend the data");
}

template Inertia<double> inertia_from_parameters(const InertiaParameters<double>&);
template Inertia<float> inertia_from_parameters(const InertiaParameters<float>&);
template Inertia<double> inertia_from_pseudo_inertia(const std::array<std::array<double, 4>, 4>&,
                                                     double);
template Inertia<float> inertia_from_pseudo_inertia(const std::array<std::array<float, 4>, 4>&,
                                                    float);
template Inertia<double> inertia_from_matrix(const Mat6<double>&, double);
template Inertia<float> inertia_from_matrix(const Mat6<float>&, float);
template std::string physical_violation(const Inertia<double>&, double);
template std::string physical_violation(const Inertia<float>&, float);
template void check_physical(const Inertia<double>&, const std::string&);
template void check_physical(const Inertia<float>&, const std::string&);

}  // namespace axode
