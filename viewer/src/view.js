// The 3-D view: camera, light, grid, bodies, and the overlays that overlays.js draws.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Beam, bodyFromGeometry, bodyShapes, frameAxes, group, material, rod, setPose, ball } from "./drawing.js";
import { between, bodyPoses, jointPlace, makeKinematics, sectionPose, spatialTwists, twistBetween } from "./kinematics.js";
import { identity, inverse, norm, point, poseFromAxes, rotationOfQuaternion, scale, sub } from "./lie.js";
import { locate, rowAt } from "./data.js";
import { Links } from "./links.js";
import { makeOverlays } from "./overlays.js";

const backgrounds = { light: 0xf4f6f8, dark: 0x14181d };

export class View {
  constructor(canvas, scene, clip, tell) {
    Object.assign(this, { canvas, scene, clip, tell });
    this.kinematics = makeKinematics(scene);
    this.amplification = 1;
    this.options = { shapes: true, grid: true };
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.world = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(40, 1, 0.001 * scene.size, 100 * scene.size);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => (this.stale = true));
    this.world.add(new THREE.HemisphereLight(0xffffff, 0x8090a0, 1.9));
    const sun = new THREE.DirectionalLight(0xffffff, 1.8);
    sun.position.set(1, -2, 3);
    this.world.add(sun);
    this.stale = true;
  }

  async build() {
    const { scene } = this;
    this.bodies = [];
    const joints = this.jointPoints();
    for (const [i, body] of this.kinematics.bodies.entries()) {
      const object = group();
      object.name = body.name;
      this.world.add(object);
      const shapes = group();
      if (body.beam) {
        const beam = new Beam(body.beam, i);
        shapes.add(beam.object);
        this.bodies.push({ object, shapes, beam });
      } else {
        shapes.add(body.shapes.length ? await bodyShapes(scene, body, i, this.tell)
                                      : bodyFromGeometry(scene, joints[i], i));
        this.bodies.push({ object, shapes });
      }
      object.add(shapes);
    }
    this.links = new Links(scene, this.world);
    this.drawGround();
    this.overlays = makeOverlays(this);
    this.setQ(this.clip ? null : scene.start);
    this.preset("home");
  }

  /** Points on each body that joints are at, in its frame; its own joint first. Where there is one only, the
      body reaches as far beyond its centre of mass. */
  jointPoints() {
    const points = this.jointsAndFrames();
    points.forEach((own, i) => {
      const far = sub(scale(this.scene.bodies[i].com, 2), own[0]);
      const differ = (p) => norm(sub(p, own[0])) > 1e-3 * this.scene.size;
      if (!own.some(differ) && differ(far)) own.push(far);
    });
    return points;
  }
  jointsAndFrames() {
    const points = this.kinematics.bodies.map(() => []);
    if (this.scene.loops) {
      for (const joint of this.scene.loops)
        joint.body.forEach((b, side) => b > 0 && points[b - 1].push(joint.point[side]));
      for (const frame of this.scene.frames) points[frame.body].push(poseFromAxes(frame.pose).p);
      points.forEach((own, i) => own.length || own.push(this.scene.bodies[i].com));
      return points;
    }
    const start = bodyPoses(this.kinematics, this.scene.neutral);
    this.kinematics.bodies.forEach((body, i) => {
      const anchor = jointPlace(body);
      points[i].unshift(anchor);
      if (body.parent >= 0)
        points[body.parent].push(point(inverse(start[body.parent]), point(start[i], anchor)));
    });
    for (const frame of this.scene.frames)
      if (frame.body >= 0) points[frame.body].push(poseFromAxes(frame.pose).p);
    return points;
  }

  drawGround() {
    // Squares of 1, 2 or 5 times a power of ten, about ten along the model.
    const wanted = this.scene.size / 8, ten = 10 ** Math.floor(Math.log10(wanted));
    const step = ten * ([1, 2, 5, 10].find((k) => k * ten >= wanted) ?? 10);
    const grid = new THREE.GridHelper(40 * step, 40, 0x8896a4, 0x8896a4);
    grid.material.transparent = true;
    grid.material.opacity = 0.28;
    grid.rotation.x = Math.PI / 2;
    if (this.scene.planar) grid.position.z = -0.05 * this.scene.size;
    this.grid = grid;
    this.world.add(grid);
    this.worldFrame = frameAxes(0.2 * this.scene.size);
    this.world.add(this.worldFrame);
    if (this.scene.loops) {
      const look = material([0.45, 0.48, 0.52, 1], 0);
      for (const joint of this.scene.loops)
        joint.body.forEach((b, side) => b === 0 &&
          this.world.add(ball(joint.point[side], 0.02 * this.scene.size, look)));
    }
  }

  /** Shows the coordinates q (of a model), or the time t of the clip if q is null. */
  setQ(q) {
    this.q = q ? Array.from(q) : null;
    this.update();
  }
  setTime(t) {
    this.t = t;
    this.q = null;
    this.update();
  }

  /** State at the time or coordinates shown: poses, twists, rows of the series. */
  evaluate() {
    const { clip, kinematics } = this;
    if (this.q || !clip) {
      const q = this.q ?? this.scene.start;
      const poses = this.scene.loops ? this.scene.bodies.map((b) => poseFromAxes(b.pose))
                                     : bodyPoses(kinematics, q, this.amplification);
      return { q, v: null, poses, twists: null, row: null };
    }
    const at = locate(clip, this.t ?? clip.times[0]);
    const state = { row: at, t: this.t ?? clip.times[0] };
    if (clip.poses) {
      state.poses = this.recorded(at);
      state.twists = this.recordedTwists(at);
      return state;
    }
    state.q = rowAt(clip.series.q, at);
    state.v = clip.series.v ? rowAt(clip.series.v, at) : null;
    state.poses = bodyPoses(kinematics, state.q, this.amplification);
    state.twists = state.v && !this.scene.flexible
      ? spatialTwists(kinematics, state.poses, state.q, state.v) : this.twistsByDifference(at);
    return state;
  }
  poseRow(row) {
    const n = this.scene.bodies.length, a = this.clip.poses;
    return this.scene.bodies.map((_, i) => {
      const k = 7 * (row * n + i);
      return { R: rotationOfQuaternion([a[k], a[k + 1], a[k + 2], a[k + 3]]), p: [a[k + 4], a[k + 5], a[k + 6]] };
    });
  }
  recorded({ row, fraction }) {
    const a = this.poseRow(row);
    if (fraction === 0) return a;
    const b = this.poseRow(row + 1);
    return a.map((T, i) => between(T, b[i], fraction));
  }
  recordedTwists({ row }) {
    const k = Math.min(Math.max(row, 0), this.clip.times.length - 2);
    if (k < 0) return null;
    const a = this.poseRow(k), b = this.poseRow(k + 1);
    return a.map((T, i) => twistBetween(T, b[i], this.clip.times[k + 1] - this.clip.times[k]));
  }
  twistsByDifference({ row }) {
    const { clip } = this, k = Math.min(row, clip.times.length - 2);
    if (k < 0) return null;
    const pose = (r) => bodyPoses(this.kinematics, rowAt(clip.series.q, { row: r, fraction: 0 }), this.amplification);
    const a = pose(k), b = pose(k + 1);
    return a.map((T, i) => twistBetween(T, b[i], clip.times[k + 1] - clip.times[k]));
  }

  update() {
    const began = performance.now();
    const state = (this.state = this.evaluate());
    this.bodies.forEach((body, i) => {
      setPose(body.object, state.poses[i]);
      body.shapes.visible = this.options.shapes;
      if (body.beam) {
        const beam = this.kinematics.bodies[i].beam;
        const e = state.q.slice(beam.first, beam.first + beam.modes.length);
        body.beam.update(beam.x.map((_, k) => sectionPose(beam, k, e, this.amplification, this.scene.rotation)));
      }
    });
    this.links.update(state.poses, this.options.shapes);
    this.grid.visible = this.worldFrame.visible = this.options.grid;
    for (const overlay of Object.values(this.overlays)) overlay.update(state);
    this.updateTime = performance.now() - began;
    this.stale = true;
  }

  /** What the bodies take up, over the whole run if there is one, and the world's origin if it is near. */
  extent() {
    if (this.box) return this.box;
    const box = new THREE.Box3(), times = this.clip ? Array.from({ length: 13 }, (_, k) => k / 12) : [null];
    const keep = { t: this.t, q: this.q };
    for (const s of times) {
      if (s !== null) this.setTime(this.clip.times[Math.round(s * (this.clip.times.length - 1))]);
      if (!this.state.poses.every(({ R, p }) => [...R, ...p].every(Number.isFinite))) continue;
      this.world.updateMatrixWorld(true);
      this.bodies.forEach(({ object }) => box.expandByObject(object));
    }
    Object.assign(this, keep);
    this.update();
    const origin = new THREE.Vector3();
    if (box.isEmpty() || box.distanceToPoint(origin) < box.getSize(new THREE.Vector3()).length()) box.expandByPoint(origin);
    return (this.box = box);
  }
  /** A camera by its name, or by the direction it is in from the middle. */
  preset(name) {
    this.chosen = name;
    const box = this.extent();
    const centre = box.getCenter(new THREE.Vector3());
    const reach = Math.max(box.getSize(new THREE.Vector3()).length(), 0.3 * this.scene.size);
    const directions = {
      home: this.scene.planar ? [0, -1e-4, 1] : [0.7, -1, 0.55],
      front: [1, 0, 0], side: [0, -1, 0], top: [0, -1e-4, 1],
    };
    const d = new THREE.Vector3(...(directions[name] ?? name)).normalize();
    this.controls.target.copy(centre);
    // The sphere around the box fits the narrower side of the window.
    const half = (this.camera.fov * Math.PI) / 360;
    const narrow = Math.min(half, Math.atan(Math.tan(half) * this.camera.aspect));
    this.camera.position.copy(centre).addScaledVector(d, (0.5 * reach) / Math.sin(narrow));
    this.controls.update();
    this.stale = true;
  }
  /** Goes that many times nearer. */
  zoom(factor) {
    const { target } = this.controls;
    this.camera.position.sub(target).divideScalar(Math.min(Math.max(factor, 0.01), 100)).add(target);
    this.controls.update();
    this.stale = true;
  }
  setTheme(theme) {
    this.world.background = new THREE.Color(backgrounds[theme]);
    this.stale = true;
  }
  resize() {
    const { clientWidth: w, clientHeight: h } = this.canvas;
    if (w === 0 || h === 0) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(w, h, false);
    const first = !this.sized;
    this.sized = true;
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
    if (first) this.preset("home");
    this.stale = true;
  }
  render() {
    if (!this.stale) return;
    this.stale = false;
    this.renderer.render(this.world, this.camera);
  }
}
export { identity, rod };
