import { formatUtc } from '#client/ui/labels/format-utc.ts';

/** Returns "Mar 1, 2026, 2:00 PM UTC". In UTC, because people of other time zones read a shared chat too. */
export const linkTime = (iso: string): string => `${formatUtc(iso)} UTC`;
