import { expect } from 'vitest';
import { DAY, MINUTE, SECOND } from '#domain/clock.ts';
import {
  bare,
  callsOf,
  creating,
  type FaultRow,
  failing,
  HTML,
  LIQUIDATED,
  minutes,
  STOP,
  STOPPED,
  stopping,
  times,
} from '../fault-rows.ts';
import {
  afterwards,
  answerLost,
  doneBut,
  doneButRefused,
  first,
  instead,
  listChanged,
  neverArrives,
  refused,
  rowsChanged,
  truncated,
} from '../faults.ts';
import type { BybitRig } from '../rig.ts';
import { type Cruelty, KIND } from '../venue.ts';

const cruel =
  (cruelty: Partial<Cruelty>) =>
  (rig: BybitRig): void =>
    void Object.assign(rig.venue.cruelty, cruelty);
/** An answer that says nothing, with a good code. */
const EMPTY = JSON.stringify({ retCode: 0, retMsg: 'OK', result: {}, time: 0 });
/** A candle at one price, or from a price to another. */
const stretch = (from: number, to = from) => ({ time: 0, open: from, low: Math.min(from, to), high: Math.max(from, to), close: to });
/** Moves last and mark price apart from the price of the entry. */
function moveApart(rig: BybitRig, last: number, mark: number): void {
  const entry = rig.venue.position()?.entryPrice ?? 0;
  rig.venue.advanceApart(stretch(entry, last), stretch(entry, mark));
}

/** Shows an order as half filled and still at work. */
const partlyFilled = listChanged((list) =>
  list.map((row) => ({ ...row, orderStatus: 'PartiallyFilled', cumExecQty: String(Number(row.cumExecQty) / 2) })),
);

/** Orders that the exchange accepts first, and executes or rejects later. */
const accepting: FaultRow[] = [
  ...([5, 40, 100] as const).flatMap((seconds) =>
    [false, true].map(
      (hidesAccepted): FaultRow => ({
        fault: `the order is executed ${seconds} s after its acceptance, ${hidesAccepted ? 'and in no list until then' : 'and listed as open'}`,
        before: cruel({ orderDelay: seconds * SECOND, hidesAccepted }),
        end: 'holds',
        untold: ['foreign', 'closed', 'refused'],
      }),
    ),
  ),
  ...(['EC_NoImmediateQtyToFill', 'EC_AvailableBalanceNotEnough'] as const).flatMap((rejectReason) =>
    [false, true].map(
      (hidesAccepted): FaultRow => ({
        fault: `the order is rejected after its acceptance with ${rejectReason}${hidesAccepted ? ', and in no list until then' : ''}`,
        before: cruel({ orderDelay: 5 * SECOND, rejectReason, hidesAccepted }),
        end: 'flat',
        told: ['refused'],
      }),
    ),
  ),
  {
    fault: 'the order is executed 20 s later, and the answer to it is lost',
    before: (rig) => {
      cruel({ orderDelay: 20 * SECOND })(rig);
      rig.server.fail('order/create', answerLost);
    },
    end: 'holds',
  },
  {
    fault: 'the order is executed 20 s later, in no list until then, and the answer to it is lost',
    before: (rig) => {
      cruel({ orderDelay: 20 * SECOND, hidesAccepted: true })(rig);
      rig.server.fail('order/create', answerLost);
    },
    end: 'holds',
  },
  {
    fault: 'the order is executed 20 s later, and the process is killed when it is accepted',
    before: (rig) => {
      cruel({ orderDelay: 20 * SECOND, hidesAccepted: true })(rig);
      rig.server.fail('order/create', afterwards(rig.kill));
    },
    after: (rig) => rig.restart(),
    end: 'holds',
  },
  {
    fault: 'the order is executed 20 s later without its stop',
    before: (rig) => {
      cruel({ orderDelay: 20 * SECOND })(rig);
      rig.server.fail('order/create', bare);
    },
    end: 'holds',
    told: ['protected'],
  },
  {
    fault: 'the order is executed 20 s later, and its execution is listed a minute after that',
    before: cruel({ orderDelay: 20 * SECOND, executionDelay: MINUTE }),
    end: 'holds',
    untold: ['foreign', 'closed'],
  },
  {
    fault: 'the order is executed 5 s later, and the stop is hit at once',
    before: cruel({ orderDelay: 5 * SECOND }),
    after: async (rig) => {
      await rig.pass();
      rig.move(STOPPED);
    },
    end: 'closed',
    why: 'stop',
  },
  ...([5, 40] as const).map(
    (seconds): FaultRow => ({
      fault: `stopping: the order is executed ${seconds} s later, in no list until then`,
      after: async (rig) => {
        cruel({ orderDelay: seconds * SECOND, hidesAccepted: true })(rig);
        await stopping(rig);
      },
      end: 'closed',
      why: 'stopped',
      also: (rig) => expect(rig.venue.position()).toBeNull(),
    }),
  ),
  {
    fault: 'stopping: the order is rejected after its acceptance, once',
    after: async (rig) => {
      cruel({ orderDelay: 5 * SECOND, rejectReason: 'EC_NoImmediateQtyToFill' })(rig);
      await stopping(rig);
      await rig.pass(2);
      expect(rig.venue.position()).not.toBeNull();
      cruel(KIND)(rig);
    },
    end: 'closed',
    why: 'stopped',
    told: ['refused'],
  },
  {
    fault: 'stopping: the process is killed when the order is accepted',
    after: async (rig) => {
      cruel({ orderDelay: 20 * SECOND, hidesAccepted: true })(rig);
      await stopping(rig);
      rig.server.fail('order/create', afterwards(rig.kill));
      await rig.pass();
      await rig.restart();
    },
    end: 'closed',
    why: 'stopped',
    also: (rig) => expect(rig.venue.orders.filter(({ reduceOnly }) => reduceOnly)).toHaveLength(1),
  },
];

/** Executions that are listed late. */
const late: FaultRow[] = [
  ...([20, 60, 150] as const).map(
    (seconds): FaultRow => ({
      fault: `all executions are listed ${seconds} s late`,
      before: cruel({ executionDelay: seconds * SECOND }),
      after: (rig) => minutes(rig, 3),
      end: 'holds',
      untold: ['foreign', 'closed'],
    }),
  ),
  {
    fault: 'executions are listed five minutes late, and looks at the position become rarer',
    before: cruel({ executionDelay: 5.5 * MINUTE }),
    after: async (rig) => {
      const start = callsOf(rig, 'execution/list');
      await rig.pass(25);
      expect((await rig.position())?.unsettledSince).toBeDefined();
      const looks = callsOf(rig, 'execution/list') - start;
      expect(looks).toBeGreaterThanOrEqual(6);
      expect(looks).toBeLessThanOrEqual(15);
    },
    end: 'holds',
    untold: ['foreign', 'closed'],
  },
  {
    fault: 'all executions are listed 40 minutes late',
    before: cruel({ executionDelay: 40 * MINUTE }),
    after: async (rig) => {
      await minutes(rig, 25);
      expect(await rig.position()).toMatchObject({ stop: STOP, unsettledSince: expect.any(Number) });
      expect(rig.venue.position()?.stop).toBe(STOP);
      await minutes(rig, 12);
    },
    end: 'holds',
    told: ['unreported', 'opened'],
    untold: ['foreign', 'closed'],
  },
  {
    fault: 'executions are listed 40 minutes late, the user stops the bot and closes the position',
    before: cruel({ executionDelay: 40 * MINUTE }),
    after: async (rig) => {
      await minutes(rig, 20);
      await stopping(rig);
      await minutes(rig, 2);
      expect((await rig.bot())?.status).toBe('STOPPING');
      rig.venue.byHand.close();
      await minutes(rig, 5);
      expect(await rig.bot()).toMatchObject({ status: 'STOPPED', position: null });
      await minutes(rig, 40);
    },
    end: 'closed',
    why: 'by hand',
    told: ['explained'],
    untold: ['foreign'],
  },
  {
    fault: 'executions are listed a minute late, and the stop is hit before',
    before: cruel({ executionDelay: MINUTE }),
    after: (rig) => rig.move(STOPPED),
    end: 'closed',
    why: 'stop',
  },
  {
    fault: 'executions are listed a minute late, and the user stops the bot before',
    before: cruel({ executionDelay: MINUTE }),
    after: async (rig) => {
      await stopping(rig);
      await minutes(rig, 3);
    },
    end: 'closed',
    why: 'stopped',
  },
  {
    fault: 'executions are listed a minute late, and the process is killed before',
    before: (rig) => {
      cruel({ executionDelay: MINUTE })(rig);
      rig.server.fail('order/create', afterwards(rig.kill));
    },
    after: (rig) => rig.restart(),
    end: 'holds',
    untold: ['foreign', 'closed'],
  },
  {
    fault: 'executions are listed a minute late, and the user takes the stop away before',
    before: cruel({ executionDelay: MINUTE }),
    after: (rig) => rig.venue.byHand.removeStop(),
    end: 'holds',
    told: ['protected'],
  },
];

/** Orders that are executed in halves, the second of which is listed late. */
const halves: FaultRow[] = [
  {
    fault: 'the second half of the order is listed a minute late',
    before: cruel({ secondHalfDelay: MINUTE }),
    after: async (rig) => {
      expect(await rig.position()).toMatchObject({ quantity: rig.venue.position()?.quantity, unsettledSince: expect.any(Number) });
      expect(await rig.kinds()).not.toContain('opened');
      await minutes(rig, 3);
    },
    end: 'holds',
    told: ['opened'],
    untold: ['foreign', 'closed'],
  },
  {
    fault: 'the second half of the order is listed a minute late, and the look-up still calls the order partly filled',
    before: (rig) => {
      cruel({ secondHalfDelay: MINUTE })(rig);
      rig.server.fail('order/realtime', ...times(4, partlyFilled));
    },
    after: (rig) => minutes(rig, 3),
    end: 'holds',
    untold: ['foreign', 'closed'],
  },
  {
    fault: 'the second half of the order is listed a minute late, and the user stops the bot before',
    before: cruel({ secondHalfDelay: MINUTE }),
    after: async (rig) => {
      await stopping(rig);
      await rig.pass();
      cruel(KIND)(rig);
      await minutes(rig, 3);
    },
    end: 'closed',
    why: 'stopped',
    also: (rig) => expect(rig.venue.position()).toBeNull(),
  },
  {
    fault: 'the second half of the order is listed 40 minutes late, and the user stops the bot before',
    before: cruel({ secondHalfDelay: 40 * MINUTE }),
    after: async (rig) => {
      await minutes(rig, 20);
      await stopping(rig);
      await minutes(rig, 2);
      expect((await rig.bot())?.status).toBe('STOPPING');
      cruel(KIND)(rig);
      await minutes(rig, 20);
    },
    end: 'closed',
    why: 'stopped',
    told: ['unreported'],
    untold: ['foreign'],
    also: (rig) => expect(rig.venue.position()).toBeNull(),
  },
  {
    fault: 'the second half of the order is listed a minute late, and the stop is hit before',
    before: cruel({ secondHalfDelay: MINUTE }),
    after: async (rig) => {
      cruel(KIND)(rig);
      rig.move(STOPPED);
      await minutes(rig, 4);
    },
    end: 'closed',
    why: 'stop',
    also: async (rig) => expect((await rig.trades())[0]?.quantity).toBe((await rig.orders())[0]?.filled),
  },
  {
    fault: 'stopping: the second half of the order is listed a minute late',
    after: async (rig) => {
      cruel({ secondHalfDelay: MINUTE })(rig);
      await stopping(rig);
      await minutes(rig, 3);
    },
    end: 'closed',
    why: 'stopped',
    also: (rig) => expect(rig.venue.orders.filter(({ reduceOnly }) => reduceOnly)).toHaveLength(1),
  },
];

/** Auto-deleveraging. */
const deleveraging: FaultRow[] = [
  {
    fault: 'the exchange deleverages half of the position, and the stop closes the rest',
    after: async (rig) => {
      rig.venue.deleverage(Math.floor(500 * (rig.venue.position()?.quantity ?? 0)) / 1000);
      await minutes(rig, 2);
      expect((await rig.position())?.quantity).toBe(rig.venue.position()?.quantity);
      rig.move(STOPPED);
    },
    end: 'closed',
    why: 'stop',
  },
  {
    fault: 'the exchange deleverages while its executions are listed two minutes late',
    after: async (rig) => {
      await minutes(rig, 3);
      cruel({ executionDelay: 2 * MINUTE })(rig);
      rig.venue.deleverage();
      await minutes(rig, 3);
    },
    end: 'closed',
    why: 'adl',
  },
  {
    fault: 'the exchange deleverages while it does not answer',
    after: async (rig) => {
      rig.venue.deleverage();
      for (const path of ['position/list', 'execution/list']) rig.server.fail(path, ...times(3, instead(503, HTML)));
      await minutes(rig, 8);
    },
    end: 'closed',
    why: 'adl',
  },
  {
    fault: 'stopping: the exchange deleverages right before the order',
    after: async (rig) => {
      rig.server.fail(
        'order/create',
        first(({ venue }) => venue?.deleverage()),
      );
      await stopping(rig);
    },
    end: 'closed',
    why: 'adl',
  },
  {
    fault: 'the exchange deleverages while the process is dead',
    after: async (rig) => {
      rig.kill();
      rig.venue.deleverage();
      await rig.restart();
    },
    end: 'closed',
    why: 'adl',
  },
];

/** A mark price apart from the last price. */
const apart: FaultRow[] = [
  {
    fault: 'the last price falls beyond the stop, and the mark price does not',
    after: (rig) => moveApart(rig, STOPPED, STOP + 100),
    end: 'holds',
    untold: ['closed'],
  },
  {
    fault: 'the mark price falls beyond the stop, and the last price does not',
    after: (rig) => moveApart(rig, STOP + 300, STOPPED),
    end: 'closed',
    why: 'stop',
  },
  {
    fault: 'the mark price alone reaches liquidation, before the stop could be set again',
    after: (rig) => {
      rig.venue.byHand.removeStop();
      moveApart(rig, STOP + 300, LIQUIDATED);
    },
    end: 'closed',
    why: 'liquidation',
  },
  {
    fault: 'the last price alone reaches the target',
    after: (rig) => {
      const { target, entryPrice = 0 } = rig.venue.position() ?? {};
      moveApart(rig, (target ?? 0) + 50, entryPrice);
    },
    end: 'closed',
    why: 'target',
  },
];

/** Bans of the network address, for ten minutes. */
const banning: FaultRow[] = [
  {
    fault: 'the address is banned before the entry',
    before: (rig) => rig.server.address.ban(),
    after: (rig) => minutes(rig, 12),
    end: 'holds',
  },
  {
    fault: 'the address is banned when the order is done',
    before: (rig) =>
      rig.server.fail(
        'order/create',
        afterwards(() => rig.server.address.ban()),
      ),
    after: (rig) => minutes(rig, 12),
    end: 'holds',
    untold: ['error'],
  },
  {
    fault: 'the address is banned when the order is done, without its stop',
    before: (rig) =>
      rig.server.fail('order/create', (carryOut, call) => {
        const reply = bare(carryOut, call);
        rig.server.address.ban();
        return reply;
      }),
    after: (rig) => minutes(rig, 12),
    end: 'holds',
    told: ['protected'],
  },
  {
    fault: 'the address is banned, and the stop is hit',
    after: async (rig) => {
      rig.server.address.ban();
      rig.move(STOPPED);
      await minutes(rig, 12);
    },
    end: 'closed',
    why: 'stop',
  },
  {
    fault: 'stopping: the address is banned',
    after: async (rig) => {
      rig.server.address.ban();
      await stopping(rig);
      await minutes(rig, 12);
    },
    end: 'closed',
    why: 'stopped',
  },
];

/** A service that restarts, and lists that forget. */
const restarting: FaultRow[] = [
  {
    fault: 'the exchange restarts when the order is filled, and the answer to it is lost',
    before: creating((carryOut, { venue }) => {
      carryOut();
      venue?.restart();
      return 'reset';
    }),
    end: 'holds',
  },
  {
    fault: 'the process is dead for a day after the order',
    before: creating(answerLost),
    after: async (rig) => {
      rig.kill();
      rig.wait(DAY);
      rig.venue.restart();
      await rig.restart();
    },
    end: 'holds',
  },
  {
    fault: 'the process is killed when the order is canceled, and dead until the exchange has forgotten it',
    before: (rig) => {
      rig.venue.fillOnly(0);
      rig.server.fail('order/create', afterwards(rig.kill));
    },
    after: async (rig) => {
      rig.wait(DAY);
      rig.venue.restart();
      await rig.restart();
    },
    end: 'flat',
  },
];

/** Answers to the checks before an entry. */
const checking: FaultRow[] = [
  {
    fault: 'the wallet does not tell the margin mode, and the bot asks for it',
    before: failing(
      'account/wallet-balance',
      listChanged((list) => list.map(({ totalMarginBalance: _, ...row }) => row)),
    ),
    end: 'holds',
    also: (rig) => expect(callsOf(rig, 'account/info')).toBeGreaterThan(1),
  },
  {
    fault: 'the wallet holds no number',
    before: failing('account/wallet-balance', ...times(20, rowsChanged({ coin: [{ coin: 'USDT', equity: 'abc' }] }))),
    end: 'flat',
    also: async (rig) => expect(await rig.orders()).toEqual([]),
  },
  {
    fault: 'the fee of the fill that closes the position is no number at first',
    after: async (rig) => {
      rig.server.fail('execution/list', ...times(2, rowsChanged({ execFee: 'zz' })));
      rig.move(STOPPED);
      await minutes(rig, 3);
    },
    end: 'closed',
    why: 'stop',
    also: async (rig) => expect((await rig.bot())?.equity).toBeGreaterThan(0),
  },
  {
    fault: 'the liquidation price is no number, then the size is negative',
    after: async (rig) => {
      rig.server.fail('position/list', rowsChanged({ liqPrice: '-' }), rowsChanged({ size: '-0.5' }));
      await minutes(rig, 3);
    },
    end: 'holds',
    untold: ['closed', 'closing'],
  },
  { fault: 'half of the wallet’s JSON', before: failing('account/wallet-balance', truncated), end: 'holds' },
  { fault: 'the wallet is HTML', before: failing('account/wallet-balance', instead(502, HTML)), end: 'holds' },
  {
    fault: 'a rate limit of the wallet that does not end soon',
    before: failing('account/wallet-balance', ...times(6, refused(10006, 'Too many visits!'))),
    end: 'holds',
  },
  {
    fault: 'the wallet is empty at first',
    before: failing(
      'account/wallet-balance',
      listChanged(() => []),
    ),
    end: 'flat',
    told: ['passed'],
  },
];

/** More ways of the exchange to leave the end of an order open. */
const unsure: FaultRow[] = [
  { fault: 'code −1 before the order', before: creating(refused(-1, 'timestamp expired')), end: 'holds' },
  { fault: 'code 3400214 when the order is done', before: creating(doneButRefused(3400214, 'Server error')), end: 'holds' },
  { fault: 'code 10016 when the order is done', before: creating(doneButRefused(10016, 'Server error')), end: 'holds' },
  { fault: 'code 10000 before the order', before: creating(refused(10000, 'Server Timeout')), end: 'holds' },
  { fault: 'code 10429', before: creating(refused(10429, 'System level frequency protection')), end: 'holds' },
  { fault: 'code 0 without the order’s id', before: creating(doneBut(200, EMPTY)), end: 'holds' },
  { fault: 'HTTP 504 when the order is done', before: creating(doneBut(504, HTML)), end: 'holds' },
  {
    fault: 'the leverage cannot be restored at first',
    before: (rig) => {
      rig.venue.setLeverage(50);
      rig.server.fail('position/set-leverage', neverArrives);
    },
    end: 'holds',
    also: (rig) => expect(rig.venue.leverage()).toBe(15),
  },
];

/** More refusals of orders. */
const refusing: FaultRow[] = [
  ...([30208, 110003, 110094] as const).map(
    (code): FaultRow => ({
      fault: `the order is refused with code ${code}`,
      before: creating(refused(code, 'order price out of permissible range')),
      end: 'flat',
      told: ['refused'],
    }),
  ),
  {
    fault: 'stopping: code 110017 although the position is open, once',
    after: async (rig) => {
      rig.server.fail('order/create', refused(110017, 'current position is zero, cannot fix reduce-only order qty'));
      await stopping(rig);
    },
    end: 'closed',
    why: 'stopped',
    also: (rig) => expect(rig.venue.position()).toBeNull(),
  },
];

/** What Bybit's documentation allows it to do. */
export const cruelFaults: readonly FaultRow[] = [
  ...accepting,
  ...late,
  ...halves,
  ...deleveraging,
  ...apart,
  ...banning,
  ...restarting,
  ...checking,
  ...unsure,
  ...refusing,
];
