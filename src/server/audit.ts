import type { FastifyBaseLogger } from 'fastify';

/** Audited events. Names are stable: operators filter the log by them. */
export type AuditEvent =
  | 'sign-in'
  | 'sign-in-refused'
  | 'sign-out'
  | 'registration'
  | 'code-refused'
  | 'code-budget-spent'
  | 'password-budget-spent'
  | 'password-reset'
  | 'password-changed'
  | 're-authentication'
  | 're-authentication-refused'
  | 'passkey-added'
  | 'passkey-removed'
  | 'passkey-copied'
  | 'session-ended'
  | 'session-reused'
  | 'key-changed'
  | 'key-rotation'
  | 'erasure'
  | 'operator-command'
  | 'socket-cut';

/** Who did it and from where. Never contains a secret, a code, a token or a full IP address. */
export interface AuditFacts {
  userId?: string | undefined;
  /** The network prefix (http/network). */
  network?: string | undefined;
  /** Details for the operator, such as the name of a command. */
  about?: string | undefined;
}

export interface Audit {
  note(event: AuditEvent, facts?: AuditFacts): void;
  /** Returns how often each event occurred since this process started. */
  counts(): Partial<Record<AuditEvent, number>>;
}

/** Writes one log line for each audited event and counts them. */
export function createAudit(log: Pick<FastifyBaseLogger, 'info'>): Audit {
  const counts = new Map<AuditEvent, number>();
  return {
    note(event, facts = {}) {
      counts.set(event, (counts.get(event) ?? 0) + 1);
      log.info({ audit: event, ...facts }, 'audit');
    },
    counts: () => Object.fromEntries(counts),
  };
}
