import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE } from '#domain/clock.ts';
import { BadFile, countMissing, intervalOf, readCandles } from '#server/strategy/backtest/candle-file.ts';
import { readFunding, usualFunding } from '#server/strategy/backtest/funding.ts';

const HEADER = 'timestamp,open,high,low,close,volume';
const file = (...rows: string[]) => [HEADER, ...rows].join('\n');
const every = (interval: number, ...places: number[]) => file(...places.map((place) => `${place * interval},1,2,1,2,3`));

describe('a candle file', () => {
  it('parses with any column order and line ending', () => {
    expect(readCandles('volume,Timestamp, open,high,low,close,source\r\n5,3600000,10,12.5,9,11,x\r\n')).toEqual([
      { time: HOUR, open: 10, high: 12.5, low: 9, close: 11, volume: 5 },
    ]);
  });

  it.each([
    ['', 'The first line has to name the columns; timestamp, open, high, low, close, volume not found.'],
    ['timestamp,open,high,low,close\n1,1,1,1,1', 'The first line has to name the columns; volume not found.'],
    [file('0,1,2,1,2,3', '1,1,x,1,2,3'), 'Line 3: high is no number.'],
    [file('0,1,2,1,2'), 'Line 2: volume is no number.'],
    [file('0,1,2,1,2,'), 'Line 2: volume is no number.'],
    [file('2,1,2,1,2,3', '2,1,2,1,2,3'), 'Line 3: times have to rise from line to line.'],
    [file('0,1,2,0,2,3'), 'Line 2: a price is not above 0.'],
    [file('0,1,2,3,2,3'), 'Line 2: the high is below the low.'],
    [file('0,1,2,1,2.5,3'), 'Line 2: open or close is outside low and high.'],
    [file('0,1,2,1.5,2,3'), 'Line 2: open or close is outside low and high.'],
    [file('0,1,2,1,2,-3'), 'Line 2: the volume is below 0.'],
  ])('is rejected with a clear message: %j', (text, complaint) => {
    expect(() => readCandles(text)).toThrow(new BadFile(complaint));
  });

  it("shows the candles' length, despite gaps", () => {
    const candles = readCandles(every(15 * MINUTE, 0, 1, 2, 5, 6));
    expect(intervalOf(candles)).toBe(15 * MINUTE);
    expect(countMissing(candles, 15 * MINUTE)).toBe(2);
    expect(intervalOf(readCandles(every(DAY, 0, 1)))).toBe(DAY);
    expect(intervalOf(readCandles(every(5 * MINUTE, 0, 1)))).toBe(5 * MINUTE);
  });

  it.each([
    [every(HOUR, 0), 'There are fewer than two candles.'],
    [file(), 'There are fewer than two candles.'],
    [every(MINUTE, 0, 1, 2), 'Going by their times in ms, candles are of 1 minute; they have to be of 5 minutes to a day.'],
    [every(2 * DAY, 0, 1, 2), 'Going by their times in ms, candles are of 2880 minutes; they have to be of 5 minutes to a day.'],
    [every(HOUR, 0, 1, 2, 3.5, 4.5), 'Line 5: the time does not fit candles of 60 minutes.'],
  ])('is rejected if its candles cannot be traded', (text, complaint) => {
    expect(() => intervalOf(readCandles(text))).toThrow(new BadFile(complaint));
  });
});

describe('funding', () => {
  it('is the sum of rates due in a half-open range', () => {
    const { between: due } = readFunding(`timestamp,funding_rate,mark_open\n${8 * HOUR},0.0002,\n${16 * HOUR},-0.0003,5`);
    expect(due(HOUR, 8 * HOUR)).toBe(0);
    expect(due(8 * HOUR, 9 * HOUR)).toBe(0.0002);
    expect(due(15 * HOUR, 17 * HOUR)).toBeCloseTo(-0.0003, 12);
    expect(due(HOUR, DAY)).toBeCloseTo(-0.0001, 12);
  });

  it("uses the usual rate before and after the file's rates", () => {
    const { between: due, from, to } = readFunding(`timestamp,funding_rate\n${8 * HOUR},0.0002\n${16 * HOUR},-0.0003`);
    expect([from, to]).toEqual([8 * HOUR, DAY]);
    expect(due(0, DAY)).toBeCloseTo(0, 12);
    expect(due(0, HOUR)).toBeCloseTo(0.0001, 12);
    expect(due(DAY, 2 * DAY)).toBeCloseTo(0.0003, 12);
    expect(due(20 * HOUR, 33 * HOUR)).toBeCloseTo(0.0002, 12);
  });

  it('uses the usual rate three times a day without a file', () => {
    expect(usualFunding(0, HOUR)).toBe(0.0001);
    expect(usualFunding(HOUR, 8 * HOUR)).toBe(0);
    expect(usualFunding(0, DAY)).toBeCloseTo(0.0003, 12);
  });

  it('rejects a file without rates or out of order', () => {
    expect(() => readFunding('timestamp,funding_rate')).toThrow(new BadFile('There is no rate.'));
    expect(() => readFunding('timestamp,funding_rate\n2,0\n1,0')).toThrow(new BadFile('Line 3: times have to rise from line to line.'));
  });
});
