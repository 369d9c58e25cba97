// A picture of a page: node shot.mjs PAGE.html OUT.png ['code to run in the page first'].
import { resolve } from "node:path";
import { launch, open } from "./tests/support.mjs";

const [file, out, code] = process.argv.slice(2);
const browser = await launch();
const page = await open(browser, resolve(file), { viewport: { width: 1200, height: 800 } });
if (code) console.log(JSON.stringify(await page.evaluate(code)));
await page.waitForTimeout(500);
await page.screenshot({ path: out });
for (const error of page.errors) console.log(error);
await browser.close();
