// Animations of `axode export`: the validator of Khronos finds nothing, and three.js reads and moves them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as THREE from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import validator from "gltf-validator";
import { bodyPoses, makeKinematics } from "../src/kinematics.js";
import { axode, fileOf, folder, pageOf, sceneOf, shippedModels } from "./support.mjs";
import { decodeFloats } from "../src/data.js";

let files = 0;
function exported(file) {
  const out = `${folder}/animation${++files}.glb`;
  axode("export", file, "-o", out);
  return new Uint8Array(readFileSync(out));
}
async function validated(bytes, name) {
  const { issues } = await validator.validateBytes(bytes);
  assert.deepEqual(issues.messages, [], name);
}
const loaded = (bytes) => new GLTFLoader().parseAsync(bytes.buffer.slice(0), "");

/** Moves what was loaded to a time. */
function setTime({ scene, animations }, t) {
  const mixer = new THREE.AnimationMixer(scene);
  mixer.clipAction(animations[0]).setLoop(THREE.LoopOnce).play();
  mixer.setTime(t);
  scene.updateMatrixWorld(true);
}
// glTF is y up: world coordinates of Axode.
const place = (object) => {
  const p = new THREE.Vector3().setFromMatrixPosition(object.matrixWorld);
  return [p.x, -p.z, p.y];
};

test("every shipped model gives a valid file", async () => {
  for (const model of shippedModels) await validated(exported(model), model);
});

test("a run of a tree: bodies are where the kinematics have them", async () => {
  const file = `${folder}/tree.mcap`;
  axode("simulate", "models/swinging_arm.json", "--for", "1s", "--out", file, "--quiet");
  const bytes = exported(file);
  await validated(bytes, file);
  const gltf = await loaded(bytes), scene = sceneOf(pageOf(file));
  const q = await decodeFloats(scene.clip.series.q.data), n = scene.coordinates.length;
  for (const row of [0, 37, 99]) {
    setTime(gltf, 0.01 * row);
    const poses = bodyPoses(makeKinematics(scene), Array.from(q.slice(row * n, (row + 1) * n)));
    scene.bodies.forEach(({ name }, i) => {
      const object = gltf.scene.getObjectByName(name);
      place(object).forEach((x, k) => assert.ok(Math.abs(x - poses[i].p[k]) < 1e-4, `${name} at ${row}`));
    });
  }
});

test("a run of a flexible model bends by weights", async () => {
  const file = `${folder}/flexible.mcap`;
  axode("simulate", "examples/flexible/two_link.json", "--for", "0.2s", "--out", file);
  const bytes = exported(file);
  await validated(bytes, file);
  const gltf = await loaded(bytes), scene = sceneOf(pageOf(file));
  const q = await decodeFloats(scene.clip.series.q.data), n = scene.coordinates.length;
  setTime(gltf, 0.1);
  const row = Array.from(q.slice(10 * n, 11 * n));
  let seen = 0;
  scene.bodies.forEach(({ name, beam }) => {
    if (!beam) return;
    const mesh = gltf.scene.getObjectByName(THREE.PropertyBinding.sanitizeNodeName(`${name}.shape`));
    beam.modes.forEach((_, k) => {
      assert.ok(Math.abs(mesh.morphTargetInfluences[k] - row[beam.first + k]) < 1e-5, `${name} ${k}`);
      ++seen;
    });
  });
  assert.ok(seen > 0);
});

test("runs of mechanisms", async () => {
  for (const model of ["example_2_1_four_bar", "stewart"]) {
    const file = `${folder}/${model}.mcap`;
    axode("simulate", `examples/mechanisms/${model}.json`, "--for", "0.2s", "--out", file);
    const bytes = exported(file);
    await validated(bytes, model);
    assert.equal((await loaded(bytes)).animations.length, 1);
  }
});

test("a URDF with a mesh, and hostile names", async () => {
  const stl = Buffer.alloc(84 + 50);
  stl.writeUInt32LE(1, 80);
  [0, 0, 0, 2, 0, 0, 0, 3, 0].forEach((x, k) => stl.writeFloatLE(x, 96 + 4 * k));
  fileOf("part.stl", stl);
  const model = fileOf("mesh.urdf", `<robot name="&quot;}]&lt;/script&gt;"><link name="base &quot;\\">
    <visual><geometry><mesh filename="part.stl" scale="1 -1 2"/></geometry>
    <material name="m"><color rgba="1 0 0 0.5"/></material></visual></link></robot>`);
  const bytes = exported(model);
  await validated(bytes, model);
  const box = new THREE.Box3().setFromObject((await loaded(bytes)).scene);
  // (2, 0, 0) and (0, -3, 0) in Axode; y up in glTF.
  assert.deepEqual(box.max.toArray().map((x) => Math.round(1e5 * x) / 1e5 + 0), [2, 0, 3]);
});
