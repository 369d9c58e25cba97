// What the page shows when it is opened, told by its address: page.html#time=1.2&show=screws&camera=front.
// The controls of the panel are set as by hand, so that they show it. Tests: tests/page.test.mjs.

const checks = {
  shapes: "b", grid: "g", frames: "f", centre: "c", screws: "s",
  axis: "a", axodes: "a", twists: "t", forces: "w", reactions: "r", path: "p", manipulability: "m",
};
const list = (text) => text.split(",").filter(Boolean);
const numbers = (text, count) => {
  const values = list(text).map(Number);
  if (!values.every(Number.isFinite) || values.length !== count)
    throw new Error(`"${text}" is not ${count === 1 ? "a number" : `${count} numbers`}`);
  return values;
};

function setCheck(name, on) {
  if (["panel", "controls", "bars"].includes(name)) return document.body.classList.toggle(`${name}-hidden`, !on);
  const box = checks[name] && document.querySelector(`input[data-key="${checks[name]}"]`);
  if (!box) throw new Error(`there is no "${name}" here`);
  if (box.checked !== on) box.click();
  const surfaces = document.querySelector('input[data-name="surfaces"]');
  if (checks[name] === "a" && surfaces.checked !== (name === "axodes")) surfaces.click();
}
function setChoice(name, text) {
  for (const select of document.querySelectorAll(`select[data-name="${name}"]`)) {
    const option = Array.from(select.options).find((o) => o.text === text);
    if (!option) throw new Error(`there is no "${text}" here`);
    select.value = option.value;
    select.onchange();
  }
}
function setRange(input, value) {
  if (!input) throw new Error("there is nothing it could set");
  input.value = String(value);
  input.oninput();
}

/** What each word of an address does, in this order: the camera needs the window as it will be. */
const words = {
  theme: (page, text) => {
    if (!["dark", "light"].includes(text)) throw new Error("it is dark or light");
    page.setTheme(text);
  },
  hide: (page, text) => list(text).forEach((name) => setCheck(name, false)),
  show: (page, text) => list(text).forEach((name) => setCheck(name, true)),
  body: (page, text) => setChoice("body", text),
  place: (page, text) => setChoice("place", text),
  relative_to: (page, text) => setChoice("relative_to", text),
  rep: (page, text) => setChoice("rep", text),
  amplify: (page, text) => setRange(document.querySelector('input[data-name="amplified"]'), numbers(text, 1)[0]),
  q: (page, text) => {
    const sliders = document.querySelectorAll("input[data-coordinate]");
    numbers(text, sliders.length).forEach((x, k) => setRange(sliders[k], x));
  },
  time: (page, text) => {
    if (!page.player) throw new Error("there is no run here");
    page.player.seek(numbers(text, 1)[0]);
  },
  camera: (page, text) => page.view.preset(["home", "front", "side", "top"].includes(text) ? text : numbers(text, 3)),
  zoom: (page, text) => page.view.zoom(numbers(text, 1)[0]),
};

export function applyAddress(hash, page, tell) {
  const wanted = new URLSearchParams(hash.replace(/^#/, ""));
  const say = (word, problem) => tell(`In the address of this page, ${word}: ${problem}.`);
  for (const word of wanted.keys())
    if (word !== "scene" && !Object.hasOwn(words, word)) say(word, `there is no such word; there are ${Object.keys(words).join(", ")}`);
  for (const [word, act] of Object.entries(words)) {
    if (!wanted.has(word)) continue;
    try {
      act(page, wanted.get(word));
    } catch (error) {
      say(word, error.message);
    }
    if (word === "show") page.view.resize();
  }
}
