// Poses and motion of the bodies of a scene, of any kind: trees and flexible trees from their coordinates,
// mechanisms from recorded poses. A scene is the JSON that axode/view/scene/scene.hpp writes.
import {
  add, adjoint, cross, dot, exp, expRotation, identity, inverse, poseFromAxes, rotate, rotationOfQuaternion,
  scale, screwAxis, sub, times, timesRotation,
} from "./lie.js";

/** Prepares a scene for evaluation: constant poses as objects. */
export function makeKinematics(scene) {
  const bodies = scene.bodies.map((body) => ({
    ...body,
    B: body.joint ? poseFromAxes(body.joint.B) : identity(),
    mount: body.joint?.mount ? body.joint.mount : null,
  }));
  return { scene, bodies };
}

function displacement(joint, q) {
  const at = joint.q;
  switch (joint.map) {
    case "fixed":
      return identity();
    case "quaternion": // the screws are the axes of the joint frame
      return inFrame(joint, { R: rotationOfQuaternion(q.slice(at, at + 4)), p: [0, 0, 0] });
    case "free":
      return inFrame(joint, {
        R: rotationOfQuaternion(q.slice(at, at + 4)),
        p: Array.from(q.slice(at + 4, at + 7)),
      });
    case "exponential": {
      const X = [0, 0, 0, 0, 0, 0];
      joint.screws.forEach((Z, k) => Z.forEach((z, i) => (X[i] += z * q[at + k])));
      return exp(X);
    }
    default: { // one screw, or the product of several
      let D = identity();
      joint.screws.forEach((Z, k) => (D = times(D, exp(Z.map((z) => z * q[at + k])))));
      return D;
    }
  }
}
function inFrame(joint, D) {
  const J = poseFromAxes(joint.frame);
  return times(times(J, D), inverse(J));
}

/** Rotation of a section by small angles about x, y, z, in the order that the model names. */
function sectionRotation(order, [x, y, z]) {
  if (order === "exp") return expRotation([x, y, z]);
  const turns = [expRotation([x, 0, 0]), expRotation([0, y, 0]), expRotation([0, 0, z])];
  if (order !== "xyz") turns.reverse();
  return timesRotation(timesRotation(turns[0], turns[1]), turns[2]);
}

/** Where a station of an elastic link is in the link's frame; e are its modal coordinates. */
export function sectionPose(beam, station, e, amplification, order) {
  const p = [beam.x[station], 0, 0], theta = [0, 0, 0];
  beam.modes.forEach((mode, k) => {
    const amount = amplification * e[k];
    if (mode.displaces >= 0) p[mode.displaces] += amount * mode.displacement[station];
    if (mode.turns >= 0) theta[mode.turns] += amount * mode.rotation[station];
  });
  return { R: sectionRotation(order, theta), p };
}

/** Poses T_WB of all bodies at the coordinates q. */
export function bodyPoses(kinematics, q, amplification = 1) {
  const poses = [];
  for (const body of kinematics.bodies) {
    const parent = body.parent < 0 ? identity() : poses[body.parent];
    const beam = body.parent < 0 ? null : kinematics.bodies[body.parent].beam;
    let base = parent;
    if (beam && body.joint.station >= 0) {
      const e = Array.from(q.slice(beam.first, beam.first + beam.modes.length));
      base = times(parent, sectionPose(beam, body.joint.station, e, amplification, kinematics.scene.rotation));
    }
    poses.push(times(base, times(body.B, displacement(body.joint, q))));
  }
  return poses;
}

/** Spatial screws of the velocities [by velocity], at poses: the columns of all spatial Jacobians. */
export function spatialScrews(kinematics, poses, q) {
  const columns = [];
  kinematics.bodies.forEach((body, i) => {
    const { joint } = body;
    for (let k = 0; k < joint.nv; ++k)
      columns[joint.v + k] = adjoint(poses[i], bodyScrew(joint, k, q));
  });
  return columns;
}
function bodyScrew(joint, k, q) {
  if (joint.map === "product") { // Ad of the inverse of the factors behind k
    let D = identity();
    for (let m = k + 1; m < joint.nv; ++m)
      D = times(D, exp(joint.screws[m].map((z) => z * q[joint.q + m])));
    return adjoint(inverse(D), joint.screws[k]);
  }
  if (joint.map === "exponential") {
    const X = [0, 0, 0, 0, 0, 0];
    joint.screws.forEach((Z, m) => Z.forEach((z, i) => (X[i] += z * q[joint.q + m])));
    return rightJacobian(X, joint.screws[k]);
  }
  if (joint.map === "free" && joint.velocity !== "body") {
    const J = poseFromAxes(joint.frame);
    const R = rotationOfQuaternion(q.slice(joint.q, joint.q + 4));
    const p = joint.velocity === "spatial" ? Array.from(q.slice(joint.q + 4, joint.q + 7)) : [0, 0, 0];
    const unit = [0, 0, 0, 0, 0, 0];
    unit[k] = 1;
    return adjoint(J, adjoint(inverse({ R, p }), unit));
  }
  return joint.screws[k];
}

/** The body twist of exp(X) where X changes by Y: the sum of (-ad X)^n Y / (n + 1)!. */
function rightJacobian(X, Y) {
  const w = X.slice(0, 3), v = X.slice(3, 6), sum = Y.slice();
  let term = Y;
  for (let n = 1; n <= 40; ++n) {
    const angular = cross(w, term.slice(0, 3));
    const linear = add(cross(w, term.slice(3, 6)), cross(v, term.slice(0, 3)));
    term = [...angular, ...linear].map((x) => -x / (n + 1));
    term.forEach((x, i) => (sum[i] += x));
  }
  return sum;
}

/** Spatial twists of all bodies at the velocities v. */
export function spatialTwists(kinematics, poses, q, v) {
  const screws = spatialScrews(kinematics, poses, q);
  const twists = [];
  kinematics.bodies.forEach((body, i) => {
    const V = body.parent < 0 ? [0, 0, 0, 0, 0, 0] : twists[body.parent].slice();
    for (let k = 0; k < body.joint.nv; ++k) {
      const column = screws[body.joint.v + k];
      for (let m = 0; m < 6; ++m) V[m] += column[m] * v[body.joint.v + k];
    }
    twists[i] = V;
  });
  return twists;
}

/** Spatial twist that leads from pose A to pose B in unit time, for recorded poses. */
export function twistBetween(A, B, seconds) {
  const D = times(B, inverse(A));
  const trace = D.R[0] + D.R[4] + D.R[8];
  const angle = Math.acos(Math.min(1, Math.max(-1, (trace - 1) / 2)));
  const factor = angle < 1e-6 ? 0.5 : angle / (2 * Math.sin(angle));
  const w = [(D.R[7] - D.R[5]) * factor, (D.R[2] - D.R[6]) * factor, (D.R[3] - D.R[1]) * factor];
  const turned = cross(w, D.p);
  const c = angle < 1e-4 ? 1 / 12 : (1 - (angle * Math.sin(angle)) / (2 * (1 - Math.cos(angle)))) / (angle * angle);
  const v = add(sub(D.p, scale(turned, 0.5)), scale(cross(w, turned), c));
  return [...w, ...v].map((x) => x / seconds);
}

/** The instantaneous screw axis of body i relative to body j (-1: the world), in the world. */
export const relativeAxis = (twists, i, j) =>
  screwAxis(twists[i].map((x, k) => x - (j < 0 ? 0 : twists[j][k])));

/** A spatial twist of a body in another representation. */
export function inRepresentation(rep, T, V) {
  const w = V.slice(0, 3);
  const atOrigin = add(V.slice(3, 6), cross(w, T.p)); // velocity of the body's origin
  const back = (x) => [
    T.R[0] * x[0] + T.R[3] * x[1] + T.R[6] * x[2],
    T.R[1] * x[0] + T.R[4] * x[1] + T.R[7] * x[2],
    T.R[2] * x[0] + T.R[5] * x[1] + T.R[8] * x[2],
  ];
  if (rep === "spatial") return V;
  if (rep === "hybrid") return [...w, ...atOrigin];
  if (rep === "body") return [...back(w), ...back(atOrigin)];
  return [...back(w), ...atOrigin];
}

/** Poses between two recorded ones: position linear, rotation along the shorter way. */
export function between(A, B, s) {
  const V = twistBetween({ R: A.R, p: [0, 0, 0] }, { R: B.R, p: [0, 0, 0] }, 1);
  return {
    R: timesRotation(expRotation(scale(V.slice(0, 3), s)), A.R),
    p: add(scale(A.p, 1 - s), scale(B.p, s)),
  };
}

export { rotate };

/** Where to draw a tree's joint, in the frame of its body: on its axis beside the centre of mass, which is on the body
    wherever the frame of the body is. */
export function jointPlace(body) {
  if (!body.joint.frame) return [0, 0, 0];
  const { R, p } = poseFromAxes(body.joint.frame);
  if (body.joint.nv !== 1 || !(body.mass > 0)) return p;
  const axis = [R[2], R[5], R[8]];
  return add(p, scale(axis, dot(sub(body.com, p), axis)));
}

/** What a path or an ellipsoid can be of: origins of bodies, then named frames on them. */
export const places = (scene) => [
  ...scene.bodies.map((b, body) => ({ name: b.name, body, at: [0, 0, 0] })),
  ...scene.frames.filter((f) => f.body >= 0).map((f) => ({ name: f.name, body: f.body, at: poseFromAxes(f.pose).p })),
];
