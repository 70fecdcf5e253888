import { fork } from 'node:child_process';
import { once } from 'node:events';
import { bundleProgram } from '../support/processes/bundle.mjs';
import type { Person } from './people.ts';
import type { Orders, Sightings } from './victim-process.ts';

/** Another user of the attacked server, who keeps reading and asking. */
export interface Victim {
  /** Returns the measurements since the last call. */
  report(): Promise<Sightings>;
  leave(): void;
}

/** Starts the victim's process and waits for its first calls. Needs the program of `buildVictim`. */
export async function startVictim(program: string, orders: { url: string; serverPid: number; victims: Person[] }): Promise<Victim> {
  const child = fork(program, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], serialization: 'json' });
  const reply = async (): Promise<unknown> => {
    const answer = await Promise.race([
      once(child, 'message').then(([message]) => message),
      once(child, 'exit').then(([code]) => ({ error: `the victim's process ended with code ${code}` })),
    ]);
    if (typeof answer === 'object' && answer !== null && 'error' in answer) throw new Error(String(answer.error));
    return answer;
  };
  const ready = reply();
  child.send(orders satisfies Orders);
  await ready;
  return {
    async report() {
      const answer = reply();
      child.send('report');
      return (await answer) as Sightings;
    },
    leave: () => void child.kill('SIGKILL'),
  };
}

/** Bundles the victim's program and returns its path. */
export const buildVictim = (): Promise<string> => bundleProgram('tests/attack/victim-process.ts');
