/** What the strategy is advertised with, for each unit of leverage, in hundredths of a percent: whole, or cents get lost (spec §9). */
const ANNUAL_PROFIT = 512;
const MAX_DRAWDOWN = 217;
const MONTHS = 12;

/** Percent: what a year is said to bring, and how far it is said to fall on the way. Hypothetical. */
export const advertisedFigures = (leverage: number) => ({
  annual: (ANNUAL_PROFIT * leverage) / 100,
  drawdown: (MAX_DRAWDOWN * leverage) / 100,
});

/** What a month is said to bring, in the unit of `positionSize`. Hypothetical. */
export const monthlyIncome = (positionSize: number, leverage: number): number =>
  (advertisedFigures(leverage).annual * positionSize) / (100 * MONTHS);

export const MIN_LEVERAGE = 5;
export const MAX_LEVERAGE = 15;
export const DEFAULT_LEVERAGE = 10;

/** Percent of the amount, each year (spec §9). */
const ESTIMATES = { Conservative: 2.5, Average: 5, Optimistic: 10 } as const;

/** The three guesses of the configure page at a year's profit, in the unit of `amount`. */
export const yearlyEstimates = (amount: number, leverage: number) =>
  Object.entries(ESTIMATES).map(([label, percent]) => ({ label, profit: (amount * percent * (100 + leverage)) / 10_000 }));

/** How a leverage is called where somebody is to be told the risk of it. */
export const riskLevel = (leverage: number): 'Medium' | 'High' => (leverage < DEFAULT_LEVERAGE ? 'Medium' : 'High');
