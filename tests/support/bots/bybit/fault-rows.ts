import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { MINUTE } from '#domain/clock.ts';
import { openTestDb, type TestDb } from '#tests/support/server/test-db.ts';
import {
  answerLost,
  answerSwallowed,
  doneBut,
  type Fault,
  ignored,
  instead,
  listChanged,
  neverArrives,
  stripped,
  truncated,
} from './faults.ts';
import { type BybitRig, createLiveRig, type LiveRig, type Stage } from './rig.ts';

/** The strategy's stop, and prices beyond the stop and beyond liquidation, USD. */
export const STOP = 26_881.2;
export const STOPPED = 26_500;
export const LIQUIDATED = 25_000;
/** A price beyond the strategy's target, USD. */
export const TARGETED = 40_000;
export const HTML = '<html><body>Bad gateway</body></html>';
/** More rounds than the engine ever waits. */
export const LONG = 9;

/**
 * A fault and the expected end. `holds` has the signaled position with its stop, `flat` has opened nothing, `closed` had
 * a position, and `broken` waits for the user.
 */
export interface FaultRow<Rig extends LiveRig = BybitRig> {
  fault: string;
  /** Injects faults into the setup of the bot. */
  setUp?: (server: Rig['server']) => void;
  /** Injects faults before the candle closes. */
  before?: (rig: Rig) => unknown;
  /** Runs after the engine has handled the candle. */
  after?: (rig: Rig) => unknown;
  end: 'holds' | 'flat' | 'closed' | 'broken';
  /** Reason for the close or the error. */
  why?: string;
  /** Kinds of events that the user must see. */
  told?: readonly string[];
  /** Kinds of events that must not exist. */
  untold?: readonly string[];
  /** Further checks. */
  also?: (rig: Rig) => unknown;
}

export const failing =
  (path: string, ...faults: Fault[]) =>
  (rig: LiveRig) =>
    rig.server.fail(path, ...faults);
export const creating = (...faults: Fault[]) => failing('order/create', ...faults);
export const times = <T>(count: number, of: T): T[] => Array.from({ length: count }, () => of);
export const none = listChanged(() => []);
/** Faults of the network that an order may meet at any exchange. `path` places orders. */
export const networkFaults = (path: string): FaultRow<LiveRig>[] => {
  const placing = (...faults: Fault[]) => failing(path, ...faults);
  return [
    { fault: 'nothing', end: 'holds', told: ['running', 'opened'] },
    { fault: 'the answer is lost when the order is done', before: placing(answerLost), end: 'holds' },
    { fault: 'the connection breaks before it', before: placing(neverArrives), end: 'holds' },
    { fault: 'no answer, and the order is not placed', before: placing(ignored), end: 'holds' },
    { fault: 'no answer, and the order is placed', before: placing(answerSwallowed), end: 'holds' },
    { fault: '500 before it', before: placing(instead(500, '')), end: 'holds' },
    { fault: '500 after it', before: placing(doneBut(500, '')), end: 'holds' },
    { fault: '503 of an exchange under maintenance', before: placing(instead(503, HTML)), end: 'holds' },
    { fault: 'a gateway answers for the exchange after it', before: placing(doneBut(502, HTML)), end: 'holds' },
    { fault: 'HTML with a good status', before: placing(doneBut(200, HTML)), end: 'holds' },
    { fault: 'half of the JSON', before: placing(truncated), end: 'holds' },
    { fault: 'an empty 200', before: placing(doneBut(200, '')), end: 'holds' },
    { fault: 'three lost answers, one after the other', before: placing(neverArrives, neverArrives, answerLost), end: 'holds' },
    { fault: '429', before: placing(instead(429, '')), end: 'holds' },
  ];
};
/** Faults of what the account's owner, the price and the exchange do to a position, at any exchange. */
export const positionFaults: FaultRow<LiveRig>[] = [
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
  { fault: 'the exchange deleverages the position', after: (rig) => rig.venue.deleverage(), end: 'closed', why: 'adl', told: ['closed'] },
  { fault: 'the user closes the position', after: (rig) => rig.venue.byHand.close(), end: 'closed', why: 'by hand', told: ['closed'] },
  {
    fault: 'the stop is hit, and its execution comes two minutes later',
    after: async (rig) => {
      await minutes(rig, 3);
      rig.venue.cruelty.executionDelay = 2 * MINUTE;
      rig.move(STOPPED);
      await minutes(rig, 1);
      expect((await rig.position())?.unsettledSince).toBeDefined();
    },
    end: 'closed',
    why: 'stop',
    untold: ['explained'],
  },
  {
    fault: 'the user holds a position of their own',
    before: (rig) => rig.venue.byHand.order({ direction: 'sell', type: 'market', quantity: 0.02 }),
    end: 'flat',
    told: ['foreign'],
    also: (rig) => expect(rig.venue.position()).toMatchObject({ side: 'short', quantity: 0.02, stop: null }),
  },
];
/**
 * Faults of an entry that comes without its stop, at any exchange.
 * @param calls the paths that place an order and set a stop
 * @param bare removes the stop from an order
 * @param refusal refuses to set a stop
 */
export const stopFaults = (
  calls: { order: string; protect: string },
  { bare, refusal }: { bare: Fault; refusal: Fault },
): FaultRow<LiveRig>[] => [
  { fault: 'the position comes without its stop', before: failing(calls.order, bare), end: 'holds', told: ['protected'] },
  {
    fault: 'without its stop, and none can be set',
    before: (rig) => {
      rig.server.fail(calls.order, bare);
      rig.server.fail(calls.protect, ...times(20, refusal));
    },
    end: 'closed',
    why: 'unprotected',
    told: ['unprotected', 'closed'],
  },
  {
    fault: 'without its stop, none can be set, and closing does not arrive',
    before: (rig) => {
      rig.server.fail(calls.order, bare, neverArrives);
      rig.server.fail(calls.protect, ...times(20, instead(500, '')));
    },
    end: 'closed',
    why: 'unprotected',
  },
];
/** A setting of the account that the exchange refuses while the bot is set up. */
export const settingRefused = (fault: string, [path, refusal]: [string, Fault], why: string): FaultRow<LiveRig> => ({
  fault,
  setUp: ({ fail }) => fail(path, refusal),
  end: 'broken',
  why,
  also: (rig) => expect(rig.venue.position()).toBeNull(),
});
/** A change that makes the exchange refuse the key. */
export const keyRefused = (fault: string, change: object): FaultRow<LiveRig> => ({
  fault,
  after: (rig) => {
    Object.assign(rig.key, change);
    return minutes(rig, 12);
  },
  end: 'broken',
  why: 'no longer accepts',
});
/** Checks that the bot waits for a canceled order that no answer has until `forget`, and can be stopped after it. */
export const forgettingOrder = (forget: (rig: LiveRig) => void) => async (rig: LiveRig) => {
  await minutes(rig, 2);
  expect(await rig.orders()).toMatchObject([{ state: 'accepted' }]);
  rig.server.heal();
  forget(rig);
  await minutes(rig, 1);
  expect(await rig.orders()).toMatchObject([{ state: 'cancelled' }]);
  await stopping(rig);
  await rig.pass();
  expect((await rig.bot())?.status).toBe('STOPPED');
  await rig.change({ status: 'RUNNING' });
};
/** Removes stop and target from the order. */
export const bare = stripped('stopLoss', 'takeProfit');
/** Returns how often the tests of this stage have called a path. */
export const callsOf = ({ server }: LiveRig, path: string): number => server.calls.filter((call) => call.path === path).length;
/** Runs the engine once a minute. */
export const minutes = async (rig: LiveRig, count: number): Promise<void> => {
  for (let minute = 0; minute < count; minute++) {
    rig.wait(MINUTE);
    await rig.pass();
  }
};
export const stopping = (rig: LiveRig) => rig.change({ status: 'STOPPING', stopMode: 'close' });

/** Opens one stage for the tests of a file. Returns `run`: with a row's fault, engine and adapter come to the row's end. */
export function openFaultStage<Server extends LiveRig['server']>(open: () => Promise<Stage<Server>>) {
  let kept: TestDb;
  let stage: Stage<Server>;
  let rig: LiveRig<Server> | undefined;
  beforeAll(async () => {
    // The test runs the engine's rounds itself.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    kept = await openTestDb();
    stage = await open();
  });
  afterEach(() => rig?.close());
  afterAll(async () => {
    await stage.close();
    await kept.close();
    vi.useRealTimers();
  });

  return {
    async run(row: FaultRow<LiveRig<Server>>): Promise<void> {
      rig = await createLiveRig(kept.db, stage, row.setUp);
      await row.before?.(rig);
      await rig.signal();
      await row.after?.(rig);
      await rig.pass(LONG);
      await rig.inspect();
      await expectEnd(rig, row);
      await row.also?.(rig);
    },
  };
}

async function expectEnd(
  rig: LiveRig,
  { end, why, told = [], untold = [] }: Pick<FaultRow, 'end' | 'why' | 'told' | 'untold'>,
): Promise<void> {
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
}
