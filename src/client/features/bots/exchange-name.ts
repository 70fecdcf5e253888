import type { Bot } from '#contract/bots/bot.ts';
import { EXCHANGES } from '#contract/bots/exchange-names.ts';

/** Returns the exchange's name as it reads within a sentence. */
export const exchangeName = ({ exchange }: Pick<Bot['config'], 'exchange'>): string => EXCHANGES[exchange].title;
