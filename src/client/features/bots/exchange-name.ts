import type { Bot } from '#contract/bots/bot.ts';

const NAMES: Record<Bot['config']['exchange'], string> = { paper: 'the paper exchange', bybit: 'Bybit' };

/** Returns the exchange's name as it reads within a sentence. */
export const exchangeName = ({ exchange }: Pick<Bot['config'], 'exchange'>): string => NAMES[exchange];
