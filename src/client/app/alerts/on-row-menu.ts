/** A coin's link in a list, whose menu the user opened. */
export interface RowMenuTarget {
  link: HTMLAnchorElement;
  coinId: number;
}

/** How long a finger rests on a row before its menu opens, ms, and how far it may move, px. */
const HOLD_MS = 500;
const SLACK = 10;

/** Returns the coin whose row an event is in. Rows are links to a coin's page in a list. */
function targetOf({ target }: Event): RowMenuTarget | undefined {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('li > a[href^="/crypto/details/"]') : null;
  const [, id] = /^\/crypto\/details\/(\d{1,9})$/.exec(link?.pathname ?? '') ?? [];
  return link && id ? { link, coinId: Number(id) } : undefined;
}

/**
 * Calls `open` when the user asks for the menu of a coin's row: by right-click, the menu key, or a long press. Rows have no code or element of
 * their own for it. Returns a function that stops it.
 */
export function onRowMenu(open: (target: RowMenuTarget) => void): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  let hold: ReturnType<typeof setTimeout> | undefined;
  let from = { x: 0, y: 0 };
  const letGo = () => clearTimeout(hold);

  /** The click that ends a long press must not open the coin. */
  const ignoreClick = () => {
    const swallow = (event: Event) => {
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener('click', swallow, { capture: true, once: true });
    addEventListener('pointerdown', () => removeEventListener('click', swallow, { capture: true }), { capture: true, once: true });
  };

  document.addEventListener(
    'contextmenu',
    (event) => {
      const target = targetOf(event);
      // With Shift, the browser's own menu opens.
      if (!target || event.shiftKey || event.defaultPrevented) return;
      letGo();
      event.preventDefault();
      open(target);
    },
    { signal },
  );
  // Safari on iPhones has no such event.
  document.addEventListener(
    'pointerdown',
    (event) => {
      letGo();
      const target = targetOf(event);
      if (!target || event.pointerType !== 'touch' || !event.isPrimary) return;
      from = { x: event.clientX, y: event.clientY };
      hold = setTimeout(() => {
        ignoreClick();
        open(target);
      }, HOLD_MS);
    },
    { signal },
  );
  document.addEventListener(
    'pointermove',
    ({ clientX, clientY }) => {
      if (Math.hypot(clientX - from.x, clientY - from.y) > SLACK) letGo();
    },
    { signal },
  );
  for (const end of ['pointerup', 'pointercancel', 'scroll']) document.addEventListener(end, letGo, { signal, capture: true });
  return () => {
    letGo();
    ended.abort();
  };
}
