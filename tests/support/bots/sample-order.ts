import { randomUUID } from 'node:crypto';
import { uuidv5 } from '#server/bots/store/uuid.ts';
import type { NewOrder } from '#server/ports/exchange/exchange.ts';

/** Creates an order id in the engine's format. */
export const newOrderId = (): string => uuidv5(randomUUID(), '6ba7b810-9dad-11d1-80b4-00c04fd430c8');

/** Returns a market order around a price of 60,000, with another id each time. */
export const marketOrder = (changes: Partial<NewOrder> = {}): NewOrder => ({
  clientId: newOrderId(),
  direction: 'buy',
  type: 'market',
  quantity: 0.05,
  stop: 59_000,
  target: 63_000,
  ...changes,
});
