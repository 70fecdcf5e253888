import type { Tx } from '#server/db/open.ts';
import type { OrderResult } from '#server/strategy/matching/types.ts';
import type { ExchangeOrder } from '../exchange.ts';
import {
  findPaperOrders,
  insertFills,
  insertOrders,
  type KeptAccount,
  type PaperOrder,
  type PlacedFill,
  saveAccounts,
  saveOrders,
} from './account-store.ts';
import type { Past } from './advance-account.ts';

/** Collects the changes of a transaction, to save them at once. */
export function createWriting() {
  const accounts = new Map<string, KeptAccount>();
  const fills: PlacedFill[] = [];
  const orders: PaperOrder[] = [];
  const changes: { botId: string; clientId: string; change: Partial<ExchangeOrder> }[] = [];
  return {
    put(
      botId: string,
      account: KeptAccount,
      { past, order, place }: { past: Past; order: ExchangeOrder | undefined; place: number },
    ): void {
      accounts.set(botId, account);
      if (order) orders.push({ botId, clientId: order.clientId, order });
      for (const { clientId, updatedAt, ...result } of past.orders)
        changes.push({ botId, clientId, change: { ...outcome(result), updatedAt } });
      for (const [index, fill] of past.fills.entries())
        fills.push({ botId, place: place + index, fill: { ...fill, id: `${botId}:${place + index}` } });
    },

    async write(tx: Tx): Promise<void> {
      await insertOrders(tx, orders);
      const asked = changes.map(({ botId, clientId }) => ({ botId, clientIds: [clientId] }));
      const before = await findPaperOrders(tx, asked);
      const changed = new Map<string, PaperOrder>();
      for (const [index, { botId, clientId, change }] of changes.entries()) {
        const name = `${botId} ${clientId}`;
        const order = changed.get(name)?.order ?? before[index]?.[0];
        if (order) changed.set(name, { botId, clientId, order: { ...order, ...change } });
      }
      await saveOrders(tx, [...changed.values()]);
      await insertFills(tx, fills);
      await saveAccounts(tx, accounts);
    },
  };
}

/** Returns an order's outcome as an exchange reports it. */
export const outcome = ({
  state,
  filled,
  ...rest
}: Omit<OrderResult, 'clientId'>): Pick<ExchangeOrder, 'state' | 'filled' | 'price' | 'fees' | 'reject'> => ({
  state: state === 'cancelled' && filled > 0 ? 'partly-filled-cancelled' : state,
  filled,
  ...rest,
});
