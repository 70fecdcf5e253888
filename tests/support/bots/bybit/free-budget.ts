import type { AddressBudget } from '#server/ports/exchange/address-budget.ts';

/** A budget without a limit, for tests of something else. */
export const freeBudget: AddressBudget = { take: async () => undefined, block: async () => undefined };
