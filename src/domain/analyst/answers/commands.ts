import type { AlertCoin } from '#contract/alerts/alert-form.ts';
import { ALERT_PERIODS, MAX_FALL, MAX_PRICE, MAX_RISE, MIN_PERCENT, MIN_PRICE } from '#contract/alerts/alert-limits.ts';
import { MAX_COINS } from '#contract/chat/offer-limits.ts';
import type { Action } from '#contract/chat/offers.ts';
import { formatPercent, formatUsd } from '#domain/format/format-number.ts';
import type { Coin, CoinName } from '#domain/market/coin.ts';
import type { AskedAlert, Query } from '../query.ts';
import { changeOf, coinName, figureOf, list, movedOver, PERIOD_NAMES } from './format.ts';
import { WHICH_COIN } from './history.ts';

/** An answer that asks back or offers to do something. */
export interface Offer {
  text: string;
  /** Whole questions. */
  choices?: readonly string[];
  action?: Action;
}

/** Coins that a question back offers, as it writes them. */
export type Askable = readonly { coin: Coin; name: string }[];

const UNTIL_YOU_CONFIRM = 'Nothing changes until you confirm it below.';
/** A level written with a dot is read as thousands where that is this much nearer to the price. */
const FAR = 10;
/** How far from the price the levels are that a question back offers. */
const AWAY = 0.05;

const plainNumber = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 8, maximumFractionDigits: 12 });
const dollars = (price: number): string => `$${plainNumber.format(price)}`;
const toAlertCoin = ({ id, name, symbol }: CoinName): AlertCoin => ({ id, name: name.slice(0, 200), symbol: symbol.slice(0, 64) });
const every = { note: '', rearms: false, expires_at: null, paused: false } as const;

/**
 * Answers with an alert to confirm, or asks back what is open.
 * @param coins the coins that it may watch, as questions write them
 * @param others coins to offer where none is named
 */
export function answerAlert(alert: AskedAlert, coins: Askable, others: Askable): Offer {
  const { price, percent, ofWatchlist } = alert;
  const rule = percent !== undefined ? changeText(alert, percent) : price === undefined ? undefined : levelText(alert, price);
  const isOfWatchlist = coins.length === 0 && ofWatchlist && percent !== undefined;
  if (coins.length !== 1 && !isOfWatchlist) {
    const offered = coins.length > 1 ? coins : others;
    const choices = offered.map(({ name }) => (rule ? `Alert me when ${name} ${rule}` : `Set an alert for ${name}`));
    return { text: coins.length > 1 ? 'An alert watches one coin. Which one?' : WHICH_COIN, choices };
  }
  const [asked] = coins;
  if (percent !== undefined) return changeAlert(alert, percent, asked);
  return asked ? levelAlert(alert, asked) : { text: WHICH_COIN };
}

const levelText = ({ way }: AskedAlert, price: number): string =>
  `${way === 'up' ? 'is above' : way === 'down' ? 'is below' : 'reaches'} ${dollars(price)}`;

const changeText = ({ way, period }: AskedAlert, percent: number): string =>
  `${way === 'up' ? 'rises' : way === 'down' ? 'falls' : 'moves'} ${plainNumber.format(percent)}% in ${PERIOD_NAMES[period]}`;

function levelAlert(alert: AskedAlert, { coin, name }: Askable[number]): Offer {
  const current = coin.quote.USD.price;
  const when = (way: 'up' | 'down', price: number) => `Alert me when ${name} ${levelText({ ...alert, way }, price)}`;
  const { price, thousands, way } = alert;
  if (price === undefined) {
    const near = current === null ? [] : [when('up', round(current * (1 + AWAY))), when('down', round(current * (1 - AWAY)))];
    return { text: `At which price, or at which change in percent, should the alert for ${coinName(coin)} fire?`, choices: near };
  }
  const farness = (level: number) => (current === null ? 1 : Math.max(level / current, current / level));
  if (thousands !== undefined && farness(price) > FAR * farness(thousands)) {
    const side = (level: number) => `Alert me when ${name} ${levelText(alert, level)}`;
    return { text: `Do you mean ${formatUsd(thousands)} or ${formatUsd(price)}?`, choices: [side(thousands), side(price)] };
  }
  if (price < MIN_PRICE || price > MAX_PRICE) return { text: `An alert watches prices above $0 and up to ${dollars(MAX_PRICE)}.` };
  if (way === 'both' || (way === undefined && (current === null || current === price)))
    return { text: `Should the alert for ${coinName(coin)} wait for a rise or a fall?`, choices: [when('up', price), when('down', price)] };
  const kind = (way ?? (price > (current ?? 0) ? 'up' : 'down')) === 'up' ? 'above' : 'below';
  const isPast = current !== null && (kind === 'above' ? current >= price : current <= price);
  return {
    text: [
      `Set this alert? **${coinName(coin)}** ${kind} **${formatUsd(price)}**. ${UNTIL_YOU_CONFIRM}`,
      ...(current === null ? [] : [`The price is ${figureOf(coin, 'price', {})}.${isPast ? ` ${WAITS}` : ''}`]),
    ].join('\n\n'),
    action: { kind: 'alert', alert: { ...every, kind, coin: toAlertCoin(coin), price, level_name: null } },
  };
}

const WAITS = 'That is past the level already: the alert waits until it comes back and crosses the level again.';

/** @param asked undefined for the whole watchlist */
function changeAlert(alert: AskedAlert, percent: number, asked: Askable[number] | undefined): Offer {
  const { way, period, otherPeriod } = alert;
  const subject = asked?.name ?? 'my watchlist';
  const when = (change: Partial<AskedAlert>) => `Alert me when ${subject} ${changeText({ ...alert, ...change }, percent)}`;
  if (way === undefined || way === 'both')
    return {
      text: `Should the alert wait for a rise or a fall of ${formatPercent(percent)}?`,
      choices: [when({ way: 'up' }), when({ way: 'down' })],
    };
  if (otherPeriod)
    return {
      text: 'An alert watches the change over 1 hour, 24 hours or 7 days. Which one?',
      choices: ALERT_PERIODS.map((each) => when({ period: each })),
    };
  const max = way === 'up' ? MAX_RISE : MAX_FALL;
  if (percent < MIN_PERCENT || percent > max)
    return { text: `An alert watches a ${way === 'up' ? 'rise' : 'fall'} of ${MIN_PERCENT}% to ${max}%.` };
  const change = asked && changeOf(asked.coin, period);
  const isPast = typeof change === 'number' && (way === 'up' ? change >= percent : change <= -percent);
  const name = asked ? coinName(asked.coin) : 'A coin of your watchlist';
  return {
    text: [
      `Set this alert? **${name}** ${way === 'up' ? 'rises' : 'falls'} **${formatPercent(percent)}** in ${PERIOD_NAMES[period]}. ${UNTIL_YOU_CONFIRM}`,
      ...(asked && typeof change === 'number' ? [`Now it is ${movedOver(asked.coin, period)}.${isPast ? ` ${WAITS}` : ''}`] : []),
    ].join('\n\n'),
    action: {
      kind: 'alert',
      alert: {
        ...every,
        kind: 'percent',
        coin: asked ? toAlertCoin(asked.coin) : null,
        percent: way === 'up' ? percent : -percent,
        period,
      },
    },
  };
}

/** Rounds a level to three digits. */
const round = (price: number): number => Number(price.toPrecision(3));

/** Answers with a change of the watchlist to confirm. `others`: coins to offer where none is named. */
export function answerWatch({ watched }: Query, coins: readonly CoinName[], others: Askable): Offer {
  const change = (name: string) => (watched ? `Add ${name} to my watchlist` : `Remove ${name} from my watchlist`);
  if (coins.length === 0) return { text: WHICH_COIN, choices: others.map(({ name }) => change(name)) };
  const some = coins.slice(0, MAX_COINS);
  const names = list(some.map((coin) => `**${coinName(coin)}**`));
  return {
    text: [
      `${watched ? `Add ${names} to` : `Remove ${names} from`} your watchlist? ${UNTIL_YOU_CONFIRM}`,
      ...(coins.length > MAX_COINS ? [`I take the first ${MAX_COINS} coins at a time.`] : []),
    ].join('\n\n'),
    action: { kind: 'watch', watched, coins: some.map(toAlertCoin) },
  };
}
