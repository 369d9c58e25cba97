// Compiled once per instruction set. One state is evaluated in vectors of four where there are such
// registers, and there is nothing for wider ones; the baseline takes plain numbers.
#if AXODE_LANES <= 4
#include "axode/engine/detail/kernels/derivatives.hpp"
#include "axode/engine/detail/kernels/factors.hpp"
#include "axode/engine/detail/kernels/forward_dynamics.hpp"
#include "axode/engine/detail/kernels/inverse_dynamics.hpp"
#include "axode/engine/detail/kernels/kernels.hpp"
#include "axode/engine/detail/kernels/mass_matrix.hpp"
#include "axode/engine/detail/kernels/poses.hpp"
#include "axode/engine/detail/kernels/sincos.hpp"

namespace axode::engine {

namespace {

using P = Pack<double, AXODE_LANES>;
#if AXODE_LANES == 2
using One = ManyStates<double>;
#else
using One = OneState<P>;
#endif

/// The arrays have room for whole packs.
void angles(const Call<double>& c, double* cosine, double* sine) noexcept {
  for (int i = 0; i < c.n; i += AXODE_LANES) {
    P q;
    for (int l = 0; l < AXODE_LANES; ++l) q.set(l, c.q[c.angles.q[i + l]]);
    const SinCos<P> r =
        engine::sincos(q * P::load(c.angles.turn + i) + P::load(c.angles.angle + i));
    r.sin.store(sine + i);
    r.cos.store(cosine + i);
  }
}

std::size_t scratch_bytes(int n, int nv, int path) noexcept {
  const std::size_t bodies = n, velocities = nv, length = path + AXODE_LANES;
  const std::size_t articulated =
      (bodies + 1) * (sizeof(ArticulatedBody<One>) + sizeof(ArticulatedInertia<One>)) +
      velocities * sizeof(DofTerms<One>);
  const std::size_t sums =
      bodies * sizeof(MotionSum<One>) + length * (4 * sizeof(Six<One>) + sizeof(int));
  const std::size_t most = articulated > sums ? articulated : sums;
  const std::size_t mass = mass_matrix_bytes<One>(bodies, velocities, length);
  return mass > most ? mass : most;
}

}  // namespace

namespace detail {
template <>
const Kernels& kernels_for<AXODE_LANES>() noexcept {
  static const Kernels table{AXODE_LANES,
                             scratch_bytes,
                             angles,
                             poses<One>,
                             path_poses<One>,
                             inverse_dynamics<One>,
                             forward_dynamics<One>,
                             coupled_forward_dynamics<One>,
                             mass_matrix<One>,
                             derivatives<One>,
                             factorize<One>,
                             invert<One>,
                             multiply_negative<One>,
                             One::block};
  return table;
}
}  // namespace detail

}  // namespace axode::engine
#endif
