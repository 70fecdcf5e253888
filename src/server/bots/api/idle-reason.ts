import type { EventRow } from '../store/events.ts';

/** Bot states that allow no entry, by the kind of journal entry that begins them. */
const STATES: Record<string, (event: EventRow) => string> = {
  created: () => 'The bot was not set up yet.',
  started: () => 'The bot was not set up yet.',
  paused: ({ actor, text }) => (actor === 'user' ? 'You had paused entries.' : text),
  halted: ({ text }) => text,
  stopping: () => 'The bot was stopped.',
  stopped: () => 'The bot was stopped.',
  'loss-limit': () => 'The bot had stopped at your loss limit.',
  error: ({ text }) => text,
};
/** Journal entries that say why a bot could not act. */
const TROUBLES = ['key-refused', 'silent', 'error'];

/**
 * Says why a bot did not act on an entry: its state at that time, or a problem before the next candle; undefined if the journal has neither.
 * @param at when the candle closed, ms of the server's clock; `step` is a candle's length there
 * @param events newest first
 */
export function idleReason(at: number, step: number, events: readonly EventRow[]): { kind: string; text: string } | undefined {
  const changes = events.filter(({ kind }) => kind in STATES || kind === 'running' || kind === 'resumed');
  const before = changes.find(({ createdAt }) => createdAt.getTime() <= at);
  const state = before && STATES[before.kind]?.(before);
  if (before && state !== undefined) return { kind: before.kind, text: state };
  const trouble = events.findLast(
    ({ kind, createdAt }) => (TROUBLES.includes(kind) || kind in STATES) && createdAt.getTime() > at && createdAt.getTime() < at + step,
  );
  return trouble && { kind: trouble.kind, text: STATES[trouble.kind]?.(trouble) ?? trouble.text };
}
