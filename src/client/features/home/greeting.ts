import { isSameDay } from '#domain/format/format-time.ts';

/** 'Welcome back' is for those whose account was not created today (spec §2); both times in ms or ISO 8601. */
export const greeting = (createdAt: string, now: number): string => (isSameDay(Date.parse(createdAt), now) ? 'Welcome' : 'Welcome back');
