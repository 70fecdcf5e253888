const minute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });

/** Returns "Mar 1, 2026, 2:00 PM" in UTC, for a time in ms or ISO 8601. The caller adds the name of the clock. */
export const formatUtc = (at: number | string): string => minute.format(new Date(at));
