// Rigid displacements for drawing: poses as {R: 9 numbers row by row, p: 3}, screws angular part first.
// The formulas are those of axode/lie/se3.hpp; here double precision and simplicity are enough.

export const identity = () => ({ R: [1, 0, 0, 0, 1, 0, 0, 0, 1], p: [0, 0, 0] });

/** From twelve numbers: the axes x, y, z and the origin. */
export const poseFromAxes = (a) => ({
  R: [a[0], a[3], a[6], a[1], a[4], a[7], a[2], a[5], a[8]],
  p: [a[9], a[10], a[11]],
});

export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
export const add = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const scale = (a, s) => [a[0] * s, a[1] * s, a[2] * s];
export const norm = (a) => Math.hypot(a[0], a[1], a[2]);

export const rotate = (R, v) => [
  R[0] * v[0] + R[1] * v[1] + R[2] * v[2],
  R[3] * v[0] + R[4] * v[1] + R[5] * v[2],
  R[6] * v[0] + R[7] * v[1] + R[8] * v[2],
];
export const rotateBack = (R, v) => [
  R[0] * v[0] + R[3] * v[1] + R[6] * v[2],
  R[1] * v[0] + R[4] * v[1] + R[7] * v[2],
  R[2] * v[0] + R[5] * v[1] + R[8] * v[2],
];
export const timesRotation = (A, B) => {
  const C = new Array(9);
  for (let i = 0; i < 3; ++i)
    for (let j = 0; j < 3; ++j)
      C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
  return C;
};
export const times = (A, B) => ({ R: timesRotation(A.R, B.R), p: add(rotate(A.R, B.p), A.p) });
export const point = (T, x) => add(rotate(T.R, x), T.p);
export const inverse = (T) => {
  const R = [T.R[0], T.R[3], T.R[6], T.R[1], T.R[4], T.R[7], T.R[2], T.R[5], T.R[8]];
  return { R, p: scale(rotate(R, T.p), -1) };
};

/** R of a rotation vector. */
export function expRotation(w) {
  const angle = norm(w);
  const a = angle < 1e-6 ? 1 - (angle * angle) / 6 : Math.sin(angle) / angle;
  const b = angle < 1e-6 ? 0.5 : (1 - Math.cos(angle)) / (angle * angle);
  const [x, y, z] = w;
  return [
    1 - b * (y * y + z * z), b * x * y - a * z, b * x * z + a * y,
    b * x * y + a * z, 1 - b * (x * x + z * z), b * y * z - a * x,
    b * x * z - a * y, b * y * z + a * x, 1 - b * (x * x + y * y),
  ];
}
/** The displacement reached after unit time with the constant twist X. */
export function exp(X) {
  const w = X.slice(0, 3), v = X.slice(3, 6);
  const angle = norm(w), a2 = angle * angle;
  const b = angle < 1e-4 ? 0.5 - a2 / 24 : (1 - Math.cos(angle)) / a2;
  const c = angle < 1e-4 ? 1 / 6 - a2 / 120 : (angle - Math.sin(angle)) / (a2 * angle);
  const turned = cross(w, v);
  return { R: expRotation(w), p: add(v, add(scale(turned, b), scale(cross(w, turned), c))) };
}
/** R of a quaternion (w, x, y, z), normalized. */
export function rotationOfQuaternion(q) {
  const n = Math.hypot(...q) || 1;
  const [w, x, y, z] = q.map((c) => c / n);
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
    2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
    2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
  ];
}
/** Ad_T X: a screw in frame B seen in frame A, T = T_AB. */
export function adjoint(T, X) {
  const w = rotate(T.R, X.slice(0, 3));
  return [...w, ...add(rotate(T.R, X.slice(3, 6)), cross(T.p, w))];
}

/** The screw axis of a spatial twist: direction, the point nearest to the origin, pitch, magnitude. */
export function screwAxis(V) {
  const w = V.slice(0, 3), v = V.slice(3, 6);
  const rate = norm(w), speed = norm(v);
  if (rate < 1e-9 * Math.max(1, speed)) {
    if (speed < 1e-12) return null;
    return { direction: scale(v, 1 / speed), point: [0, 0, 0], pitch: Infinity, rate: speed };
  }
  return {
    direction: scale(w, 1 / rate),
    point: scale(cross(w, v), 1 / (rate * rate)),
    pitch: dot(w, v) / (rate * rate),
    rate,
  };
}
