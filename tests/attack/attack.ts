import type { Client } from './client.ts';
import type { Instance } from './instance.ts';
import type { Person } from './people.ts';

/** What an attack came to. */
export interface Outcome {
  /** Requests, packets or connections the attacker sent. */
  tries: number;
  /** Whether the server refused or bounded what it must. The bars for other users are judged beside this. */
  isHeld: boolean;
  /** One line of figures: what the attacker reached. */
  evidence: string;
}

export interface AttackContext {
  readonly instance: Instance;
  readonly client: Client;
  /** Verified users on the Free plan, none of whom is a victim. */
  readonly attackers: readonly Person[];
  /** Sessions of the attackers from before the server started, as somebody may have stolen them. */
  readonly oldSessions: readonly Person[];
  /** From 0 to 1, decided by the seed. */
  readonly random: () => number;
  /** Shortened, as in `npm test`. */
  readonly isQuick: boolean;
  /** Aborts when the attack's time is over: every loop ends with it. */
  readonly signal: AbortSignal;
}

export interface Attack {
  name: string;
  /** Further settings of the server. */
  env?: Record<string, string>;
  /** Starts what the server needs beside it, such as a provider; the settings it returns are added. */
  prepare?: () => Promise<{ env: Record<string, string>; close(): Promise<void> }>;
  /** Changes the database before the server starts. */
  seed?: (query: (sql: string) => Promise<unknown>) => Promise<void>;
  run(context: AttackContext): Promise<Outcome>;
}
