// Mechanisms in a browser: reactions in all representations, driven legs, violation of constraints, and pages
// of several scenes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { axode, folder, launch, open, pageOf, pixels } from "./support.mjs";

let browser, crankRun, crank;
before(async () => {
  browser = await launch();
  crankRun = `${folder}/crank.mcap`;
  axode("simulate", "examples/mechanisms/slider_crank.json", "--for", "0.5s", "--out", crankRun);
  crank = pageOf(crankRun);
});
after(() => browser?.close());

const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const near = (a, b, tolerance) => a.every((x, k) => Math.abs(x - b[k]) <= tolerance);

/** Columns of the run at a sample, as `axode export` writes them: {"name": number}. */
function recorded(quantity, row) {
  const file = `${folder}/crank.csv`;
  axode("export", crankRun, "-o", file, "--quantities", quantity, "--force");
  const lines = readFileSync(file, "utf8").trim().split("\n").map((line) => line.split(","));
  return Object.fromEntries(lines[0].map((name, k) => [name.replace(/ \[.*/, ""), Number(lines[row + 1][k])]));
}

test("reactions of a mechanism are those of the run, in every representation", async () => {
  const page = await open(browser, crank);
  const before = await pixels(page);
  await page.locator('#panel input[data-key="r"]').click();
  assert.notEqual(await pixels(page), before);
  const row = 20, file = recorded("reactions", row);
  const values = (rep) => page.evaluate(([r, k]) => {
    const { view, player } = window.axode;
    view.overlays.twists.rep = r;
    player.seek(view.clip.times[k]);
    const point = ({ R, p }, x) => [0, 1, 2].map((i) => R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2] + p[i]);
    return { all: view.overlays.reactions.values,
      at: view.scene.loops.map((j) => (j.body[1] ? point(view.state.poses[j.body[1] - 1], j.point[1]) : j.point[1])) };
  }, [rep, row]);
  const hybrid = await values("hybrid"), spatial = await values("spatial"), body = await values("body");
  const names = await page.evaluate(() => window.axode.view.scene.loops.map((j) => j.name));
  assert.equal(hybrid.all.length, names.length);
  names.forEach((name, k) => {
    const expected = ["tx", "ty", "tz", "fx", "fy", "fz"].map((part) => file[`reactions:${name}.${part}`]);
    const size = 1e-5 * (1 + Math.hypot(...expected));
    assert.ok(near(hybrid.all[k], expected, size), `${name}: ${hybrid.all[k]} ${expected}`);
    const moment = cross(hybrid.at[k], expected.slice(3));
    assert.ok(near(spatial.all[k], [...expected.slice(0, 3).map((t, i) => t + moment[i]), ...expected.slice(3)], 10 * size), name);
    assert.ok(Math.abs(Math.hypot(...body.all[k].slice(3)) - Math.hypot(...expected.slice(3))) < size, name);
  });
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("violation of constraints and reactions are plotted", async () => {
  const page = await open(browser, crank);
  const titles = await page.locator("#plots summary").allTextContents();
  for (const title of ["Coordinates", "Rates", "Energies", "Reactions", "Constraint violation"])
    assert.ok(titles.includes(title), `${title} of ${titles}`);
  await page.close();
});

test("driven legs reach from the ground to the platform, at all times", async () => {
  const page = await open(browser, pageOf("examples/mechanisms/stewart.json"));
  const ends = (t) => page.evaluate((time) => {
    const { view, player } = window.axode;
    player.seek(time);
    view.world.updateMatrixWorld(true);
    const point = (k, x) => {
      if (k === 0) return x;
      const { R, p } = view.state.poses[k - 1];
      return [0, 1, 2].map((i) => R[3 * i] * x[0] + R[3 * i + 1] * x[1] + R[3 * i + 2] * x[2] + p[i]);
    };
    return view.links.links.map(({ object, body, point: p }) => {
      const end = (y) => object.localToWorld(object.position.clone().set(0, y, 0)).toArray();
      return { drawn: [end(0), end(1)], meant: body.map((k, side) => point(k, p[side])), seen: object.visible };
    });
  }, t);
  const lengths = [];
  for (const t of [0, 0.5]) {
    const all = await ends(t);
    assert.equal(all.length, 6);
    for (const { drawn, meant, seen } of all) {
      assert.ok(seen);
      drawn.forEach((p, side) => assert.ok(near(p, meant[side], 1e-5), `${p} ${meant[side]}`));
    }
    lengths.push(all.map(({ drawn: [a, b] }) => Math.hypot(...a.map((x, k) => x - b[k]))));
  }
  assert.ok(lengths[0].some((x, k) => Math.abs(x - lengths[1][k]) > 1e-3), JSON.stringify(lengths));
  await page.close();
});

test("reactions of a tree are seen", async () => {
  axode("simulate", "models/swinging_arm.json", "--for", "0.2s", "--out", `${folder}/swing.mcap`, "--quiet");
  const page = await open(browser, pageOf(`${folder}/swing.mcap`));
  const before = await pixels(page);
  await page.locator('#panel input[data-key="r"]').click();
  assert.notEqual(await pixels(page), before);
  assert.equal(await page.evaluate(() => window.axode.view.overlays.reactions.values.length), 7);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a page of several scenes shows each", async () => {
  const out = `${folder}/both.html`;
  axode("view", crankRun, "examples/flexible/arm4.json", "--out", out, "--no-browser");
  const page = await open(browser, out);
  const first = await page.locator("#title").textContent();
  const choose = page.locator("#scenes");
  assert.ok(await choose.isVisible());
  assert.equal(await choose.locator("option").count(), 2);
  await Promise.all([page.waitForEvent("load"), choose.selectOption("1")]);
  await page.evaluate(() => window.axode.ready);
  assert.notEqual(await page.locator("#title").textContent(), first);
  assert.ok(await page.evaluate(() => Boolean(window.axode.view.scene.flexible)));
  assert.deepEqual(page.errors, []);
  assert.deepEqual(await page.locator("#messages li").allTextContents(), []);
  await page.close();
});
