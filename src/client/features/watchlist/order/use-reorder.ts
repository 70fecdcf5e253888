import { type KeyboardEvent, type PointerEvent, type RefObject, useRef } from 'react';
import { autoScroll, scrollerOf } from './auto-scroll.ts';

interface ReorderOptions {
  list: RefObject<HTMLElement | null>;
  /** Moves a row, by indexes of rows on the screen. */
  onMove: (from: number, to: number) => void;
  /** Tells screen readers what happens to the row at `from`. */
  onSay: (what: Said, from: number, to: number) => void;
}

export type Said = 'grabbed' | 'moving' | 'dropped' | 'canceled';

/** A row that the user moves. */
interface Grab {
  from: number;
  to: number;
  by: 'keyboard' | 'pointer';
  /** Removes the listeners of a pointer. */
  release?: () => void;
}

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max);

/**
 * Lets the user order rows of one height by handles: drag one, or press Space, then arrow keys, Home or End, then Space again. Escape
 * cancels. Rows only shift in place until the drop, so that the handle keeps the focus.
 */
export function useReorder({ list, onMove, onSay }: ReorderOptions) {
  const grabbed = useRef<Grab>(undefined);
  const rows = () => [...(list.current?.children ?? [])] as HTMLElement[];

  function end(isDropped: boolean) {
    const grab = grabbed.current;
    if (!grab) return;
    grabbed.current = undefined;
    grab.release?.();
    for (const row of rows()) {
      row.style.translate = '';
      row.removeAttribute('data-grabbed');
    }
    onSay(isDropped ? 'dropped' : 'canceled', grab.from, isDropped ? grab.to : grab.from);
    if (isDropped && grab.to !== grab.from) onMove(grab.from, grab.to);
  }

  function start(grab: Grab) {
    grabbed.current = grab;
    onSay('grabbed', grab.from, grab.from);
    shiftRows(rows(), grab);
  }

  function move(to: number, offset?: number) {
    const grab = grabbed.current;
    if (!grab) return;
    const isNew = to !== grab.to;
    grab.to = to;
    shiftRows(rows(), grab, offset);
    if (isNew) onSay('moving', grab.from, to);
  }

  return {
    onPointerDown(event: PointerEvent<HTMLElement>, from: number) {
      if (event.button !== 0 || !event.isPrimary || grabbed.current?.by === 'pointer') return;
      end(false);
      // Otherwise the browser selects text, or does not focus the handle (Safari).
      event.preventDefault();
      event.currentTarget.focus();
      const release = followPointer(event, { from, rows, move, end });
      start({ from, to: from, by: 'pointer', release });
    },

    onKeyDown(event: KeyboardEvent<HTMLElement>, from: number) {
      const grab = grabbed.current;
      if (grab?.by === 'pointer') return;
      if (event.key === ' ' || event.key === 'Enter') {
        event.preventDefault();
        if (event.repeat) return;
        if (grab) end(true);
        else start({ from, to: from, by: 'keyboard' });
        return;
      }
      if (!grab) return;
      const last = rows().length - 1;
      const to = { ArrowUp: grab.to - 1, ArrowDown: grab.to + 1, Home: 0, End: last }[event.key];
      if (to === undefined && event.key !== 'Escape') return;
      event.preventDefault();
      if (to === undefined) return end(false);
      move(clamp(to, 0, last));
      rows()[grab.from]?.scrollIntoView?.({ block: 'nearest' });
    },

    /** Cancels a move by keyboard when the handle loses the focus. */
    onBlur() {
      if (grabbed.current?.by === 'keyboard') end(false);
    },
  };
}

/** Shifts the rows to show the grabbed one at `to`, or `offset` px from its place. */
function shiftRows(rows: HTMLElement[], { from, to }: Grab, offset?: number) {
  const height = rows[from]?.offsetHeight ?? 0;
  for (const [index, row] of rows.entries()) {
    const passed = index > from && index <= to ? -height : index < from && index >= to ? height : 0;
    const y = index === from ? (offset ?? (to - from) * height) : passed;
    row.style.translate = y ? `0 ${y}px` : '';
    row.toggleAttribute('data-grabbed', index === from);
  }
}

interface Following {
  from: number;
  rows: () => HTMLElement[];
  move: (to: number, offset: number) => void;
  end: (isDropped: boolean) => void;
}

/** Moves a row with the pointer until it is released. Returns a function that stops that. */
function followPointer(event: PointerEvent<HTMLElement>, { from, rows, move, end }: Following): () => void {
  const handle = event.currentTarget;
  const scroller = scrollerOf(handle);
  const height = rows()[from]?.offsetHeight || 1;
  const origin = event.clientY + scroller.scrollTop;
  let y = event.clientY;
  const draw = () => {
    const offset = clamp(y + scroller.scrollTop - origin, -from * height, (rows().length - 1 - from) * height);
    move(from + Math.round(offset / height), offset);
  };
  const stopScrolling = autoScroll(scroller, () => y, draw);
  const ending = new AbortController();
  const { signal } = ending;
  const follow = (moved: globalThis.PointerEvent) => {
    y = moved.clientY;
    draw();
  };
  handle.setPointerCapture(event.pointerId);
  handle.addEventListener('pointermove', follow, { signal });
  handle.addEventListener('pointerup', () => end(true), { signal });
  handle.addEventListener('pointercancel', () => end(false), { signal });
  addEventListener('keydown', (pressed) => pressed.key === 'Escape' && end(false), { signal });
  return () => {
    ending.abort();
    stopScrolling();
  };
}
