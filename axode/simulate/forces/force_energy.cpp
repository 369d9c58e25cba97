#include "axode/simulate/forces/detail/force_terms.hpp"

namespace axode {

namespace {

struct Stored {
  double energy = 0, rate = 0;
};

/// v may be empty: the rate is then of no use.
Stored stored(const Forces& forces, const ForceScratch& scratch, In<double> q, In<double> v,
              const laws::Bodies<double>& bodies) {
  Stored sum;
  const auto add = [&](double energy, double force, double rate) {
    sum.energy += energy;
    sum.rate += force * rate;
  };
  const auto speed = [&](int k) { return v.empty() ? 0.0 : v[k]; };
  for (std::size_t i = 0; i < forces.springs.size(); ++i) {
    const JointSpringDamper& spring = forces.springs[i];
    if (spring.stiffness == 0) continue;
    const double x = q[scratch.spring_q[i]] - spring.rest;
    add(0.5 * spring.stiffness * x * x, spring.stiffness * x, speed(spring.velocity));
  }
  for (const laws::Stop& stop : scratch.stops) {
    const auto p = laws::passed(stop, q[stop.q], speed(stop.velocity));
    if (p.back == 0) continue;
    const double x = p.beyond.depth, width = forces.stops.width;
    add(laws::stop_energy(x, stop.stiffness, width), stop.stiffness * x * x / (x + width),
        p.beyond.rate);
  }
  for (const PointForce& point : forces.points) {
    if (point.stiffness == 0) continue;
    const auto l = laws::line(point, bodies);
    const double x = l.length - point.free_length;
    add(0.5 * point.stiffness * x * x, point.stiffness * x, l.rate);
  }
  for (const CompliantContact& contact : forces.contacts)
    for (const Ball& ball : contact.balls) {
      const auto touched = laws::touch(contact.plane, ball, bodies);
      if (!(touched.depth > 0)) continue;
      const double n = contact.law.exponent;
      const double force = contact.law.stiffness * std::pow(touched.depth, n);
      add(force * touched.depth / (n + 1), force, touched.rate);
    }
  return sum;
}

}  // namespace

double stored_energy(const Tree&, const Forces& forces, double, In<double> q,
                     const BodyMotion& bodies, ForceWork& work) {
  return stored(forces, *work.scratch, q, {}, {bodies.T_WB, {}}).energy;
}

double stored_energy_rate(const Tree&, const Forces& forces, double, In<double> q, In<double> v,
                          const BodyMotion& bodies, ForceWork& work) {
  return stored(forces, *work.scratch, q, v, {bodies.T_WB, bodies.twists}).rate;
}

}  // namespace axode
