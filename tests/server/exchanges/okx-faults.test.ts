import { expect, test } from 'vitest';
import { HOUR, SECOND } from '#domain/clock.ts';
import {
  type FaultRow,
  failing,
  forgettingOrder,
  HTML,
  keyRefused,
  minutes,
  networkFaults,
  openFaultStage,
  positionFaults,
  STOP,
  STOPPED,
  settingRefused,
  stopFaults,
  stopping,
  times,
} from '#tests/support/bots/bybit/fault-rows.ts';
import { answerLost, type Fault, instead, stripped } from '#tests/support/bots/bybit/faults.ts';
import type { LiveRig } from '#tests/support/bots/bybit/rig.ts';
import { doneButRefusedByOkx, refusedByOkx, rowsChanged } from '#tests/support/bots/okx/okx-faults.ts';
import type { OkxServer } from '#tests/support/bots/okx/okx-server.ts';
import { openOkxStage } from '#tests/support/bots/okx/stage.ts';

type Row = FaultRow<LiveRig<OkxServer>>;

const ORDER = 'POST trade/order';
const PROTECT = 'POST trade/order-algo';
const UNKNOWN = refusedByOkx(51603, 'Order does not exist');
const creating = (...faults: Fault[]) => failing(ORDER, ...faults);
/** Removes stop and target from the order. */
const bare = stripped('attachAlgoOrds');

/** Faults of the entry order. */
const entering: Row[] = [
  ...networkFaults(ORDER),
  { fault: 'a rate limit of the account', before: creating(refusedByOkx(50011)), end: 'holds' },
  { fault: 'a rate limit that does not end soon', before: creating(...times(6, refusedByOkx(50061))), end: 'holds' },
  { fault: 'a clock that disagrees, once', before: creating(refusedByOkx(50102)), end: 'holds' },
  { fault: 'the exchange’s clock jumps ahead', before: (rig) => rig.drift(60_000), end: 'holds' },
  { fault: 'the exchange’s clock falls behind', before: (rig) => rig.drift(-60_000), end: 'holds' },
  { fault: 'a duplicate id, of an order that is there', before: creating(doneButRefusedByOkx(51016)), end: 'holds' },
  { fault: 'the exchange does not know the outcome', before: creating(doneButRefusedByOkx(50004)), end: 'holds' },
  {
    fault: 'a lost answer, and the order shows up late',
    before: (rig) => {
      rig.server.fail(ORDER, answerLost);
      rig.server.fail('trade/order', ...times(5, UNKNOWN));
    },
    end: 'holds',
  },
  {
    fault: 'the order is executed half a minute after its acceptance',
    before: (rig) => void Object.assign(rig.venue.cruelty, { orderDelay: 30 * SECOND }),
    end: 'holds',
  },
  {
    fault: 'the accepted order is unknown until it is executed',
    before: (rig) => void Object.assign(rig.venue.cruelty, { orderDelay: 10 * SECOND, hidesAccepted: true }),
    end: 'holds',
  },
  { fault: 'too little money', before: creating(refusedByOkx(51008)), end: 'flat', told: ['refused'] },
  { fault: 'an unknown refusal', before: creating(refusedByOkx(51999)), end: 'flat', told: ['refused'] },
  { fault: 'the order is canceled by the exchange', before: (rig) => rig.venue.fillOnly(0), end: 'flat' },
  {
    fault: 'a part of the order is filled, and its stop does not come along',
    before: (rig) => rig.venue.fillOnly(0.5),
    end: 'holds',
    told: ['protected'],
    also: async (rig) => expect((await rig.orders())[0]?.filled).toBeLessThan((await rig.orders())[0]?.quantity ?? 0),
  },
  {
    fault: 'the exchange forgets a canceled order after two hours, and the bot can still be stopped',
    before: (rig) => {
      rig.venue.fillOnly(0);
      rig.server.fail('trade/order', ...times(200, UNKNOWN));
    },
    after: forgettingOrder((rig) => rig.wait(2 * HOUR)),
    end: 'flat',
    told: ['forgotten'],
  },
  {
    fault: 'the exchange blocks the network address for ten minutes',
    after: async (rig) => {
      rig.server.address.ban();
      await minutes(rig, 11);
    },
    end: 'holds',
    untold: ['closed', 'error'],
  },
];

/** Faults of a position's stop. */
const protecting: Row[] = [
  ...stopFaults({ order: ORDER, protect: PROTECT }, { bare, refusal: refusedByOkx(51000) }),
  {
    fault: 'without its stop, and the exchange is too busy to set it at first',
    before: (rig) => {
      rig.server.fail(ORDER, bare);
      rig.server.fail(PROTECT, refusedByOkx(50026), refusedByOkx(50011), instead(503, HTML));
    },
    end: 'holds',
    told: ['protected'],
  },
  {
    fault: 'the answer to a new stop is lost',
    before: (rig) => {
      rig.server.fail(ORDER, bare);
      rig.server.fail(PROTECT, answerLost);
    },
    end: 'holds',
    also: (rig) => expect(rig.key.algos.list()).toHaveLength(1),
  },
];

/** Faults of the account's settings, its key, and of reads. */
const others: Row[] = [
  settingRefused('the leverage is refused', ['POST account/set-leverage', refusedByOkx(59102)], 'leverage'),
  { fault: 'the exchange is away at first', setUp: ({ fail }) => fail('account/config', ...times(2, instead(503, HTML))), end: 'flat' },
  {
    fault: 'the user sets 100× and hedge mode before the entry',
    before: (rig) => {
      rig.venue.setLeverage(100);
      rig.venue.settings.hedge = true;
    },
    end: 'holds',
    also: (rig) => {
      expect(rig.venue.leverage()).toBe(15);
      expect(rig.venue.settings.hedge).toBe(false);
    },
  },
  {
    fault: 'executions come twice, and in another order',
    after: (rig) => {
      rig.move(STOPPED);
      rig.server.fail(
        'trade/fills',
        ...times(
          3,
          rowsChanged((rows) => [...rows].reverse().concat(rows)),
        ),
      );
    },
    end: 'closed',
    why: 'stop',
  },
  keyRefused('the passphrase is another one', { passphrase: 'new' }),
  { fault: 'the bot is stopped', after: stopping, end: 'closed', why: 'stopped', also: (rig) => expect(rig.key.algos.list()).toEqual([]) },
  {
    fault: 'the bot is stopped, and the answer to closing is lost',
    after: async (rig) => {
      rig.server.fail(ORDER, answerLost);
      await stopping(rig);
    },
    end: 'closed',
    why: 'stopped',
  },
  {
    fault: 'the engine is killed when the order is placed',
    before: (rig) =>
      rig.server.fail(ORDER, (carryOut) => {
        rig.kill();
        return carryOut();
      }),
    after: async (rig) => {
      await rig.restart();
      expect(rig.venue.position()?.stop).toBe(STOP);
    },
    end: 'holds',
  },
];

const { run } = openFaultStage(openOkxStage);

test.each([...entering, ...positionFaults, ...protecting, ...others])('$fault: $end', { timeout: 30_000 }, (row) => run(row));
