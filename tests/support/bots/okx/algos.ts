import { Refusal, type Venue } from '../bybit/venue.ts';

/** A stop and target at OKX: an order of its own, which a position may leave behind. */
export interface Algo {
  algoId: string;
  algoClOrdId: string;
  side: 'buy' | 'sell';
  /** BTC. */
  quantity: number;
  /** It ends the whole position, and goes with it. Another one stays. */
  isWhole: boolean;
  stop: number | null;
  target: number | null;
}

export interface Levels {
  stop: number | null;
  target: number | null;
}

/** Creates the stops of an account. One of them is at work in its order book, the others only rest. */
export function createAlgos(venue: Venue) {
  let resting: Algo[] = [];
  let atWork: Algo | undefined;
  let made = 0;

  function rest(algoClOrdId: string, isWhole: boolean, { stop, target }: Levels): Algo | undefined {
    const position = venue.position();
    if (!position) return undefined;
    const algo: Algo = {
      algoId: `algo-${++made}`,
      algoClOrdId,
      side: position.side === 'long' ? 'sell' : 'buy',
      quantity: position.quantity,
      isWhole,
      stop,
      target,
    };
    resting.push(algo);
    return algo;
  }

  /** Takes over what happened in the order book. */
  function settle(): void {
    const position = venue.position();
    if (atWork && !position) {
      const isTriggered = ['stop', 'target'].includes(venue.executions.at(-1)?.reason ?? '');
      if (isTriggered || atWork.isWhole) resting = resting.filter((algo) => algo !== atWork);
      atWork = undefined;
    } else if (atWork && position?.stop === null && position.target === null) {
      resting = resting.filter((algo) => algo !== atWork);
      atWork = undefined;
    }
  }

  return {
    list(): readonly Algo[] {
      settle();
      return resting;
    },

    /** The stop that a filled order brings along. */
    attach(algoClOrdId: string): void {
      settle();
      const { stop = null, target = null } = venue.position() ?? {};
      if (stop !== null || target !== null) atWork = rest(algoClOrdId, false, { stop, target });
    },

    /** Places the one order that ends the whole position. */
    place(algoClOrdId: string, { stop, target }: Levels): Algo {
      settle();
      if (!venue.position()) throw new Refusal(51023, 'Position does not exist');
      if (resting.some(({ isWhole }) => isWhole)) throw new Refusal(51000, 'Only one TPSL order closes a position fully');
      work(venue, { stop, target });
      atWork = rest(algoClOrdId, true, { stop, target });
      return atWork as Algo;
    },

    amend(algoId: string, { stop, target }: { stop: number | null | undefined; target: number | null | undefined }): void {
      settle();
      const algo = resting.find((one) => one.algoId === algoId);
      if (!algo) throw new Refusal(51503, 'Order modification failed as the order does not exist');
      const changed = { stop: stop === undefined ? algo.stop : stop, target: target === undefined ? algo.target : target };
      if (algo === atWork) work(venue, changed);
      Object.assign(algo, changed);
    },

    cancel(algoId: string): void {
      settle();
      const algo = resting.find((one) => one.algoId === algoId);
      if (!algo) throw new Refusal(51400, 'Cancellation failed as the order has been filled, canceled or does not exist.');
      resting = resting.filter((one) => one !== algo);
      if (algo !== atWork) return;
      atWork = undefined;
      venue.byHand.removeStop();
    },
  };
}

export type Algos = ReturnType<typeof createAlgos>;

/** Sets the levels in the order book, with OKX's refusals. */
function work(venue: Venue, { stop, target }: Levels): void {
  const isLong = venue.position()?.side === 'long';
  try {
    venue.protect(stop, target);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.message.startsWith('StopLoss'))
      throw new Refusal(isLong ? 51280 : 51278, 'SL trigger price is on the wrong side of the last price');
    if (error.message.startsWith('TakeProfit'))
      throw new Refusal(isLong ? 51279 : 51277, 'TP trigger price is on the wrong side of the last price');
    if (error.code !== 34040) throw error;
  }
}
