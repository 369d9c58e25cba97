#include "axode/flexible/detail/mass_columns.hpp"

#include <gtest/gtest.h>

#include "axode/flexible/tree/equations.hpp"
#include "tests/flexible/branched_tree.hpp"

namespace axode::test::mass_columns {

/// The exact equations in dual numbers take another way: columns one by one, twists of modes.
TEST(MassColumns, AreTheExactOnesToFirstOrder) {
  using D = Dual<double>;
  for (const bool stiffening : {false, true})
    for (const SectionRotation order :
         {SectionRotation::zyx, SectionRotation::xyz, SectionRotation::exp}) {
      const FlexibleTree tree = branched_tree(order, stiffening);
      const std::size_t n = tree.size;
      std::vector<double> q(n), v(n), mass(n * n), forces(n);
      std::vector<D> q_dual(n), v_dual(n), mass_dual(n * n), forces_dual(n);
      for (std::size_t i = 0; i < n; ++i) {
        const bool joint = static_cast<int>(i) < tree.joints;
        q[i] = (joint ? 1 : .05) * std::sin(1 + 3. * static_cast<double>(i));
        v[i] = (joint ? 1 : .5) * std::cos(2 + 5. * static_cast<double>(i));
        q_dual[i] = joint ? D(q[i], 0) : D(0, q[i]);
        v_dual[i] = joint ? D(v[i], 0) : D(0, v[i]);
      }
      auto linear = make_flexible_work<FirstOrder>(tree);
      flexible_equations<FirstOrder>(tree, q, v, linear, mass, forces);
      auto exact = make_flexible_work<Exact<D>>(tree);
      flexible_equations<Exact<D>>(tree, q_dual, v_dual, exact, mass_dual, forces_dual);
      double size = 0;
      for (const double m : mass) size = std::max(size, std::abs(m));
      for (std::size_t i = 0; i < n; ++i) {
        const double expected = forces_dual[i].real + forces_dual[i].dual;
        EXPECT_NEAR(forces[i], expected, 1e-11 * size * 10) << tree.coordinate_names[i];
        for (std::size_t j = 0; j < n; ++j)
          EXPECT_NEAR(mass[i * n + j], mass_dual[i * n + j].real + mass_dual[i * n + j].dual,
                      1e-12 * size)
              << tree.coordinate_names[i] << " " << tree.coordinate_names[j] << stiffening;
      }
    }
}

}  // namespace axode::test::mass_columns
