/// Rotations and matrices from and to arrays.
#include <charconv>
#include <cmath>

#include "axode/core/error.hpp"
#include "axode/lie/rotation.hpp"
#include "axode/model/checks.hpp"
#include "src/lie/lie.hpp"

namespace axode::python {

Mat3<double> mat3(nb::handle value, const char* argument) {
  const Numbers numbers = shaped(value, argument, {3, 3});
  return read_mat3(numbers.all().data(), 3);
}
Mat6<double> mat6(nb::handle value, const char* argument) {
  const Numbers numbers = shaped(value, argument, {6, 6});
  Mat6<double> m;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) m(i, j) = numbers.all()[6 * i + j];
  return m;
}
std::array<std::array<double, 4>, 4> mat4(nb::handle value, const char* argument) {
  const Numbers numbers = shaped(value, argument, {4, 4});
  std::array<std::array<double, 4>, 4> m;
  for (std::size_t i = 0; i < 16; ++i) m[i / 4][i % 4] = numbers.all()[i];
  return m;
}
Sym3<double> sym3(nb::handle value, const char* argument) {
  Numbers numbers(value, argument);
  if (numbers.shape().size() == 1) return Sym3<double>::diagonal(vec3(value, argument));
  const Mat3<double> m = mat3(value, argument);
  if (max_abs(m - transpose(m)) > 1e-9 * max_abs(m))
    throw Error("is not symmetric: entries differ by " + text(max_abs(m - transpose(m))), argument);
  return Sym3<double>::of(m);
}
SO3<double> rotation(nb::handle value, const char* argument) {
  if (SO3<double> R; nb::try_cast(value, R)) return R;
  if (nb::isinstance<Quaternion<double>>(value))
    return rotation_from_quaternion(quaternion_of(value, argument));
  return checked_rotation(mat3(value, argument), argument);
}
Quaternion<double> quaternion_of(nb::handle value, const char* argument) {
  const Numbers numbers = shaped(value, argument, {4});
  const double* q = numbers.all().data();
  if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0)
    throw Error("is zero, which is not a rotation", argument, "give w, x, y, z");
  return {q[0], read_three(q + 1)};
}
double finite(double value, const char* argument) {
  if (!std::isfinite(value)) throw Error("is not finite, or too large", argument);
  return value;
}

nb::object matrix(const Mat6<double>& m) {
  const Output result({6, 6});
  write(m, result.data);
  return result.array;
}
nb::object array(const Quaternion<double>& q) {
  const double numbers[] = {q.w, q.v.x, q.v.y, q.v.z};
  return array(numbers);
}

void write(const Mat3<double>& m, double* row_by_row) noexcept {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) row_by_row[3 * i + j] = m(i, j);
}
void write(const Mat6<double>& m, double* row_by_row) noexcept {
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) row_by_row[6 * i + j] = m(i, j);
}
Vec3<double> read_three(const double* numbers) noexcept {
  return {numbers[0], numbers[1], numbers[2]};
}
Mat3<double> read_mat3(const double* numbers, std::size_t stride) noexcept {
  return Mat3<double>::rows(read_three(numbers), read_three(numbers + stride),
                            read_three(numbers + 2 * stride));
}
SE3<double> checked_pose(const double* row_by_row, const char* argument) {
  const double* T = row_by_row;
  if (T[12] != 0 || T[13] != 0 || T[14] != 0 || T[15] != 1)
    throw Error("is not a pose: its last row is not 0 0 0 1", argument);
  return detail::checked({{read_mat3(T, 4)}, {T[3], T[7], T[11]}}, argument);
}
SO3<double> checked_rotation(const Mat3<double>& m, const char* argument) {
  return detail::checked({{m}, {}}, argument).R;
}

std::string text(double number) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  return {digits, end};
}
std::string text(std::span<const double> numbers) {
  std::string all;
  for (const double x : numbers) all += (all.empty() ? "" : ", ") + text(x);
  return all;
}
std::string text(const Vec3<double>& v) {
  const double numbers[] = {v.x, v.y, v.z};
  return "[" + text(numbers) + "]";
}
std::string text(const Vec6<double>& v) {
  double numbers[6];
  write_six(v, numbers);
  return "[" + text(numbers) + "]";
}
std::string text(const Mat3<double>& m) {
  const Mat3<double> rows = transpose(m);
  return "[" + text(rows.x) + ", " + text(rows.y) + ", " + text(rows.z) + "]";
}

Stack::Stack(Numbers numbers, const char* argument, std::initializer_list<std::size_t> item)
    : numbers_(std::move(numbers)) {
  const auto shape = numbers_.shape();
  const bool fits = shape.size() >= item.size() &&
                    std::equal(item.begin(), item.end(), shape.end() - item.size());
  if (!fits) {
    std::string wanted;
    for (const std::size_t n : item) wanted += ", " + std::to_string(n);
    throw Error("has shape " + shape_text(shape) + " where (..." + wanted + ") is wanted",
                argument);
  }
  leading_.assign(shape.begin(), shape.end() - item.size());
  for (const std::size_t n : leading_) count_ *= n;
  for (const std::size_t n : item) each_ *= n;
  for (const double x : numbers_.all()) finite(x, argument);
}

Output Stack::output(std::initializer_list<std::size_t> item) const {
  std::vector<std::size_t> shape = leading_;
  shape.insert(shape.end(), item);
  return Output(std::span<const std::size_t>(shape));
}

}  // namespace axode::python
