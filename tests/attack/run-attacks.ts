import { fork } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '#domain/random.ts';
import { at } from '#tools/root.mjs';
import { ATTACKS } from './all-attacks.ts';
import type { Attack, Outcome } from './attack.ts';
import { type Effect, effectOf } from './bars.ts';
import { type Client, createClient } from './client.ts';
import { createTemplate, type Instance, type Template } from './instance.ts';
import { type Person, signIn } from './people.ts';
import { buildVictim, startVictim } from './victim.ts';

/** Time limit of an attack, and how long it may take to notice it, ms. */
const LONGEST_MS = 120_000;
const LONGEST_QUICK_MS = 45_000;
const GRACE_MS = 25_000;
/** Measuring time before and after the attack, and the least during it, ms. */
const QUIET_MS = 4_000;
const QUICK_QUIET_MS = 700;
/** Time for the server to settle after its start, ms. */
const SETTLE_MS = 1_500;

export interface Row extends Outcome {
  name: string;
  /** Undefined when the attack could not be run. */
  effect: Effect | undefined;
}

export interface Options {
  seed: number;
  isQuick: boolean;
  /** Runs only attacks whose names contain one of these. */
  only?: readonly string[];
  onRow?: (row: Row) => void;
  signal?: AbortSignal;
}

/** Runs each attack against a new server and returns its effect on other users. */
export async function runAttacks({ seed, isQuick, only = [''], onRow, signal }: Options): Promise<Row[]> {
  const chosen = ATTACKS.filter(({ name }) => only.some((part) => name.includes(part)));
  const reaper = fork(at('tests/attack/reaper.mjs'), [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  reaper.unref();
  reaper.channel?.unref();
  const [template, program] = await Promise.all([createTemplate(), buildVictim()]);
  const rows: Row[] = [];
  try {
    for (const attack of chosen) {
      if (signal?.aborted) break;
      const row = await runOne(attack, { template, program, seed, isQuick, signal }).catch((error: unknown) => ({
        name: attack.name,
        tries: 0,
        isHeld: false,
        evidence: `could not be run: ${error instanceof Error ? error.message : String(error)}`,
        effect: undefined,
      }));
      rows.push(row);
      onRow?.(row);
    }
  } finally {
    template.remove();
    reaper.disconnect();
  }
  return rows;
}

interface Setting {
  template: Template;
  program: string;
  seed: number;
  isQuick: boolean;
  signal: AbortSignal | undefined;
}

async function runOne(attack: Attack, { template, program, seed, isQuick, signal }: Setting): Promise<Row> {
  const beside = await attack.prepare?.();
  const instance = await template.start({ ...attack.env, ...beside?.env }, attack.seed).catch(async (error) => {
    await beside?.close();
    throw error;
  });
  const quietMs = isQuick ? QUICK_QUIET_MS : QUIET_MS;
  try {
    const client = createClient(instance.app.url);
    const [victims, attackers] = [await fresh(client, template.victims), await fresh(client, template.attackers)];
    const victim = await startVictim(program, { url: instance.app.url, serverPid: instance.app.pid ?? 0, victims });
    try {
      // Work right after the start is not the attacker's doing.
      await pause(isQuick ? 0 : SETTLE_MS);
      await victim.report();
      await pause(quietMs);
      const before = await victim.report();
      const began = Date.now();
      const limit = isQuick ? LONGEST_QUICK_MS : LONGEST_MS;
      const time = AbortSignal.timeout(limit);
      const context = {
        instance,
        client,
        attackers,
        oldSessions: template.attackers,
        random: createRandom(seed),
        isQuick,
        signal: signal ? AbortSignal.any([signal, time]) : time,
      };
      const outcome = await Promise.race([attack.run(context), endless(limit + GRACE_MS)]);
      await pause(Math.max(0, quietMs - (Date.now() - began)));
      const during = await victim.report();
      await pause(quietMs);
      const effect = effectOf({ before, during, after: await victim.report() }, isQuick);
      return { name: attack.name, ...outcome, isHeld: outcome.isHeld && effect.broken.length === 0, effect };
    } finally {
      victim.leave();
    }
  } finally {
    await end(instance);
    await beside?.close();
  }
}

/** Returns the people with access tokens that outlast an attack. */
async function fresh(client: Client, people: readonly Person[]): Promise<Person[]> {
  const lives = (person: Person) => person.expiresAt - Date.now() > LONGEST_MS * 4;
  return Promise.all(people.map((person) => (lives(person) ? person : signIn(client, person.email))));
}

/** Result of an attack that ignores its time limit, for example because the server stopped answering. */
async function endless(ms: number): Promise<Outcome> {
  await pause(ms, undefined, { ref: false });
  return { tries: 0, isHeld: false, evidence: `did not end within ${Math.round(ms / 1000)} s` };
}

async function end(instance: Instance): Promise<void> {
  instance.kill();
  await pause(100);
  instance.remove();
}
