import type { Sightings } from './victim-process.ts';

const MB = 1024 * 1024;
/** Limits during an attack: p99 of another user's reads, and the server's memory. */
const MAX_MS = 500;
const MAX_RATIO = 5;
/** From Node 24 on, V8 keeps the pages of collected objects for reuse until the process rests: 45 to 65 MB. */
const MAX_MEMORY = (Number(process.versions.node.split('.')[0]) < 24 ? 400 : 470) * MB;
/** Below this a ratio measures the machine: without an attack the p99 is a few milliseconds. */
const NOTICEABLE_MS = 100;
/** While other tests use the disk and CPU, a commit alone can take seconds. */
const STOPPED_MS = 15_000;

/** Measurements before, during and after the attack. */
type Phase = 'before' | 'during' | 'after';
type Times = Record<'reads' | 'answers', number>;

/** What other users notice of an attack, compared with the same server without it. p99 times in ms. */
export interface Effect {
  quiet: Times;
  attacked: Times;
  /** MB. */
  memory: number;
  /** Exceeded limits. */
  broken: string[];
}

/** @param isGenerous - Only fails times of a server that stops answering, because other tests run on the machine. */
export function effectOf({ before, during, after }: Record<Phase, Sightings>, isGenerous: boolean): Effect {
  const quiet = timesOf(before, after);
  const attacked = timesOf(during);
  const broken = [before, during, after].flatMap(({ failures }) =>
    Object.entries(failures).map(([failure, times]) => `${times} × ${failure}`),
  );
  const most = isGenerous ? STOPPED_MS : MAX_MS;
  for (const kind of ['reads', 'answers'] as const) {
    const allowed = isGenerous ? most : Math.min(most, Math.max(MAX_RATIO * quiet[kind], NOTICEABLE_MS));
    if (attacked[kind] > allowed) broken.push(`${kind} ${Math.round(attacked[kind])} ms, allowed ${Math.round(allowed)} ms`);
    const later = timesOf(after)[kind];
    if (later > most) broken.push(`${kind} ${Math.round(later)} ms after the attack`);
  }
  const memory = Math.max(before.memory, during.memory, after.memory);
  if (memory > MAX_MEMORY) broken.push(`server ${Math.round(memory / MB)} MB, allowed ${MAX_MEMORY / MB} MB`);
  return { quiet, attacked, memory: memory / MB, broken };
}

const timesOf = (...sightings: Sightings[]): Times => ({
  reads: p99(sightings.flatMap(({ reads }) => reads)),
  answers: p99(sightings.flatMap(({ answers }) => answers)),
});

/** Returns the 99th percentile by nearest rank, or 0 without values. */
function p99(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0;
}
