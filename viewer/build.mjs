// Bundles the page: dist/viewer.html, or the file named, with everything in it but the data, which stand for
// @DATA@, and what it may connect to, @CONNECT@.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { build } from "esbuild";

const result = await build({
  entryPoints: ["src/main.js"], bundle: true, minify: true, format: "iife", target: "es2022",
  outfile: "dist/viewer.js", write: false, legalComments: "none", charset: "ascii",
});
const text = (ending) => result.outputFiles.find((f) => f.path.endsWith(ending)).text.trim();
const script = text(".js").replaceAll("</script", "<\\/script");
const style = text(".css");
const hash = (s) => `sha256-${createHash("sha256").update(s).digest("base64")}`;
const page = readFileSync("src/page.html", "utf8");
const licenses = readFileSync("LICENSES", "utf8").trim();
if (licenses.includes("--")) throw new Error("LICENSES would end the comment they stand in");
const filled = {
  LICENSES: licenses, SCRIPT: script, STYLE: style,
  SCRIPT_HASH: hash(script), STYLE_HASH: hash(style),
};
const html = page.replace(/@(LICENSES|SCRIPT_HASH|STYLE_HASH|SCRIPT|STYLE)@/g, (_, name) => filled[name]);
const file = process.argv[2] ?? "dist/viewer.html";
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, html);
console.log(`${file}: ${(html.length / 1e6).toFixed(2)} MB`);
