import type { Archive } from '../contract/chat/archive.ts';

export interface ArchiveGroup {
  name: 'Today' | 'Yesterday' | 'Last Week';
  archives: Archive[];
}

/** Days before yesterday in "Last Week". */
const WEEK = 7;

/**
 * Returns the sidebar's groups by the device's calendar: today, yesterday and the seven days before. Skips empty groups and older
 * chats. `now` in ms; the order within a group stays.
 */
export function groupArchives(archives: readonly Archive[], now: number): ArchiveGroup[] {
  const today = startOfDay(now, 0);
  const yesterday = startOfDay(now, 1);
  const lastWeek = startOfDay(now, 1 + WEEK);
  const within = (from: number, to: number) =>
    archives.filter(({ created_at }) => {
      const at = Date.parse(created_at);
      return at >= from && at < to;
    });
  const groups: ArchiveGroup[] = [
    // A device clock behind the server's must not hide the newest chats.
    { name: 'Today', archives: within(today, Number.POSITIVE_INFINITY) },
    { name: 'Yesterday', archives: within(yesterday, today) },
    { name: 'Last Week', archives: within(lastWeek, yesterday) },
  ];
  return groups.filter((group) => group.archives.length > 0);
}

/** Returns the start of the day `days` before `now`. Days don't always have 24 hours. */
function startOfDay(now: number, days: number): number {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - days).getTime();
}
