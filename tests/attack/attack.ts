import type { Client } from './client.ts';
import type { Instance } from './instance.ts';
import type { Person } from './people.ts';

/** Result of an attack. */
export interface Outcome {
  /** Number of requests, packets or connections sent. */
  tries: number;
  /** Whether the server refused or limited the attack. The effect on other users is judged separately. */
  isHeld: boolean;
  /** One line with figures of what the attacker achieved. */
  evidence: string;
}

export interface AttackContext {
  readonly instance: Instance;
  readonly client: Client;
  /** Verified users on the Free plan who are not victims. */
  readonly attackers: readonly Person[];
  /** Older sessions of the attackers, as a thief would have them. */
  readonly oldSessions: readonly Person[];
  /** Seeded random number from 0 to 1. */
  readonly random: () => number;
  /** Shortened, as in `npm test`. */
  readonly isQuick: boolean;
  /** Aborts when the attack's time is over. Every loop checks it. */
  readonly signal: AbortSignal;
}

export interface Attack {
  name: string;
  /** Further settings of the server. */
  env?: Record<string, string>;
  /** Starts what the server needs, such as a provider, and returns settings for it. */
  prepare?: () => Promise<{ env: Record<string, string>; close(): Promise<void> }>;
  /** Changes the database before the server starts. */
  seed?: (query: (sql: string) => Promise<unknown>) => Promise<void>;
  run(context: AttackContext): Promise<Outcome>;
}
