import { BACKGROUND, type InkMap, OTHER } from './inks.ts';

/** Connected pixels of one ink. */
export interface Blob {
  ink: number;
  left: number;
  /** Last column and last row. */
  right: number;
  top: number;
  bottom: number;
  area: number;
  /** First and last column in each row, from `top`. */
  from: Int32Array;
  to: Int32Array;
}

/** More runs are noise, and would take too much memory. */
const MAX_RUNS = 1_500_000;

/** Returns all blobs at least `least` rows high and at most `widest` columns wide. Empty if the picture is mostly noise. */
export function findBlobs({ width, height, ink }: InkMap, { least, widest }: { least: number; widest: number }): Blob[] {
  const runs = findRuns({ width, height, ink });
  if (!runs) return [];
  const { row, from, to, count, parent } = runs;

  const blobOf = new Int32Array(count).fill(-1);
  const blobs: (Blob & { rows: number })[] = [];
  for (let run = 0; run < count; run++) {
    const root = find(parent, run);
    const y = row[run] as number;
    const left = from[run] as number;
    const right = to[run] as number;
    const index = blobOf[root] as number;
    const blob = blobs[index];
    if (!blob) {
      blobOf[root] = blobs.length;
      const number = ink[y * width + left] as number;
      blobs.push({ ink: number, left, right, top: y, bottom: y, area: right - left + 1, from: NONE, to: NONE, rows: 1 });
      continue;
    }
    blob.left = Math.min(blob.left, left);
    blob.right = Math.max(blob.right, right);
    blob.bottom = y;
    blob.area += right - left + 1;
  }

  const kept = blobs.map((blob) => blob.bottom - blob.top + 1 >= least && blob.right - blob.left < widest);
  for (const [index, blob] of blobs.entries()) {
    if (!kept[index]) continue;
    blob.from = new Int32Array(blob.bottom - blob.top + 1).fill(width);
    blob.to = new Int32Array(blob.bottom - blob.top + 1).fill(-1);
  }
  for (let run = 0; run < count; run++) {
    const blob = blobs[blobOf[find(parent, run)] as number];
    if (!blob || blob.from === NONE) continue;
    const at = (row[run] as number) - blob.top;
    blob.from[at] = Math.min(blob.from[at] as number, from[run] as number);
    blob.to[at] = Math.max(blob.to[at] as number, to[run] as number);
  }
  return blobs.filter((_, index) => kept[index]);
}

const NONE = new Int32Array(0);

interface Runs {
  row: Int32Array;
  from: Int32Array;
  to: Int32Array;
  count: number;
  /** Union-find over the runs. */
  parent: Int32Array;
}

function findRuns({ width, height, ink }: InkMap): Runs | undefined {
  let count = 0;
  for (let at = 0, x = 0; at < ink.length; at++) {
    const number = ink[at] as number;
    if (number !== BACKGROUND && number !== OTHER && (x === 0 || ink[at - 1] !== number)) count++;
    x = x + 1 === width ? 0 : x + 1;
  }
  if (count > MAX_RUNS) return undefined;

  const row = new Int32Array(count);
  const from = new Int32Array(count);
  const to = new Int32Array(count);
  const parent = new Int32Array(count);
  let next = 0;
  let above = 0;
  for (let y = 0; y < height; y++) {
    const first = next;
    for (let x = 0; x < width; ) {
      const start = x;
      const number = ink[y * width + x] as number;
      while (x < width && ink[y * width + x] === number) x++;
      if (number === BACKGROUND || number === OTHER) continue;
      row[next] = y;
      from[next] = start;
      to[next] = x - 1;
      parent[next] = next;
      for (let other = above; other < first && (from[other] as number) <= x; other++) {
        if ((to[other] as number) < start - 1 || ink[(y - 1) * width + (from[other] as number)] !== number) continue;
        parent[find(parent, other)] = find(parent, next);
      }
      while (above < first && (to[above] as number) < start - 1) above++;
      next++;
    }
    above = first;
  }
  return { row, from, to, count, parent };
}

function find(parent: Int32Array, run: number): number {
  let root = run;
  while (parent[root] !== root) root = parent[root] as number;
  for (let step = run; step !== root; ) {
    const up = parent[step] as number;
    parent[step] = root;
    step = up;
  }
  return root;
}
