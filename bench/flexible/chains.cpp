#include "bench/flexible/chains.hpp"

#include <cstdio>

#include "axode/flexible/tree/dynamics.hpp"
#include "axode/flexible/tree/recursive.hpp"
#include "bench/flexible/arm.hpp"
#include "bench/support/timed.hpp"

namespace axode::bench {

void print_chains() {
  std::printf(
      "accelerations of chains, 6 degrees of freedom a link [us]\n%6s %12s %12s %12s %12s\n",
      "links", "linear dense", "recursive", "exact dense", "recursive");
  for (const int links : {1, 2, 5, 10, 20, 50, 100, 200}) {
    const FlexibleTree tree = elastic_chain(links);
    const std::vector<double> q(tree.size, 1e-3), v(q.size(), .01), tau(q.size());
    std::vector<double> rates(q.size());
    FlexibleDynamics linear(tree), exact(tree, {FlexibleModel::nonlinear, {}, false});
    auto first = make_recursive_work<FirstOrder>(tree);
    auto all_orders = make_recursive_work<Exact<double>>(tree);
    Timed times[] = {
        {"", [&] { linear.acceleration(q, v, tau, rates); }},
        {"", [&] { recursive_acceleration<FirstOrder>(tree, q, v, tau, first, rates); }},
        {"", [&] { exact.acceleration(q, v, tau, rates); }},
        {"", [&] { recursive_acceleration<Exact<double>>(tree, q, v, tau, all_orders, rates); }},
    };
    measure({&times[0], &times[1], &times[2], &times[3]}, 7, 1e-3);
    std::printf("%6d", links);
    for (Timed& one : times) std::printf(" %12.2f", 1e6 * one.undisturbed());
    std::puts("");
  }
}

}  // namespace axode::bench
