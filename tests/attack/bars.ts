import type { Sightings } from './victim-process.ts';

const MB = 1024 * 1024;
/** Issue 13: another user's reads, p99, and the server's memory, while anyone attacks. */
const MAX_MS = 500;
const MAX_RATIO = 5;
const MAX_MEMORY = 400 * MB;
/** Below this, a ratio measures the machine and not the server: a quiet p99 is a few milliseconds. */
const NOTICEABLE_MS = 100;
/** On a machine whose disk and processors are busy with other tests, a commit alone can take seconds. */
const STOPPED_MS = 15_000;

/** The server is left alone before and after. */
type Phase = 'before' | 'during' | 'after';
type Times = Record<'reads' | 'answers', number>;

/** What other users saw of an attack, beside what they see on the same server left alone. Times in ms, p99. */
export interface Effect {
  quiet: Times;
  attacked: Times;
  /** MB. */
  memory: number;
  /** What broke a bar; empty when all are kept. */
  broken: string[];
}

/** @param isGenerous - Only a server that stops answering breaks the bars of time: the machine runs other tests beside it. */
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

/** By nearest rank: the largest of fewer than 100. 0 for none. */
function p99(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0;
}
