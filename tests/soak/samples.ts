import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** One look at a process. */
export interface Sample {
  /** When, ms. */
  at: number;
  /** Bytes of JavaScript's heap and what it holds outside, after a garbage collection. */
  heap: number;
  /** Bytes of memory as the system counts them. */
  rss: number;
  descriptors: number;
  /** Event loop delay since the last look, ms. */
  p99: number;
  worst: number;
}

export interface Probed {
  name: string;
  pid: number | undefined;
  /** Where `probe.mjs` listens. */
  dataDir: string;
}

/** Looks at a process that has loaded `probe.mjs`. */
export async function takeSample({ pid, dataDir }: Probed): Promise<Sample> {
  const socket = connect(join(dataDir, 'probe.sock'));
  const probed = JSON.parse(await text(socket)) as Omit<Sample, 'at' | 'descriptors'>;
  return { at: performance.now(), descriptors: readdirSync(`/proc/${pid}/fd`).length, ...probed };
}
