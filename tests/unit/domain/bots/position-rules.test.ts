import { expect, it } from 'vitest';
import { closingEstimate } from '#domain/bots/position-rules.ts';
import { PERPETUAL } from '#server/strategy/matching/perpetual.ts';

it('estimates the cost of a close as the paper exchange charges it', () => {
  const { cost, result } = closingEstimate({ quantity: 0.1, mark_price: 60_000, unrealised_pnl: 20 });
  expect(cost).toBeCloseTo(6000 * (PERPETUAL.takerFee + PERPETUAL.slippage), 9);
  expect(result).toBeCloseTo(15.5, 9);
});

it("estimates it by the account's own fee", () => {
  const { cost } = closingEstimate({ quantity: 0.1, mark_price: 60_000, unrealised_pnl: 20 }, 0.001);
  expect(cost).toBeCloseTo(6000 * (0.001 + PERPETUAL.slippage), 9);
});
