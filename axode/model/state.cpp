#include "axode/model/state.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "axode/core/error.hpp"
#include "axode/core/finite.hpp"
#include "axode/lie/dual.hpp"
#include "axode/lie/se3.hpp"

namespace axode {

namespace {

std::string joint_text(const Tree& tree, int i) {
  return "joint '" + tree.bodies[i].joint_name + "'";
}

template <class S>
Quaternion<S> quaternion_of(const S* q) {
  return {q[0], {q[1], q[2], q[3]}};
}
template <class S>
void store(const Quaternion<S>& a, S* q) {
  q[0] = a.w, q[1] = a.v.x, q[2] = a.v.y, q[3] = a.v.z;
}
template <class S>
Vec3<S> vec3_of(const S* q) {
  return {q[0], q[1], q[2]};
}
template <class S>
void store(const Vec3<S>& a, S* q) {
  q[0] = a.x, q[1] = a.y, q[2] = a.z;
}
template <class S>
SO3<S> rotation_of(const Quaternion<S>& a) {
  return {rotation_matrix(a)};
}

void check_length(std::size_t length, int needed, const char* what, const char* unit) {
  if (length != std::size_t(needed))
    throw Error("it has " + std::to_string(length) + " numbers, the tree has " +
                    std::to_string(needed) + " " + unit,
                what, "give one number for each");
}

/// For each velocity the one it follows and the factor; itself and 1 if it is independent.
struct Follow {
  int leader;
  double ratio;
};
std::vector<Follow> follows(const Tree& tree) {
  std::vector<Follow> f(tree.nv);
  for (int k = 0; k < tree.nv; ++k) f[k] = {k, 1};
  for (const Coupling& c : tree.couplings)
    f[tree.links[c.follower].v] = {tree.links[c.leader].v, c.ratio};
  return f;
}

std::vector<char> follows_in_q(const Tree& tree) {
  std::vector<char> f(tree.nq, 0);
  for (const Coupling& c : tree.couplings) f[tree.links[c.follower].q] = 1;
  return f;
}

void apply_couplings(const Tree& tree, std::vector<double>& q) {
  for (const Coupling& c : tree.couplings)
    q[tree.links[c.follower].q] = c.ratio * q[tree.links[c.leader].q] + c.offset;
}

/// Where a coordinate may be: its limits, those of its followers, and a width where there are none.
struct Range {
  double low, high;
};
std::vector<Range> ranges(const Tree& tree) {
  std::vector<Range> all(tree.nv);
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = {tree.dofs[k].lower, tree.dofs[k].upper};
  for (const Coupling& c : tree.couplings) {
    if (c.ratio == 0) continue;
    const Dof& dof = tree.dofs[tree.links[c.follower].v];
    Range& leader = all[tree.links[c.leader].v];
    const double a = (dof.lower - c.offset) / c.ratio, b = (dof.upper - c.offset) / c.ratio;
    const Range both{std::max(leader.low, std::min(a, b)), std::min(leader.high, std::max(a, b))};
    if (both.low <= both.high) leader = both;  // else no position keeps all limits
  }
  for (std::size_t k = 0; k < all.size(); ++k) {
    Range& r = all[k];
    const double width = max_abs(tree.screws[k].angular) > 0 ? 2 * pi<double> : 2;
    constexpr double far = 1e100;  // limits like the largest number mean none
    const bool below = r.low > -far, above = r.high < far;
    if (!below) r.low = above ? r.high - width : -width / 2;
    if (!above) r.high = below ? r.low + width : width / 2;
  }
  return all;
}

}  // namespace

namespace {

using Count = std::uint8_t Link::*;

std::vector<std::string> names_of(const Tree& tree, Count count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < tree.links.size(); ++i) {
    const std::string& joint = tree.bodies[i].joint_name;
    const int n = tree.links[i].*count;
    for (int k = 0; k < n; ++k)
      names.push_back(n == 1 ? joint : joint + "[" + std::to_string(k) + "]");
  }
  return names;
}

/// Writes the numbers of the joints among those of all, which start at `first` of each link.
void place(const Tree& tree, std::span<const JointNumbers> joints, int Link::*first, Count count,
           std::vector<double>& all) {
  std::vector<bool> placed(tree.links.size());
  for (const JointNumbers& joint : joints) {
    const int i = joint_index(tree, joint.joint);
    const Link& link = tree.links[i];
    if (joint.numbers.size() != link.*count)
      throw Error("has " + std::to_string(link.*count) + " numbers, not " +
                      std::to_string(joint.numbers.size()),
                  joint_text(tree, i));
    for (const Coupling& c : tree.couplings)
      if (c.follower == i)
        throw Error("follows joint '" + c.named_leader + "'", joint_text(tree, i),
                    "give the numbers of that");
    if (placed[i]) throw Error("stands twice", joint_text(tree, i));
    placed[i] = true;
    std::ranges::copy(joint.numbers, all.begin() + link.*first);
  }
}

}  // namespace

std::vector<std::string> coordinate_names(const Tree& tree) { return names_of(tree, &Link::nq); }
std::vector<std::string> velocity_names(const Tree& tree) { return names_of(tree, &Link::nv); }

std::vector<double> configuration(const Tree& tree, std::span<const JointNumbers> joints) {
  std::vector<double> q = neutral(tree);
  place(tree, joints, &Link::q, &Link::nq, q);
  complete_configuration(tree, std::vector<char>(q.size()), q);
  return q;
}

std::vector<double> velocity(const Tree& tree, std::span<const JointNumbers> joints) {
  std::vector<double> v(tree.nv, 0);
  place(tree, joints, &Link::v, &Link::nv, v);
  complete_velocity(tree, std::vector<char>(v.size()), v);
  return v;
}

std::vector<double> neutral(const Tree& tree) {
  std::vector<double> q(tree.nq, 0);
  for (const Link& link : tree.links)
    if (has_quaternion(link)) q[link.q] = 1;
  apply_couplings(tree, q);
  return q;
}

std::vector<double> random_configuration(const Tree& tree, std::mt19937_64& random) {
  std::vector<double> q(tree.nq);
  std::normal_distribution<double> normal;
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const std::vector<Range> range = ranges(tree);
  for (const Link& link : tree.links) {
    double* x = q.data() + link.q;
    if (has_quaternion(link)) {
      store(normalized(Quaternion<double>{normal(random),
                                          {normal(random), normal(random), normal(random)}}),
            x);
      for (int k = 4; k < link.nq; ++k) x[k] = uniform(-1, 1);
    } else {
      for (int k = 0; k < link.nv; ++k)
        x[k] = uniform(range[link.v + k].low, range[link.v + k].high);
    }
  }
  apply_couplings(tree, q);
  return q;
}

void check_configuration(const Tree& tree, In<double> q, const char* what) {
  check_length(q.size(), tree.nq, what, "coordinates");
  const bool finite = all_finite(q);
  for (int i = 0; i < tree.size(); ++i) {
    const Link& link = tree.links[i];
    for (int k = 0; !finite && k < link.nq; ++k)
      if (!std::isfinite(q[link.q + k]))
        throw Error("coordinate " + std::to_string(link.q + k) + ", of " + joint_text(tree, i) +
                        ", is not finite",
                    what, "give finite numbers");
    if (!has_quaternion(link)) continue;
    const double length = std::sqrt(squared_norm(quaternion_of(q.data() + link.q)));
    if (!(std::abs(length - 1) <= 1e-6))
      throw Error(
          "the quaternion of " + joint_text(tree, i) + " has length " + std::to_string(length),
          what,
          "divide coordinates " + std::to_string(link.q) + " to " + std::to_string(link.q + 3) +
              " by it (w first)");
  }
}

void check_velocity(const Tree& tree, In<double> v, const char* what) {
  check_length(v.size(), tree.nv, what, "velocities");
  if (all_finite(v)) return;
  for (int i = 0; i < tree.size(); ++i) {
    const Link& link = tree.links[i];
    for (int k = 0; k < link.nv; ++k)
      if (!std::isfinite(v[link.v + k]))
        throw Error("number " + std::to_string(link.v + k) + ", of " + joint_text(tree, i) +
                        ", is not finite",
                    what, "give finite numbers");
  }
}

template <class S>
void plus(const Tree& tree, In<S> q, In<S> d, Out<S> result) {
  for (const Link& link : tree.links) {
    const S *x = q.data() + link.q, *u = d.data() + link.v;
    S* y = result.data() + link.q;
    if (!has_quaternion(link)) {
      for (int k = 0; k < link.nv; ++k) y[k] = x[k] + u[k];
      continue;
    }
    const Quaternion<S> turn = quaternion_exp(vec3_of(u)), before = normalized(quaternion_of(x));
    const bool in_body = link.velocity == Rep::body;
    if (link.map == JointMap::free) {
      const Vec3<S> p = vec3_of(x + 4), v = vec3_of(u + 3);
      if (link.velocity == Rep::hybrid) {
        store(p + v, y + 4);
      } else {
        const SE3<S> T{rotation_of(before), p}, step = exp(Vec6<S>{vec3_of(u), v});
        store((in_body ? T * step : step * T).p, y + 4);
      }
    }
    store(normalized(in_body ? before * turn : turn * before), y);
  }
}

template <class S>
void difference(const Tree& tree, In<S> from, In<S> to, Out<S> result) {
  for (const Link& link : tree.links) {
    const S *x = from.data() + link.q, *y = to.data() + link.q;
    S* d = result.data() + link.v;
    if (!has_quaternion(link)) {
      for (int k = 0; k < link.nv; ++k) d[k] = y[k] - x[k];
      continue;
    }
    const Quaternion<S> a = normalized(quaternion_of(x)), b = normalized(quaternion_of(y));
    const bool in_body = link.velocity == Rep::body;
    if (link.map == JointMap::quaternion || link.velocity == Rep::hybrid)
      store(log(in_body ? conjugate(a) * b : b * conjugate(a)), d);
    if (link.map != JointMap::free) continue;
    const Vec3<S> p = vec3_of(x + 4), r = vec3_of(y + 4);
    if (link.velocity == Rep::hybrid) {
      store(r - p, d + 3);
    } else {
      const SE3<S> A{rotation_of(a), p}, B{rotation_of(b), r};
      const Vec6<S> X = log(in_body ? inverse_times(A, B) : B * inverse(A));
      store(X.angular, d);
      store(X.linear, d + 3);
    }
  }
}

template <class S>
void coordinate_rate(const Tree& tree, In<S> q, In<S> v, Out<S> rate) {
  for (const Link& link : tree.links) {
    const S *x = q.data() + link.q, *u = v.data() + link.v;
    S* y = rate.data() + link.q;
    if (!has_quaternion(link)) {
      for (int k = 0; k < link.nv; ++k) y[k] = u[k];
      continue;
    }
    // 2 q' = q (0, w_body) = (0, w_space) q
    const Vec3<S> w = vec3_of(u);
    const Quaternion<S> half{S(0), w * S(Real<S>(0.5))}, a = quaternion_of(x);
    const bool in_body = link.velocity == Rep::body;
    store(in_body ? a * half : half * a, y);
    if (link.map != JointMap::free) continue;
    const Vec3<S> velocity = vec3_of(u + 3);
    if (link.velocity == Rep::hybrid)
      store(velocity, y + 4);
    else if (in_body)
      store(rotation_of(normalized(a)) * velocity, y + 4);
    else
      store(velocity + cross(w, vec3_of(x + 4)), y + 4);
  }
}

int independent_nq(const Tree& tree) { return tree.nq - static_cast<int>(tree.couplings.size()); }
int independent_nv(const Tree& tree) { return tree.nv - static_cast<int>(tree.couplings.size()); }

std::vector<double> expand_configuration(const Tree& tree, In<double> independent) {
  check_length(independent.size(), independent_nq(tree), "q", "independent coordinates");
  const std::vector<char> follower = follows_in_q(tree);
  std::vector<double> q(tree.nq);
  std::size_t next = 0;
  for (std::size_t k = 0; k < q.size(); ++k)
    if (!follower[k]) q[k] = independent[next++];
  apply_couplings(tree, q);
  return q;
}

std::vector<double> expand_velocity(const Tree& tree, In<double> independent) {
  check_length(independent.size(), independent_nv(tree), "v", "independent velocities");
  const std::vector<Follow> f = follows(tree);
  std::vector<double> v(tree.nv);
  std::size_t next = 0;
  for (std::size_t k = 0; k < v.size(); ++k)
    if (f[k].leader == static_cast<int>(k)) v[k] = independent[next++];
  for (std::size_t k = 0; k < v.size(); ++k)
    if (f[k].leader != static_cast<int>(k)) v[k] = f[k].ratio * v[f[k].leader];
  return v;
}

std::vector<double> independent_configuration(const Tree& tree, In<double> q) {
  check_length(q.size(), tree.nq, "q", "coordinates");
  const std::vector<char> follower = follows_in_q(tree);
  std::vector<double> independent;
  for (std::size_t k = 0; k < q.size(); ++k)
    if (!follower[k]) independent.push_back(q[k]);
  return independent;
}

std::vector<double> independent_velocity(const Tree& tree, In<double> v) {
  check_length(v.size(), tree.nv, "v", "velocities");
  const std::vector<Follow> f = follows(tree);
  std::vector<double> independent;
  for (std::size_t k = 0; k < v.size(); ++k)
    if (f[k].leader == static_cast<int>(k)) independent.push_back(v[k]);
  return independent;
}

std::vector<double> reduce_force(const Tree& tree, In<double> force) {
  check_length(force.size(), tree.nv, "force", "velocities");
  const std::vector<Follow> f = follows(tree);
  std::vector<double> sum(tree.nv, 0), reduced;
  for (std::size_t k = 0; k < force.size(); ++k) sum[f[k].leader] += f[k].ratio * force[k];
  for (std::size_t k = 0; k < force.size(); ++k)
    if (f[k].leader == static_cast<int>(k)) reduced.push_back(sum[k]);
  return reduced;
}

CouplingError coupling_error(const Tree& tree, In<double> q) {
  CouplingError worst;
  for (const Coupling& c : tree.couplings) {
    const double error =
        std::abs(q[tree.links[c.follower].q] - c.ratio * q[tree.links[c.leader].q] - c.offset);
    if (error > worst.error) worst = {error, c.follower};
  }
  return worst;
}

template void plus<double>(const Tree&, In<double>, In<double>, Out<double>);
template void difference<double>(const Tree&, In<double>, In<double>, Out<double>);
template void coordinate_rate<double>(const Tree&, In<double>, In<double>, Out<double>);
template void plus<Dual<double>>(const Tree&, In<Dual<double>>, In<Dual<double>>,
                                 Out<Dual<double>>);
template void difference<Dual<double>>(const Tree&, In<Dual<double>>, In<Dual<double>>,
                                       Out<Dual<double>>);
template void coordinate_rate<Dual<double>>(const Tree&, In<Dual<double>>, In<Dual<double>>,
                                            Out<Dual<double>>);

}  // namespace axode
