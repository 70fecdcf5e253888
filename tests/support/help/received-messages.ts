import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { RunningApp } from '../processes/app.ts';

const OPERATOR = fileURLToPath(new URL('../../../src/tools/operator.mjs', import.meta.url));

export interface Arrived {
  email: string;
  message: string;
  files: { name: string; type: string; size: number }[];
}

/** Returns the stored messages to support, as the operator command lists them. */
export async function arrived(app: RunningApp): Promise<Arrived[]> {
  const env = { PATH: process.env.PATH, DATA_DIR: app.dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, [OPERATOR, 'contacts', '--json'], { env });
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Arrived[];
}
