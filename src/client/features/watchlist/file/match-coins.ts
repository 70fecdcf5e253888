import type { SearchHit } from '#contract/market/search.ts';
import { MAX_WATCHLIST_COINS } from '#contract/market/watchlist.ts';
import type { CsvCoin } from '#domain/market/watchlist-csv.ts';
import { fold } from '#domain/text.ts';
import type { HeartCoin } from '../hearts.ts';

export interface ImportPlan {
  /** Coins to add, in the file's order. */
  add: HeartCoin[];
  /** How many coins are in the watchlist already. */
  already: number;
  /** Coins that do not fit into the watchlist. */
  over: number;
  /** Entries without a coin, as the file names them. */
  unknown: string[];
  /** Symbols of several coins, without a name that tells which. */
  ambiguous: string[];
}

type Known = Pick<SearchHit, 'id' | 'symbol' | 'name'>;

/** Finds the coins of a file among known ones. Never guesses: an entry that fits several coins is left out. */
export function matchCoins(entries: readonly CsvCoin[], known: readonly Known[], watched: ReadonlySet<number>): ImportPlan {
  const byId = new Map(known.map((coin) => [coin.id, coin]));
  const bySymbol = new Map<string, Known[]>();
  for (const coin of byId.values()) bySymbol.set(fold(coin.symbol), [...(bySymbol.get(fold(coin.symbol)) ?? []), coin]);
  const plan: ImportPlan = { add: [], already: 0, over: 0, unknown: [], ambiguous: [] };
  const chosen = new Set<number>();
  for (const entry of entries) {
    const found = candidates(entry);
    const [coin] = found;
    if (!coin) plan.unknown.push(labelOf(entry));
    else if (found.length > 1) plan.ambiguous.push(labelOf(entry));
    else if (!chosen.has(coin.id)) {
      chosen.add(coin.id);
      if (watched.has(coin.id)) plan.already += 1;
      else if (watched.size + plan.add.length >= MAX_WATCHLIST_COINS) plan.over += 1;
      else plan.add.push({ id: coin.id, symbol: coin.symbol, name: coin.name });
    }
  }
  return plan;

  function candidates({ id, symbol, name }: CsvCoin): readonly Known[] {
    if (id !== undefined) return byId.has(id) ? [byId.get(id) as Known] : [];
    const same = bySymbol.get(fold(symbol)) ?? [];
    const named = same.filter((coin) => fold(coin.name) === fold(name));
    return named.length > 0 ? named : same;
  }
}

const labelOf = ({ id, symbol, name }: CsvCoin): string => symbol || name || `#${id}`;
