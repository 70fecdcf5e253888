import { describe, expect, it } from 'vitest';
import { fromCsv, MAX_CSV, toCsv } from '#domain/market/watchlist-csv.ts';

const symbols = (text: string) => fromCsv(text).map(({ symbol }) => symbol);

describe('the exported file', () => {
  it('has a BOM, a heading and one line for each coin', () => {
    expect(toCsv([{ id: 1, symbol: 'BTC', name: 'Bitcoin' }])).toBe('\uFEFFid,symbol,name\r\n1,BTC,Bitcoin\r\n');
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)'])('escapes the formula %s', (name) => {
    expect(toCsv([{ id: 1, symbol: name, name: 'x' }])).toContain(`1,'${name},x`);
  });

  it.each(['=HYPERLINK("http://evil")', 'a,b;c', 'two\nlines', ' spaced ', "it's", '"quoted"', '-', '💸'])('reads %j back', (name) => {
    const coins = [{ id: 7, symbol: name, name }];
    expect(fromCsv(toCsv(coins))).toEqual([{ id: 7, symbol: name.trim(), name: name.trim() }]);
  });
});

describe('an imported file', () => {
  it.each([
    ['symbol\nBTC\neth', ['BTC', 'eth']],
    ['BTC\r\nETH\r\n', ['BTC', 'ETH']],
    ['BTC,Bitcoin\rETH,Ethereum', ['BTC', 'ETH']],
    ['\uFEFFName;Ticker\nBitcoin;BTC', ['BTC']],
    ['name\tsymbol\tprice\nBitcoin\tBTC\t$1,000', ['BTC']],
    ['"symbol","name"\n"B""C","a, b"', ['B"C']],
    ['symbol\n"unclosed', ['unclosed']],
    ['symbol\n"BTC"x', ['BTCx']],
    ['symbol\n\n,\n   \nBTC', ['BTC']],
    ['BTC\nBTC\nbtc', ['BTC']],
    ['', []],
    ['\uFEFF', []],
  ])('%j names %j', (text, expected) => expect(symbols(text)).toEqual(expected));

  it('reads ids, and nothing else as an id', () => {
    const lines = ['id,symbol', '1,BTC', '1e3,A', '-5,B', '99999999999,C', '1027,'];
    expect(fromCsv(lines.join('\n')).map(({ id, symbol }) => [id, symbol])).toEqual([
      [1, 'BTC'],
      [undefined, 'A'],
      [undefined, 'B'],
      [undefined, 'C'],
      [1027, ''],
    ]);
  });

  it('reads 100,000 lines, and cuts long cells', () => {
    const lines = Array.from({ length: 100_000 }, (_, index) => `S${index}`);
    expect(fromCsv(`symbol\n${lines.join('\n')}`)).toHaveLength(100_000);
    expect(symbols('x'.repeat(MAX_CSV))[0]).toHaveLength(200);
    expect(fromCsv('"'.repeat(MAX_CSV))).toHaveLength(1);
    expect(fromCsv(','.repeat(MAX_CSV))).toEqual([]);
  });
});
