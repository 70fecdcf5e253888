import type { Bot } from '#contract/bots/bot.ts';
import type { Own, OwnPlan } from '#domain/analyst/own.ts';
import { bot } from '#tests/support/bots/listed-bot.ts';

/** The time of the rows, ms UTC. */
export const OWN_AS_OF = Date.parse('2026-05-13T09:30:00Z');

/** A user's bots: one in a position, one that another limit keeps from trading. */
export const ownBots: readonly Bot[] = [
  bot({
    position: {
      side: 'long',
      quantity: 0.0125,
      entry_price: 60_000,
      mark_price: 60_984,
      stop_price: 59_000,
      target_price: 64_000,
      liquidation_price: 56_300,
      unrealised_pnl: 12.3,
      opened_at: '2026-05-13T08:00:00.000Z',
    },
  }),
  bot({
    bot_id: 'bot-2',
    bot_name: 'Tide *two*',
    status: 'STOPPED',
    status_reason: null,
    equity: 940.5,
    created_at: '2026-03-02T00:00:00.000Z',
  }),
];

export const ownPlan: OwnPlan = { planType: 'FREE', extraQuestions: 7, extraChatAnalysis: 3, asOf: OWN_AS_OF };

/** Rows of a user for the analyst. */
export const ownOf = ({ bots = ownBots, plan = ownPlan }: { bots?: readonly Bot[]; plan?: OwnPlan } = {}): Own => ({
  plan: async () => plan,
  bots: async () => ({ bots, asOf: OWN_AS_OF }),
});
