import { PLAN_TYPES, type PlanType } from '#contract/plan-types.ts';
import { FREE_PICTURES_A_DAY } from '#domain/plans/allowance.ts';
import { PLANS, UNLIMITED } from '#domain/plans/plans.ts';
import { PRODUCT } from '#domain/product.ts';
import { fold } from '#domain/text.ts';

export interface FaqEntry {
  id: string;
  title: string;
  /** Paragraphs. */
  details: readonly string[];
}

const price = (plan: PlanType) => (PLANS[plan].price === 0 ? '$0' : `$${PLANS[plan].price.toFixed(2)}`);

function limits(plan: PlanType): string {
  const { name, questions, chartAnalyses } = PLANS[plan];
  const held =
    questions === UNLIMITED
      ? 'unlimited general questions and chart analyses, and the trading bot without a time limit'
      : `${questions} general questions and ${chartAnalyses} chart analyses`;
  return `${name}, ${price(plan)} a month: ${held}.`;
}

/** The eight most common questions. Plan limits come from the table of plans. */
export const FAQ: readonly FaqEntry[] = [
  {
    id: 'plans',
    title: 'What does each plan include?',
    details: [
      ...PLAN_TYPES.map(limits),
      'Limits count by calendar month (UTC). A question that you stop counts once its answer has started. A question that fails is not counted.',
      `Pictures without a readable chart are free ${FREE_PICTURES_A_DAY} times a day (UTC). After that, each counts as a chart analysis.`,
    ],
  },
  {
    id: 'cancel',
    title: 'How do I change or cancel my subscription?',
    details: [
      'Open Settings, then Manage Subscription, then Change Subscription. A higher plan starts at once. A lower one starts when the period you paid for ends. A canceled plan lasts until then.',
      'A subscription renews unless you cancel it at least 24 hours before its period ends. Payments go through the app store, and its policy decides on refunds.',
    ],
  },
  {
    id: 'charts',
    title: 'How do I analyze a chart?',
    details: [
      `Open a chat, attach a picture of the chart (PNG, JPEG or GIF) and ask. ${PRODUCT} looks for the candles, the trend, and the levels where the price turned before: support below, resistance above.`,
      'A sharp picture with a visible price axis gives the best reading. Blurred pictures, and charts without indicators, are hard to analyze.',
    ],
  },
  {
    id: 'answers',
    title: 'Can I rely on the answers?',
    details: [
      `${PRODUCT} answers from market data and shows when it was updated. It says what it cannot answer. It does not predict prices.`,
      'Answers are information, not financial advice. Check them before you act. Crypto can lose much of its value within hours.',
    ],
  },
  {
    id: 'bots',
    title: 'How do trading bots work, and what can I lose?',
    details: [
      'A bot trades a BTC perpetual future on your own exchange account. It follows the trend and enters at levels of support and resistance. It needs an API key and its secret, which you enter once, when you create it; the secret is stored encrypted and never shown again. The smallest position is 100 USD. The leverage of 15x is a ceiling: a trade risks about 1.5% of the money.',
      'Leverage multiplies losses as well as gains. You can lose all the money you put in. New accounts can try the bot for 30 days, and Premium has it without a limit. US persons are excluded from automated trading.',
    ],
  },
  {
    id: 'offline',
    title: 'What works without a connection?',
    details: [
      'Chats, coin lists, your watchlist and your notifications stay on this device and can be read offline, with the time they were saved.',
      'What you write offline waits here and is sent when you are back online: questions, chat titles, hearts, and messages to support. Plans and bots need a connection, because nothing that moves money is queued.',
    ],
  },
  {
    id: 'data',
    title: 'What happens to my data?',
    details: [
      `${PRODUCT} does not sell your data. The app's offline data is removed from the device when you log out.`,
      'To delete your account and its data, choose Delete Account in Settings. Support confirms the request by email. Nothing changes until support has read it.',
    ],
  },
  {
    id: 'support',
    title: 'How do I reach support, and who has priority?',
    details: [
      'Use Contact Us on this page, with pictures if they help. A copy stays under Your messages and shows its status. We confirm and answer by email.',
      'Premium includes priority support: those messages are read first.',
    ],
  },
];

/** Finds entries that mention `query`, ignoring case and accents. Empty text finds all. */
export function searchFaq(query: string): readonly FaqEntry[] {
  const needle = fold(query.trim());
  return FAQ.filter(({ title, details }) => [title, ...details].some((text) => fold(text).includes(needle)));
}
