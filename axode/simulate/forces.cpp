#include "axode/simulate/forces.hpp"

namespace axode {

struct ForceScratch {};

void check_forces(const Tree&, const Forces&) {}
ForceWork::ForceWork(const Tree&, const Forces&) {}
ForceWork::~ForceWork() = default;
ForceWork::ForceWork(ForceWork&&) noexcept = default;
ForceWork& ForceWork::operator=(ForceWork&&) noexcept = default;
void begin_piece(const Forces&, double, ForceWork&) noexcept {}
void add_forces(const Tree&, const Forces&, double, In<double>, In<double>, const BodyMotion&,
                ForceWork&, Out<double>, Out<Wrench<Rep::body, double>>) {}
double stored_energy(const Tree&, const Forces&, double, In<double>, const BodyMotion&,
                     ForceWork&) {
  return 0;
}
double stored_energy_rate(const Tree&, const Forces&, double, In<double>, In<double>,
                          const BodyMotion&, ForceWork&) {
  return 0;
}
double next_discontinuity(const Forces&, double) noexcept {
  return std::numeric_limits<double>::infinity();
}
ForceDerivatives::ForceDerivatives(const Tree&) {}
void add_force_derivatives(const Tree&, const Forces&, double, In<double>, In<double>, ForceWork&,
                           ForceDerivatives&) {}

}  // namespace axode
