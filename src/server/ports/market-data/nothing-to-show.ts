import { unavailable } from '#server/http/errors.ts';

/** The error when there was never an answer. */
export const nothingToShow = () =>
  unavailable('market_unavailable', 'Market data cannot be reached right now. Please try again in a moment.');
