// The data of a page: a scene as JSON, its series as compressed float32.

/** Numbers of a blob: base64 of zlib-compressed little-endian float32. */
export const decodeFloats = async (text) => new Float32Array(await decodeBytes(text));
/** Bytes of a blob: base64 of zlib. */
export async function decodeBytes(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const plain = new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")));
  return plain.arrayBuffer();
}

/** The clip of a scene with its series decoded; null if it has none. What is broken is told and left out. */
export async function readClip(scene, tell) {
  if (!scene.clip) return null;
  const clip = { ...scene.clip, series: {} };
  try {
    clip.times = await decodeFloats(scene.clip.times);
  } catch {
    tell("The times of this run are damaged; only the model is shown.");
    return null;
  }
  for (const [name, series] of Object.entries(scene.clip.series)) {
    try {
      const values = await decodeFloats(series.data);
      const columns = series.names.length;
      if (values.length !== columns * clip.times.length) throw new Error("size");
      clip.series[name] = { ...series, values, columns };
    } catch {
      tell(`The values of ${name} are damaged and are not shown.`);
    }
  }
  if (scene.clip.poses) {
    try {
      clip.poses = await decodeFloats(scene.clip.poses);
      if (clip.poses.length !== 7 * scene.bodies.length * clip.times.length) throw new Error("size");
    } catch {
      tell("The poses of this run are damaged; only the model is shown.");
      return null;
    }
  }
  if (clip.times.length === 0 || (!clip.poses && !clip.series.q)) {
    tell("Nothing of this run tells where the bodies are; only the model is shown.");
    return null;
  }
  tellOfGaps(clip, tell);
  return clip;
}
/** Samples that are not finite leave the bodies nowhere. */
function tellOfGaps(clip, tell) {
  const values = clip.poses ?? clip.series.q.values, columns = values.length / clip.times.length;
  let gaps = 0;
  for (let row = 0; row < clip.times.length; ++row)
    if (!values.subarray(row * columns, (row + 1) * columns).every(Number.isFinite)) ++gaps;
  if (gaps > 0) tell(`${gaps} of ${clip.times.length} samples are not finite; nothing is seen of them.`);
}

/** Row number and fraction of the time t in the clip. */
export function locate(clip, t) {
  const times = clip.times, last = times.length - 1;
  if (!(t > times[0])) return { row: 0, fraction: 0 };
  if (t >= times[last]) return { row: last, fraction: 0 };
  let low = 0, high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  return { row: low, fraction: (t - times[low]) / (times[high] - times[low]) };
}

/** One row of a series, between samples linear (quaternions of coordinates are normalized when used). */
export function rowAt(series, { row, fraction }) {
  const n = series.columns, a = series.values.subarray(row * n, row * n + n);
  if (fraction === 0) return Array.from(a);
  const b = series.values.subarray((row + 1) * n, (row + 2) * n);
  return Array.from(a, (x, k) => x + (b[k] - x) * fraction);
}
