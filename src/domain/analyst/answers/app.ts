import { PLANS, type Plan, UNLIMITED } from '#domain/plans/plans.ts';
import { PRODUCT } from '#domain/product.ts';

/** What the app can do for every user, which the market's figures do not tell. */

export const answerBots = (): string =>
  [
    'A trading bot follows the trend of BTC and enters at support and resistance levels, one position at a time, each with a stop and a target. It trades BTC perpetual futures, on paper or on an exchange. You can lose all the money you give it.',
    'I can only see your own bots: ask "what do my bots do". The page [Trading Bot](/trading-bot) shows every trade, and for each candle why there was none.',
  ].join('\n\n');

export const answerPlans = (): string =>
  [
    Object.values(PLANS).map(planLine).join('\n'),
    'Ask "what is my plan" for yours, and what is left of it this month. [Manage Subscription](/settings/manage-subscription) changes it.',
  ].join('\n\n');

function planLine({ name, price, questions, chartAnalyses }: Plan): string {
  const limits =
    questions === UNLIMITED
      ? 'questions and chart analyses without a limit'
      : `${questions} questions and ${chartAnalyses} chart analyses a month`;
  return `- ${name}: ${limits}${price === 0 ? '' : `, $${price} a month`}`;
}

/** Answers with what the app can do. */
export const answerApp = (): string =>
  [
    `${PRODUCT} follows crypto markets for you, also offline:`,
    [
      '- [Crypto](/crypto) has prices, charts, gainers and losers, a converter and your watchlist.',
      '- In a chat, I answer questions from market figures and read pictures of charts. Ask "what can you do" for what I know.',
      '- [Price Alerts](/settings/alerts) tell you when a price or a change is reached.',
      '- A [Trading Bot](/trading-bot) trades BTC by fixed rules, with paper money or at an exchange, and shows a backtest first.',
    ].join('\n'),
  ].join('\n\n');

/** Answers an insult. */
export const answerInsult = (): string => `I am sorry that ${PRODUCT} did not help. Tell me a coin and a figure, and I try again.`;
