// Wrenches that joints put on their bodies: a torque and a force, about the joint's point or, in the spatial
// representation, about the origin of the world.
import { rowAt } from "./data.js";
import { Arrow } from "./drawing.js";
import { add, cross, norm, point, poseFromAxes, rotateBack, scale, sub } from "./lie.js";

const colors = { torque: 0xb8860b, force: 0x1a66cc };

/** By joint: the body's pose, where the joint is, and the wrench about that point in world axes. */
function jointWrenches(view, state) {
  const row = rowAt(view.clip.series.reactions, state.row);
  const six = (k) => [row.slice(6 * k, 6 * k + 3), row.slice(6 * k + 3, 6 * k + 6)];
  if (view.scene.loops)
    return view.scene.loops.map((joint, k) => {
      const b = joint.body[1], T = b > 0 ? state.poses[b - 1] : poseFromAxes([1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]);
      const [torque, force] = six(k);
      return { T, at: point(T, joint.point[1]), torque, force };
    });
  return view.kinematics.bodies.map(({ joint }, i) => {
    const T = state.poses[i], at = joint.frame ? point(T, poseFromAxes(joint.frame).p) : T.p;
    const [torque, force] = six(i); // about the body's origin
    return { T, at, torque: add(torque, cross(sub(T.p, at), force)), force };
  });
}

/** The numbers of a wrench in a representation, and where its arrows begin. */
export function wrenchIn(rep, { T, at, torque, force }) {
  if (rep === "spatial") return { from: [0, 0, 0], arrows: [add(torque, cross(at, force)), force], values: [...add(torque, cross(at, force)), ...force] };
  const t = rep === "hybrid" ? torque : rotateBack(T.R, torque), f = rep === "body" ? rotateBack(T.R, force) : force;
  return { from: at, arrows: [torque, force], values: [...t, ...f] };
}

export function reactions(view, object) {
  const thickness = 0.006 * view.scene.size, pairs = [];
  const pair = (k) => {
    while (pairs.length <= k) {
      pairs.push([new Arrow(colors.torque, thickness), new Arrow(colors.force, thickness)]);
      pairs.at(-1).forEach((a) => object.add(a.object));
    }
    return pairs[k];
  };
  return {
    update(state) {
      pairs.flat().forEach((a) => (a.object.visible = false));
      this.values = [];
      if (!view.clip?.series.reactions || !state.row) return;
      const all = jointWrenches(view, state)
        .filter(({ torque, force }) => [...torque, ...force].every(Number.isFinite))
        .map((w) => wrenchIn(view.overlays.twists.rep, w));
      const largest = [0, 1].map((k) => all.reduce((m, w) => Math.max(m, norm(w.arrows[k])), 1e-9));
      all.forEach(({ from, arrows }, k) =>
        pair(k).forEach((a, i) => a.set(from, scale(arrows[i], (0.4 * view.scene.size) / largest[i]))));
      this.values = all.map((w) => w.values);
    },
  };
}
