const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Returns `0 B`, `812 B`, `3.4 kB` or `12 MB`: two significant digits in units of 1000. */
export function formatBytes(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  const text = step === 0 || value >= 9.95 ? String(Math.round(value)) : value.toFixed(1);
  return text === '1000' && step < UNITS.length - 1 ? `1.0 ${UNITS[step + 1]}` : `${text} ${UNITS[step]}`;
}
