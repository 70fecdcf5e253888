import { formatUsd } from '#domain/format/format-number.ts';

/** Formats a profit or loss with its sign: `+$12.30`, `-$4.00`. */
export const formatGain = (usd: number): string => (usd > 0 ? '+' : '') + formatUsd(usd);
