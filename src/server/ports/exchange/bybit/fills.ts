import { DAY } from '#domain/clock.ts';
import { ExchangeError, type ExchangeFill } from '../exchange.ts';
import { parseResult } from '../live/answers.ts';
import { executions, toFills } from './answers.ts';
import { MARKET } from './market.ts';
import type { Connection } from './protocol.ts';

/** Longest range of executions in one request, and how far back Bybit keeps them, ms. */
const WINDOW = 7 * DAY;
const MEMORY = 730 * DAY;
/** Rows in a page, and pages in one window. */
const PAGE = 100;
const MAX_PAGES = 50;

/** Reads the fills since a time, oldest first. `now` returns the exchange's time, ms. */
export async function readFills({ read }: Connection, since: number, now: () => number): Promise<ExchangeFill[]> {
  const rows = [];
  let start = Math.max(0, Math.floor(since), now() - MEMORY);
  for (let until = 0; until <= now(); start = until + 1) {
    until = start + WINDOW - 1;
    const window = [];
    let cursor = '';
    for (let pages = 0; pages < MAX_PAGES; pages++) {
      const params = { ...MARKET, startTime: start, endTime: until, limit: PAGE, ...(cursor && { cursor }) };
      const { list, nextPageCursor } = parseResult(executions, (await read('privateGetV5ExecutionList', params)).result);
      window.push(...list);
      cursor = nextPageCursor;
      if (!cursor || list.length === 0) break;
      // A missing fill would turn a closed position into an open one.
      if (pages === MAX_PAGES - 1) throw new ExchangeError('unavailable', 'There are more executions than can be read.');
    }
    rows.push(...window.reverse());
  }
  return toFills(rows);
}
