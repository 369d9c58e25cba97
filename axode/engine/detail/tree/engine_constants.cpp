#include "axode/engine/detail/tree/engine_constants.hpp"

#include <algorithm>

#include "axode/lie/symmetric_eigen.hpp"
#include "axode/lie/trig.hpp"

namespace axode {

namespace {

using Vec = Vec3<double>;
using Mat = Mat3<double>;
using Pose = SE3<double>;

void store(const Vec& a, double* to) { to[0] = a.x, to[1] = a.y, to[2] = a.z; }
void store_twice(const Vec& a, double* to) {
  store(a, to);
  store(a, to + 3);
}
void store(const Mat& R, const Vec& p, double* to) {
  store(R.x, to), store(R.y, to + 3), store(R.z, to + 6), store(p, to + 9);
}
Pose pose_of(const EnginePlace& place) {
  const auto three = [&](int k) {
    return Vec{place.T_EB[k], place.T_EB[k + 1], place.T_EB[k + 2]};
  };
  return {{Mat{three(0), three(3), three(6)}}, three(9)};
}

/// B exp(X q), where exp = a a^T + (1 - a a^T) cos q + skew(a) sin q and a point of the axis stays.
void write_turn(const Pose& B, const Vec6<double>& X, double angle, EngineStep& s) {
  const Vec a = X.angular, on = cross(a, X.linear);
  const Mat along = outer(a, a), across = Mat::identity() - along, turned = skew(a);
  const SinCos<double> t = sincos(angle);  // cos q = cos(q + angle - angle)
  const Mat fixed = B.R.matrix * along, by_cos = B.R.matrix * (across * t.cos - turned * t.sin),
            by_sin = B.R.matrix * (across * t.sin + turned * t.cos);
  store(fixed, B * on - fixed * on, s.fixed);
  store(by_cos, -(by_cos * on), s.by_cos);
  store(by_sin, -(by_sin * on), s.by_sin);
  s.centred = max_abs(X.linear) == 0;
}

EngineForm form_of(const EngineBody& b) {
  EngineForm f;
  for (int j = 0; j < 3; ++j) {
    const double(&K)[3][3] = b.column;
    store({K[j][0], K[j][1], K[j][2]}, f.column[j]);
    store({K[0][j], K[1][j], K[2][j]}, f.row[j]);
    store({K[1][j], K[0][j], 0}, f.turned[j]);
    store({b.inertia[j][0], b.inertia[j][1], b.inertia[j][2]}, f.inertia[j]);
  }
  store_twice({b.position[0], b.position[1], b.position[2]}, f.position);
  store_twice({b.moment[0], b.moment[1], b.moment[2]}, f.moment);
  return f;
}

}  // namespace

namespace detail {

EngineCentre centre_of(const Inertia<double>& I) {
  const Sym3<double>& t = I.about_com;
  const auto eigen =
      symmetric_eigen<double, 3>({{{t.xx, t.xy, t.xz}, {t.xy, t.yy, t.yz}, {t.xz, t.yz, t.zz}}});
  std::array<std::size_t, 3> k{0, 1, 2};
  std::sort(k.begin(), k.end(),
            [&](std::size_t i, std::size_t j) { return eigen.values[i] < eigen.values[j]; });
  const auto axis = [&](std::size_t i) {
    const double length = std::sqrt(std::abs(eigen.values[i] - eigen.values[k[1]]));
    return length * Vec{eigen.vectors[0][i], eigen.vectors[1][i], eigen.vectors[2][i]};
  };
  EngineCentre centre{.middle = eigen.values[k[1]]};
  store(axis(k[2]), centre.more);
  store(axis(k[0]), centre.less);
  store(I.com, centre.centre);
  return centre;
}

void add_steps(const Tree& tree, EngineTree& engine) {
  engine.steps.resize(tree.links.size());
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const Link& link = tree.links[i];
    EngineStep& s = engine.steps[i];
    s.parent = link.parent, s.q = link.q, s.v = link.v, s.nv = link.nv;
    store(link.B.R.matrix, link.B.p, s.fixed);
    if (link.map == JointMap::fixed) continue;
    const EnginePlace& place = engine.places[i];
    const EngineBody& b = engine.bodies[place.engine_body];
    s.moving = b.joint == EngineJoint::moving;
    if (b.general >= 0) {
      s.general = b.general;
      const Pose T_EB = pose_of(place);
      store(T_EB.R.matrix, T_EB.p, s.fixed);
      const Pose T_PE = link.parent < 0 ? Pose{} : inverse(pose_of(engine.places[link.parent]));
      store(T_PE.R.matrix, T_PE.p, s.by_cos);
      continue;
    }
    const Vec6<double>& X = tree.screws[link.v];
    if (b.turn != 0) {
      s.turn = place.engine_body;
      write_turn(link.B, X, engine.angles.angle[place.engine_body], s);
    }
    s.slides = b.slide != 0;
    store(link.B.R * (b.turn != 0 ? X.angular * b.slide : X.linear), s.by_q);
  }
}

}  // namespace detail

void add_forms(EngineTree& tree) {
  if (!tree.forms.empty()) return;
  tree.forms.reserve(tree.bodies.size());
  for (const EngineBody& b : tree.bodies) tree.forms.push_back(form_of(b));
}

}  // namespace axode
