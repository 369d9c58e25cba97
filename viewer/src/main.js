// The page: reads its scene, builds the view and the panels, runs the clock.
import "uplot/dist/uPlot.min.css";
import "./style.css";
import { readClip } from "./data.js";
import { View } from "./view.js";
import { buildPanels } from "./panels.js";
import { Player } from "./player.js";
import { Plots } from "./plots.js";
import { listenToKeys } from "./keys.js";
import { applyAddress } from "./address.js";
import { Live } from "./live.js";

const byId = (id) => document.getElementById(id);

/** A message to the user; text only, whatever is in it. */
function tell(text) {
  const line = document.createElement("li");
  line.textContent = text;
  byId("messages").append(line);
  byId("messages-box").hidden = false;
}

async function showScene(scene) {
  byId("title").textContent = scene.title;
  document.title = `${scene.title} - Axode`;
  for (const message of scene.messages) tell(message);
  const live = scene.live === "stream" ? new Live(byId("live")) : null;
  const clip = live ? await live.ready : await readClip(scene, tell);
  const canvas = byId("canvas");
  const view = new View(canvas, scene, clip, tell);
  await view.build();
  const player = clip && new Player(view, clip, byId("timeline"));
  const plots = clip && new Plots(byId("plots"), clip, (t) => player.seek(t));
  if (player) player.onTime = (t) => plots.mark(t);
  buildPanels(view, player, byId("panel"));
  byId("timeline").hidden = byId("plots-box").hidden = !clip;

  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const setTheme = (theme) => {
    document.documentElement.dataset.theme = theme;
    view.setTheme(theme);
    plots?.setTheme(theme);
  };
  setTheme(dark.matches ? "dark" : "light");
  dark.addEventListener("change", () => setTheme(dark.matches ? "dark" : "light"));
  byId("theme").onclick = () =>
    setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
  byId("panel-button").onclick = () => document.body.classList.toggle("panel-hidden");
  listenToKeys(view, player);
  live?.attach(view, player, plots);

  const resize = () => {
    view.resize();
    plots?.resize();
  };
  new ResizeObserver(resize).observe(canvas);
  resize();
  const page = { scene, clip, view, player, plots, live, setTheme };
  const apply = () => applyAddress(location.hash, page, tell);
  window.addEventListener("hashchange", apply);
  apply();
  const frame = (now) => {
    player?.tick(now);
    live?.tick(now);
    view.render();
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  return page;
}

async function start() {
  const text = byId("axode-data").textContent;
  let page;
  try {
    page = JSON.parse(text);
  } catch {
    tell("The data of this page are damaged: it was cut or changed. Make it anew by axode view.");
    return null;
  }
  const scenes = page.scenes;
  const choose = byId("scenes");
  scenes.forEach((scene, k) => choose.add(new Option(scene.title, k)));
  choose.hidden = scenes.length < 2;
  choose.onchange = () => {
    // A page of several scenes starts each anew: simplest, and nothing of the last one stays.
    location.hash = `scene=${choose.value}`;
    location.reload();
  };
  const wanted = Number(/scene=(\d+)/.exec(location.hash)?.[1] ?? 0);
  choose.value = String(Math.min(wanted, scenes.length - 1));
  return showScene(scenes[Math.min(wanted, scenes.length - 1)]);
}

window.axode = { ready: start().catch((error) => {
  tell(`This page cannot be shown: ${error.message}`);
  throw error;
}) };
window.axode.ready.then((all) => Object.assign(window.axode, all));
