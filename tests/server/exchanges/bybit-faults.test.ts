import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { DAY } from '#domain/clock.ts';
import type { BybitServer } from '#tests/support/bots/bybit/bybit-server.ts';
import {
  afterwards,
  answerLost,
  answerSwallowed,
  doneBut,
  doneButRefused,
  type Fault,
  first,
  ignored,
  instead,
  listChanged,
  neverArrives,
  refused,
  stale,
  stripped,
  truncated,
} from '#tests/support/bots/bybit/faults.ts';
import { type BybitRig, type BybitStage, createBybitRig, openStage } from '#tests/support/bots/bybit/rig.ts';
import { openTestDb, type TestDb } from '#tests/support/server/test-db.ts';

/** The strategy's stop, and prices beyond the stop and beyond liquidation, USD. */
const STOP = 26_881.2;
const STOPPED = 26_500;
const LIQUIDATED = 25_000;
const HTML = '<html><body>Bad gateway</body></html>';
/** More rounds than the engine ever waits. */
const LONG = 9;

/**
 * A fault and the expected end. `holds` has the signaled position with its stop, `flat` has opened nothing, `closed` had
 * a position, and `broken` waits for the user.
 */
interface Row {
  fault: string;
  /** Injects faults into the setup of the bot. */
  setUp?: (server: BybitServer) => void;
  /** Injects faults before the candle closes. */
  before?: (rig: BybitRig) => unknown;
  /** Runs after the engine has handled the candle. */
  after?: (rig: BybitRig) => unknown;
  end: 'holds' | 'flat' | 'closed' | 'broken';
  /** Reason for the close or the error. */
  why?: string;
  /** Kinds of events that the user must see. */
  told?: readonly string[];
  /** Kinds of events that must not exist. */
  untold?: readonly string[];
  /** Further checks. */
  also?: (rig: BybitRig) => unknown;
}

const failing =
  (path: string, ...faults: Fault[]) =>
  (rig: BybitRig) =>
    rig.server.fail(path, ...faults);
const creating = (...faults: Fault[]) => failing('order/create', ...faults);
const times = <T>(count: number, of: T): T[] => Array.from({ length: count }, () => of);
const none = listChanged(() => []);
/** Removes stop and target from the order. */
const bare = stripped('stopLoss', 'takeProfit');
const stopping = (rig: BybitRig) => rig.change({ status: 'STOPPING', stopMode: 'close' });

/** Faults of the entry order. */
const entering: Row[] = [
  { fault: 'nothing', end: 'holds', told: ['running', 'opened'] },
  { fault: 'the answer is lost when the order is done', before: creating(answerLost), end: 'holds' },
  { fault: 'the connection breaks before it', before: creating(neverArrives), end: 'holds' },
  { fault: 'no answer, and the order is not placed', before: creating(ignored), end: 'holds' },
  { fault: 'no answer, and the order is placed', before: creating(answerSwallowed), end: 'holds' },
  { fault: '500 before it', before: creating(instead(500, '')), end: 'holds' },
  { fault: '500 after it', before: creating(doneBut(500, '')), end: 'holds' },
  { fault: '503 of an exchange under maintenance', before: creating(instead(503, HTML)), end: 'holds' },
  { fault: 'a gateway answers for the exchange after it', before: creating(doneBut(502, HTML)), end: 'holds' },
  { fault: 'HTML with a good status', before: creating(doneBut(200, HTML)), end: 'holds' },
  { fault: 'half of the JSON', before: creating(truncated), end: 'holds' },
  { fault: 'an empty 200', before: creating(doneBut(200, '')), end: 'holds' },
  { fault: 'three lost answers, one after the other', before: creating(neverArrives, neverArrives, answerLost), end: 'holds' },
  { fault: 'a rate limit of the key', before: creating(refused(10006, 'Too many visits!')), end: 'holds' },
  { fault: 'a rate limit of the address', before: creating(refused(10018, 'Exceeded the IP rate limit.')), end: 'holds' },
  { fault: 'a rate limit that does not end soon', before: creating(...times(6, refused(10006, 'Too many visits!'))), end: 'holds' },
  { fault: '429', before: creating(instead(429, '')), end: 'holds' },
  { fault: 'a clock that disagrees, once', before: creating(refused(10002, 'invalid request')), end: 'holds' },
  { fault: 'the exchange’s clock jumps ahead', before: (rig) => rig.drift(20_000), end: 'holds' },
  { fault: 'the exchange’s clock falls behind', before: (rig) => rig.drift(-20_000), end: 'holds' },
  {
    fault: 'a duplicate id, of an order that is there',
    before: creating(doneButRefused(110072, 'OrderLinkedID is duplicate')),
    end: 'holds',
  },
  {
    fault: 'a lost answer, and the order shows up late',
    before: (rig) => {
      rig.server.fail('order/create', answerLost);
      rig.server.fail('order/realtime', ...times(5, none));
      rig.server.fail('order/history', ...times(5, none));
    },
    end: 'holds',
  },
  {
    fault: 'too little money',
    before: creating(refused(110007, 'ab not enough for new order')),
    end: 'flat',
    told: ['refused'],
  },
  { fault: 'an unknown refusal', before: creating(refused(179999, 'new rule')), end: 'flat', told: ['refused'] },
  { fault: 'the order is cancelled by the exchange', before: (rig) => rig.venue.fillOnly(0), end: 'flat' },
  {
    fault: 'a part of the order is filled',
    before: (rig) => rig.venue.fillOnly(0.5),
    end: 'holds',
    also: async (rig) => expect((await rig.orders())[0]?.filled).toBeLessThan((await rig.orders())[0]?.quantity ?? 0),
  },
];

/** Faults of a position's stop. */
const protecting: Row[] = [
  { fault: 'the position comes without its stop', before: creating(bare), end: 'holds', told: ['protected'] },
  {
    fault: 'without its stop, and none can be set',
    before: (rig) => {
      rig.server.fail('order/create', bare);
      rig.server.fail('position/trading-stop', refused(10001, 'StopLoss is not possible'));
    },
    end: 'closed',
    why: 'unprotected',
    told: ['unprotected', 'closed'],
  },
  {
    fault: 'without its stop, none can be set, and the answer to closing is lost',
    before: (rig) => {
      rig.server.fail('order/create', bare, answerLost);
      rig.server.fail('position/trading-stop', instead(500, ''));
    },
    end: 'closed',
    why: 'unprotected',
  },
  {
    fault: 'without its stop, none can be set, and closing does not arrive',
    before: (rig) => {
      rig.server.fail('order/create', bare, neverArrives);
      rig.server.fail('position/trading-stop', ...times(3, instead(500, '')));
    },
    end: 'closed',
    why: 'unprotected',
  },
  {
    fault: 'without its stop, while executions come late',
    before: (rig) => {
      const late = () => rig.server.fail('execution/list', none, none, none);
      rig.server.fail('order/create', first(late, bare));
    },
    after: (rig) => expect(rig.venue.position()?.stop).toBe(STOP),
    end: 'holds',
    told: ['protected'],
    untold: ['foreign', 'closed'],
  },
  {
    fault: 'without its stop, while the exchange goes away at once',
    before: (rig) => {
      const away = () => rig.server.fail('execution/list', ...times(2, instead(503, HTML)));
      rig.server.fail('order/create', first(away, bare));
    },
    end: 'holds',
    told: ['protected'],
  },
  { fault: 'the user takes the stop away', after: (rig) => rig.venue.byHand.removeStop(), end: 'holds', told: ['protected'] },
  { fault: 'the stop is hit', after: (rig) => rig.move(STOPPED), end: 'closed', why: 'stop', told: ['closed'] },
  {
    fault: 'liquidation, before the stop could be set again',
    after: (rig) => {
      rig.venue.byHand.removeStop();
      rig.move(LIQUIDATED);
    },
    end: 'closed',
    why: 'liquidation',
    told: ['closed'],
  },
];

/** Wrong or late answers to reads. */
const asking: Row[] = [
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
  { fault: 'half of the executions’ JSON', after: failing('execution/list', truncated), end: 'holds' },
  { fault: 'the wallet is HTML', after: failing('account/wallet-balance', instead(200, HTML)), end: 'holds' },
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

/** Changes of the API key. */
const keys: Row[] = [
  { fault: 'the key is revoked', after: (rig) => void Object.assign(rig.key, { revoked: true }), end: 'broken', why: 'no longer accepts' },
  {
    fault: 'the secret is another one',
    after: (rig) => void Object.assign(rig.key, { secret: 'new' }),
    end: 'broken',
    why: 'no longer accepts',
  },
  { fault: 'the key expires', after: (rig) => void Object.assign(rig.key, { expiresAt: 1 }), end: 'broken', why: 'no longer accepts' },
  {
    fault: 'the key is bound to other addresses',
    after: (rig) => void rig.key.ips.push('203.0.113.7'),
    end: 'broken',
    why: 'other network addresses',
  },
  {
    fault: 'the key may only read any more',
    before: (rig) => void Object.assign(rig.key, { readOnly: true }),
    end: 'broken',
    why: 'not allowed to trade',
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

/** Faults of margin mode and leverage. */
const settingUp: Row[] = [
  {
    fault: 'the leverage is set already',
    setUp: ({ fail }) => fail('position/set-leverage', refused(110043, 'leverage not modified')),
    end: 'holds',
  },
  {
    fault: 'the leverage is refused',
    setUp: ({ fail }) => fail('position/set-leverage', refused(110013, 'cannot set leverage due to risk limit')),
    end: 'broken',
    why: 'leverage',
    also: (rig) => expect(rig.venue.position()).toBeNull(),
  },
  {
    fault: 'isolated margin can not be set',
    setUp: ({ fail }) => fail('account/set-margin-mode', refused(3400045, 'Set margin mode failed')),
    end: 'broken',
    why: 'Isolated margin',
    also: (rig) => expect(rig.venue.position()).toBeNull(),
  },
  { fault: 'the exchange is away at first', setUp: ({ fail }) => fail('account/info', ...times(2, instead(503, HTML))), end: 'flat' },
];

/** Trades by the account's owner. */
const byHand: Row[] = [
  { fault: 'the user closes the position', after: (rig) => rig.venue.byHand.close(), end: 'closed', why: 'by hand', told: ['closed'] },
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
  {
    fault: 'the user holds a position of their own',
    before: (rig) => rig.venue.byHand.order({ direction: 'sell', type: 'market', quantity: 0.02 }),
    end: 'flat',
    told: ['foreign'],
    also: (rig) => expect(rig.venue.position()).toMatchObject({ side: 'short', quantity: 0.02, stop: null }),
  },
];

/** Faults while the user stops the bot. */
const closing: Row[] = [
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
    ([what, fault]): Row => ({
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
    (part): Row => ({
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
const dying: Row[] = [
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
      rig.server.fail('position/trading-stop', refused(10001, 'StopLoss is not possible'));
    },
    after: (rig) => rig.restart(),
    end: 'closed',
    why: 'unprotected',
  },
];

let kept: TestDb;
let stage: BybitStage;
let rig: BybitRig;
beforeAll(async () => {
  // The test runs the engine's rounds itself.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  kept = await openTestDb();
  stage = await openStage();
});
afterEach(() => rig.close());
afterAll(async () => {
  await stage.close();
  await kept.close();
  vi.useRealTimers();
});

const rows = [...entering, ...protecting, ...asking, ...keys, ...settingUp, ...byHand, ...closing, ...dying];

test.each(rows)('$fault: $end', { timeout: 30_000 }, async ({ setUp, before, after, end, why, told = [], untold = [], also }) => {
  rig = await createBybitRig(kept.db, stage, setUp);
  await before?.(rig);
  await rig.signal();
  await after?.(rig);
  await rig.pass(LONG);
  await rig.inspect();

  const bot = await rig.bot();
  const [trade, ...more] = await rig.trades();
  const kinds = await rig.kinds();
  expect(more).toEqual([]);
  expect(kinds).toEqual(expect.arrayContaining([...told]));
  for (const kind of untold) expect(kinds).not.toContain(kind);
  if (end === 'holds') {
    expect(bot).toMatchObject({ status: 'RUNNING', position: { side: 'long', stop: STOP } });
    expect(trade).toMatchObject({ side: 'long', closedAt: null, quantity: rig.venue.position()?.quantity });
  } else if (end === 'flat') {
    expect(bot).toMatchObject({ status: 'RUNNING', position: null });
    expect(trade).toBeUndefined();
  } else if (end === 'closed') {
    expect(bot?.position).toBeNull();
    expect(trade).toMatchObject({ reason: why });
    expect(trade?.closedAt).not.toBeNull();
    expect(kinds.filter((kind) => kind === 'closed')).toHaveLength(1);
  } else {
    expect(bot?.status).toBe('ERROR');
    expect(bot?.statusReason).toContain(why);
    const held = rig.venue.position();
    if (held) expect(held.stop).toBe(STOP);
    expect(kinds.filter((kind) => kind === 'error')).toHaveLength(1);
  }
  await also?.(rig);
});
