import { describe, expect, it } from 'vitest';
import { groupArchives } from '#domain/archive-groups.ts';

const NOON = new Date(2026, 10, 21, 12).getTime();
/** Returns a local time, in days before today. */
const at = (days: number, hour: number, minute = 0) => new Date(2026, 10, 21 - days, hour, minute);
const chat = (id: string, created: Date) => ({ id, archive_title: id, created_at: created.toISOString() });
const names = (...chats: ReturnType<typeof chat>[]) =>
  groupArchives(chats, NOON).map(({ name, archives }) => [name, archives.map(({ id }) => id)]);

describe('groups of the sidebar', () => {
  it('split at midnight of the device', () => {
    expect(
      names(
        chat('now', at(0, 11, 59)),
        chat('first today', at(0, 0)),
        chat('last yesterday', at(1, 23, 59)),
        chat('first yesterday', at(1, 0)),
        chat('day before', at(2, 23, 59)),
      ),
    ).toEqual([
      ['Today', ['now', 'first today']],
      ['Yesterday', ['last yesterday', 'first yesterday']],
      ['Last Week', ['day before']],
    ]);
  });

  it('end seven days before yesterday', () => {
    expect(names(chat('in', at(8, 0)), chat('out', at(9, 23, 59)))).toEqual([['Last Week', ['in']]]);
  });

  it('are left out when empty', () => {
    expect(names()).toEqual([]);
    expect(names(chat('y', at(1, 8)))).toEqual([['Yesterday', ['y']]]);
  });

  it('show chats that a faster clock dated ahead', () => {
    expect(names(chat('ahead', at(-1, 1)))).toEqual([['Today', ['ahead']]]);
  });
});
