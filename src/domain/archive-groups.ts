import type { Archive } from '../contract/chat/archive.ts';

export interface ArchiveGroup {
  name: 'Today' | 'Yesterday' | 'Last Week';
  archives: Archive[];
}

/** Days of the week before yesterday that count as last week (spec §9). */
const WEEK = 7;

/**
 * The sidebar's groups (spec §2): today, yesterday, and the seven days before that, by the calendar of the device. Groups
 * without a chat are left out, and so are older chats. `now` in ms; the order within a group is the one given.
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
    // A clock that is behind the server's must not hide what was just asked.
    { name: 'Today', archives: within(today, Number.POSITIVE_INFINITY) },
    { name: 'Yesterday', archives: within(yesterday, today) },
    { name: 'Last Week', archives: within(lastWeek, yesterday) },
  ];
  return groups.filter((group) => group.archives.length > 0);
}

/** When the day began that was `days` before `now`; days are not all 24 hours long. */
function startOfDay(now: number, days: number): number {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - days).getTime();
}
