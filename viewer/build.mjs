// Bundles the page: dist/viewer.html with everything in it but the data, which stand for @DATA@.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
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
const filled = { SCRIPT: script, STYLE: style, SCRIPT_HASH: hash(script), STYLE_HASH: hash(style) };
mkdirSync("dist", { recursive: true });
const html = page.replace(/@(SCRIPT_HASH|STYLE_HASH|SCRIPT|STYLE)@/g, (_, name) => filled[name]);
writeFileSync("dist/viewer.html", html);
console.log(`dist/viewer.html: ${(html.length / 1e6).toFixed(2)} MB`);
