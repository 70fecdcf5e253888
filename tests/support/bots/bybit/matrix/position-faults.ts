import { expect } from 'vitest';
import { DAY, MINUTE, SECOND } from '#domain/clock.ts';
import {
  bare,
  callsOf,
  type FaultRow,
  failing,
  HTML,
  keyRefused,
  LIQUIDATED,
  LONG,
  minutes,
  none,
  positionFaults,
  STOP,
  STOPPED,
  stopping,
  times,
} from '../fault-rows.ts';
import {
  afterwards,
  answerLost,
  first,
  instead,
  listChanged,
  neverArrives,
  refused,
  resultChanged,
  rowsChanged,
  stale,
  truncated,
} from '../faults.ts';
import { ROUND } from '../rig.ts';

/** Wrong or late answers to reads. */
const asking: FaultRow[] = [
  {
    fault: 'an old answer about the position',
    before: (rig) =>
      rig.server.fail(
        'order/create',
        afterwards(() => rig.server.fail('position/list', stale, stale)),
      ),
    end: 'holds',
    untold: ['closed', 'foreign'],
  },
  {
    fault: 'no answer about the position',
    before: (rig) =>
      rig.server.fail(
        'order/create',
        afterwards(() => rig.server.fail('position/list', instead(500, ''))),
      ),
    end: 'holds',
  },
  {
    fault: 'the list of positions has no rows for six minutes, with a good code',
    after: async (rig) => {
      rig.server.fail('position/list', ...times(200, none));
      await minutes(rig, 6);
      rig.server.heal();
    },
    end: 'holds',
    untold: ['closed', 'foreign'],
  },
  {
    fault: 'the list of executions is empty for six minutes, with a good code, long after the entry',
    after: async (rig) => {
      await minutes(rig, 20);
      rig.server.fail('execution/list', ...times(200, none));
      await minutes(rig, 6);
      expect((await rig.position())?.unsettledSince).toBeDefined();
      rig.server.heal();
      await minutes(rig, 1);
    },
    end: 'holds',
    untold: ['closed', 'foreign', 'unreported'],
  },
  {
    fault: 'executions come late',
    before: (rig) =>
      rig.server.fail(
        'order/create',
        afterwards(() => rig.server.fail('execution/list', none, none, none)),
      ),
    end: 'holds',
    untold: ['foreign', 'closed'],
  },
  {
    fault: 'executions come twice',
    after: failing(
      'execution/list',
      ...times(
        3,
        listChanged((list) => [...list, ...list]),
      ),
    ),
    end: 'holds',
  },
  {
    fault: 'executions come in another order',
    after: (rig) => {
      rig.move(STOPPED);
      rig.server.fail(
        'execution/list',
        ...times(
          3,
          listChanged((list) => list.reverse()),
        ),
      );
    },
    end: 'closed',
    why: 'stop',
  },
  ...(
    [
      ['a negative quantity', { execQty: '-0.357' }],
      ['a negative price', { execPrice: '-27000' }],
    ] as const
  ).map(
    ([what, fields]): FaultRow => ({
      fault: `executions with ${what} for three minutes`,
      after: async (rig) => {
        rig.server.fail('execution/list', ...times(200, rowsChanged(fields)));
        await minutes(rig, 3);
        expect((await rig.trades())[0]?.entryPrice).toBeGreaterThan(20_000);
        expect((await rig.bot())?.equity).toBeGreaterThan(9_000);
        rig.server.heal();
      },
      end: 'holds',
      untold: ['closed', 'foreign'],
    }),
  ),
  {
    fault: 'the pages of executions never end',
    after: async (rig) => {
      rig.server.fail('execution/list', ...times(120, resultChanged({ nextPageCursor: 'again' })));
      await minutes(rig, 2);
      rig.server.heal();
    },
    end: 'holds',
  },
  {
    fault: 'what has no value is null',
    after: async (rig) => {
      rig.move(STOPPED);
      rig.server.fail('position/list', ...times(20, rowsChanged({ stopLoss: null, takeProfit: null, liqPrice: null, openTime: null })));
      rig.server.fail('execution/list', ...times(20, resultChanged({ nextPageCursor: null })));
      rig.server.fail(
        'user/query-api',
        resultChanged({ inviterID: null, affiliateID: 77, deadlineDay: null, expiredAt: null, kycRegion: null }),
      );
      await rig.change({ keyCheckedAt: null });
      await minutes(rig, 2);
      expect((await rig.bot())?.keyCheckedAt).not.toBeNull();
    },
    end: 'closed',
    why: 'stop',
    untold: ['error', 'key-refused'],
  },
  { fault: 'half of the executions’ JSON', after: failing('execution/list', truncated), end: 'holds' },
  { fault: 'the position is HTML', after: failing('position/list', instead(200, HTML)), end: 'holds' },
  {
    fault: 'the stop is hit, and its execution comes late',
    after: (rig) => {
      const known = rig.venue.executions.length;
      rig.move(STOPPED);
      rig.server.fail(
        'execution/list',
        ...times(
          2,
          listChanged((list) => list.slice(-known)),
        ),
      );
    },
    end: 'closed',
    why: 'stop',
  },
];

/** Closes that the exchange explains late, or in its own words. */
const vanishing: FaultRow[] = [
  {
    fault: 'the stop is hit, and its execution is missing for 3 minutes',
    after: async (rig) => {
      await minutes(rig, 3);
      rig.venue.cruelty.executionDelay = 10 * MINUTE;
      rig.move(STOPPED);
      await minutes(rig, 1);
      const since = (await rig.position())?.unsettledSince ?? 0;
      rig.wait(since + 3 * MINUTE - rig.now() - ROUND - 1);
      await rig.pass();
      expect(await rig.trades()).toMatchObject([{ closedAt: null }]);
      // The next look is due after a quarter of the time so far.
      rig.wait(45 * SECOND - ROUND);
      await rig.pass();
      expect(await rig.trades()).toMatchObject([{ reason: 'unexplained' }]);
      await minutes(rig, 12);
    },
    end: 'closed',
    why: 'stop',
    told: ['explained'],
  },
  {
    fault: 'the stop is hit, and its execution comes ten minutes later, after the bot was stopped',
    after: async (rig) => {
      await minutes(rig, 11);
      rig.venue.cruelty.executionDelay = 10 * MINUTE;
      rig.move(STOPPED);
      await stopping(rig);
      await minutes(rig, 6);
      expect(await rig.bot()).toMatchObject({ status: 'STOPPED', position: null });
      expect(await rig.trades()).toMatchObject([{ reason: 'unexplained' }]);
      await minutes(rig, 12);
      const [trade] = await rig.trades();
      const executed = rig.venue.executions.findLast(({ reason }) => reason === 'stop');
      expect(trade).toMatchObject({ reason: 'stop', exitPrice: executed?.price });
      expect((await rig.bot())?.equity).toBeCloseTo(rig.venue.equity(), 6);
    },
    end: 'closed',
    why: 'stop',
    told: ['explained'],
  },
  {
    fault: 'all executions are ten minutes late, and the stop is hit before the first comes',
    before: (rig) => {
      rig.venue.cruelty.executionDelay = 10 * MINUTE;
    },
    after: async (rig) => {
      rig.move(STOPPED);
      await minutes(rig, 5);
      expect(await rig.trades()).toMatchObject([{ reason: 'unexplained' }]);
      await minutes(rig, 12);
      expect((await rig.bot())?.equity).toBeCloseTo(rig.venue.equity(), 6);
    },
    end: 'closed',
    why: 'stop',
    told: ['explained'],
  },
];

/** Changes of the API key. */
const keys: FaultRow[] = [
  {
    fault: 'the exchange refuses the key once',
    after: failing('position/list', refused(10003, 'API key is invalid.')),
    end: 'holds',
    told: ['key-refused'],
    untold: ['error'],
  },
  {
    fault: 'the exchange refuses the key twice, with a good answer between, 11 minutes apart',
    after: async (rig) => {
      rig.server.fail('position/list', refused(10003, 'API key is invalid.'));
      await minutes(rig, 11);
      rig.server.fail('position/list', refused(10003, 'API key is invalid.'));
    },
    end: 'holds',
    untold: ['error'],
  },
  {
    fault: 'the exchange refuses the key for two hours: the bot looks every minute, reminds every hour, and protects the position again',
    after: async (rig) => {
      const start = callsOf(rig, 'execution/list');
      rig.server.fail('execution/list', ...times(500, refused(10003, 'API key is invalid.')));
      await minutes(rig, 132);
      expect(callsOf(rig, 'execution/list') - start).toBeGreaterThanOrEqual(120);
      expect((await rig.kinds()).filter((kind) => kind === 'reminded')).toHaveLength(2);
      rig.server.heal();
      rig.venue.byHand.removeStop();
      await minutes(rig, 1);
      expect(rig.venue.position()?.stop).toBe(STOP);
      rig.move(STOPPED);
    },
    end: 'broken',
    why: 'no longer accepts',
    told: ['protected', 'closed'],
    also: async (rig) => expect(await rig.trades()).toMatchObject([{ reason: 'stop' }]),
  },
  {
    fault: 'the exchange answers 401 without a code once',
    after: failing('position/list', instead(401, '')),
    end: 'holds',
    told: ['key-refused'],
    untold: ['error'],
  },
  {
    fault: 'the exchange answers 401 without a code from now on',
    after: async (rig) => {
      for (const path of ['position/list', 'execution/list', 'user/query-api']) rig.server.fail(path, ...times(200, instead(401, '')));
      await minutes(rig, 12);
    },
    end: 'broken',
    why: 'no longer accepts',
  },
  keyRefused('the key is revoked', { revoked: true }),
  keyRefused('the secret is another one', { secret: 'new' }),
  keyRefused('the key expires', { expiresAt: 1 }),
  {
    fault: 'the key is bound to other addresses',
    after: (rig) => {
      rig.key.ips.push('203.0.113.7');
      return minutes(rig, 12);
    },
    end: 'broken',
    why: 'other network addresses',
  },
  {
    fault: 'the key may only read any more',
    before: (rig) => void Object.assign(rig.key, { readOnly: true }),
    end: 'broken',
    why: 'cannot trade',
    also: (rig) => expect(rig.venue.position()).toBeNull(),
  },
  {
    fault: 'the key may withdraw from now on',
    after: async (rig) => {
      rig.key.permissions.Wallet.push('Withdraw');
      await rig.wait(DAY);
    },
    end: 'broken',
    why: 'withdraw',
  },
];

/** Trades by the account's owner. */
const byHand: FaultRow[] = [
  {
    fault: 'the user moves the stop beyond liquidation',
    after: (rig) => rig.venue.protect(LIQUIDATED, null),
    end: 'closed',
    why: 'unsafe',
    told: ['unsafe'],
  },
  {
    fault: 'the user moves the stop closer, and it is hit',
    after: async (rig) => {
      rig.venue.protect(STOP + 100, null);
      await minutes(rig, 1);
      expect((await rig.position())?.stop).toBe(STOP + 100);
      rig.move(STOP + 50);
    },
    end: 'closed',
    why: 'stop',
    untold: ['protected'],
  },
  {
    fault: 'the user closes a part of it',
    after: async (rig) => {
      rig.venue.byHand.close(0.1);
      await rig.pass(LONG);
      rig.move(STOPPED);
    },
    end: 'closed',
    why: 'stop',
  },
  {
    fault: 'the user adds to it, and the bot is stopped',
    after: async (rig) => {
      rig.venue.byHand.order({ direction: 'buy', type: 'market', quantity: 0.1 });
      await stopping(rig);
    },
    end: 'closed',
    why: 'stopped',
    also: (rig) => expect(rig.venue.position()).toMatchObject({ side: 'long', quantity: 0.1 }),
  },
  {
    fault: 'the user turns it around',
    after: (rig) => rig.venue.byHand.order({ direction: 'sell', type: 'market', quantity: (rig.venue.position()?.quantity ?? 0) + 0.1 }),
    end: 'closed',
    why: 'by hand',
    told: ['foreign'],
    also: async (rig) => {
      expect(rig.venue.position()).toMatchObject({ side: 'short', quantity: 0.1 });
      const [trade] = await rig.trades();
      const [entry] = await rig.orders();
      expect(trade?.quantity).toBe(entry?.filled);
    },
  },
];

/** Faults while the user stops the bot. */
const closing: FaultRow[] = [
  { fault: 'stopping: nothing', after: stopping, end: 'closed', why: 'stopped' },
  ...(
    [
      ['the answer is lost', answerLost],
      ['the order does not arrive', neverArrives],
      ['500', instead(500, '')],
      ['a rate limit', refused(10006, 'Too many visits!')],
      ['a refusal', refused(110079, 'the order is processing')],
    ] as const
  ).map(
    ([what, fault]): FaultRow => ({
      fault: `stopping: ${what}`,
      after: async (rig) => {
        rig.server.fail('order/create', fault);
        await stopping(rig);
      },
      end: 'closed',
      why: 'stopped',
    }),
  ),
  ...[0, 0.5].map(
    (part): FaultRow => ({
      fault: `stopping: ${part * 100}% of the order is filled`,
      after: async (rig) => {
        rig.venue.fillOnly(part);
        await stopping(rig);
      },
      end: 'closed',
      why: 'stopped',
      also: (rig) => expect(rig.venue.position()).toBeNull(),
    }),
  ),
  {
    fault: 'stopping: the stop was faster',
    after: async (rig) => {
      rig.server.fail(
        'order/create',
        first(() => rig.move(STOPPED)),
      );
      await stopping(rig);
    },
    end: 'closed',
    why: 'stop',
  },
];

/** Kills of the process. */
const dying: FaultRow[] = [
  {
    fault: 'killed between journal and order',
    before: (rig) => rig.server.fail('order/create', first(rig.kill, neverArrives)),
    after: (rig) => rig.restart(),
    end: 'holds',
  },
  {
    fault: 'killed when the order is done',
    before: (rig) => rig.server.fail('order/create', afterwards(rig.kill)),
    after: (rig) => rig.restart(),
    end: 'holds',
  },
  {
    fault: 'killed before the stop is set',
    before: (rig) => {
      rig.server.fail('order/create', bare);
      rig.server.fail('position/trading-stop', first(rig.kill, neverArrives));
    },
    after: (rig) => rig.restart(),
    end: 'holds',
    told: ['protected'],
  },
  {
    fault: 'killed when the bare position is closed',
    before: (rig) => {
      rig.server.fail('order/create', bare, afterwards(rig.kill));
      rig.server.fail('position/trading-stop', ...times(20, refused(10001, 'StopLoss is not possible')));
    },
    after: (rig) => rig.restart(),
    end: 'closed',
    why: 'unprotected',
  },
];

/** Faults around an open position, its key, its owner and the process. */
export const heldFaults: readonly FaultRow[] = [...asking, ...positionFaults, ...vanishing, ...keys, ...byHand, ...closing, ...dying];
