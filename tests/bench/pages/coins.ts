/** A coin of the reference pages. */
export interface Coin {
  id: string;
  rank: number;
  name: string;
  symbol: string;
  price: number;
  hour: number;
  day: number;
  week: number;
  marketCap: number;
  volume: number;
  line: number[];
}

export const ROWS = 100;

/** Returns the same coins in every run. */
export function createCoins(count = ROWS): Coin[] {
  let seed = 42;
  const random = () => {
    seed = (seed * 1664525 + 1013904223) % 2 ** 32;
    return seed / 2 ** 32;
  };
  return Array.from({ length: count }, (_, index) => {
    const price = 10 ** (5 - (7 * index) / count) * (0.5 + random());
    return {
      id: `coin${index + 1}`,
      rank: index + 1,
      name: `Coin ${index + 1}`,
      symbol: `C${(index + 1).toString(36).toUpperCase()}`,
      price,
      hour: random() * 4 - 2,
      day: random() * 16 - 8,
      week: random() * 40 - 20,
      marketCap: price * 1e7 * (1 + random()),
      volume: price * 1e5 * (1 + random()),
      line: Array.from({ length: 24 }, () => Math.round(random() * 24)),
    };
  });
}

const usd = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumSignificantDigits: 6 });
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 2 });
const percent = (value: number) => `${value > 0 ? '+' : ''}${value.toFixed(2)}%`;

/** Returns a row's texts, and the points of its line chart. */
export const formatCoin = ({ rank, name, symbol, price, hour, day, week, marketCap, volume, line }: Coin) => ({
  texts: [
    `${rank}`,
    name,
    symbol,
    usd.format(price),
    percent(hour),
    percent(day),
    percent(week),
    compact.format(marketCap),
    compact.format(volume),
  ],
  points: line.map((y, x) => `${x * 4},${y}`).join(' '),
});

export const STYLE = `body{margin:0;font:14px/1.4 system-ui,sans-serif;background:#fff;color:#111}h1{font-size:20px;margin:12px}
table{border-collapse:collapse;width:100%}td{padding:8px 6px;border-bottom:1px solid #ddd;text-align:right;white-space:nowrap}
polyline{fill:none;stroke:#2563eb}`;
