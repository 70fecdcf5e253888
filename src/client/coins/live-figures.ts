import { createRef, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { CoinTick } from '#contract/market/coin-ticks.ts';
import type { CryptoItem, Currency, Period } from '#contract/market/market.ts';
import { direction, formatPercent } from '#domain/format/format-number.ts';
import { type Figure, figure } from '#domain/market/figures.ts';
import { withTick } from '#domain/market/ticks.ts';
import { formatFigure, formatPrice } from './money/money.ts';
import { tint } from './tint.ts';

/** A source of live prices. */
export interface Ticks {
  latest(id: number): CoinTick | undefined;
  /** Calls `listener` with each tick of a coin; returns a function that stops it. */
  follow(id: number, listener: (tick: CoinTick) => void): () => void;
}

export interface FiguresChoice {
  coin: CryptoItem;
  /** The preferred currency. A figure that is missing in it shows in the other. */
  currency: Currency;
  /** Period of the change. */
  period: Period;
}

export interface RowFigures {
  price: Figure | undefined;
  change: number | undefined;
  cap: string;
}

/** Returns the figures of a coin's row. */
export function rowFigures({ coin, currency, period }: FiguresChoice, tick?: CoinTick): RowFigures {
  const quote = withTick(coin.quote, tick);
  return {
    price: figure(quote, 'price', currency),
    change: figure(quote, `percent_change_${period}`, currency)?.value,
    cap: formatFigure(figure(quote, 'market_cap', currency)),
  };
}

/** A row and the cells of its figures. The cells render empty; `useLiveFigures` fills them. */
export interface FigureCells {
  row: RefObject<HTMLLIElement | null>;
  price: RefObject<HTMLSpanElement | null>;
  change: RefObject<HTMLSpanElement | null>;
  cap: RefObject<HTMLSpanElement | null>;
}

const createCells = (): FigureCells => ({ row: createRef(), price: createRef(), change: createRef(), cap: createRef() });

/**
 * Updates figures in the DOM without React, so that a hundred rows can tick ten times a second. Only this hook writes to
 * the cells: React never overwrites a tick. A row that the browser skips (content-visibility) ignores ticks until it is near the screen.
 */
export function useLiveFigures(choice: FiguresChoice, ticks: Ticks): FigureCells {
  const [cells] = useState(createCells);
  const shown = useRef<FiguresChoice & { price?: Figure | undefined }>(choice);
  const { id } = choice.coin;

  const write: Write = useRef((tick: CoinTick | undefined, mayTint = true) => {
    const figures = rowFigures(shown.current, tick);
    const before = shown.current.price;
    shown.current.price = figures.price;
    fill(cells, figures, mayTint ? before : undefined);
  }).current;

  useLayoutEffect(() => {
    const { coin, currency, period } = shown.current;
    const same = coin.id === choice.coin.id && currency === choice.currency && period === choice.period;
    shown.current = { ...choice, price: same ? shown.current.price : undefined };
    write(ticks.latest(id));
  });
  const { row } = cells;
  useLayoutEffect(() => followWhileDrawn(row.current, id, ticks, write), [row, ticks, id, write]);
  return cells;
}

type Write = (tick: CoinTick | undefined, mayTint?: boolean) => void;

/** Calls `write` with each tick while the browser draws the row, and with the latest one when it draws the row again. */
function followWhileDrawn(row: HTMLElement | null, id: number, ticks: Ticks, write: Write): () => void {
  let stop: (() => void) | undefined = ticks.follow(id, write);
  const change = (event: Event) => {
    const { skipped } = event as ContentVisibilityAutoStateChangeEvent;
    stop?.();
    stop = skipped ? undefined : ticks.follow(id, write);
    if (!skipped) write(ticks.latest(id), false);
  };
  row?.addEventListener('contentvisibilityautostatechange', change);
  return () => {
    stop?.();
    row?.removeEventListener('contentvisibilityautostatechange', change);
  };
}

function fill({ price, change, cap }: FigureCells, figures: RowFigures, before: Figure | undefined) {
  if (!price.current || !change.current || !cap.current) return;
  const { value, currency } = figures.price ?? { value: undefined, currency: 'USD' };
  const written = setText(price.current, formatPrice(value, currency));
  if (written && before && value !== undefined && before.currency === currency) tint(price.current, value > before.value ? 'up' : 'down');

  setText(cap.current, figures.cap);

  const way = direction(figures.change);
  const [, word, percent] = change.current.children;
  if (change.current.dataset.way !== way) {
    change.current.dataset.way = way;
    if (word) setText(word, way === 'flat' ? '' : `${way} `);
  }
  if (percent) setText(percent, formatPercent(figures.change));
}

/** Sets the text of an element. Returns false if the text is the same. */
function setText(element: Element, text: string): boolean {
  const node = element.firstChild;
  if (node?.nodeValue === text) return false;
  if (node) node.nodeValue = text;
  else element.textContent = text;
  return true;
}
