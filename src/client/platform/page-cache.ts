interface CachedPart {
  /** Closes what may not stay open while the browser keeps the page. */
  freeze?: () => void;
  /** Opens it again. */
  resume: () => void;
}

/** The worker's types lack PageTransitionEvent. */
type PageEvent = Event & { persisted?: boolean };

/**
 * Calls `freeze` when the browser may keep this page for Back and Forward, and `resume` when it shows the page again. In
 * the worker neither happens.
 */
export function onPageCache({ freeze, resume }: CachedPart): void {
  if (freeze) globalThis.addEventListener('pagehide', (event: PageEvent) => event.persisted && freeze());
  globalThis.addEventListener('pageshow', (event: PageEvent) => event.persisted && resume());
}

const savers = new Set<() => void>();
globalThis.addEventListener('pagehide', () => {
  for (const save of savers) save();
});

/**
 * Calls `save` when the user leaves the page, while the databases are open. The page may run nothing afterwards, so `save`
 * must finish by itself: it starts a transaction and commits it.
 */
export function saveOnLeave(save: () => void): void {
  savers.add(save);
}
