#include "axode/integrate/steppers/tableau.hpp"

#include <string>

#include "axode/core/error.hpp"

namespace axode {

namespace {

using Row = std::array<double, 6>;

constexpr Tableau euler{1, 2, 2, {0, 1}, {Row{}, Row{1}}, {-0.5, 0.5}, {}};
constexpr Tableau midpoint{
    2, 3, 3, {0, 0.5, 1}, {Row{}, Row{0.5}, Row{0, 1}}, {1. / 3, -2. / 3, 1. / 3}, {}};
constexpr Tableau bogacki_shampine{3,
                                   4,
                                   3,
                                   {0, 0.5, 0.75, 1},
                                   {Row{}, Row{0.5}, Row{0, 0.75}, Row{2. / 9, 1. / 3, 4. / 9}},
                                   {-5. / 72, 1. / 12, 1. / 9, -1. / 8},
                                   {}};
// Fehlberg's pair of orders 4 and 5, continued with order 4; the last stage is the rate at the end.
// (That of the classical method with one more rate is blind where the rate depends little on x, as at
// the turning points of a pendulum.)
constexpr Tableau fehlberg{
    4,
    7,
    5,
    {0, 0.25, 3. / 8, 12. / 13, 1, 0.5, 1},
    {Row{}, Row{0.25}, Row{3. / 32, 9. / 32}, Row{1932. / 2197, -7200. / 2197, 7296. / 2197},
     Row{439. / 216, -8, 3680. / 513, -845. / 4104},
     Row{-8. / 27, 2, -3544. / 2565, 1859. / 4104, -11. / 40},
     Row{25. / 216, 0, 1408. / 2565, 2197. / 4104, -0.2, 0}},
    {1. / 360, 0, -128. / 4275, -2197. / 75240, 1. / 50, 2. / 55, 0},
    {}};
constexpr Tableau dormand_prince{
    5,
    7,
    5,
    {0, 0.2, 0.3, 0.8, 8. / 9, 1, 1},
    {Row{}, Row{0.2}, Row{3. / 40, 9. / 40}, Row{44. / 45, -56. / 15, 32. / 9},
     Row{19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
     Row{9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
     Row{35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84}},
    {71. / 57600, 0, -71. / 16695, 71. / 1920, -17253. / 339200, 22. / 525, -1. / 40},
    {-12715105075. / 11282082432., 0, 87487479700. / 32700410799., -10690763975. / 1880347072.,
     701980252875. / 199316789632., -1453857185. / 822651844., 69997945. / 29380423.}};

template <int count>
void combine_n(const double* w, double h, const double* k, int n, const double* base,
               double* __restrict out) noexcept {
  std::array<double, count> f;
  for (int j = 0; j < count; ++j) f[j] = h * w[j];
  for (int i = 0; i < n; ++i) {
    double sum = f[0] * k[i];
    for (int j = 1; j < count; ++j) sum += f[j] * k[j * n + i];
    out[i] = base ? base[i] + sum : sum;
  }
}

}  // namespace

const Tableau& tableau(int order) {
  switch (order) {
    case 1:
      return euler;
    case 2:
      return midpoint;
    case 3:
      return bogacki_shampine;
    case 4:
      return fehlberg;
    case 5:
      return dormand_prince;
    default:
      throw Error("order " + std::to_string(order), "Munthe-Kaas method",
                  "give an order from 1 to 5");
  }
}

void combine(int count, const double* weights, double h, const double* k, int n, const double* base,
             double* out) noexcept {
  switch (count) {
    case 1:
      return combine_n<1>(weights, h, k, n, base, out);
    case 2:
      return combine_n<2>(weights, h, k, n, base, out);
    case 3:
      return combine_n<3>(weights, h, k, n, base, out);
    case 4:
      return combine_n<4>(weights, h, k, n, base, out);
    case 5:
      return combine_n<5>(weights, h, k, n, base, out);
    case 6:
      return combine_n<6>(weights, h, k, n, base, out);
    default:
      return combine_n<7>(weights, h, k, n, base, out);
  }
}

}  // namespace axode
