const minute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** Returns "Mar 1, 2026, 2:00 PM" in UTC. The caller adds the name of the clock. */
export const formatUtc = (at: number): string => minute.format(at);
