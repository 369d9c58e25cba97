#include "src/mechanism/record.hpp"

#include "axode/core/error.hpp"
#include "axode/lie/rotation.hpp"

namespace axode::python::mechanisms {

void Recorder::take(const Sample& s) {
  t.push_back(s.t);
  const auto add = [](std::vector<double>& all, std::span<const double> some) {
    all.insert(all.end(), some.begin(), some.end());
  };
  add(q, s.q);
  add(v, s.v);
  add(a, s.a);
  add(lambda, s.lambda);
  kinetic.push_back(s.kinetic);
  potential.push_back(s.potential);
  work.push_back(s.work);
  system_.motion(s.q, s.v, poses_, twists_);
  for (const TimeValue& x : s.coordinates) {
    coordinates.push_back(x.value);
    coordinate_rates.push_back(x.rate);
  }
  for (const PointName& point : points_) {
    const Vec3<double> p = poses_[point.body] * point.local;
    for (int k = 0; k < 3; ++k) places.push_back(p[k]);
  }
  if (bodies_) keep_bodies();
}

void Recorder::keep_bodies() {
  for (std::size_t b = 0; b < poses_.size(); ++b) {
    const Quaternion<double> e = to_quaternion(poses_[b].R);
    const Vec3<double>& p = poses_[b].p;
    for (const double x : {e.w, e.v.x, e.v.y, e.v.z, p.x, p.y, p.z}) body_poses.push_back(x);
    double six[6];
    write_six(twists_[b].six(), six);
    body_twists.insert(body_twists.end(), six, six + 6);
  }
}

std::vector<PointName> points_named(const Mechanism& m, nb::handle names) {
  std::vector<PointName> points;
  if (names.is_none()) return points;
  for (const nb::handle item : nb::borrow(names)) {
    const std::string wanted = nb::cast<std::string>(nb::str(item));
    const std::size_t before = points.size();
    std::string known;
    for (std::size_t b = 0; b < m.bodies.size(); ++b)
      for (const NamedVector& point : m.bodies[b].points) {
        const std::string all = m.bodies[b].name + "." + point.name;
        if (all == wanted) points.push_back({wanted, static_cast<int>(b), point.at});
        if (known.size() < 200) known += (known.empty() ? "" : ", ") + all;
      }
    if (points.size() == before)
      throw Error("there is no point '" + wanted + "'", "points",
                  known.empty() ? "add points to the bodies" : "there are: " + known);
  }
  return points;
}

namespace {

nb::tuple column(const nb::object& values, const nb::list& labels, const nb::list& units) {
  return nb::make_tuple(values, labels, units);
}
nb::list repeated(const char* text, std::size_t n) {
  nb::list all;
  for (std::size_t i = 0; i < n; ++i) all.append(text);
  return all;
}
nb::list texts(const std::vector<std::string>& names) {
  nb::list all;
  for (const std::string& name : names) all.append(name);
  return all;
}

void add_bodies(const Mechanism& m, const Recorder& r, nb::dict& all) {
  nb::list pose_names, pose_units, twist_names, twist_units;
  for (const MechanismBody& body : m.bodies) {
    for (const char* part : {"qw", "qx", "qy", "qz", "x", "y", "z"}) {
      pose_names.append(body.name + "." + part);
      pose_units.append(*part == 'q' ? "" : "m");
    }
    for (const char* part : {"wx", "wy", "wz", "vx", "vy", "vz"}) {
      twist_names.append(body.name + "." + part);
      twist_units.append(*part == 'w' ? "rad/s" : "m/s");
    }
  }
  const std::size_t n = r.t.size(), bodies = m.bodies.size();
  all["body_poses"] = column(matrix(r.body_poses, n, 7 * bodies), pose_names, pose_units);
  all["body_twists"] = column(matrix(r.body_twists, n, 6 * bodies), twist_names, twist_units);
}

}  // namespace

nb::dict columns_of(const PySystem& py, const Recorder& r, std::span<const PointName> points) {
  const std::size_t n = r.t.size(), nq = py.nq(), nv = py.nv(), rows = py.rows();
  const Mechanism& m = py.mechanism();
  nb::list names, units, rate_units, equations, places;
  for (const MechanismCoordinate& c : m.coordinates) {
    names.append(c.name);
    units.append(c.is_angle ? "rad" : "m");
    rate_units.append(c.is_angle ? "rad/s" : "m/s");
  }
  for (const Equation& e : py.equations().equations) equations.append(e.name);
  for (const PointName& point : points)
    for (const char* axis : {".x", ".y", ".z"}) places.append(point.name + axis);
  nb::dict all;
  const MechanismEquations& eq = py.equations();
  const nb::list q_names = texts(eq.coordinate_names), v_names = texts(eq.velocity_names);
  all["q"] = column(matrix(r.q, n, nq), q_names, repeated("", nq));
  all["v"] = column(matrix(r.v, n, nv), v_names, repeated("", nv));
  all["a"] = column(matrix(r.a, n, nv), v_names, repeated("", nv));
  all["lambda_"] = column(matrix(r.lambda, n, rows), equations, repeated("", rows));
  const std::size_t coordinates = m.coordinates.size();
  all["coordinates"] = column(matrix(r.coordinates, n, coordinates), names, units);
  all["coordinate_rates"] = column(matrix(r.coordinate_rates, n, coordinates), names, rate_units);
  if (!points.empty())
    all["points"] =
        column(matrix(r.places, n, 3 * points.size()), places, repeated("m", 3 * points.size()));
  if (!r.body_poses.empty()) add_bodies(m, r, all);
  const nb::list joule = repeated("J", 1), none;
  all["kinetic"] = column(array(r.kinetic), none, joule);
  all["potential"] = column(array(r.potential), none, joule);
  all["work"] = column(array(r.work), none, joule);
  return all;
}

}  // namespace axode::python::mechanisms
