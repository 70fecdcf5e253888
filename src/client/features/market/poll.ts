/** How often shown figures are asked for again, ms. */
export const POLL_MS = 15_000;
