import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { RunningApp } from '../processes/app.ts';

const OPERATOR = fileURLToPath(new URL('../../../src/tools/operator.mjs', import.meta.url));

interface ReceivedMessage {
  email: string;
  message: string;
  files: { name: string; type: string; size: number }[];
}

/** Returns the messages to support on the server, read with the admin CLI. */
export async function receivedMessages(app: RunningApp): Promise<ReceivedMessage[]> {
  const env = { PATH: process.env.PATH, DATA_DIR: app.dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, [OPERATOR, 'contacts', '--json'], { env, timeout: 30_000 });
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as ReceivedMessage[];
}
