/// Counts calls of operator new, for tests of what must not allocate.
#pragma once
#include <functional>

namespace axode::test {

/// How often f allocates memory by new, in this thread.
long count_allocations(const std::function<void()>& f);

}  // namespace axode::test
