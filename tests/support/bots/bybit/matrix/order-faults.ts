import { expect } from 'vitest';
import { DAY } from '#domain/clock.ts';
import {
  bare,
  creating,
  type FaultRow,
  failing,
  forgettingOrder,
  HTML,
  minutes,
  networkFaults,
  none,
  STOP,
  STOPPED,
  settingRefused,
  stopFaults,
  TARGETED,
  times,
} from '../fault-rows.ts';
import { answerLost, doneButRefused, first, instead, listChanged, refused, resultChanged, rowsChanged, same } from '../faults.ts';
import type { BybitRig } from '../rig.ts';

/** Faults of the entry order. */
const entering: FaultRow[] = [
  ...networkFaults('order/create'),
  { fault: 'a rate limit of the key', before: creating(refused(10006, 'Too many visits!')), end: 'holds' },
  { fault: 'a rate limit of the address', before: creating(refused(10018, 'Exceeded the IP rate limit.')), end: 'holds' },
  { fault: 'a rate limit that does not end soon', before: creating(...times(6, refused(10006, 'Too many visits!'))), end: 'holds' },
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
    fault: 'the order’s id is a text of 100 kB',
    before: creating(resultChanged({ orderId: 'x'.repeat(100_000) })),
    end: 'holds',
    also: async (rig) => expect((await rig.orders())[0]?.exchangeId?.length).toBeLessThan(100),
  },
  {
    fault: 'too little money',
    before: creating(refused(110007, 'ab not enough for new order')),
    end: 'flat',
    told: ['refused'],
  },
  {
    fault: 'the user’s identity is not verified any more',
    before: creating(refused(20096, 'need KYC authentication')),
    end: 'flat',
    told: ['refused'],
  },
  {
    fault: 'the exchange excludes the account from trading, once',
    before: creating(refused(10024, 'compliance rules triggered')),
    end: 'flat',
    told: ['key-refused'],
    untold: ['error'],
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

const feeOf = (takerFeeRate: string) => rowsChanged({ takerFeeRate });

/** Fees of the account, which decide the size of an entry. */
const charging: FaultRow[] = [
  {
    fault: 'a high fee makes the position smaller, and stays when the exchange tells an impossible one',
    setUp: ({ fail }) => fail('account/fee-rate', feeOf('0.002')),
    after: async (rig) => {
      rig.wait(DAY);
      rig.server.fail('account/fee-rate', feeOf('0.2'));
      await rig.pass();
    },
    end: 'holds',
    told: ['fee'],
    also: async (rig) => {
      expect(rig.venue.position()?.quantity).toBe(0.3);
      expect(await rig.bot()).toMatchObject({ takerFee: 0.002 });
      expect((await rig.kinds()).filter((kind) => kind === 'fee')).toHaveLength(2);
    },
  },
  {
    fault: 'a fee that is missing from the start counts as the usual one',
    setUp: ({ fail }) => fail('account/fee-rate', none),
    end: 'holds',
    told: ['fee'],
    also: async (rig) => {
      expect(rig.venue.position()?.quantity).toBe(0.357);
      expect(await rig.bot()).toMatchObject({ takerFee: null });
    },
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
    after: forgettingOrder((rig) => {
      rig.wait(DAY);
      rig.venue.restart();
    }),
    end: 'flat',
    told: ['forgotten'],
  },
  {
    fault: 'no list has a filled order, and its executions come late',
    before: (rig) => {
      unlisted(rig);
      rig.server.fail('execution/list', none);
    },
    after: (rig) => minutes(rig, 12),
    end: 'holds',
    told: ['forgotten'],
    also: async (rig) => expect(await rig.orders()).toMatchObject([{ state: 'filled', filled: rig.venue.position()?.quantity }]),
  },
  {
    fault: 'no list has a filled order, only its executions',
    before: unlisted,
    end: 'holds',
    untold: ['forgotten'],
    also: async (rig) => expect(await rig.orders()).toMatchObject([{ state: 'filled', filled: rig.venue.position()?.quantity }]),
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
    fault: 'without its stop, and every answer to setting it is lost',
    before: (rig) => {
      rig.server.fail('order/create', bare);
      rig.server.fail('position/trading-stop', ...times(20, answerLost));
    },
    end: 'holds',
    told: ['protected'],
    untold: ['unprotected', 'closed'],
  },
  {
    fault: 'the list of positions shows no stop at first, although it is set',
    before: (rig) => rig.server.fail('position/list', same, ...times(3, rowsChanged({ stopLoss: '', takeProfit: '' }))),
    after: async (rig) => {
      expect(rig.venue.position()?.stop).toBe(STOP);
      await minutes(rig, 2);
    },
    end: 'holds',
    untold: ['unprotected', 'closed'],
  },
  {
    fault: 'without its stop, and the position has no mark price',
    before: (rig) => {
      rig.server.fail('order/create', bare);
      rig.server.fail('position/list', same, rowsChanged({ markPrice: '' }));
    },
    end: 'holds',
    told: ['protected'],
    untold: ['unprotected', 'closed'],
  },
  {
    fault: 'the stop is triggered, and its order is canceled unfilled',
    after: (rig) => {
      rig.venue.byHand.removeStop();
      rig.move(STOPPED);
    },
    end: 'closed',
    why: 'unprotected',
  },
  {
    fault: 'without its stop, and the price is already beyond the target',
    before: (rig) =>
      rig.server.fail('order/create', (carryOut, call) => {
        const reply = bare(carryOut, call);
        rig.move(TARGETED);
        return reply;
      }),
    end: 'closed',
    why: 'unprotected',
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
  ...stopFaults({ order: 'order/create', protect: 'position/trading-stop' }, { bare, refusal: refused(10001, 'StopLoss is not possible') }),
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
];

/** Faults of margin mode and leverage. */
const settingUp: FaultRow[] = [
  {
    fault: 'the leverage is set already',
    setUp: ({ fail }) => fail('position/set-leverage', refused(110043, 'leverage not modified')),
    end: 'holds',
  },
  settingRefused(
    'the leverage is refused',
    ['position/set-leverage', refused(110013, 'cannot set leverage due to risk limit')],
    'leverage',
  ),
  settingRefused(
    'isolated margin can not be set',
    ['account/set-margin-mode', refused(3400045, 'Set margin mode failed')],
    'Isolated margin',
  ),
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
    fault: 'the user sets 100× alone before the entry',
    before: (rig) => void rig.venue.setLeverage(100),
    end: 'holds',
    also: (rig) => expect(rig.venue.leverage()).toBe(15),
  },
  {
    fault: 'the user sets hedge mode alone before the entry',
    before: (rig) => void Object.assign(rig.venue.settings, { hedge: true }),
    end: 'holds',
    also: (rig) => expect(rig.venue.settings.hedge).toBe(false),
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
      first(({ venue }) => venue?.byHand.order({ direction: 'sell', type: 'market', quantity: 0.02 })),
    ),
    end: 'flat',
    told: ['foreign'],
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

/** Faults of setting up, entering and protecting. */
export const orderFaults: readonly FaultRow[] = [...entering, ...charging, ...forgetting, ...protecting, ...settingUp, ...changedByHand];
