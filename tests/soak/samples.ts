import { readdirSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** One look at a process. */
export interface Sample {
  /** When, ms. */
  at: number;
  /** Bytes of JavaScript's heap and what it holds outside, after a garbage collection. */
  heap: number;
  /** Bytes of memory outside of both: code, stacks, threads, and what native libraries hold. */
  outside: number;
  /** Bytes of memory as the system counts them, with the free pages of JavaScript's heap. */
  rss: number;
  /** Bytes of the heaps of threads, which no figure has but `rss`. */
  threads: number;
  /** Without the files of the embedded database, which keeps those of each table and index open. */
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
  return { at: performance.now(), descriptors: countDescriptors(pid, join(dataDir, 'db')), ...probed };
}

function countDescriptors(pid: number | undefined, database: string): number {
  const folder = `/proc/${pid}/fd`;
  return readdirSync(folder).filter((name) => !linkOf(join(folder, name)).startsWith(database)).length;
}

/** A descriptor may be closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
