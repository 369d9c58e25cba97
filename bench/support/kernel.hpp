/// One operation done by one contender on arrays of inputs, ready to be checked and timed.
///
/// The loop is compiled where kernel() is called, so each contender has the flags of its own file.
/// Each result is stored to memory before the next input is read; no loop is vectorised over the
/// inputs, nothing is hoisted. All arrays begin at different offsets within a page: a store and a
/// load 4096 bytes apart would wait for each other, by chance of allocation.
#pragma once
#include <benchmark/benchmark.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace axode::bench {

struct Kernel {
  std::string operation;
  std::string writing;  ///< how it is written, where a contender has several ways
  std::size_t systems;  ///< results of one pass: elements times lanes
  std::function<void()> pass;
  std::function<std::vector<double>()> results;  ///< of all systems in turn, after a pass
};

/// The kernels of a contender; made once before any is timed.
struct Contender {
  std::string name;
  std::function<std::vector<Kernel>()> kernels;
};
/// All contenders linked into this program; files add theirs by a static Registered.
std::vector<Contender>& contenders();
struct Registered {
  Registered(std::string name, std::function<std::vector<Kernel>()> kernels) {
    contenders().push_back({std::move(name), std::move(kernels)});
  }
};

namespace detail {

constexpr std::size_t page = 4096;

/// An array that begins at a given offset within a page.
template <class T>
class Array {
 public:
  Array(const std::vector<T>& values, std::size_t offset)
      : memory_(static_cast<std::byte*>(
            ::operator new(offset + values.size() * sizeof(T), std::align_val_t(page)))),
        first_(reinterpret_cast<T*>(memory_.get() + offset)) {
    std::uninitialized_copy(values.begin(), values.end(), first_);
  }
  T* data() const { return first_; }

 private:
  struct Free {
    void operator()(std::byte* p) const { ::operator delete(p, std::align_val_t(page)); }
  };
  std::unique_ptr<std::byte[], Free> memory_;
  T* first_;
};

template <class F, class Out, class... In>
[[gnu::noinline]] void apply(F f, std::size_t count, Out* out, const In*... in) {
  for (std::size_t i = 0; i < count; ++i) {
    f(out[i], in[i]...);
    benchmark::ClobberMemory();
  }
}

template <class Out, class... In>
struct Arrays {
  std::size_t count;
  Array<Out> out;
  std::tuple<Array<In>...> in;
};

template <class Out, class... In, std::size_t... k>
auto arrays(std::index_sequence<k...>, const std::vector<In>&... in) {
  constexpr std::size_t step = page / (sizeof...(In) + 1) / 64 * 64;
  const std::size_t count = std::get<0>(std::tie(in...)).size();
  return std::make_shared<Arrays<Out, In...>>(
      Arrays<Out, In...>{count, {std::vector<Out>(count), 0}, {Array<In>(in, (k + 1) * step)...}});
}

}  // namespace detail

/// f(out, in...) sets one result; `numbers(out, lane, list)` appends it to a list of doubles.
template <class Out, int lanes = 1, class Numbers, class F, class... In>
Kernel kernel(std::string operation, std::string writing, Numbers numbers, F f,
              const std::vector<In>&... in) {
  auto data = detail::arrays<Out>(std::index_sequence_for<In...>{}, in...);
  return {std::move(operation), std::move(writing), data->count * lanes,
          [data, f] {
            std::apply(
                [&](const auto&... a) {
                  detail::apply(f, data->count, data->out.data(),
                                static_cast<const In*>(a.data())...);
                },
                data->in);
          },
          [data, numbers] {
            std::vector<double> list;
            for (std::size_t i = 0; i < data->count; ++i)
              for (int lane = 0; lane < lanes; ++lane) numbers(data->out.data()[i], lane, list);
            return list;
          }};
}

}  // namespace axode::bench
