const MAX_DIGITS = 7;

/** Formats a number without a currency: "61,250.5". A chart's axis does not tell the currency. */
export const formatUnitless = (value: number, digits = MAX_DIGITS): string =>
  new Intl.NumberFormat('en-US', { maximumSignificantDigits: digits }).format(value);
