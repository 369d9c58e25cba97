// The panel: what is shown, sliders of a model's coordinates, the camera, figures of what is chosen.
import { places } from "./kinematics.js";

const make = (tag, text, attributes = {}) => {
  const e = document.createElement(tag);
  if (text !== undefined) e.textContent = text;
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  return e;
};

function section(panel, title) {
  const box = make("section");
  box.append(make("h2", title));
  panel.append(box);
  return box;
}
function check(box, label, on, change, key) {
  const line = make("label", undefined, { class: "check" });
  const input = make("input", undefined, { type: "checkbox" });
  input.checked = on;
  input.onchange = () => change(input.checked);
  if (key) input.dataset.key = key;
  line.append(input, make("span", label));
  box.append(line);
  return input;
}
function select(box, label, options, value, change, name) {
  const line = make("label", undefined, { class: "field" });
  const input = make("select", undefined, { "data-name": name });
  for (const [v, text] of options) input.add(new Option(text, v));
  input.value = String(value);
  input.onchange = () => change(input.value);
  line.append(make("span", label), input);
  box.append(line);
  return input;
}
function range(box, label, { min, max, value, unit }, change) {
  const line = make("label", undefined, { class: "range" });
  const input = make("input", undefined, { type: "range", min, max, step: (max - min) / 1000 || 1e-6 });
  input.value = String(value);
  const shown = make("output", `${value.toFixed(3)} ${unit}`);
  input.oninput = () => {
    shown.textContent = `${Number(input.value).toFixed(3)} ${unit}`;
    change(Number(input.value));
  };
  line.append(make("span", label), input, shown);
  box.append(line);
  return { input, set: (x) => { input.value = String(x); shown.textContent = `${x.toFixed(3)} ${unit}`; } };
}

function sliders(view, panel) {
  const { scene } = view;
  const box = section(panel, "Coordinates");
  const q = Array.from(scene.start);
  const follow = () => {
    for (const c of scene.couplings) q[c.follower] = c.ratio * q[c.leader] + c.offset;
  };
  const controls = [];
  scene.coordinates.forEach((c, k) => {
    if (c.follows) return;
    const wide = c.unit === "m" ? scene.size : c.unit === "rad" ? Math.PI : 1;
    const min = c.lower ?? -wide, max = c.upper ?? wide;
    controls.push([k, range(box, c.name, { min, max, value: Math.min(Math.max(q[k], min), max), unit: c.unit }, (x) => {
      q[k] = x;
      follow();
      view.setQ(q);
    })]);
    controls.at(-1)[1].input.dataset.coordinate = c.name;
  });
  const reset = make("button", "Start position", { type: "button" });
  reset.onclick = () => {
    scene.start.forEach((x, k) => (q[k] = x));
    controls.forEach(([k, control]) => control.set(q[k]));
    view.setQ(q);
  };
  box.append(reset);
}

export function buildPanels(view, player, panel) {
  const { scene, overlays } = view;
  const shown = section(panel, "Show");
  const redraw = () => view.update();
  const overlay = (label, name, key) =>
    check(shown, label, false, (on) => { overlays[name].shown = on; redraw(); }, key);
  check(shown, "Shapes", true, (on) => { view.options.shapes = on; redraw(); }, "b");
  check(shown, "Grid", true, (on) => { view.options.grid = on; redraw(); }, "g");
  overlay("Frames", "frames", "f");
  overlay("Centre of mass", "centre", "c");
  overlay("Joint screws", "screws", "s");
  const names = scene.bodies.map((b, i) => [i, b.name]);
  const placeNames = places(scene).map((p, i) => [i, p.name]);
  if (view.clip) {
    overlay("Screw axis and axodes", "axes", "a");
    const box = section(panel, "Screw axis");
    select(box, "of", names, overlays.axes.body, (v) => { overlays.axes.body = Number(v); redraw(); }, "body");
    select(box, "relative to", [[-1, "world"], ...names], -1, (v) => { overlays.axes.relativeTo = Number(v); redraw(); }, "relative_to");
    check(box, "Axodes", true, (on) => { overlays.axes.axodes = on; redraw(); }).dataset.name = "surfaces";
    overlay("Twists", "twists", "t");
    if (view.clip.series.tau && !scene.loops) overlay("Joint forces", "forces", "w");
    if (view.clip.series.reactions) overlay("Reactions", "reactions", "r");
    overlay("Path", "paths", "p");
    const more = section(panel, "Twists, wrenches, path");
    select(more, "in", [["body", "body"], ["spatial", "spatial"], ["hybrid", "hybrid"], ["mixed", "mixed"]],
      overlays.twists.rep, (v) => { overlays.twists.rep = v; redraw(); }, "rep");
    select(more, "path of", placeNames, overlays.paths.place, (v) => { overlays.paths.place = Number(v); redraw(); }, "place");
  }
  if (!scene.loops && !scene.flexible) {
    overlay("Manipulability", "ellipsoid", "m");
    if (placeNames.length > 1) {
      const box = section(panel, "Manipulability");
      select(box, "of", placeNames, overlays.ellipsoid.place, (v) => { overlays.ellipsoid.place = Number(v); redraw(); }, "place");
    }
  }
  if (scene.flexible) {
    const box = section(panel, "Bending");
    const amplified = range(box, "amplified", { min: 1, max: 50, value: 1, unit: "x" }, (x) => { view.amplification = x; redraw(); });
    amplified.input.dataset.name = "amplified";
  }
  const camera = section(panel, "Camera");
  const row = make("div", undefined, { class: "buttons" });
  for (const name of ["home", "front", "side", "top"]) {
    const button = make("button", name, { type: "button", "data-camera": name });
    button.onclick = () => view.preset(name);
    row.append(button);
  }
  camera.append(row);
  if (!player && !scene.loops) sliders(view, panel);
}
