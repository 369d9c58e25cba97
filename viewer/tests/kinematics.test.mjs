// The poses and twists that the page computes are those of the library.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { bodyPoses, inRepresentation, makeKinematics, sectionPose, spatialTwists, twistBetween } from "../src/kinematics.js";
import { exp, identity, poseFromAxes, times } from "../src/lie.js";
import { axode, pageOf, root, sceneOf } from "./support.mjs";

const near = (found, expected, tolerance, what) =>
  expected.forEach((x, k) => assert.ok(Math.abs(found[k] - x) < tolerance, `${what}[${k}]: ${found[k]}, not ${x}`));

/** Coordinates of no special kind, quaternions normalized, couplings met. */
function someCoordinates(scene) {
  const q = scene.neutral.map((x, k) => x + 0.3 * Math.sin(1.7 * k + 0.4));
  for (const { joint } of scene.bodies)
    if (joint.map === "quaternion" || joint.map === "free") {
      const n = Math.hypot(...q.slice(joint.q, joint.q + 4));
      for (let k = 0; k < 4; ++k) q[joint.q + k] /= n;
    }
  for (const c of scene.couplings) q[c.follower] = c.ratio * q[c.leader] + c.offset;
  return q;
}
function someVelocities(scene) {
  const nv = scene.bodies.reduce((n, b) => Math.max(n, b.joint.v + b.joint.nv), 0);
  const v = Array.from({ length: nv }, (_, k) => Math.cos(2.3 * k + 0.2));
  for (const c of scene.couplings) {
    const velocity = (q) => scene.bodies.find((b) => b.joint.nq === 1 && b.joint.q === q).joint.v;
    v[velocity(c.follower)] = c.ratio * v[velocity(c.leader)];
  }
  return v;
}

for (const model of ["all_joints.json", "arm.urdf", "panda.json", "puma560.json", "quadruped.json", "remote_centre.json", "scara.json", "swinging_arm.json"])
  test(`tree ${model}`, () => {
    const scene = sceneOf(pageOf(`models/${model}`)), kinematics = makeKinematics(scene);
    const q = someCoordinates(scene), v = someVelocities(scene);
    for (const rep of ["hybrid", "body", "spatial", "mixed"]) {
      const found = JSON.parse(axode("kinematics", `models/${model}`, "--json", "--matrix", "--rep", rep,
        "--q", q.join(","), "--v", v.join(",")));
      const { frames } = found.states[0];
      const poses = bodyPoses(kinematics, q), twists = spatialTwists(kinematics, poses, q, v);
      scene.bodies.forEach((body, i) => {
        const expected = frames[body.name];
        assert.ok(expected, body.name);
        near(poses[i].p, expected.pose.position, 1e-9, `${body.name} position`);
        near(poses[i].R, expected.pose.matrix.flat(), 1e-9, `${body.name} rotation`);
        near(inRepresentation(rep, poses[i], twists[i]), expected.twist, 1e-8, `${body.name} ${rep} twist`);
      });
    }
  });

for (const { model, q, poses } of JSON.parse(readFileSync(join(root, "tests/data/view/flexible_poses.json"), "utf8")))
  test(`flexible ${model}`, () => {
    const scene = sceneOf(pageOf(model));
    const found = bodyPoses(makeKinematics(scene), q);
    poses.forEach((numbers, i) => {
      const expected = poseFromAxes(numbers);
      near(found[i].p, expected.p, 1e-9, `${scene.bodies[i].name} position`);
      near(found[i].R, expected.R, 1e-9, `${scene.bodies[i].name} rotation`);
    });
  });

test("straight beams are straight", () => {
  const scene = sceneOf(pageOf("examples/flexible/arm4.json"));
  for (const { beam } of scene.bodies.filter((b) => b.beam))
    beam.x.forEach((x, k) => near(sectionPose(beam, k, beam.modes.map(() => 0), 1, scene.rotation).p, [x, 0, 0], 1e-15, "p"));
});

test("the twist between two poses leads from one to the other", () => {
  const X = [0.4, -0.7, 0.2, 1, 2, -0.5], A = exp([0.1, 0.9, 0.3, -1, 0.2, 0.4]);
  near(twistBetween(A, times(exp(X), A), 1), X, 1e-9, "twist");
  near(twistBetween(A, times(exp(X), A), 0.5), X.map((x) => 2 * x), 1e-9, "twist");
  const still = [0, 0, 0, 1e-3, 0, 2e-3];
  near(twistBetween(identity(), exp(still), 1), still, 1e-12, "translation");
});
