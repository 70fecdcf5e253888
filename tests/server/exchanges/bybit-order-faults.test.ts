import { expect, test } from 'vitest';
import { DAY } from '#domain/clock.ts';
import {
  bare,
  creating,
  type FaultRow,
  failing,
  HTML,
  LIQUIDATED,
  minutes,
  none,
  openFaultStage,
  STOP,
  STOPPED,
  stopping,
  times,
} from '#tests/support/bots/bybit/fault-rows.ts';
import {
  answerLost,
  answerSwallowed,
  doneBut,
  doneButRefused,
  first,
  ignored,
  instead,
  listChanged,
  neverArrives,
  refused,
  truncated,
} from '#tests/support/bots/bybit/faults.ts';
import type { BybitRig } from '#tests/support/bots/bybit/rig.ts';

/** Faults of the entry order. */
const entering: FaultRow[] = [
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

/** No list has an order, however often the bot asks. */
const unlisted = (rig: BybitRig) => {
  for (const path of ['order/realtime', 'order/history']) rig.server.fail(path, ...times(200, none));
};

/** Accepted orders that the exchange forgets. */
const forgetting: FaultRow[] = [
  {
    fault: 'the exchange forgets a canceled order, and the bot can still be stopped',
    before: (rig) => {
      rig.venue.fillOnly(0);
      unlisted(rig);
    },
    after: async (rig) => {
      await minutes(rig, 2);
      expect(await rig.orders()).toMatchObject([{ state: 'accepted' }]);
      rig.server.heal();
      rig.wait(DAY);
      rig.venue.restart();
      await minutes(rig, 1);
      expect(await rig.orders()).toMatchObject([{ state: 'cancelled' }]);
      await stopping(rig);
      await rig.pass();
      expect((await rig.bot())?.status).toBe('STOPPED');
      await rig.change({ status: 'RUNNING' });
    },
    end: 'flat',
    told: ['forgotten'],
  },
  {
    fault: 'no list has a filled order, only its executions',
    before: unlisted,
    after: (rig) => minutes(rig, 12),
    end: 'holds',
    told: ['forgotten'],
  },
];

/** Faults of a position's stop. */
const protecting: FaultRow[] = [
  {
    fault: 'without its stop, and the exchange is too busy to set it at first',
    before: (rig) => {
      rig.server.fail('order/create', bare);
      rig.server.fail('position/trading-stop', refused(10016, 'Server error'), refused(110079, 'high load'), instead(503, HTML));
    },
    after: (rig) => expect(rig.venue.position()?.stop).toBe(STOP),
    end: 'holds',
    told: ['protected'],
    untold: ['unprotected'],
  },
  {
    fault: 'without its stop, and the price is already beyond it',
    before: (rig) =>
      rig.server.fail('order/create', (carryOut, call) => {
        const reply = bare(carryOut, call);
        rig.move(STOPPED);
        return reply;
      }),
    end: 'closed',
    why: 'unprotected',
    also: (rig) =>
      expect(rig.server.calls.findLast(({ path }) => /trading-stop|switch-mode/.test(path))?.path).toBe('position/switch-mode'),
  },
  { fault: 'the position comes without its stop', before: creating(bare), end: 'holds', told: ['protected'] },
  {
    fault: 'without its stop, and none can be set',
    before: (rig) => {
      rig.server.fail('order/create', bare);
      rig.server.fail('position/trading-stop', ...times(20, refused(10001, 'StopLoss is not possible')));
    },
    end: 'closed',
    why: 'unprotected',
    told: ['unprotected', 'closed'],
  },
  {
    fault: 'without its stop, none can be set, and the answer to closing is lost',
    before: (rig) => {
      rig.server.fail('order/create', bare, answerLost);
      rig.server.fail('position/trading-stop', ...times(20, instead(500, '')));
    },
    end: 'closed',
    why: 'unprotected',
  },
  {
    fault: 'without its stop, none can be set, and closing does not arrive',
    before: (rig) => {
      rig.server.fail('order/create', bare, neverArrives);
      rig.server.fail('position/trading-stop', ...times(20, instead(500, '')));
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

/** Faults of margin mode and leverage. */
const settingUp: FaultRow[] = [
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

const poor = listChanged((list) => [{ ...list[0], coin: [{ coin: 'USDT', equity: '50' }] }]);

/** Changes that the account's owner made by hand after the bot was set up. */
const changedByHand: FaultRow[] = [
  {
    fault: 'the user sets 100×, cross margin and hedge mode before the entry',
    before: (rig) => {
      rig.venue.setLeverage(100);
      Object.assign(rig.venue.settings, { marginMode: 'REGULAR_MARGIN', hedge: true });
    },
    end: 'holds',
    also: (rig) => {
      expect(rig.venue.leverage()).toBe(15);
      expect(rig.venue.settings).toEqual({ marginMode: 'ISOLATED_MARGIN', hedge: false });
    },
  },
  {
    fault: 'the user sets cross margin, and isolated margin can not be set again',
    before: (rig) => {
      rig.venue.settings.marginMode = 'REGULAR_MARGIN';
      rig.server.fail('account/set-margin-mode', ...times(5, refused(3400045, 'Set margin mode failed')));
    },
    end: 'flat',
    told: ['passed'],
  },
  {
    fault: 'the account holds 50 USD, and the bot counts on 10,000',
    before: failing('account/wallet-balance', ...times(20, poor)),
    end: 'flat',
    told: ['passed'],
    also: async (rig) => expect(await rig.orders()).toEqual([]),
  },
  {
    fault: 'the user opens a position right before the entry',
    before: failing(
      'position/list',
      (carryOut) => carryOut(),
      first(({ venue }) => venue?.byHand.order({ direction: 'sell', type: 'market', quantity: 0.02 })),
    ),
    end: 'flat',
    told: ['passed'],
    also: (rig) => expect(rig.venue.position()).toMatchObject({ side: 'short', quantity: 0.02 }),
  },
  {
    fault: 'the user sets 100× while the order is on its way, so that liquidation comes before the stop',
    before: creating(first(({ venue }) => venue?.setLeverage(100))),
    end: 'closed',
    why: 'unsafe',
    told: ['unsafe', 'closed'],
    also: (rig) => expect(rig.venue.position()).toBeNull(),
  },
];

const { run } = openFaultStage();

test.each([...entering, ...forgetting, ...protecting, ...settingUp, ...changedByHand])('$fault: $end', { timeout: 30_000 }, (row) =>
  run(row),
);
