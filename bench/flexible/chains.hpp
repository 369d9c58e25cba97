/// Accelerations of chains of 1 to 200 elastic links: dense against recursive equations.
#pragma once

namespace axode::bench {

void print_chains();

}  // namespace axode::bench
