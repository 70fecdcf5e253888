import type { Bot } from '#contract/bots/bot.ts';
import type { Subscription } from '#contract/subscription.ts';

/** The signed-in user's plan, and what is left of it this calendar month (UTC). `asOf`: ms UTC. */
export interface OwnPlan extends Pick<Subscription, 'planType' | 'extraChatAnalysis' | 'extraQuestions'> {
  asOf: number;
}

/** The signed-in user's bots, oldest first. `asOf`: ms UTC. */
export interface OwnBots {
  bots: readonly Bot[];
  asOf: number;
}

/** The rows of the signed-in user, and of no one else: the server's, or what a device has stored. Undefined for what is not at hand. */
export interface Own {
  plan(): Promise<OwnPlan | undefined>;
  bots(): Promise<OwnBots | undefined>;
}
