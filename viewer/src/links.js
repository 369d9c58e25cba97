// Lines between points of two bodies of a mechanism: legs whose length is driven, rods, springs.
import * as THREE from "three";
import { material } from "./drawing.js";
import { point } from "./lie.js";

/** One metre along y, with the radius r. */
function unitLink(kind, r, index) {
  const look = material(kind === "leg" ? null : [0.5, 0.53, 0.58, 1], index), all = new THREE.Group();
  const tube = (radius, from, to) => {
    const mesh = new THREE.Mesh(new THREE.CylinderGeometry(radius, radius, to - from, 16), look);
    mesh.position.y = (from + to) / 2;
    all.add(mesh);
  };
  if (kind === "spring") {
    const turns = 8, points = [];
    for (let k = 0; k <= 16 * turns; ++k) {
      const a = (2 * Math.PI * k) / 16;
      points.push(new THREE.Vector3(2 * r * Math.cos(a), k / (16 * turns), 2 * r * Math.sin(a)));
    }
    all.add(new THREE.Mesh(new THREE.TubeGeometry(new THREE.CatmullRomCurve3(points), 24 * turns, 0.35 * r, 6), look));
  } else if (kind === "leg") {
    tube(1.3 * r, 0, 0.55);
    tube(0.7 * r, 0.5, 1);
  } else {
    tube(0.6 * r, 0, 1);
  }
  return all;
}

export class Links {
  constructor(scene, world) {
    this.links = (scene.links ?? []).map((link, k) => {
      const object = unitLink(link.kind, 0.01 * scene.size, k);
      object.name = link.name;
      world.add(object);
      return { ...link, object };
    });
  }
  update(poses, shown) {
    const up = new THREE.Vector3(0, 1, 0);
    for (const { object, body, point: points } of this.links) {
      const [a, b] = body.map((k, side) => new THREE.Vector3(...(k > 0 ? point(poses[k - 1], points[side]) : points[side])));
      const along = b.clone().sub(a), length = along.length();
      object.visible = shown && length > 0;
      if (!object.visible) continue;
      object.position.copy(a);
      object.quaternion.setFromUnitVectors(up, along.divideScalar(length));
      object.scale.set(1, length, 1);
    }
  }
}
