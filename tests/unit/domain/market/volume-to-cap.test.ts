import { describe, expect, it } from 'vitest';
import { formatVolumeToCap, volumeToCap } from '#domain/market/volume-to-cap.ts';
import { quote } from '#tests/support/market/quotes.ts';

describe('volume to market cap', () => {
  it('is in percent, and a dash where there is none', () => {
    expect(formatVolumeToCap(5, 200)).toBe('2.50%');
    expect(formatVolumeToCap(5, 0)).toBe('–');
    expect(formatVolumeToCap(null, 200)).toBe('–');
  });

  it('never divides one currency by the other', () => {
    const quotes = { USD: quote({ volume_24h: 10 }), BTC: quote({ volume_24h: 1, market_cap: 4 }) };
    expect(volumeToCap(quotes)).toBe('25.00%');
  });

  it('is unknown without a cap', () => {
    expect(volumeToCap({ USD: quote({ volume_24h: 10, market_cap: 0 }) })).toBeUndefined();
  });
});
