import { isSameDay } from '#domain/format/format-time.ts';

/** Greets with "Welcome back", or "Welcome" on the day the account was created. `now` in ms UTC. */
export const greeting = (createdAt: string, now: number): string => (isSameDay(Date.parse(createdAt), now) ? 'Welcome' : 'Welcome back');
