import { PLANS, type Plan, UNLIMITED } from '#domain/plans/plans.ts';
import { PRODUCT } from '#domain/product.ts';

/** What the app can do for the user, which the market's figures do not tell. The analyst sees no accounts. */

export const answerBots = (): string =>
  [
    'A trading bot follows the trend of BTC and enters at support and resistance levels, one position at a time, each with a stop and a target. It trades BTC perpetual futures, on paper or on an exchange. You can lose all the money you give it.',
    "I can't see your bots. The page Trading Bot shows what each of them does, its trades, and for each candle why it did not trade.",
  ].join('\n\n');

export const answerPlan = (): string =>
  [
    "I can't see your plan. Manage Subscription in Settings shows it, and what is left of it this month.",
    Object.values(PLANS).map(planLine).join('\n'),
  ].join('\n\n');

function planLine({ name, price, questions, chartAnalyses }: Plan): string {
  const limits =
    questions === UNLIMITED
      ? 'questions and chart analyses without a limit'
      : `${questions} questions and ${chartAnalyses} chart analyses a month`;
  return `- ${name}: ${limits}${price === 0 ? '' : `, $${price} a month`}`;
}

/** Answers an insult. */
export const answerInsult = (): string => `I am sorry that ${PRODUCT} did not help. Tell me a coin and a figure, and I try again.`;
