// Pictures of pages: node shot.mjs PAGE.html[#ADDRESS] OUT.png [WIDTHxHEIGHT [SELECTOR]]
// or, many in one browser, such arguments as lines of JSON lists on standard input: node shot.mjs -
// The address says what is shown (docs/viewer.md); SELECTOR cuts out a part, such as #view.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { launch, open } from "./tests/support.mjs";

const given = process.argv.slice(2);
const jobs = given[0] === "-" ? readFileSync(0, "utf8").trim().split("\n").map((line) => JSON.parse(line)) : [given];
const browser = await launch();
for (const [place, out, size = "1200x800", selector] of jobs) {
  const [file, address = ""] = place.split(/#(.*)/s);
  const [width, height] = size.split("x").map(Number);
  const page = await open(browser, `${resolve(file)}#${address}`, { viewport: { width, height } });
  await page.waitForTimeout(150);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await (selector ? page.locator(selector) : page).screenshot({ path: out });
  for (const error of [...page.errors, ...(await page.locator("#messages li").allTextContents())]) {
    console.error(`${place}: ${error}`);
    process.exitCode = 1;
  }
  await page.close();
}
await browser.close();
