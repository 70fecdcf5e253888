import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { MINUTE } from '#domain/clock.ts';
import { openTestDb, type TestDb } from '#tests/support/server/test-db.ts';
import type { BybitServer } from './bybit-server.ts';
import { type Fault, listChanged, stripped } from './faults.ts';
import { type BybitRig, type BybitStage, createBybitRig, openStage } from './rig.ts';

/** The strategy's stop, and prices beyond the stop and beyond liquidation, USD. */
export const STOP = 26_881.2;
export const STOPPED = 26_500;
export const LIQUIDATED = 25_000;
export const HTML = '<html><body>Bad gateway</body></html>';
/** More rounds than the engine ever waits. */
export const LONG = 9;

/**
 * A fault and the expected end. `holds` has the signaled position with its stop, `flat` has opened nothing, `closed` had
 * a position, and `broken` waits for the user.
 */
export interface FaultRow {
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

export const failing =
  (path: string, ...faults: Fault[]) =>
  (rig: BybitRig) =>
    rig.server.fail(path, ...faults);
export const creating = (...faults: Fault[]) => failing('order/create', ...faults);
export const times = <T>(count: number, of: T): T[] => Array.from({ length: count }, () => of);
export const none = listChanged(() => []);
/** Removes stop and target from the order. */
export const bare = stripped('stopLoss', 'takeProfit');
/** Returns how often the tests of this stage have called a path. */
export const callsOf = ({ server }: BybitRig, path: string): number => server.calls.filter((call) => call.path === path).length;
/** Runs the engine once a minute. */
export const minutes = async (rig: BybitRig, count: number): Promise<void> => {
  for (let minute = 0; minute < count; minute++) {
    rig.wait(MINUTE);
    await rig.pass();
  }
};
export const stopping = (rig: BybitRig) => rig.change({ status: 'STOPPING', stopMode: 'close' });

/** Opens one stage for the tests of a file. Returns `run`: with a row's fault, engine and adapter come to the row's end. */
export function openFaultStage(): { run: (row: FaultRow) => Promise<void> } {
  let kept: TestDb;
  let stage: BybitStage;
  let rig: BybitRig | undefined;
  beforeAll(async () => {
    // The test runs the engine's rounds itself.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    kept = await openTestDb();
    stage = await openStage();
  });
  afterEach(() => rig?.close());
  afterAll(async () => {
    await stage.close();
    await kept.close();
    vi.useRealTimers();
  });

  return {
    async run(row) {
      rig = await createBybitRig(kept.db, stage, row.setUp);
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

async function expectEnd(rig: BybitRig, { end, why, told = [], untold = [] }: FaultRow): Promise<void> {
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
