/** Advertised yearly figures per unit of leverage, in hundredths of a percent. Integers, because fractions lose cents. */
const ANNUAL_PROFIT = 512;
const MAX_DRAWDOWN = 217;
const MONTHS = 12;

/** Returns the advertised yearly profit and drawdown in percent. Hypothetical. */
export const advertisedFigures = (leverage: number) => ({
  annual: (ANNUAL_PROFIT * leverage) / 100,
  drawdown: (MAX_DRAWDOWN * leverage) / 100,
});

/** Returns the advertised monthly income, in the unit of `positionSize`. Hypothetical. */
export const monthlyIncome = (positionSize: number, leverage: number): number =>
  (advertisedFigures(leverage).annual * positionSize) / (100 * MONTHS);

export const MIN_LEVERAGE = 5;
export const MAX_LEVERAGE = 15;
export const DEFAULT_LEVERAGE = 10;

/** Percent of the amount per year. */
const ESTIMATES = { Conservative: 2.5, Average: 5, Optimistic: 10 } as const;

/** Returns the configure page's three estimates of a yearly profit, in the unit of `amount`. */
export const yearlyEstimates = (amount: number, leverage: number) =>
  Object.entries(ESTIMATES).map(([label, percent]) => ({ label, profit: (amount * percent * (100 + leverage)) / 10_000 }));

/** Returns the label of a leverage's risk. */
export const riskLevel = (leverage: number): 'Medium' | 'High' => (leverage < DEFAULT_LEVERAGE ? 'Medium' : 'High');
