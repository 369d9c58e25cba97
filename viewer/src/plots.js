// Plots of a run beside the view, linked to its clock.
import uPlot from "uplot";

const titles = {
  q: "Coordinates", v: "Rates", a: "Accelerations", tau: "Joint forces", energy: "Energies",
  violation: "Constraint violation", reactions: "Reactions",
};
const colors = ["#2f6db3", "#d9752a", "#3f8f55", "#b04a6a", "#7560b5", "#8a7a35", "#2f939c", "#a05a38"];
const MOST_CURVES = 24;
const MOST_POINTS = 4000;

/** Series that are shown together in one plot. */
function groups(clip) {
  const all = [];
  for (const name of ["q", "v", "tau", "a", "reactions", "violation"])
    if (clip.series[name]) all.push({ name, series: clip.series[name] });
  const energies = ["kinetic", "potential", "stored", "work", "gravity", "elastic"].filter((n) => clip.series[n]);
  if (energies.length) {
    const rows = clip.times.length, values = new Float32Array(rows * energies.length);
    energies.forEach((n, k) => {
      for (let i = 0; i < rows; ++i) values[i * energies.length + k] = clip.series[n].values[i];
    });
    all.splice(Math.min(all.length, 3), 0, {
      name: "energy",
      series: { values, columns: energies.length, names: energies, units: energies.map(() => "J") },
    });
  }
  return all;
}

export class Plots {
  constructor(box, clip, seek) {
    Object.assign(this, { box, clip, seek, plots: [] });
    this.choose();
    this.theme = "light";
    for (const [k, { name }] of this.groups.entries()) {
      const details = document.createElement("details");
      details.open = k < 2;
      const summary = document.createElement("summary");
      summary.textContent = titles[name] ?? name;
      const place = document.createElement("div");
      details.append(summary, place);
      box.append(details);
      details.addEventListener("toggle", () => this.draw());
      this.plots.push({ details, place, plot: null });
    }
    this.t = clip.times[0];
    this.draw();
  }
  /** What is shown of the clip. */
  choose() {
    const { clip } = this;
    this.groups = groups(clip);
    const step = Math.max(1, Math.floor(clip.times.length / MOST_POINTS));
    this.rows = [];
    for (let i = 0; i < clip.times.length; i += step) this.rows.push(i);
  }
  /** The clip has grown. */
  refresh() {
    this.choose();
    this.plots.forEach(({ plot }, k) => plot?.setData(this.data(this.groups[k].series)));
  }
  data(series) {
    const all = [this.rows.map((i) => this.clip.times[i])];
    for (let k = 0; k < Math.min(series.columns, MOST_CURVES); ++k)
      all.push(this.rows.map((i) => series.values[i * series.columns + k]));
    return all;
  }
  draw() {
    this.plots.forEach((entry, k) => {
      if (!entry.details.open) return;
      if (!entry.plot) entry.plot = this.make(this.groups[k], entry.place);
    });
  }
  make({ name, series }, place) {
    const n = Math.min(series.columns, MOST_CURVES);
    const ink = this.theme === "dark" ? "#c9d3de" : "#26313d";
    const grid = { stroke: this.theme === "dark" ? "#333c46" : "#dde3e9", width: 1 };
    const units = [...new Set(series.units.slice(0, n).filter(Boolean))].join(", ");
    const options = {
      width: Math.max(place.clientWidth, 200), height: 170,
      legend: { show: n <= 12, live: false },
      cursor: { drag: { x: false, y: false } },
      scales: { x: { time: false } },
      axes: [
        { stroke: ink, grid, ticks: grid, label: "time [s]", labelSize: 18, size: 34, labelFont: "12px system-ui", font: "11px system-ui" },
        { stroke: ink, grid, ticks: grid, label: units && `[${units}]`, labelSize: 18, size: 52, labelFont: "12px system-ui", font: "11px system-ui" },
      ],
      series: [{}, ...Array.from({ length: n }, (_, k) => ({
        label: series.names[k], stroke: colors[k % colors.length], width: 1.4, points: { show: false },
      }))],
      hooks: { draw: [(u) => this.drawMark(u)] },
    };
    const plot = new uPlot(options, this.data(series), place);
    plot.over.addEventListener("click", (event) => this.seek(plot.posToVal(event.offsetX, "x")));
    plot.root.setAttribute("role", "img");
    plot.root.setAttribute("aria-label", `${titles[name] ?? name} over time`);
    return plot;
  }
  drawMark(u) {
    const x = u.valToPos(this.t, "x", true);
    u.ctx.save();
    u.ctx.strokeStyle = this.theme === "dark" ? "#ff8a65" : "#c62828";
    u.ctx.lineWidth = 1.5;
    u.ctx.beginPath();
    u.ctx.moveTo(x, u.bbox.top);
    u.ctx.lineTo(x, u.bbox.top + u.bbox.height);
    u.ctx.stroke();
    u.ctx.restore();
  }
  mark(t) {
    this.t = t;
    for (const { plot, details } of this.plots) if (plot && details.open) plot.redraw(false, false);
  }
  resize() {
    for (const { plot, place } of this.plots)
      if (plot && place.clientWidth > 0) plot.setSize({ width: place.clientWidth, height: 170 });
  }
  setTheme(theme) {
    this.theme = theme;
    for (const entry of this.plots) {
      entry.plot?.destroy();
      entry.plot = null;
    }
    this.draw();
  }
}
