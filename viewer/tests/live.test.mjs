// A run that goes on, in a browser: the page follows it, can look back, tells its end, and bears bad data.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { after, afterEach, before, test } from "node:test";
import { GrowingClip } from "../src/live.js";
import { axodeProgram, fileOf, launch, messages, open, root } from "./support.mjs";

const pendulum = (name) => ({ axode: 1, name, bodies: [
  { name, inertia: { mass: 1, com: [0, 0, -1], about_com: [0.01, 0.01, 0.01] },
    joint: { name: `${name} joint`, type: "revolute", axis: [0, 1, 0], point: [0, 0, 0] } }] });
const forever = ["--for", "100000h", "--max-step", "1ms"];
const children = [];
let browser, model;
before(async () => {
  browser = await launch();
  model = fileOf("pendulum.json", JSON.stringify(pendulum("bob")));
});
afterEach(() => children.splice(0).forEach((child) => child.kill("SIGKILL")));
after(() => browser?.close());

/** Starts a run; the child has its address and, as `ended`, a promise of its exit code. */
async function live(command) {
  const child = spawn(axodeProgram, [...command, "--live", "--no-browser"], { cwd: root });
  children.push(child);
  child.ended = new Promise((resolve) => child.on("exit", resolve));
  let text = "";
  child.address = await new Promise((resolve, reject) => {
    child.stderr.on("data", (part) => {
      const found = /live at (\S+)\n/.exec((text += part));
      if (found) resolve(found[1]);
    });
    child.ended.then(() => reject(new Error(text)));
  });
  return child;
}
const swing = (...more) => live(["simulate", model, "--q", "2", ...more]);
const state = (page) => page.evaluate(() => ({
  t: window.axode.player.t, end: window.axode.player.end, rows: window.axode.clip.times.length,
  poses: JSON.stringify(window.axode.view.state.poses),
}));
const status = (page) => page.locator('#live [data-part="status"]').textContent();

test("a run is followed while it goes on", async () => {
  const child = await swing(...forever);
  const page = await open(browser, child.address);
  assert.equal(await status(page), "Live");
  const first = await state(page);
  await page.waitForFunction((end) => window.axode.player.end > end + 1, first.end);
  const then = await state(page);
  assert.ok(then.t > first.t && then.rows > first.rows, JSON.stringify([first, then]));
  assert.notEqual(then.poses, first.poses);
  const shown = () => page.evaluate(() => window.axode.plots.plots[0].plot.data[0].at(-1));
  const before = await shown();
  await page.waitForFunction((t) => window.axode.plots.plots[0].plot.data[0].at(-1) > t, before);

  // Looking back stops following; the run goes on.
  const follow = page.getByRole("button", { name: "Follow" });
  assert.equal(await follow.getAttribute("aria-pressed"), "true");
  await page.locator('[data-part="slider"]').evaluate((e) => {
    e.value = "1";
    e.dispatchEvent(new Event("input"));
  });
  const back = await state(page);
  await page.waitForFunction((end) => window.axode.player.end > end + 1, back.end);
  assert.equal((await state(page)).t, back.t);
  await page.waitForFunction(() => document.querySelector('[data-part="follow"]').ariaPressed === "false");
  await follow.click();
  await page.waitForFunction((end) => window.axode.player.t > end + 2, back.end);
  await page.locator("#canvas").focus();
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => !window.axode.player.following);
  await page.keyboard.press("End");
  await page.waitForFunction(() => window.axode.player.following);
  for (const key of ["a", "p", "f"]) await page.keyboard.press(key); // what depends on the whole run, too
  await page.waitForFunction((rows) => window.axode.clip.times.length > rows, (await state(page)).rows);

  child.kill("SIGINT");
  await page.waitForFunction(() => window.axode.live.state === "ended");
  assert.match(await status(page), /^Ended: stopped at [\d.]+ s$/);
  assert.equal(await child.ended, 130);
  await page.waitForFunction(() => !window.axode.player.growing);
  const last = await state(page);
  assert.equal(last.t, last.end);
  assert.ok(await follow.isHidden());
  await page.getByRole("button", { name: "Play" }).click();
  await page.waitForFunction(() => window.axode.player.playing && window.axode.player.t > 0);
  assert.deepEqual(page.errors, []);
  assert.deepEqual(await messages(page), []);
  await page.close();
});

test("a run that is over is shown whole", async () => {
  for (const command of [["simulate", model, "--q", "2", "--for", "3s", "--quiet"],
    ["simulate", "examples/flexible/pendulum.json", "--for", "3s"]]) {
    const child = await live(command);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const page = await open(browser, child.address);
    await page.waitForFunction(() => window.axode.live.state === "ended");
    assert.equal(await status(page), "Ended: finished at 3 s");
    assert.equal(await child.ended, 0);
    await page.waitForFunction(() => !window.axode.player.growing && window.axode.player.t === 3);
    assert.equal((await state(page)).rows, 301);
    assert.equal(await page.locator('#live [data-part="note"]').textContent(), "");
    assert.deepEqual(page.errors, []);
    await page.close();
  }
});

test("a connection that is lost is told", async () => {
  const child = await swing(...forever);
  const page = await open(browser, child.address);
  child.kill("SIGKILL");
  await page.waitForFunction(() => window.axode.live.state === "lost");
  assert.match(await status(page), /^Connection lost: shown is what had come$/);
  const { t } = await state(page);
  assert.ok(t >= 0);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("the page connects to nothing but its stream", async () => {
  const child = await swing(...forever);
  const page = await open(browser, child.address);
  const blocked = (action) => page.evaluate((text) => new Promise((resolve) => {
    document.addEventListener("securitypolicyviolation", (e) => resolve(e.effectiveDirective), { once: true });
    setTimeout(() => resolve("allowed"), 2000);
    const act = {
      fetch: () => fetch(location.href).catch(() => {}),
      other: () => new WebSocket(location.href.replace("http", "ws")),
      image: () => (new Image().src = `${location.origin}/x.png`),
      script: () => document.body.append(Object.assign(document.createElement("script"), { textContent: "window.bad = 1" })),
      frame: () => document.body.append(Object.assign(document.createElement("iframe"), { src: location.href })),
    };
    try {
      act[text]();
    } catch {
      // told by the event
    }
  }), action);
  assert.equal(await blocked("fetch"), "connect-src");
  assert.equal(await blocked("other"), "connect-src");
  assert.equal(await blocked("image"), "img-src");
  assert.equal(await blocked("script"), "script-src-elem");
  assert.match(await blocked("frame"), /frame-src|frame-ancestors/);
  assert.equal(await page.evaluate(() => window.bad), undefined);
  await page.close();
  // By its other name it works as well; other pages of this machine get nothing.
  const named = await open(browser, child.address.replace("127.0.0.1", "localhost"));
  assert.equal(await status(named), "Live");
  const stranger = await browser.newPage();
  const closed = await stranger.evaluate((address) => new Promise((resolve) => {
    const socket = new WebSocket(`${address.replace("http", "ws")}stream`);
    socket.onopen = () => resolve("open");
    socket.onerror = () => resolve("refused");
  }), child.address);
  assert.equal(closed, "refused");
  await stranger.close();
  await named.close();
});

test("nonsense and damaged rows are passed over", async () => {
  const child = await swing(...forever);
  const page = await open(browser, child.address);
  await page.evaluate(() => {
    const { live } = window.axode, { width } = live.growing;
    for (const text of ["", "{", "null", "1", "[]", '"x"', '{"series": 3}', '{"ended": 5}', '{"thinned": "x"}'])
      live.hear(text);
    live.receive(new ArrayBuffer(0));
    live.receive(new ArrayBuffer(7));
    live.receive(new Float32Array(width).fill(NaN).buffer);
    live.receive(new Float32Array(width).fill(-1).buffer); // a time before the start
    live.receive(new Float32Array(width).fill(1e30).map((x, k) => (k === 1 ? Infinity : x)).buffer);
  });
  assert.equal(await status(page), "Live");
  const before = await state(page);
  await page.waitForFunction((end) => window.axode.player.end > end + 1, before.end);
  await page.waitForFunction(() => /damaged/.test(document.querySelector('[data-part="note"]').textContent));
  assert.match(await page.locator('#live [data-part="note"]').textContent(), /(^|, )4 damaged$/);
  assert.ok(!/null|NaN/.test((await state(page)).poses));
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("names are text, whatever is in them", async () => {
  const hostile = `</script><script>window.bad = 1</script><img src=x onerror="window.bad = 2"> \u2028 & ' \\`;
  const child = await live(["simulate", fileOf("hostile.json", JSON.stringify(pendulum(hostile))), ...forever]);
  const page = await open(browser, child.address);
  await page.waitForFunction(() => window.axode.player.end > 1);
  assert.equal(await page.evaluate(() => window.bad), undefined);
  assert.equal(await page.locator("#title").textContent(), hostile);
  assert.equal(await page.evaluate(() => window.axode.clip.series.q.names[0]), `${hostile} joint`);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("poses of mechanisms are not a series but move the bodies", () => {
  const series = [{ name: "q", names: ["a"], units: ["rad"] }, { name: "poses", names: [..."abcdefg"], units: Array(7).fill("") }];
  const growing = new GrowingClip({ series });
  assert.equal(growing.clip.poses.length, 0);
  for (let t = 0; t < 3; ++t) growing.append(new Float32Array([t, 2 * t, 1, 0, 0, 0, t, 0, 0]).buffer);
  assert.deepEqual(Object.keys(growing.clip.series), ["q"]);
  assert.deepEqual([...growing.clip.series.q.values], [0, 2, 4]);
  assert.deepEqual([...growing.clip.poses.subarray(7, 14)], [1, 0, 0, 0, 1, 0, 0]);
});

test("memory is bounded: old rows are thinned", () => {
  const growing = new GrowingClip({ series: [{ name: "q", names: ["a", "b"], units: ["rad", "m"] }] }, 100);
  const row = (t) => new Float32Array([t, 2 * t, -t]).buffer;
  for (let t = 0; t < 1000; ++t) {
    growing.append(row(t));
    const { times, series } = growing.clip;
    assert.ok(times.length <= 100 && series.q.values.length === 2 * times.length);
    assert.equal(times.at(-1), t);
  }
  const { times, series } = growing.clip;
  assert.equal(times[0], 0);
  times.forEach((t, k) => {
    assert.ok(k === 0 || t > times[k - 1]);
    assert.deepEqual([...series.q.values.subarray(2 * k, 2 * k + 2)], [2 * t, -t]);
  });
  assert.equal(growing.rows + growing.thinned, 1000);
  growing.append(row(999)); // as near as float32 can tell: takes the place of the last
  assert.equal(growing.clip.times.at(-1), 999);
  assert.equal(growing.rows + growing.thinned, 1001);
  assert.equal(growing.damaged, 0);
});
