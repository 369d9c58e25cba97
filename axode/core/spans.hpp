/// Arguments of evaluations: numbers of a state, read or written.
///
/// A std::span whose scalar is not deduced from the argument: f(tree, q) takes a std::vector, an
/// array or a part of one, and S follows from another argument or is written, f<S>(tree, q).
/// Tests: tests/core/spans_test.cpp
#pragma once
#include <span>
#include <type_traits>

namespace axode {

template <class S = double>
using In = std::type_identity_t<std::span<const S>>;
template <class S = double>
using Out = std::type_identity_t<std::span<S>>;

}  // namespace axode
