import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findProgram } from '../processes/find-program.mjs';
import { untilAccepts } from '../processes/until-accepts.ts';

export interface Balancer {
  stop(): Promise<void>;
}

interface Started {
  /** Shown in errors. */
  name: string;
  /** Where the program may be. */
  paths: readonly string[];
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  port: number;
}

/** Starts a balancer and waits until it accepts connections. Throws when it is not installed, or ends while starting. */
export async function startBalancer({ name, paths, args, env, port }: Started): Promise<Balancer> {
  const program = findProgram([...paths]);
  if (!program) throw new Error(`${name} is not installed: a cluster needs it.`);
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk) => (said += chunk));
  const ended = once(child, 'exit');
  const early = ended.then(([code]) => Promise.reject(new Error(`${name} ended with ${code} while starting: ${said}`)));
  await Promise.race([untilAccepts(port), early]);
  early.catch(() => undefined);
  return {
    async stop() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
