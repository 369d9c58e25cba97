// Bodies as three.js objects: shapes of the model, meshes, or something drawn from the geometry.
import * as THREE from "three";
import { STLLoader } from "three/examples/jsm/loaders/STLLoader.js";
import { OBJLoader } from "three/examples/jsm/loaders/OBJLoader.js";
import { ColladaLoader } from "three/examples/jsm/loaders/ColladaLoader.js";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";
import { decodeBytes } from "./data.js";
import { poseFromAxes } from "./lie.js";

const palette = [0x4878a8, 0xe08840, 0x5a9a68, 0xb86078, 0x8070b0, 0x98884c, 0x50a0a8, 0xa06848];

export function setPose(object, T) {
  const { R, p } = T;
  object.matrix.set(R[0], R[1], R[2], p[0], R[3], R[4], R[5], p[1], R[6], R[7], R[8], p[2], 0, 0, 0, 1);
  object.matrixWorldNeedsUpdate = true;
}
export function group() {
  const g = new THREE.Group();
  g.matrixAutoUpdate = false;
  return g;
}
export const material = (rgba, index) => {
  const color = new THREE.Color(palette[index % palette.length]);
  if (rgba) color.setRGB(rgba[0], rgba[1], rgba[2], THREE.SRGBColorSpace);
  const alpha = rgba ? rgba[3] : 1;
  return new THREE.MeshStandardMaterial({
    color, roughness: 0.65, metalness: 0.05, transparent: alpha < 1, opacity: alpha,
  });
};

function shapeGeometry(shape) {
  const [x, y, z] = shape.size;
  switch (shape.kind) {
    case "box":
      return new THREE.BoxGeometry(x, y, z);
    case "sphere":
      return new THREE.SphereGeometry(x, 32, 20);
    case "cylinder":
      return new THREE.CylinderGeometry(x, x, y, 32).rotateX(Math.PI / 2);
    case "capsule":
      return new THREE.CapsuleGeometry(x, y, 8, 24).rotateX(Math.PI / 2);
    default:
      return null;
  }
}

async function meshObject(mesh, look) {
  const bytes = await decodeBytes(mesh.data);
  const text = () => new TextDecoder().decode(bytes);
  if (mesh.format === "stl") return new THREE.Mesh(new STLLoader().parse(bytes), look);
  if (mesh.format === "obj") {
    const object = new OBJLoader().parse(text());
    object.traverse((o) => o.isMesh && (o.material = look));
    return object;
  }
  if (mesh.format === "dae") {
    const { scene } = new ColladaLoader().parse(text(), "");
    scene.rotation.set(0, 0, 0); // z up stays z up
    return scene;
  }
  return (await new GLTFLoader().parseAsync(bytes, "")).scene;
}

/** The visible shapes of a body; tells of meshes that are missing or broken and draws a box for them. */
export async function bodyShapes(scene, body, index, tell) {
  const all = new THREE.Group();
  for (const shape of body.shapes) {
    if (shape.collision && body.shapes.some((s) => !s.collision)) continue;
    const look = material(shape.rgba, index);
    let object;
    if (shape.kind === "mesh") {
      const mesh = shape.mesh >= 0 ? scene.meshes[shape.mesh] : null;
      try {
        if (!mesh) throw new Error("it was not found");
        object = await meshObject(mesh, look);
        object.scale.multiply(new THREE.Vector3(...shape.scale)); // COLLADA has units of its own
      } catch (error) {
        tell(`Mesh ${shape.name} of ${body.name} cannot be shown: ${error.message}.`);
        const side = 0.05 * scene.size;
        object = new THREE.Mesh(new THREE.BoxGeometry(side, side, side), look);
        look.wireframe = true;
      }
    } else {
      object = new THREE.Mesh(shapeGeometry(shape), look);
    }
    const placed = group();
    setPose(placed, poseFromAxes(shape.pose));
    placed.add(object);
    all.add(placed);
  }
  return all;
}

/** A rod between two points of a body. */
export function rod(from, to, radius, look) {
  const a = new THREE.Vector3(...from), b = new THREE.Vector3(...to), d = b.clone().sub(a);
  const length = d.length();
  const mesh = new THREE.Mesh(new THREE.CapsuleGeometry(radius, length, 4, 16), look);
  mesh.position.copy(a).addScaledVector(d, 0.5);
  if (length > 0) mesh.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), d.normalize());
  return mesh;
}
export function ball(at, radius, look) {
  const mesh = new THREE.Mesh(new THREE.SphereGeometry(radius, 20, 14), look);
  mesh.position.set(...at);
  return mesh;
}

/** Something to see of a body without shapes: rods between the points its joints are at. */
export function bodyFromGeometry(scene, points, index) {
  const all = new THREE.Group(), radius = 0.012 * scene.size, look = material(null, index);
  if (points.length === 0) return all;
  if (points.length === 1) all.add(ball(points[0], 1.6 * radius, look));
  for (let k = 1; k < points.length; ++k) all.add(rod(points[0], points[k], radius, look));
  return all;
}

/** An elastic link: a tube along stations that follow the bending. */
export class Beam {
  constructor(beam, index) {
    this.beam = beam;
    this.sides = 12;
    const rings = beam.x.length, sides = this.sides;
    const geometry = new THREE.BufferGeometry();
    this.positions = new Float32Array(3 * rings * sides);
    geometry.setAttribute("position", new THREE.BufferAttribute(this.positions, 3));
    const faces = [];
    for (let i = 0; i + 1 < rings; ++i)
      for (let k = 0; k < sides; ++k) {
        const a = i * sides + k, b = i * sides + ((k + 1) % sides);
        faces.push(a, b, a + sides, b, b + sides, a + sides);
      }
    geometry.setIndex(faces);
    this.object = new THREE.Mesh(geometry, material(null, index));
    this.object.frustumCulled = false;
  }
  /** sections: poses of the stations in the link's frame. */
  update(sections) {
    const radius = this.beam.radius;
    sections.forEach(({ R, p }, i) => {
      for (let k = 0; k < this.sides; ++k) {
        const c = radius * Math.cos((2 * Math.PI * k) / this.sides);
        const s = radius * Math.sin((2 * Math.PI * k) / this.sides);
        const at = 3 * (i * this.sides + k);
        for (let m = 0; m < 3; ++m) this.positions[at + m] = p[m] + R[3 * m + 1] * c + R[3 * m + 2] * s;
      }
    });
    this.object.geometry.attributes.position.needsUpdate = true;
    this.object.geometry.computeVertexNormals();
  }
}

/** An arrow that is set by start and vector. */
export class Arrow {
  constructor(color, thickness) {
    const look = new THREE.MeshBasicMaterial({ color });
    this.object = new THREE.Group();
    this.shaft = new THREE.Mesh(new THREE.CylinderGeometry(thickness, thickness, 1, 10), look);
    this.head = new THREE.Mesh(new THREE.ConeGeometry(2.6 * thickness, 7 * thickness, 14), look);
    this.headLength = 7 * thickness;
    this.object.add(this.shaft, this.head);
  }
  set(start, vector) {
    const d = new THREE.Vector3(...vector), length = d.length();
    this.object.visible = length > 1e-9;
    if (!this.object.visible) return;
    this.object.position.set(...start);
    this.object.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), d.divideScalar(length));
    const shaft = Math.max(length - this.headLength, 1e-6);
    this.shaft.scale.set(1, shaft, 1);
    this.shaft.position.y = shaft / 2;
    this.head.position.y = shaft + this.headLength / 2;
  }
}

/** Three arrows in red, green and blue: a frame. */
export function frameAxes(length) {
  const all = new THREE.Group();
  [[0xd03030, 1, 0, 0], [0x2a9a3a, 0, 1, 0], [0x3060d8, 0, 0, 1]].forEach(([color, ...direction]) => {
    const arrow = new Arrow(color, 0.025 * length);
    arrow.set([0, 0, 0], direction.map((x) => x * length));
    all.add(arrow.object);
  });
  return all;
}
