import { useEffect, useState } from 'react';
import { useBusy } from '../pwa/busy.ts';
import { askBeforeLeaving, history } from './history.ts';
import { isPlainClick } from './is-plain-click.ts';

/** Returns the link of a plain click that the router would follow. */
function followedLink(event: MouseEvent): HTMLAnchorElement | undefined {
  if (!isPlainClick(event)) return undefined;
  const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null;
  if (!link || link.target || link.hasAttribute('data-native') || link.origin !== window.location.origin) return undefined;
  return link;
}

/**
 * Asks before the user leaves the page, while `active`. On a link or back, `leave` is set and the caller shows a question;
 * when the user closes the page, the browser asks.
 */
export function useLeaveGuard(active: boolean): { leave: (() => void) | undefined; stay: () => void } {
  const [leave, setLeave] = useState<() => void>();
  useBusy(active);

  useEffect(() => {
    if (!active) return;
    const ask = (go: () => void) => setLeave(() => go);
    const stop = askBeforeLeaving(ask);
    // In the capture phase, before the router's listener shows the next page.
    const click = (event: MouseEvent) => {
      const link = followedLink(event);
      if (!link) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      ask(() => history.push(link.pathname + link.search + link.hash));
    };
    const unload = (event: BeforeUnloadEvent) => event.preventDefault();
    document.addEventListener('click', click, true);
    window.addEventListener('beforeunload', unload);
    return () => {
      stop();
      document.removeEventListener('click', click, true);
      window.removeEventListener('beforeunload', unload);
    };
  }, [active]);

  return { leave, stay: () => setLeave(undefined) };
}
