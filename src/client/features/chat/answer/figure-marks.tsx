import type { ReactNode } from 'react';
import { HIDDEN_AMOUNTS } from '#domain/bots/bot-amounts.ts';
import styles from './figure-marks.module.css';

/** Private characters, which no text of others keeps: one before each figure by its place in the list, and one after it. */
const FIRST = 0xe100;
const END = '\ue0ff';
const PRIVATE = /[\ue000-\ue1ff]/g;
const MAX_PLACES = 256;
const MARKED = /([\ue100-\ue1ff])([^\ue0ff-\ue1ff]*)\ue0ff/g;

/** The beginning of an address, in which a mark would change the target. */
const ADDRESS = /(:\/\/|www\.|\]\(|\]: ?)\S*$/;
const MAX_ADDRESS = 300;

/**
 * Marks the figures of an answer in its Markdown. Those in an address, and those that do not fit the text, stay unmarked.
 * @param hidesOwn writes neither the user's own amounts nor, between the figures, any other amount
 */
export function markFigures(text: string, figures: unknown, hidesOwn = false): string {
  // A character for a character, because places count in the stored text.
  const safe = text.replace(PRIVATE, '\ufffd');
  let marked = '';
  let from = 0;
  const between = hidesOwn ? HIDDEN_AMOUNTS.sentence : (part: string) => part;
  for (const [index, { at, length, isOwnAmount }] of placesOf(figures).entries()) {
    const shown = safe.slice(at, at + length);
    if (
      !(at >= from && length > 0) ||
      shown.length < length ||
      shown.includes('\n') ||
      ADDRESS.test(safe.slice(Math.max(0, at - MAX_ADDRESS), at))
    )
      continue;
    marked += between(safe.slice(from, at));
    marked += hidesOwn && isOwnAmount ? HIDDEN_AMOUNTS.amount(0) : String.fromCharCode(FIRST + index) + shown + END;
    from = at + length;
  }
  return marked + between(safe.slice(from));
}

interface Place {
  at: number;
  length: number;
  /** Money of the user's own rows. */
  isOwnAmount: boolean;
}

/** Reads only what is shown of figures: the rest is read when one is tapped. */
function placesOf(figures: unknown): Place[] {
  const { list, sources } = Object(figures) as { list?: unknown; sources?: unknown };
  const places: unknown[] = Array.isArray(list) ? list.slice(0, MAX_PLACES) : [];
  return places.map((place) => {
    const { at, length, unit, source } = Object(place) as { at?: unknown; length?: unknown; unit?: unknown; source?: unknown };
    const { tool } = Object(Array.isArray(sources) ? sources[Number(source)] : undefined) as { tool?: unknown };
    return {
      at: Number.isSafeInteger(at) ? Number(at) : Number.NaN,
      length: Number.isSafeInteger(length) ? Number(length) : 0,
      isOwnAmount: tool === 'account' && (unit === 'USD' || unit === 'BTC'),
    };
  });
}

export const withoutMarks = (text: string): string => text.replace(PRIVATE, '');

/** Renders a marked text with its figures as buttons; a part of a figure stays text. The owner of the text listens to them. */
export function withFigures(text: string): ReactNode {
  if (text.search(PRIVATE) < 0) return text;
  const parts: ReactNode[] = [];
  let from = 0;
  for (const { 0: whole, 1: mark = '', 2: shown = '', index } of text.matchAll(MARKED)) {
    parts.push(withoutMarks(text.slice(from, index)));
    parts.push(
      <button key={index} type="button" className={styles.figure} data-figure={mark.charCodeAt(0) - FIRST} aria-haspopup="dialog">
        {shown}
      </button>,
    );
    from = index + whole.length;
  }
  parts.push(withoutMarks(text.slice(from)));
  return parts;
}

/** Returns the figure that an event was on: its place in the list, and its text. */
export function figureAt({ target }: { target: EventTarget }): { index: number; text: string } | undefined {
  const button = target instanceof Element ? target.closest<HTMLElement>('[data-figure]') : null;
  return button ? { index: Number(button.dataset.figure), text: button.textContent } : undefined;
}
