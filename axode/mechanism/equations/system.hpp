/// The equations of a mechanism evaluated: the same interface for every formulation.
///
///   Phi(q, t) = 0,   Phi_q v = -Phi_t,   Phi_q a = c = -(dPhi_q/dt v + dPhi_t/dt)
///   M(q) a + Phi_q^T lambda = Q(t, q, v)                                [GarciaBayo ch. 2, 3, 5]
///
/// with v on the group of the coordinates: q' itself, but for quaternions. Bodies move by columns of
/// twists, one per coordinate that moves them; all else follows from them and from nodes that are
/// coordinates. Q holds applied and gyroscopic forces. Euler parameters are normalized before use, so
/// that derivatives along them vanish. Cost: O(terms + columns); no allocation after the first call.
/// Meets the concept Constrained of integrate/constrained.hpp.
/// Tests: tests/mechanism/equations/system_test.cpp
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "axode/integrate/constrained.hpp"
#include "axode/kinematics/motion.hpp"
#include "axode/linalg/sparse_rows.hpp"
#include "axode/mechanism/equations/equations.hpp"

namespace axode {

/// Forces on coordinates of a mechanism [N m, N] by a function of their values and rates.
struct CoordinateControl {
  std::vector<int> coordinates{};
  std::function<void(double t, std::span<const double> value, std::span<const double> rate,
                     std::span<double> force)>
      force{};
};

class MechanismSystem {
 public:
  explicit MechanismSystem(MechanismEquations equations);
  const MechanismEquations& equations() const noexcept { return eq_; }
  const Mechanism& mechanism() const noexcept { return eq_.mechanism; }
  const LieGroup& configuration() const noexcept { return eq_.group; }
  int constraints() const noexcept { return eq_.rows(); }

  // The interface of all formulations. Sizes: q numbers(), v, a, c, Q velocities(), rows rows().
  void position(double t, std::span<const double> q, std::span<double> phi);
  void jacobian(double t, std::span<const double> q, SparseRows& J);
  void time_rate(double t, std::span<const double> q, std::span<double> phi_t);
  /// Phi_q v + Phi_t.
  void velocity(double t, std::span<const double> q, std::span<const double> v,
                std::span<double> rate);
  /// c of Phi_q a = c.
  void acceleration_right(double t, std::span<const double> q, std::span<const double> v,
                          std::span<double> c);
  /// With a small inertia of idle spins, which kinetic_energy does not count.
  void mass(std::span<const double> q, SparseRows& M);
  void forces(double t, std::span<const double> q, std::span<const double> v, std::span<double> Q);

  /// From now on these forces act on the coordinates instead of the mechanism's own; none: its own again. To all
  /// that computes with the mechanism they are forces like others; their slopes are central differences. Throws
  /// Error for coordinates that the equations do not have, see FormulationOptions::controlled.
  void set_control(CoordinateControl control);
  /// The scalars of coordinates on which a control may act. Throws Error as set_control does.
  std::vector<int> control_scalars(std::span<const int> coordinates) const;
  /// What the control sees at a state, and its forces there, by its coordinates; empty without one. Valid until
  /// the next evaluation.
  struct ControlView {
    std::span<const int> coordinates;
    std::span<const double> value, rate, force;
  };
  ControlView control(double t, std::span<const double> q, std::span<const double> v);
  /// The same but for the forces, which are not evaluated.
  ControlView control_state(std::span<const double> q, std::span<const double> v);

  // What tells motions apart: Phi_q v = -Phi_t and a row for each idle spin, u . omega = 0, which
  // without a driver would be on no equation. Rows: motion_rows().
  int motion_rows() const noexcept { return eq_.rows() + static_cast<int>(eq_.idle_spins.size()); }
  void motion_jacobian(double t, std::span<const double> q, SparseRows& J);
  /// c of the rows of idle spins, u . alpha = 0: as many numbers.
  void idle_spin_right(std::span<const double> q, std::span<const double> v, std::span<double> c);

  // As a Constrained system.
  bool residual(const ConstrainedPoint& p, const ConstrainedResidual& r);
  void constraint_rate(const ConstrainedPoint& p, std::span<double> result);
  void tangent(const ConstrainedPoint& p, const TangentScale& scale, SparseAssembly& m);

  /// Chooses forms of equations anew, and seats of Euler angles, which changes q and v; with some
  /// reluctance, so that it does not happen at every step. Returns whether anything changed: patterns
  /// (SparseRows, SparseAssembly) must then be forgotten and integrators started anew. `choices`
  /// counts the changes.
  bool refresh(std::span<double> q, std::span<double> v);
  int choices() const noexcept { return choices_; }
  /// The form in use of each equation, and back: with the seats, all that refresh chooses. Numbers of
  /// another system throw Error.
  std::vector<int> forms() const;
  void use_forms(std::span<const int> forms);
  /// Frames that Euler angles refer to, by body; empty where there are none. Stored q mean the same
  /// only with the seats they were found with: keep both, and `seat` before q is used again.
  std::vector<SO3<double>> seats() const;
  void seat(std::span<const SO3<double>> seats);

  /// Poses and twists (world axes, about the body's origin) of all bodies. `motion` and
  /// `accelerations` throw SingularError, naming the body, where results are not finite: where points of
  /// a body coincide in natural coordinates, as at q = 0, it has no attitude. `poses`, which searches
  /// call at any q, does not; `check_poses` does.
  void poses(std::span<const double> q, std::span<SE3<double>> T_WB);
  void check_poses(std::span<const SE3<double>> T_WB) const;
  void motion(std::span<const double> q, std::span<const double> v, std::span<SE3<double>> T_WB,
              std::span<Twist<Rep::hybrid>> twists);
  /// Rates of twists, for accelerations a.
  void accelerations(std::span<const double> q, std::span<const double> v,
                     std::span<const double> a, std::span<Vec6<double>> rates);
  /// Coordinates of a configuration by poses: exact where the poses are assembled, else some guess.
  std::vector<double> from_poses(std::span<const SE3<double>> T_WB);
  /// Velocities that give bodies these twists, as nearly as they can (least squares where needed).
  std::vector<double> from_twists(std::span<const double> q,
                                  std::span<const Twist<Rep::hybrid>> twists);
  /// [J]: of motion; of gravity and springs (coordinate forces included).
  double kinetic_energy(std::span<const double> q, std::span<const double> v);
  double potential_energy(double t, std::span<const double> q);
  /// Whether equations are met by what the model does not mean, and what it is: mirror images of
  /// bodies, angles of the wrong sign, axes of joints that point against each other, kept angles
  /// half a turn off. For assembled q.
  struct Mirror {
    bool found = false;
    std::string what;
  };
  Mirror mirrored(double t, std::span<const double> q);

 private:
  /// What one coordinate moves: twist per unit velocity, of the body and of its reference point.
  struct Column {
    int v;
    int axis;   ///< 0..2: nothing but a translation along this axis of the world; else -1
    int group;  ///< the same for columns that move each other: those of one quaternion
    Vec3<double> omega, linear;
  };
  struct BodyNow {
    SO3<double> R;
    Vec3<double> p;                           ///< reference point
    Vec3<double> omega, linear, alpha, bias;  ///< velocity; acceleration at a = 0
    int first = 0, count = 0;                 ///< columns
    Quaternion<double> e;                     ///< Euler parameters, normalized
    double length = 1;                        ///< which they had
  };
  struct NodeNow {
    Vec3<double> at, velocity, bias;
  };
  struct ScalarNow {
    double value, rate;
  };
  /// Rows in the forms in use, and nodes by kind: all that evaluation reads, close together.
  struct RowNow {
    int first, count, driver;  ///< terms; driver: -1 none
    double constant;
  };
  struct CoordinateNode {
    int node, x, v, size;
  };
  struct BodyNode {
    int node, body;
    bool is_point;
    Vec3<double> arm;  ///< in the body; of points from its reference point
  };
  struct CombinationPart {
    int node, from;
    Mat3<double> factor;
  };
  void flatten_rows();
  std::span<const Term> terms_of(std::size_t row) const noexcept {
    return {terms_.data() + rows_[row].first, std::size_t(rows_[row].count)};
  }
  double row_value(std::size_t row) const noexcept;
  // system_bodies.cpp, system_natural.cpp, system_tree.cpp: bodies at q, their columns and motion.
  void place_bodies(std::span<const double> q);
  void place_spatial(const BodyCoordinates& b, std::span<const double> q, BodyNow& now);
  void place_natural(const BodyCoordinates& b, BodyNow& now);
  void move_natural(const BodyCoordinates& b, BodyNow& now) const;
  Vec3<double> natural_omega(const BodyCoordinates& b,
                             const std::array<Vec3<double>, 3>& rates) const;
  void place_tree(std::span<const double> q);
  void add_path(BodyNow& now, int tree_body);
  void move_bodies(std::span<const double> v);
  void move_tree(std::span<const double> v);
  std::vector<double> tree_from_poses(std::span<const SE3<double>> T_WB) const;
  void tree_from_twists(std::span<const double> q, std::span<const Twist<Rep::hybrid>> twists,
                        std::span<double> v);
  void add_column(BodyNow& now, int v, const Vec3<double>& omega, const Vec3<double>& linear,
                  int axis = -1, int group = -1);
  // system_nodes.cpp
  void place_stages(double t, std::span<const double> q, bool all);
  void place(double t, std::span<const double> q);
  void place_all(double t, std::span<const double> q);
  void move(std::span<const double> v);
  Vec3<double> at(const Arrow& a) const noexcept;
  Vec3<double> rate(const Arrow& a) const noexcept;
  Vec3<double> bias(const Arrow& a) const noexcept;
  // system.cpp, terms.hpp
  double value(const Term& term) const noexcept;
  double second(const Term& term) const noexcept;  ///< d2/dt2 at node biases, a = 0
  template <class ToArrow, class ToScalar>
  void gradient(const Term& term, ToArrow&& to_arrow, ToScalar&& to_scalar) const noexcept;
  template <class Add>
  void to_node(int index, const Vec3<double>& weight, unsigned mask, Add&& add) const noexcept;
  template <class Add>
  void row_gradient(const Equation& equation, Add&& add) const noexcept;
  double row_value(const Equation::Form& form) const noexcept;
  template <class Add>
  void mass_entries(Add&& add) const noexcept;
  // system_idle_spins.cpp
  Vec3<double> line_of(const IdleSpin& spin) const noexcept {
    return bodies_[spin.body].R * spin.line;
  }
  template <class Add>
  void idle_mass_entries(Add&& add) const noexcept;
  void add_idle_forces(std::span<double> Q) const noexcept;
  void add_idle_slopes(const ConstrainedPoint& p, const TangentScale& scale, SparseAssembly& m);
  Vec3<double> torque_of_loads(int body, double t) const;
  Vec3<double> without_idle(int body, const Vec3<double>& torque) const noexcept;
  // system_forces.cpp
  void add_node_force(int node, const Vec3<double>& force, std::span<double> Q) const noexcept;
  void add_couple(int body, const Vec3<double>& torque, std::span<double> Q) const noexcept;
  void add_applied(double t, std::span<double> Q);
  // system_control.cpp
  struct ControlNow;
  void read_controlled();
  void evaluate_control(double t);
  void add_control_slopes(const ConstrainedPoint& p, const TangentScale& scale, SparseAssembly& m);
  // system_tangent.cpp
  struct NodeColumn {
    int v;
    Vec3<double> d;
  };
  void node_columns(int index, double sign, std::vector<NodeColumn>& columns) const;
  template <class Add>
  void add_hessian(double factor, const Arrow& a, const Arrow& b, const Mat3<double>& H, Add&& add);
  template <class Add>
  void add_curvature(int index, const Vec3<double>& weight, Add&& add);
  template <class Add>
  void term_hessian(const Term& term, double factor, Add&& add);
  void force_slopes(const ConstrainedPoint& p, const TangentScale& scale, SparseAssembly& m);
  template <class Add>
  void add_spring_slopes(std::size_t index, const ConstrainedPoint& p, const TangentScale& scale,
                         Add&& add);
  void add_couple_slopes(int index, const Vec3<double>& torque, double stiffness,
                         SparseAssembly& m);
  // system_inertia_tangent.cpp
  /// Twist and spatial acceleration of what carries a column; twist with its joint.
  struct Carrier {
    Vec6<double> twist{}, rate{}, with{};
  };
  /// By a coordinate: of twist and spatial acceleration; by its velocity: of the acceleration.
  struct MotionSlope {
    Vec6<double> twist, rate, rate_by_v;
  };
  Vec6<double> column_rate(const BodyCoordinates& b, const BodyNow& body, int i,
                           int j) const noexcept;
  void follow_chain(const BodyNow& body, const ConstrainedPoint& p);
  Vec3<double> alpha_of(const BodyCoordinates& b, const BodyNow& body,
                        const ConstrainedPoint& p) const noexcept;
  MotionSlope chain_slope(const Column& column, int k) const noexcept;
  MotionSlope parameter_slope(const BodyCoordinates& b, const BodyNow& body,
                              const ConstrainedPoint& p, int l) const noexcept;
  template <class Add>
  void inertia_slopes(std::size_t index, const ConstrainedPoint& p, const TangentScale& scale,
                      Add&& add);
  void add_inertia_slopes(const ConstrainedPoint& p, const TangentScale& scale, SparseAssembly& m);
  // system_refresh.cpp
  bool choose_forms(double reluctance);
  bool reseat(std::span<double> q, std::span<double> v);
  Mirror reversed_joint() const;
  Mirror mirrored_loops() const;
  Mirror mirrored_in_plane() const;

  MechanismEquations eq_;
  int choices_ = 0;
  double t_ = 0;
  /// Natural coordinates: frames of bodies are needed for couples on them, or are asked for.
  bool natural_bodies_ = false, all_bodies_ = false;
  /// What depends on q alone stands for this one: the same is often asked for several times.
  bool is_placed_ = false;
  std::vector<double> placed_q_;
  std::vector<Term> terms_;
  std::vector<RowNow> rows_;
  std::vector<CoordinateNode> coordinate_nodes_;
  std::vector<BodyNode> body_nodes_;
  std::vector<CombinationPart> combination_parts_;  ///< those of a node one after the other
  std::vector<int> combinations_, placed_bodies_, chosen_rows_;  ///< rows of several forms
  std::vector<BodyNow> bodies_;
  std::vector<Column> columns_;
  std::vector<NodeNow> nodes_;
  std::vector<ScalarNow> scalars_;
  std::vector<TimeValue> drivers_;
  std::vector<double> Q_;
  std::vector<NodeColumn> left_, right_;
  std::vector<Carrier> chain_;
  std::optional<Poses<double>> poses_;
  std::optional<Motion<Rep::spatial>> motion_;
  std::vector<Twist<Rep::spatial>> tree_columns_;
  std::vector<double> zero_a_;
  std::shared_ptr<ControlNow> control_;  ///< none: the mechanism's own forces act
};

}  // namespace axode
