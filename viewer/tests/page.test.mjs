// The page in a browser: it shows all models, moves, plays, draws what is asked for, and bears bad data.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { deflateSync, inflateSync } from "node:zlib";
import { after, before, test } from "node:test";
import { axode, fileOf, folder, launch, messages, open, pageOf, pixels, shippedModels } from "./support.mjs";

let browser, armRun, flexibleRun;
before(async () => {
  browser = await launch();
  axode("simulate", "models/swinging_arm.json", "--for", "1s", "--out", `${folder}/arm.mcap`, "--quiet");
  axode("simulate", "examples/flexible/arm4.json", "--for", "0.5s", "--out", `${folder}/arm4.mcap`);
  armRun = pageOf(`${folder}/arm.mcap`);
  flexibleRun = pageOf(`${folder}/arm4.mcap`);
});
after(() => browser?.close());

/** Whether two pictures differ; the page is given back unchanged. */
async function changes(page, action) {
  const a = await pixels(page);
  await action();
  return (await pixels(page)) !== a;
}
const poses = (page) => page.evaluate(() => JSON.stringify(window.axode.view.state.poses));

test("every shipped model is shown without errors", async () => {
  const page = await browser.newPage({ viewport: { width: 600, height: 400 } });
  const errors = [];
  page.on("console", (m) => m.type() === "error" && errors.push(m.text()));
  page.on("pageerror", (e) => errors.push(e.message));
  for (const model of shippedModels) {
    await page.goto(`file://${pageOf(model)}`);
    await page.evaluate(() => window.axode.ready);
    assert.deepEqual(errors, [], model);
    assert.deepEqual(await messages(page), [], model);
    const seen = await page.evaluate(() => {
      const { view } = window.axode;
      view.render();
      return { bodies: view.bodies.length, drawn: view.renderer.info.render.triangles,
        finite: view.state.poses.every((T) => [...T.R, ...T.p].every(Number.isFinite)) };
    });
    assert.ok(seen.bodies > 0 && seen.drawn > 0 && seen.finite, `${model}: ${JSON.stringify(seen)}`);
  }
  await page.close();
});

test("the whole model is in the picture", async () => {
  for (const model of ["models/panda.json", "examples/mechanisms/stewart.json", "examples/flexible/arm4.json", armRun]) {
    const page = await open(browser, model === armRun ? model : pageOf(model));
    const extent = await page.evaluate(() => {
      const { view } = window.axode;
      view.camera.updateMatrixWorld();
      const points = view.bodies.flatMap(({ object }) => {
        const all = [];
        object.traverse((o) => {
          if (!o.isMesh) return;
          o.updateWorldMatrix(true, false);
          const p = o.geometry.attributes.position;
          for (let i = 0; i < p.count; i += 7)
            all.push(o.position.clone().fromBufferAttribute(p, i).applyMatrix4(o.matrixWorld).project(view.camera));
        });
        return all;
      });
      return Math.max(...points.map((p) => Math.max(Math.abs(p.x), Math.abs(p.y))));
    });
    assert.ok(extent < 1 && extent > 0.25, `${model}: ${extent}`);
    await page.close();
  }
});

test("the address says what is shown, and what it cannot say is told", async () => {
  const address = "#time=0.3&show=screws,path&hide=grid,controls&body=link3&place=tool&rep=mixed&theme=dark&camera=0,0,1&zoom=2";
  const page = await open(browser, armRun + address);
  const seen = await page.evaluate(() => {
    const { view, player } = window.axode;
    return { t: player.t, screws: view.overlays.screws.shown, path: view.overlays.paths.shown, grid: view.options.grid,
      body: view.scene.bodies[view.overlays.axes.body].name,
      place: view.overlays.paths.place - view.scene.bodies.length, rep: view.overlays.twists.rep,
      theme: document.documentElement.dataset.theme, panel: document.getElementById("panel").offsetHeight,
      checked: document.querySelector('input[data-key="s"]').checked,
      camera: view.camera.position.clone().sub(view.controls.target).normalize().z };
  });
  assert.deepEqual({ ...seen, camera: Math.round(seen.camera * 1e3) }, { t: 0.3, screws: true, path: true, grid: false,
    body: "link3", place: 0, rep: "mixed", theme: "dark", panel: 0, checked: true, camera: 1000 });
  assert.deepEqual(await messages(page), []);
  await page.close();

  const model = await open(browser, `${pageOf("models/scara.json")}#q=0.5,-1,0.1,2&time=1&show=ghosts&camera=back&sow=screws`);
  const q = await model.evaluate(() => window.axode.view.q);
  [0.5, -1, 0.1, 2].forEach((x, k) => assert.ok(Math.abs(q[k] - x) < 0.01, `${q}`));
  const told = await messages(model);
  for (const word of ["time", "show", "camera", "sow"]) assert.ok(told.some((m) => m.includes(`page, ${word}:`)), `${told}`);
  assert.equal(told.length, 4);
  await model.close();
});

test("a slider moves the model", async () => {
  const page = await open(browser, pageOf("models/panda.json"));
  const start = await poses(page);
  const slider = page.locator("#panel .range input").nth(1);
  assert.ok(await changes(page, () => slider.evaluate((e) => {
    e.value = e.max;
    e.dispatchEvent(new Event("input"));
  })));
  assert.notEqual(await poses(page), start);
  assert.ok(await changes(page, () => page.getByRole("button", { name: "Start position" }).click()));
  assert.equal(await poses(page), start);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a run plays, scrubs and steps by keys", async () => {
  const page = await open(browser, armRun);
  const time = () => page.evaluate(() => window.axode.player.t);
  const start = await poses(page);
  await page.getByRole("button", { name: "Play" }).click();
  await page.waitForFunction(() => window.axode.player.t > 0.05);
  await page.getByRole("button", { name: "Pause" }).click();
  const paused = await time();
  assert.notEqual(await poses(page), start);
  await page.waitForTimeout(100);
  assert.equal(await time(), paused);
  await page.locator("#canvas").focus();
  await page.keyboard.press("Home");
  assert.equal(await time(), 0);
  await page.keyboard.press("ArrowRight");
  assert.ok(Math.abs((await time()) - 0.01) < 1e-6);
  await page.keyboard.press("End");
  assert.ok(Math.abs((await time()) - 1) < 1e-6);
  await page.keyboard.press("Space");
  await page.waitForFunction(() => window.axode.player.playing);
  await page.keyboard.press("Space");
  assert.ok(await changes(page, () => page.keyboard.press("4")));
  assert.ok(await changes(page, () => page.keyboard.press("s")));
  await page.keyboard.press("?");
  assert.ok(await page.locator("#help").isVisible());
  await page.keyboard.press("Escape");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("screws, axodes and all else that can be shown are seen", async () => {
  for (const file of [armRun, flexibleRun, pageOf("examples/mechanisms/example_2_1_four_bar.json")]) {
    const page = await open(browser, file);
    await page.evaluate(() => {
      const { player, view } = window.axode;
      player.seek((player.start + player.end) / 2);
      view.overlays.axes.body = 1; // the last body may turn so little that its axis is out of sight
      if (view.scene.loops) view.overlays.paths.place = 1; // and here it only turns about a fixed point
    });
    const names = await page.locator("#panel input[data-key]").evaluateAll((all) => all.map((e) => e.dataset.key));
    for (const key of ["f", "c", "s", "a", "t", "p"]) assert.ok(names.includes(key), key);
    const forces = await page.evaluate(() => {
      const { view } = window.axode, tau = view.clip.series.tau;
      return Boolean(tau) && tau.values.slice(view.state.row.row * tau.columns, (view.state.row.row + 1) * tau.columns).some(Boolean);
    });
    for (const key of names) {
      if (key === "w" && !forces) continue; // nothing acts
      const box = page.locator(`#panel input[data-key="${key}"]`);
      assert.ok(await changes(page, () => box.click()), `${key} changes nothing`);
    }
    const found = await page.evaluate(() => ({
      rules: window.axode.view.overlays.axes.rules, path: window.axode.view.overlays.paths.count,
    }));
    assert.ok(found.rules > 4 && found.path > 2, JSON.stringify(found));
    assert.deepEqual(page.errors, []);
    await page.close();
  }
});

test("bending is amplified", async () => {
  const page = await open(browser, flexibleRun);
  await page.evaluate(() => window.axode.player.seek(window.axode.player.end));
  const slider = page.locator("#panel .range input").first();
  assert.ok(await changes(page, () => slider.evaluate((e) => {
    e.value = "50";
    e.dispatchEvent(new Event("input"));
  })));
  await page.close();
});

test("dark and light, phone and desk", async () => {
  for (const colorScheme of ["dark", "light"])
    for (const viewport of [{ width: 375, height: 667 }, { width: 1200, height: 800 }]) {
      const page = await open(browser, armRun, { colorScheme, viewport });
      const seen = await page.evaluate(() => {
        const box = (id) => document.getElementById(id).getBoundingClientRect();
        const view = box("view"), line = box("timeline");
        return { theme: document.documentElement.dataset.theme, view: [view.width, view.height],
          wide: document.documentElement.scrollWidth - window.innerWidth, bottom: line.bottom - window.innerHeight };
      });
      assert.equal(seen.theme, colorScheme);
      assert.ok(seen.view[0] > 250 && seen.view[1] > 200, JSON.stringify(seen));
      assert.ok(seen.wide <= 0 && seen.bottom <= 0.5, JSON.stringify(seen));
      assert.ok(await changes(page, () => page.locator("#theme").click()));
      assert.deepEqual(page.errors, []);
      await page.close();
    }
});

test("names are text, whatever is in them", async () => {
  const hostile = `</script><script>window.bad = 1</script><img src=x onerror="window.bad = 2"><!-- \u2028 & ' \\`;
  const model = JSON.stringify({ axode: 1, name: hostile, bodies: [
    { name: hostile, joint: { name: `${hostile}j`, type: "revolute", axis: [0, 0, 1] },
      inertia: { mass: 1, about_com: [1, 1, 1] } }] });
  let file;
  try {
    file = pageOf(fileOf("hostile.json", model));
  } catch (error) {
    assert.fail(error.stderr ?? error.message);
  }
  const page = await open(browser, file);
  await page.waitForTimeout(100);
  assert.equal(await page.evaluate(() => window.bad), undefined);
  assert.equal(await page.locator("#title").textContent(), hostile);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("damaged data are told", async () => {
  const text = readFileSync(armRun, "utf8");
  const data = /id="axode-data">([^<]*)<\/script>/.exec(text)[1];
  const cut = await open(browser, fileOf("cut.html", text.replace(data, () => data.slice(0, data.length / 2))));
  assert.match((await messages(cut)).join(), /data of this page are damaged/);
  await cut.close();
  const all = JSON.parse(data);
  const blob = all.scenes[0].clip.series.q;
  const half = blob.data.slice(0, 4 * Math.floor(blob.data.length / 8));
  const page = async (change) => {
    const copy = structuredClone(all);
    change(copy.scenes[0].clip);
    return open(browser, fileOf("damaged.html", text.replace(data, () => JSON.stringify(copy))));
  };
  for (const bad of [half, "%%%", ""]) {
    const broken = await page((clip) => (clip.series.q.data = bad));
    assert.match((await messages(broken)).join(), /damaged/);
    assert.deepEqual(broken.errors, []);
    assert.ok(await broken.evaluate(() => window.axode.view.bodies.length > 0));
    await broken.close();
  }
  const broken = await page((clip) => (clip.times = half));
  assert.match((await messages(broken)).join(), /damaged/);
  await broken.close();
});

test("samples that are not finite are told, the others are seen", async () => {
  const text = readFileSync(armRun, "utf8");
  const data = /id="axode-data">([^<]*)<\/script>/.exec(text)[1], all = JSON.parse(data);
  const { clip } = all.scenes[0], q = clip.series.q;
  const bytes = inflateSync(Buffer.from(q.data, "base64"));
  bytes.writeFloatLE(NaN, bytes.length - 4); // of the last sample
  q.data = deflateSync(bytes).toString("base64");
  const page = await open(browser, fileOf("nan.html", text.replace(data, () => JSON.stringify(all))));
  assert.match((await messages(page)).join(), /^1 of 101 samples are not finite/);
  const seen = await page.evaluate(() => {
    const { view } = window.axode;
    view.stale = true;
    view.render();
    return { drawn: view.renderer.info.render.triangles, camera: view.camera.position.toArray() };
  });
  assert.ok(seen.drawn > 0 && seen.camera.every(Number.isFinite), JSON.stringify(seen));
  const whole = await open(browser, armRun);
  assert.equal(await poses(page), await poses(whole)); // at the start nothing differs
  await whole.close();
  await page.close();
});

test("a run of thirty bodies is updated in under 4 ms", async () => {
  const bodies = Array.from({ length: 30 }, (_, k) => ({
    name: `b${k}`,
    joint: { name: `j${k}`, parent: k ? `b${k - 1}` : "world", type: "revolute", axis: k % 2 ? [0, 0, 1] : [0, 1, 0], point: [0.1 * k, 0, 0] },
    inertia: { mass: 1, com: [0.1 * k + 0.05, 0, 0], about_com: [0.01, 0.01, 0.01] },
  }));
  const model = fileOf("chain.json", JSON.stringify({ axode: 1, name: "chain", bodies }));
  axode("simulate", model, "--for", "0.5s", "--out", `${folder}/chain.mcap`, "--quiet");
  const page = await open(browser, pageOf(`${folder}/chain.mcap`));
  // The clock of a page is coarse: fifty updates at a time, and the median of these.
  const median = () => page.evaluate(() => {
    const times = [];
    for (let k = 0; k < 21; ++k) {
      const began = performance.now();
      for (let i = 0; i < 50; ++i) window.axode.view.setTime((0.5 * (50 * k + i)) / 1050);
      times.push((performance.now() - began) / 50);
    }
    return times.sort((a, b) => a - b)[10];
  });
  const plain = await median();
  await page.locator("#panel input[data-key]").evaluateAll((all) => all.forEach((e) => e.checked || e.click()));
  const everything = await median();
  console.log(`update of 30 bodies: median ${plain.toFixed(3)} ms, with all that can be shown ${everything.toFixed(3)} ms`);
  assert.ok(plain < 4, `${plain} ms`);
  await page.close();
});

test("COLLADA keeps its axes and its units, colours are as the model says", async () => {
  fileOf("part.dae", `<COLLADA><asset><unit meter="0.5"/><up_axis>Z_UP</up_axis></asset><library_geometries>
<geometry id="g"><mesh><source id="s"><float_array id="f" count="9">0 0 0 2 0 0 0 0 6</float_array><technique_common>
<accessor source="#f" count="3" stride="3"><param name="X" type="float"/><param name="Y" type="float"/>
<param name="Z" type="float"/></accessor></technique_common></source><vertices id="v">
<input semantic="POSITION" source="#s"/></vertices><triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/>
<p>0 1 2</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="w"><node>
<instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#w"/></scene></COLLADA>`);
  const model = fileOf("collada.urdf", `<robot name="r"><link name="base"><visual><geometry>
<mesh filename="part.dae" scale="1 1 2"/></geometry></visual><visual><geometry><sphere radius="0.1"/></geometry>
<material name="m"><color rgba="1 0.5 0 1"/></material></visual></link></robot>`);
  const page = await open(browser, pageOf(model));
  const seen = await page.evaluate(() => {
    const { view } = window.axode, high = [-9, -9, -9];
    let colour = null;
    view.world.updateMatrixWorld(true);
    view.bodies[0].object.traverse((o) => {
      if (!o.isMesh) return;
      if (o.geometry.type === "SphereGeometry") colour = o.material.color.getHex();
      const p = o.geometry.attributes.position;
      for (let i = 0; i < p.count; ++i)
        o.position.clone().fromBufferAttribute(p, i).applyMatrix4(o.matrixWorld).toArray()
          .forEach((x, k) => (high[k] = Math.max(high[k], x)));
    });
    return { high, colour };
  });
  [1, 0.1, 6].forEach((x, k) => assert.ok(Math.abs(seen.high[k] - x) < 0.01, JSON.stringify(seen)));
  assert.equal(seen.colour, 0xff8000); // sRGB
  await page.close();
});
