// A run that goes on: its samples come by a WebSocket beside the page and make the clip grow. First a text with
// the names of the columns, then rows of float32 (time, then all series), at last a text that tells the end.

const MOST_ROWS = 200000, MOST_NUMBERS = 40e6;
const PLOTS_EVERY = 500, SWEEPS_EVERY = 2000; // [ms]: these take longer than a frame has

/** A clip that grows, in bounded memory: when that is full every second row goes. */
export class GrowingClip {
  constructor(head, mostRows = MOST_ROWS) {
    this.clip = { times: new Float32Array(0), series: {}, events: [] };
    this.parts = [{ columns: 1, room: new Float32Array(0) }];
    for (const { name, names, units } of head.series) {
      const part = { columns: names.length, room: new Float32Array(0), isPoses: name === "poses" };
      if (!part.isPoses)
        part.series = this.clip.series[name] = { names: names.map(String), units: units.map(String), columns: names.length };
      this.parts.push(part);
    }
    this.width = this.parts.reduce((n, part) => n + part.columns, 0);
    this.most = Math.max(2, Math.min(mostRows, Math.floor(MOST_NUMBERS / this.width)));
    this.rows = this.thinned = this.damaged = 0;
    this.publish();
  }
  /** Takes whole rows of finite numbers whose time increases; the others are counted. */
  append(buffer) {
    const whole = Math.floor(buffer.byteLength / (4 * this.width));
    if (whole * 4 * this.width !== buffer.byteLength) ++this.damaged;
    const numbers = new Float32Array(buffer, 0, whole * this.width);
    for (let k = 0; k < whole; ++k) this.take(numbers.subarray(k * this.width, (k + 1) * this.width));
    this.publish();
  }
  take(row) {
    const last = this.rows ? this.parts[0].room[this.rows - 1] : -Infinity;
    if (!(row[0] >= last) || !row.every(Number.isFinite)) {
      ++this.damaged;
      return;
    }
    if (row[0] === last) { // float32 tells the times apart no more: the newer one stays
      --this.rows;
      ++this.thinned;
    }
    if (this.rows === this.most) this.thin();
    if ((this.rows + 1) * this.parts[0].columns > this.parts[0].room.length) this.grow();
    let at = 0;
    for (const { columns, room } of this.parts) {
      room.set(row.subarray(at, at + columns), this.rows * columns);
      at += columns;
    }
    ++this.rows;
  }
  grow() {
    const rows = Math.min(Math.max(1024, 2 * this.rows), this.most);
    for (const part of this.parts) {
      const wider = new Float32Array(rows * part.columns);
      wider.set(part.room.subarray(0, this.rows * part.columns));
      part.room = wider;
    }
  }
  thin() {
    const kept = Math.ceil(this.rows / 2);
    for (const { columns, room } of this.parts)
      for (let row = 1; row < kept; ++row) room.copyWithin(row * columns, 2 * row * columns, (2 * row + 1) * columns);
    this.thinned += this.rows - kept;
    this.rows = kept;
  }
  publish() {
    for (const { columns, room, series, isPoses } of this.parts) {
      const values = room.subarray(0, this.rows * columns);
      if (isPoses) this.clip.poses = values; // of mechanisms
      else if (series) series.values = values;
      else this.clip.times = values;
    }
  }
}

/** Whether a message names columns. */
const isHead = (message) => Array.isArray(message.series) && message.series.every((s) =>
  typeof s?.name === "string" && Array.isArray(s.names) && Array.isArray(s.units) && s.names.length === s.units.length);

export class Live {
  /** `box` holds the status line; `ready` is the clip when there is a first row, null if none came. */
  constructor(box) {
    box.hidden = false;
    const find = (name) => box.querySelector(`[data-part="${name}"]`);
    this.parts = { status: find("status"), note: find("note"), follow: find("follow") };
    this.parts.follow.onclick = () => this.follow();
    this.missed = 0; // samples the server left out
    this.ready = new Promise((resolve) => (this.begin = resolve));
    this.show("connecting", "Connecting to the run");
    try {
      const address = new URL("stream", location.href);
      address.protocol = "ws:";
      this.connect(new WebSocket(address));
    } catch {
      this.lose();
    }
  }
  connect(socket) {
    socket.binaryType = "arraybuffer";
    socket.onmessage = ({ data }) => (typeof data === "string" ? this.hear(data) : this.receive(data));
    socket.onclose = () => this.state === "ended" || this.lose();
  }
  show(state, text) {
    this.state = state;
    this.parts.status.textContent = text;
    this.parts.status.dataset.state = state;
    this.parts.follow.hidden = state !== "live";
  }
  lose() {
    this.show("lost", this.growing?.rows ? "Connection lost: shown is what had come" : "Connection lost");
    this.finish();
  }
  finish() {
    this.fresh = this.closing = true;
    this.begin(this.growing?.rows ? this.growing.clip : null);
  }
  /** A text of the server; nonsense is passed over. */
  hear(text) {
    let message;
    try {
      message = JSON.parse(text) ?? {};
    } catch {
      return;
    }
    if (!this.growing && isHead(message)) this.growing = new GrowingClip(message);
    else if (Number.isFinite(message.thinned)) this.missed = message.thinned;
    else if (typeof message.ended === "string") {
      const when = Number.isFinite(message.t) ? ` at ${Number(message.t.toPrecision(6))} s` : "";
      this.show("ended", `Ended: ${message.ended}${when}${message.message ? `, ${message.message}` : ""}`);
      this.finish();
    }
  }
  receive(buffer) {
    if (!this.growing) return;
    this.growing.append(buffer);
    if (this.growing.rows === 0) return;
    if (this.state === "connecting") this.show("live", "Live");
    this.fresh = true;
    this.begin(this.growing.clip);
  }
  /** From now on these follow the clip. */
  attach(view, player, plots) {
    if (!player) return;
    Object.assign(this, { view, player, plots });
    view.controls.addEventListener("start", () => (this.touched = true));
    player.growing = this.state === "live";
    player.extend();
    player.seek(player.end);
  }
  /** To the newest sample and on with it, or no more. */
  follow() {
    if (this.player.following) this.player.following = false;
    else this.player.seek(this.player.end);
  }
  /** Before each frame. */
  tick(now) {
    if (!this.player) return;
    this.parts.follow.setAttribute("aria-pressed", String(this.player.following));
    if (!this.fresh) return;
    const last = this.closing;
    this.fresh = this.closing = false;
    this.player.growing = this.state === "live";
    this.player.extend();
    if (last || !(now < this.plotted + PLOTS_EVERY)) {
      this.plotted = now;
      this.plots.refresh();
      this.note();
    }
    if (last || !(now < this.swept + SWEEPS_EVERY)) {
      this.swept = now;
      this.fit();
      for (const name of ["axes", "paths"]) this.view.overlays[name].made = "";
      this.view.update();
    }
  }
  note() {
    const { thinned, damaged } = this.growing, left = thinned + this.missed;
    const parts = [left && `${left} samples left out`, damaged && `${damaged} damaged`];
    this.parts.note.textContent = parts.filter(Boolean).join(", ");
  }
  /** All of the motion is to be seen, until the user has moved the camera. */
  fit() {
    const { view } = this, before = view.extent().clone();
    view.box = null;
    const box = view.extent();
    if (before.containsBox(box)) view.box = before;
    else if (!this.touched) view.preset(view.chosen);
  }
}
