import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '#domain/random.ts';
import { type DataGrowth, growthOf } from './data-sizes.ts';
import { type Growth, judge } from './judge.ts';
import { type Sample, takeSample } from './samples.ts';
import { type Stage, type StageName, startStage } from './stages.ts';
import { type Counts, visit } from './visitor.ts';

export interface SoakOptions {
  stage: StageName;
  minutes: number;
  /** Visitors at a time. */
  visitors?: number;
  /** Longest pause of a visitor between two actions, ms. */
  pace?: number;
  bots?: number;
  seed?: number;
  /** Further modules for the servers to load. */
  load?: readonly string[];
  onSample?: (line: string) => void;
  /** Ends the run without a report. The servers stop. */
  signal?: AbortSignal;
}

export interface SoakReport {
  stage: StageName;
  minutes: number;
  counts: Counts;
  processes: { name: string; samples: Sample[]; growths: Growth[] }[];
  data: DataGrowth;
  /** Answers that no visitor expects, and wrong rows. */
  faults: string[];
}

const MINUTE = 60_000;
/** Longest time between two samples, ms. */
const SAMPLE_EVERY = 30_000;
/** Samples of a run too short for that. */
const LEAST_SAMPLES = 20;
/** Longest stay of a visitor, ms. */
const LONGEST_STAY = 8 * MINUTE;
const MAX_FAULTS = 20;

/** Loads an installation for a time, and judges what has grown. Rejects when `signal` aborts. */
export async function soak(options: SoakOptions): Promise<SoakReport> {
  const { stage: name, minutes, visitors = 20, pace = 12_000, bots = 20, seed = 1, load = [], onSample, signal } = options;
  const stage = await startStage(name, { bots, load });
  const life = new AbortController();
  setMaxListeners(0, life.signal);
  try {
    const faults: string[] = [];
    const counts: Counts = {};
    const duration = minutes * MINUTE;
    const crowd = Promise.all(
      Array.from({ length: visitors }, (_, place) =>
        occupyPlace(stage, { place, visitors, pace, random: createRandom(seed + place), duration, signal: life.signal, counts, faults }),
      ),
    );
    const samples = await watch(stage, { duration, onSample, signal });
    life.abort();
    await crowd;
    const { after, wrong } = await stage.finish();
    if (wrong > 0) faults.push(`${wrong} wrong rows`);
    return {
      stage: name,
      minutes,
      counts,
      processes: [...samples].map(([process, taken]) => ({ name: process, samples: taken, growths: judge(taken) })),
      data: growthOf(stage.before, after),
      faults,
    };
  } finally {
    life.abort();
    await stage.remove();
  }
}

interface Place {
  place: number;
  visitors: number;
  pace: number;
  random: () => number;
  duration: number;
  signal: AbortSignal;
  counts: Counts;
  faults: string[];
}

/** Lets one visitor follow another. The first ones arrive one by one. */
async function occupyPlace({ app }: Stage, { place, visitors, random, duration, signal, counts, faults, pace }: Place): Promise<void> {
  const longest = Math.min(LONGEST_STAY, duration / 2);
  await pause((place / visitors) * longest, undefined, { signal }).catch(() => undefined);
  for (let number = place; !signal.aborted; number += visitors) {
    const stay = longest * (0.5 + random() / 2);
    await visit({ app, number, random, pace, stay, signal, counts }).catch((error) => {
      if (faults.length < MAX_FAULTS) faults.push(error instanceof Error ? error.message : String(error));
    });
  }
}

interface Watching {
  duration: number;
  onSample: SoakOptions['onSample'];
  signal: AbortSignal | undefined;
}

/** Takes samples of all processes until the time is over. */
async function watch(stage: Stage, { duration, onSample, signal }: Watching) {
  const samples = new Map<string, Sample[]>();
  const every = Math.min(SAMPLE_EVERY, duration / LEAST_SAMPLES);
  const until = performance.now() + duration;
  while (performance.now() + every < until) {
    await pause(every, undefined, { signal });
    for (const probed of stage.processes()) {
      const sample = await takeSample(probed);
      samples.set(probed.name, [...(samples.get(probed.name) ?? []), sample]);
      onSample?.(JSON.stringify({ stage: stage.name, process: probed.name, ...sample }));
    }
    onSample?.(JSON.stringify({ stage: stage.name, data: await stage.wholeSize() }));
  }
  return samples;
}
