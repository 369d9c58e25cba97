#include "tests/support/allocations.hpp"

#include <cstdlib>
#include <new>

namespace {
thread_local long allocations = 0;

void* allocate(std::size_t size, std::size_t alignment) {
  ++allocations;
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;  // as C asks
  void* memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (!memory) throw std::bad_alloc();
  return memory;
}
constexpr std::size_t usual = __STDCPP_DEFAULT_NEW_ALIGNMENT__;
}  // namespace

// All other forms of new and delete end in these (sanitizers have their own of the one that does not
// throw, so that it is here, too).
void* operator new(std::size_t size) { return allocate(size, usual); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace axode::test {

long count_allocations(const std::function<void()>& f) {
  const long before = allocations;
  f();
  return allocations - before;
}

}  // namespace axode::test
