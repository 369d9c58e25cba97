// What the tests of the viewer share: pages made by `axode view`, a browser, one page of it.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";

export const root = new URL("../..", import.meta.url).pathname;
export const axodeProgram = process.env.AXODE ?? join(root, "build/release/axode");
export const folder = mkdtempSync(join(tmpdir(), "axode-viewer-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

export const axode = (...args) => execFileSync(axodeProgram, args, { cwd: root, encoding: "utf8", stdio: "pipe" });

let pages = 0;
/** The name of the page of a model or run. */
export function pageOf(file) {
  const out = join(folder, `page${++pages}.html`);
  axode("view", file, "--out", out, "--no-browser");
  return out;
}
/** A file of that content in the folder of the tests. */
export function fileOf(name, content) {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}
export const sceneOf = (page) =>
  JSON.parse(/id="axode-data">([^<]*)<\/script>/.exec(readFileSync(page, "utf8"))[1]).scenes[0];

export const shippedModels = ["models", "examples/mechanisms", "examples/flexible", "examples/tutorials"].flatMap((place) =>
  readdirSync(join(root, place)).filter((f) => /\.(json|urdf)$/.test(f)).map((f) => join(place, f)));

export const launch = () => chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

/** Opens a page, a file or an address, and waits until it is built; what the console said of errors is in `errors`. */
export async function open(browser, file, options = {}) {
  const page = await browser.newPage({ viewport: { width: 1000, height: 700 }, ...options });
  page.errors = [];
  page.on("console", (m) => ["error", "warning"].includes(m.type()) && !/GPU stall|GL Driver Message/.test(m.text())
    && page.errors.push(m.text()));
  page.on("pageerror", (e) => page.errors.push(e.message));
  await page.goto(file.includes("://") ? file : `file://${file}`);
  await page.evaluate(() => window.axode.ready);
  return page;
}
/** A hash of what the 3-D view shows, drawn anew. */
export const pixels = (page) => page.evaluate(() => {
  const { view } = window.axode;
  view.stale = true;
  view.render();
  const { width, height } = view.canvas, gl = view.renderer.getContext();
  const data = new Uint8Array(4 * width * height);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, data);
  let hash = 17;
  for (let i = 0; i < data.length; ++i) hash = (Math.imul(hash, 31) + data[i]) | 0;
  return hash;
});
export const messages = (page) => page.locator("#messages li").allTextContents();
