// What is drawn over the bodies: frames, centres of mass, joint screws, instantaneous screw axes and their
// axodes, twists, joint forces, manipulability ellipsoids, reactions, paths. Each has `shown` and update().
import * as THREE from "three";
import { Arrow, ball, frameAxes, group, setPose } from "./drawing.js";
import { bodyPoses, inRepresentation, jointPlace, places, relativeAxis, spatialScrews, spatialTwists } from "./kinematics.js";
import { add, adjoint, cross, dot, inverse, norm, point, poseFromAxes, rotate, scale, screwAxis, sub } from "./lie.js";
import { rowAt } from "./data.js";
import { reactions } from "./reactions.js";

const colors = { screw: 0xd03a3a, axis: 0x9a3ad0, twistW: 0xc05a00, twistV: 0x0a7a5a, force: 0x1a66cc, path: 0x0090b0 };
const AXODE_LINES = 400;

/** A line of a screw axis: a long thin cylinder, with a coil about it for its pitch. */
class AxisLine {
  constructor(color, length) {
    this.length = length;
    this.object = group();
    this.thickness = 0.006 * length;
    const look = new THREE.MeshBasicMaterial({ color });
    const line = new THREE.Mesh(new THREE.CylinderGeometry(this.thickness, this.thickness, length, 8), look);
    line.rotation.x = Math.PI / 2;
    this.coil = new THREE.Mesh(new THREE.BufferGeometry(), look);
    this.object.add(line, this.coil);
  }
  set(axis) {
    this.object.visible = axis !== null;
    if (!axis) return;
    const z = axis.direction;
    const x0 = Math.abs(z[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
    const y = scale(cross(z, x0), 1 / norm(cross(z, x0))), x = cross(y, z);
    setPose(this.object, { R: [x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]], p: axis.point });
    // In steps that can be seen: a pitch that differs by rounding is no reason to draw the coil anew.
    const pitch = Number.isFinite(axis.pitch) ? Math.round((axis.pitch / this.length) * 400) * (this.length / 400) : axis.pitch;
    if (pitch !== this.pitch) this.drawCoil(pitch);
  }
  /** Two turns of a helix of that pitch, a ring for zero, nothing for a pure translation. */
  drawCoil(pitch) {
    this.pitch = pitch;
    this.coil.visible = Number.isFinite(pitch);
    if (!this.coil.visible) return;
    const radius = 0.05 * this.length, turns = pitch === 0 ? 1 : 2, points = [];
    const rise = Math.min(Math.max(pitch, -this.length / 8), this.length / 8);
    for (let k = 0; k <= 24 * turns; ++k) {
      const a = (2 * Math.PI * k) / 24;
      points.push(new THREE.Vector3(radius * Math.cos(a), radius * Math.sin(a), rise * (a - Math.PI * turns)));
    }
    this.coil.geometry.dispose();
    const way = new THREE.CatmullRomCurve3(points);
    this.coil.geometry = new THREE.TubeGeometry(way, 32 * turns, 0.7 * this.thickness, 6);
  }
}

const holder = (view, make) => {
  const object = new THREE.Group();
  object.visible = false;
  view.world.add(object);
  const overlay = make(object);
  overlay.object = object;
  overlay.shown = false;
  const update = overlay.update;
  overlay.update = (state) => {
    object.visible = overlay.shown;
    if (overlay.shown) update.call(overlay, state);
  };
  return overlay;
};

function frames(view, object) {
  const size = 0.12 * view.scene.size, items = [];
  const addFrame = (body, T) => {
    const axes = group();
    axes.add(frameAxes(size));
    object.add(axes);
    items.push({ body, T, axes });
  };
  view.bodies.forEach((_, i) => addFrame(i, null));
  view.scene.frames.forEach((f) => addFrame(f.body, poseFromAxes(f.pose)));
  return {
    update(state) {
      for (const { body, T, axes } of items) {
        const base = body < 0 ? { R: [1, 0, 0, 0, 1, 0, 0, 0, 1], p: [0, 0, 0] } : state.poses[body];
        setPose(axes, T ? compose(base, T) : base);
      }
    },
  };
}
const compose = (A, B) => ({
  R: [0, 1, 2].flatMap((i) => [0, 1, 2].map((j) => A.R[3 * i] * B.R[j] + A.R[3 * i + 1] * B.R[3 + j] + A.R[3 * i + 2] * B.R[6 + j])),
  p: point(A, B.p),
});

function centreOfMass(view, object) {
  // Seen through the bodies they are in.
  const marker = ball([0, 0, 0], 0.025 * view.scene.size, new THREE.MeshBasicMaterial({ color: 0xd8a000, depthTest: false, transparent: true }));
  const small = view.scene.bodies.map(() =>
    ball([0, 0, 0], 0.012 * view.scene.size, new THREE.MeshBasicMaterial({ color: 0xd8a000, depthTest: false, transparent: true, opacity: 0.6 })));
  object.add(marker, ...small);
  return {
    update(state) {
      let mass = 0, sum = [0, 0, 0];
      view.scene.bodies.forEach((body, i) => {
        const at = point(state.poses[i], body.com);
        small[i].position.set(...at);
        small[i].visible = body.mass > 0;
        mass += body.mass;
        sum = add(sum, scale(at, body.mass));
      });
      marker.visible = mass > 0;
      if (mass > 0) marker.position.set(...scale(sum, 1 / mass));
      this.value = mass > 0 ? scale(sum, 1 / mass) : null;
    },
  };
}

function jointScrews(view, object) {
  const length = 0.5 * view.scene.size, lines = [];
  const more = (n) => {
    while (lines.length < n) {
      const line = new AxisLine(colors.screw, length);
      lines.push(line);
      object.add(line.object);
    }
    lines.forEach((line, k) => (line.object.visible = k < n));
  };
  return {
    lines,
    update(state) {
      const axes = [];
      if (view.scene.loops) {
        for (const joint of view.scene.loops) {
          const b = joint.body[0];
          const T = b > 0 ? state.poses[b - 1] : { R: [1, 0, 0, 0, 1, 0, 0, 0, 1], p: [0, 0, 0] };
          axes.push({ direction: rotate(T.R, joint.axis[0]), point: point(T, joint.point[0]), pitch: joint.pitch ?? 0 });
        }
      } else {
        const screws = spatialScrews(view.kinematics, state.poses, state.q);
        view.kinematics.bodies.forEach((body, i) => {
          for (let k = 0; k < body.joint.nv; ++k) {
            const axis = screwAxis(screws[body.joint.v + k]);
            if (!axis) continue;
            // Draw it where the body's joint is, not where it passes the world's origin.
            const anchor = point(state.poses[i], jointPlace(body));
            const along = dot(sub(anchor, axis.point), axis.direction);
            const at = Number.isFinite(axis.pitch) ? add(axis.point, scale(axis.direction, along)) : anchor;
            axes.push({ ...axis, point: at });
          }
        });
      }
      more(axes.length);
      axes.forEach((axis, k) => lines[k].set(axis));
    },
  };
}

/** The screw axis of one body relative to another, and the axodes: the surfaces it sweeps in both. */
function screwAxes(view, object) {
  const line = new AxisLine(colors.axis, 1.2 * view.scene.size);
  object.add(line.object);
  const surfaces = { fixed: null, moving: null };
  const moving = group();
  object.add(moving);
  return {
    body: view.scene.bodies.length - 1, relativeTo: -1, axodes: true,
    made: "",
    update(state) {
      const axis = state.twists ? relativeAxis(state.twists, this.body, this.relativeTo) : null;
      const near = axis && Number.isFinite(axis.pitch)
        ? add(axis.point, scale(axis.direction, dot(sub(state.poses[this.body].p, axis.point), axis.direction)))
        : axis && state.poses[this.body].p;
      line.set(axis && { ...axis, point: near });
      this.axis = axis;
      const key = `${this.body} ${this.relativeTo} ${this.axodes} ${view.amplification}`;
      if (view.clip && this.made !== key) this.sweep(key);
      setPose(moving, state.poses[this.body]);
      if (surfaces.fixed) surfaces.fixed.visible = surfaces.moving.visible = this.axodes;
      const base = this.relativeTo < 0 ? null : state.poses[this.relativeTo];
      if (surfaces.fixed && base) setPose(surfaces.holder, base);
    },
    /** Rules of both surfaces at samples of the run: the fixed axode in the other body, the moving one. */
    sweep(key) {
      this.made = key;
      for (const s of [surfaces.fixed, surfaces.moving]) {
        s?.removeFromParent();
        s?.geometry.dispose();
        s?.material.dispose();
      }
      surfaces.fixed = surfaces.moving = null;
      if (!this.axodes) return;
      const rows = view.clip.times.length, step = Math.max(1, Math.floor(rows / AXODE_LINES));
      const half = 0.25 * view.scene.size;
      const parts = [[]], ownParts = [[]];
      for (let row = 0; row < rows; row += step) {
        const state = evaluateRow(view, row);
        const axis = state.twists && relativeAxis(state.twists, this.body, this.relativeTo);
        const T = state.poses[this.body];
        const middle = axis && Number.isFinite(axis.pitch)
          ? add(axis.point, scale(axis.direction, dot(sub(T.p, axis.point), axis.direction))) : null;
        // Where it hardly turns the axis is far away: the surface has a gap there.
        if (!middle || norm(sub(middle, T.p)) > 1.5 * view.scene.size) {
          parts.push([]); ownParts.push([]);
          continue;
        }
        const ends = [-half, half].map((s) => add(middle, scale(axis.direction, s)));
        const base = this.relativeTo < 0 ? null : inverse(state.poses[this.relativeTo]);
        parts.at(-1).push(ends.map((e) => (base ? point(base, e) : e)));
        ownParts.at(-1).push(ends.map((e) => point(inverse(T), e)));
      }
      surfaces.fixed = ruledSurface(parts, 0x3a7ad0);
      surfaces.moving = ruledSurface(ownParts, 0xd07a3a);
      surfaces.holder ??= group();
      surfaces.holder.add(surfaces.fixed);
      if (this.relativeTo < 0) setPose(surfaces.holder, { R: [1, 0, 0, 0, 1, 0, 0, 0, 1], p: [0, 0, 0] });
      object.add(surfaces.holder);
      moving.add(surfaces.moving);
      this.rules = parts.reduce((n, p) => n + p.length, 0);
    },
  };
}
function evaluateRow(view, row) {
  const keep = { t: view.t, q: view.q };
  view.t = view.clip.times[row];
  view.q = null;
  const state = view.evaluate();
  Object.assign(view, keep);
  return state;
}
function ruledSurface(parts, color) {
  const positions = [], index = [];
  for (const rules of parts)
    rules.forEach((ends, k) => {
      const at = positions.length / 3;
      positions.push(...ends[0], ...ends[1]);
      if (k > 0 && dot(sub(ends[1], ends[0]), sub(rules[k - 1][1], rules[k - 1][0])) > 0)
        index.push(at - 2, at - 1, at, at - 1, at + 1, at);
    });
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  geometry.setIndex(index);
  geometry.computeVertexNormals();
  const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({
    color, transparent: true, opacity: 0.35, side: THREE.DoubleSide, depthWrite: false, roughness: 0.8,
  }));
  mesh.frustumCulled = false;
  return mesh;
}

/** Twists as two arrows at the body, in the representation chosen: angular and linear part. */
function twists(view, object) {
  const thickness = 0.006 * view.scene.size;
  const pairs = view.scene.bodies.map(() => [new Arrow(colors.twistW, thickness), new Arrow(colors.twistV, thickness)]);
  pairs.flat().forEach((a) => object.add(a.object));
  return {
    rep: "hybrid",
    update(state) {
      const largest = [1e-9, 1e-9];
      const all = (state.twists ?? []).map((V, i) => inRepresentation(this.rep, state.poses[i], V));
      for (const V of all) {
        largest[0] = Math.max(largest[0], norm(V.slice(0, 3)));
        largest[1] = Math.max(largest[1], norm(V.slice(3, 6)));
      }
      pairs.forEach(([w, v], i) => {
        const V = all[i];
        w.object.visible = v.object.visible = Boolean(V);
        if (!V) return;
        const T = state.poses[i];
        const turn = (x, inBody) => (inBody ? rotate(T.R, x) : x);
        const at = this.rep === "spatial" ? [0, 0, 0] : T.p;
        const size = 0.5 * view.scene.size;
        w.set(at, scale(turn(V.slice(0, 3), this.rep === "body" || this.rep === "mixed"), size / largest[0]));
        v.set(at, scale(turn(V.slice(3, 6), this.rep === "body"), size / largest[1]));
      });
      this.values = all;
    },
  };
}

/** Joint forces of the run as arrows along the joint screws. */
function forces(view, object) {
  const thickness = 0.007 * view.scene.size, arrows = [];
  const arrow = (k, color) => {
    while (arrows.length <= k) {
      arrows.push(new Arrow(color, thickness));
      object.add(arrows.at(-1).object);
    }
    return arrows[k];
  };
  return {
    update(state) {
      let used = 0;
      const wanted = [];
      const tau = view.clip?.series.tau;
      if (tau && state.row && state.q) {
        const row = rowAt(tau, state.row), screws = spatialScrews(view.kinematics, state.poses, state.q);
        view.kinematics.bodies.forEach((body, i) => {
          for (let k = 0; k < body.joint.nv; ++k) {
            const axis = screwAxis(screws[body.joint.v + k]);
            if (axis) wanted.push([point(state.poses[i], jointPlace(body)),
              scale(axis.direction, row[body.joint.v + k])]);
          }
        });
      }
      const largest = wanted.reduce((m, [, f]) => Math.max(m, norm(f)), 1e-12);
      for (const [at, f] of wanted) arrow(used++, colors.force).set(at, scale(f, (0.5 * view.scene.size) / largest));
      arrows.forEach((a, k) => k >= used && (a.object.visible = false));
      this.count = used;
    },
  };
}

/** Ellipsoid of linear velocities of a body's origin, or of a named frame, for unit joint velocities. */
function manipulability(view, object) {
  const all = places(view.scene);
  const ellipsoid = new THREE.Mesh(new THREE.SphereGeometry(1, 32, 20),
    new THREE.MeshStandardMaterial({ color: 0x2a9d8f, transparent: true, opacity: 0.35, depthWrite: false }));
  ellipsoid.matrixAutoUpdate = false;
  object.add(ellipsoid);
  return {
    place: view.scene.bodies.length - 1,
    update(state) {
      if (!state.q || view.scene.loops) return;
      const { body, at: own } = all[this.place];
      const screws = spatialScrews(view.kinematics, state.poses, state.q), A = new Array(9).fill(0);
      const at = point(state.poses[body], own);
      for (let i = body; i >= 0; i = view.kinematics.bodies[i].parent) {
        const { joint } = view.kinematics.bodies[i];
        for (let k = 0; k < joint.nv; ++k) {
          const S = screws[joint.v + k];
          const column = add(S.slice(3, 6), cross(S.slice(0, 3), at));
          for (let r = 0; r < 3; ++r) for (let c = 0; c < 3; ++c) A[3 * r + c] += column[r] * column[c];
        }
      }
      const { values, vectors } = symmetricEigen(A);
      const size = 0.35 * view.scene.size / Math.sqrt(Math.max(...values, 1e-12));
      const half = values.map((x) => size * Math.sqrt(Math.max(x, 1e-8 * Math.max(...values, 1e-12))));
      ellipsoid.matrix.set(
        vectors[0][0] * half[0], vectors[1][0] * half[1], vectors[2][0] * half[2], at[0],
        vectors[0][1] * half[0], vectors[1][1] * half[1], vectors[2][1] * half[2], at[1],
        vectors[0][2] * half[0], vectors[1][2] * half[1], vectors[2][2] * half[2], at[2], 0, 0, 0, 1);
      ellipsoid.matrixWorldNeedsUpdate = true;
      this.values = values.map((x) => Math.sqrt(Math.max(x, 0)));
    },
  };
}
/** Eigenvalues and vectors of a symmetric 3x3 matrix by Jacobi rotations. */
export function symmetricEigen(A) {
  const a = A.slice(), V = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  for (let sweep = 0; sweep < 20; ++sweep)
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]]) {
      const off = a[3 * p + q];
      if (Math.abs(off) < 1e-300) continue;
      const theta = 0.5 * Math.atan2(2 * off, a[4 * q] - a[4 * p]);
      const c = Math.cos(theta), s = Math.sin(theta);
      for (let k = 0; k < 3; ++k) {
        const x = a[3 * k + p], y = a[3 * k + q];
        a[3 * k + p] = c * x - s * y;
        a[3 * k + q] = s * x + c * y;
      }
      for (let k = 0; k < 3; ++k) {
        const x = a[3 * p + k], y = a[3 * q + k];
        a[3 * p + k] = c * x - s * y;
        a[3 * q + k] = s * x + c * y;
        const u = V[3 * k + p], v = V[3 * k + q];
        V[3 * k + p] = c * u - s * v;
        V[3 * k + q] = s * u + c * v;
      }
    }
  return {
    values: [a[0], a[4], a[8]],
    vectors: [0, 1, 2].map((k) => [V[k], V[3 + k], V[6 + k]]),
  };
}

/** The path of a body's origin, or of a named frame, over the run. */
function paths(view, object) {
  const all = places(view.scene);
  const line = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.MeshBasicMaterial({ color: colors.path }));
  line.frustumCulled = false;
  object.add(line);
  return {
    place: view.scene.bodies.length - 1, made: "",
    update() {
      const key = `${this.place} ${view.amplification}`;
      if (!view.clip || this.made === key) return;
      this.made = key;
      const { body, at: own } = all[this.place];
      const rows = view.clip.times.length, step = Math.max(1, Math.ceil(rows / 1000)), points = [];
      for (let row = 0; row < rows; row += step) {
        const q = view.clip.poses ? null : rowAt(view.clip.series.q, { row, fraction: 0 });
        const poses = q ? bodyPoses(view.kinematics, q, view.amplification) : view.poseRow(row);
        const at = new THREE.Vector3(...point(poses[body], own));
        if (!points.length || at.distanceTo(points.at(-1)) > 1e-4 * view.scene.size) points.push(at);
      }
      line.geometry.dispose();
      line.geometry = points.length < 2 ? new THREE.BufferGeometry()
        : new THREE.TubeGeometry(new THREE.CatmullRomCurve3(points), 2 * points.length, 0.004 * view.scene.size, 6);
      this.count = points.length;
    },
  };
}

export const makeOverlays = (view) => ({
  frames: holder(view, (object) => frames(view, object)),
  centre: holder(view, (object) => centreOfMass(view, object)),
  screws: holder(view, (object) => jointScrews(view, object)),
  axes: holder(view, (object) => screwAxes(view, object)),
  twists: holder(view, (object) => twists(view, object)),
  forces: holder(view, (object) => forces(view, object)),
  reactions: holder(view, (object) => reactions(view, object)),
  ellipsoid: holder(view, (object) => manipulability(view, object)),
  paths: holder(view, (object) => paths(view, object)),
});
export { spatialTwists, adjoint };
