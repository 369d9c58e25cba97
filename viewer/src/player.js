// The clock of a run: play, pause, speed, scrub, loop.

const speeds = [0.1, 0.25, 0.5, 1, 2, 4, 10];

export class Player {
  constructor(view, clip, bar) {
    Object.assign(this, { view, clip });
    this.start = clip.times[0];
    this.end = clip.times[clip.times.length - 1];
    this.t = this.start;
    this.playing = false;
    this.loop = true;
    this.speed = 1;
    this.frames = [];
    this.growing = this.following = false; // of a run that goes on
    const find = (name) => bar.querySelector(`[data-part="${name}"]`);
    this.parts = { play: find("play"), slider: find("slider"), time: find("time"), speed: find("speed"), loop: find("loop"), events: find("events") };
    const { play, slider, speed, loop, events } = this.parts;
    play.onclick = () => this.toggle();
    this.range();
    slider.oninput = () => this.seek(Number(slider.value));
    speeds.forEach((s) => speed.add(new Option(`${s}x`, s, s === 1, s === 1)));
    speed.onchange = () => (this.speed = Number(speed.value));
    loop.checked = true;
    loop.onchange = () => (this.loop = loop.checked);
    for (const event of clip.events ?? []) events.add(new Option(`${event.t.toPrecision(4)} s  ${event.name}`, event.t));
    events.hidden = !(clip.events?.length > 0);
    events.onchange = () => this.seek(Number(events.value));
    this.seek(this.start);
  }
  range() {
    const { slider } = this.parts;
    slider.min = this.start;
    slider.max = this.end;
    slider.step = (this.end - this.start) / 2000 || 1e-6;
  }
  /** The clip has grown: who was at its end goes on with it. */
  extend() {
    this.start = this.clip.times[0];
    this.end = this.clip.times[this.clip.times.length - 1];
    this.range();
    if (this.following) this.seek(this.end);
    else this.parts.slider.value = String(this.t);
  }
  toggle(on = !this.playing) {
    if (on && this.t >= this.end) this.seek(this.start);
    this.playing = on;
    this.before = undefined;
    this.parts.play.textContent = on ? "Pause" : "Play";
    this.parts.play.setAttribute("aria-pressed", String(on));
  }
  seek(t) {
    this.t = Math.min(Math.max(t, this.start), this.end);
    this.following = this.growing && !this.playing && t >= this.end;
    this.view.setTime(this.t);
    this.parts.slider.value = String(this.t);
    this.parts.time.textContent = `${this.t.toFixed(3)} s`;
    this.onTime?.(this.t);
  }
  /** By whole samples. */
  step(n) {
    const times = this.clip.times;
    let row = times.findIndex((x) => x >= this.t - 1e-9);
    if (row < 0) row = times.length - 1;
    this.seek(times[Math.min(Math.max(row + n, 0), times.length - 1)]);
  }
  tick(now) {
    if (!this.playing) return;
    if (this.before !== undefined) {
      this.frames.push(now - this.before);
      if (this.frames.length > 300) this.frames.shift();
      let t = this.t + ((now - this.before) / 1000) * this.speed;
      if (t > this.end) {
        if (this.loop && !this.growing) t = this.start;
        else this.toggle(false);
      }
      this.seek(t);
    }
    this.before = now;
  }
}
