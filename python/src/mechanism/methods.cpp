/// What bindings of mechanisms share: methods of two classes, arguments by name, arrays.
#include <algorithm>
#include <cmath>
#include <deque>

#include "axode/core/error.hpp"
#include "axode/model/checks.hpp"
#include "src/mechanism/mechanism.hpp"
#include "src/shared/errors.hpp"

namespace axode::python::mechanisms {
namespace {

/// By name or number in [0, count).
template <class Find>
int index_argument(nb::handle value, const char* argument, const char* kind, std::size_t count,
                   Find&& find) {
  if (nb::isinstance<nb::str>(value)) return find(text_from(value, argument));
  if (!is_number(value) || PyIndex_Check(value.ptr()) == 0)
    throw nb::type_error((std::string(argument) + ": give the name of a " + kind).c_str());
  const Py_ssize_t number = PyNumber_AsSsize_t(value.ptr(), nullptr);  // huge ones are clipped
  if (number < 0 || static_cast<std::size_t>(number) >= count)
    throw Error("there is no " + std::string(kind) + " of this number", argument,
                "there are " + std::to_string(count));
  return static_cast<int>(number);
}

}  // namespace

PySystem::PySystem(const Mechanism& mechanism, const FormulationOptions& how, std::string name)
    : system_(make_equations(mechanism, how)), name_(std::move(name)) {}

PySystem::Lock::Lock(PySystem& system) : system_(system) {
  if (system.user_.load() == std::this_thread::get_id())
    throw Error("a function of time uses the system that calls it", "MechanismSystem",
                "let it use another one");
  system.mutex_.lock();
  system.user_ = std::this_thread::get_id();
}
PySystem::Lock::~Lock() {
  system_.user_ = std::thread::id();
  system_.mutex_.unlock();
}

const char* signature(const MethodText& text, const char* more) {
  static std::deque<std::string> kept;
  const std::string arguments = std::string(text.arguments) + more;
  kept.push_back("def " + std::string(text.name) + "(self" + (arguments.empty() ? "" : ", ") +
                 arguments + ") -> " + text.result);
  return kept.back().c_str();
}

void forward_from_mechanism(MechanismClass& mechanisms, const MethodText& text) {
  const std::string_view arguments = text.arguments;
  const bool has_keywords = arguments.find('*') != std::string_view::npos;
  const std::string more =
      std::string(arguments.empty() ? "" : ", ") + (has_keywords ? "" : "*, ") +
      "formulation: axode.typing.MechanismFormulation = '" + default_formulation + "'";
  mechanisms.def(
      text.name,
      [name = text.name](const nb::object& self, const nb::args& args, const nb::kwargs& kwargs) {
        nb::object coordinates = nb::str(default_formulation);
        nb::dict others;
        for (const auto& [key, value] : kwargs) {
          if (nb::cast<std::string>(key) == "formulation")
            coordinates = nb::borrow(value);
          else
            others[key] = value;
        }
        const nb::object formulate = self.attr("formulate");
        const nb::object system = formulate(coordinates);
        const nb::object method = system.attr(name);
        return nb::object(method(*args, **others));
      },
      nb::sig(signature(text, more.c_str())), text.doc);
}

std::vector<double> state(nb::handle value, const char* argument, int n, const char* what) {
  const States given(value, argument, n, what);
  if (given.batched()) throw Error("is a batch; this needs one state", argument);
  check_finite(given[0], argument);
  return {given[0].begin(), given[0].end()};
}

double time(double t) {
  if (!std::isfinite(t)) throw Error("is not finite", "t");
  return t;
}

int coordinate_argument(const Mechanism& mechanism, nb::handle value, const char* argument) {
  return index_argument(value, argument, "coordinate", mechanism.coordinates.size(),
                        [&](const std::string& name) { return coordinate_index(mechanism, name); });
}

int body_argument(const Mechanism& mechanism, nb::handle value, const char* argument) {
  return index_argument(value, argument, "body", mechanism.bodies.size(),
                        [&](const std::string& name) { return body_index(mechanism, name); });
}

int driver_argument(const Mechanism& mechanism, nb::handle value, const char* argument) {
  return index_argument(
      value, argument, "driver", mechanism.drivers.size(), [&](const std::string& name) {
        std::string known;
        for (std::size_t k = 0; k < mechanism.drivers.size(); ++k) {
          const MechanismDriver& d = mechanism.drivers[k];
          if (d.name == name || mechanism.coordinates[d.coordinate].name == name)
            return static_cast<int>(k);
          known += (k == 0 ? "" : ", ") + detail::printable(d.name);
        }
        throw Error("there is no driver '" + detail::printable(name) + "'", argument,
                    known.empty() ? "the mechanism has none" : "there are: " + known);
      });
}

std::vector<SE3<double>> poses_argument(const Mechanism& mechanism, nb::handle value,
                                        const char* argument) {
  const std::size_t n = mechanism.bodies.size();
  std::vector<SE3<double>> poses;
  if (nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value)) {
    for (const nb::handle item : nb::borrow(value)) poses.push_back(pose(item, argument));
  } else {
    const Numbers given(value, argument);
    const auto shape = given.shape();
    if (shape.size() != 3 || shape[1] != 4 || shape[2] != 4)
      throw Error("is not an array of poses", argument, "give shape (bodies, 4, 4)");
    check_finite(given.all(), argument);
    for (std::size_t b = 0; b < shape[0]; ++b) {
      const double* T = given.all().data() + 16 * b;
      poses.push_back(
          {{Mat3<double>::rows({T[0], T[1], T[2]}, {T[4], T[5], T[6]}, {T[8], T[9], T[10]})},
           {T[3], T[7], T[11]}});
    }
  }
  if (poses.size() != n)
    throw Error("has " + std::to_string(poses.size()) + " poses, the mechanism " +
                    std::to_string(n) + " bodies",
                argument, "the world is the first");
  return poses;
}

nb::object poses_array(std::span<const SE3<double>> poses) {
  const Output all({poses.size(), 4, 4});
  for (std::size_t b = 0; b < poses.size(); ++b) write_homogeneous(poses[b], all.data + 16 * b);
  return all.array;
}
nb::object sixes_array(std::span<const Vec6<double>> sixes) {
  const Output all({sixes.size(), 6});
  for (std::size_t b = 0; b < sixes.size(); ++b) write_six(sixes[b], all.data + 6 * b);
  return all.array;
}
nb::list int_list(std::span<const int> numbers) {
  nb::list list;
  for (const int x : numbers) list.append(x);
  return list;
}

}  // namespace axode::python::mechanisms
