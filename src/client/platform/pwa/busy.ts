import { useEffect } from 'react';
import { createValue } from '../create-value.ts';

/** How many things are under way that nothing may interrupt: a form with unsaved changes, a purchase, what a bot is told. */
const held = createValue(0);

/** Holds back whatever may wait, until what it returns is called. */
export function hold(): () => void {
  held.set(held.get() + 1);
  let over = false;
  return () => {
    if (!over) held.set(held.get() - 1);
    over = true;
  };
}

/** The same for as long as `active` is true. */
export function useBusy(active: boolean): void {
  useEffect(() => (active ? hold() : undefined), [active]);
}

/** Forms that somebody has begun to fill in; what is in them is theirs until they are gone from the page. */
const begun = new Set<HTMLFormElement>();

document.addEventListener('input', ({ target }) => {
  const form = target instanceof Element && target.closest('form');
  if (form) begun.add(form);
});

function isWriting(): boolean {
  for (const form of begun) if (!form.isConnected) begun.delete(form);
  return begun.size > 0;
}

/** Search fields are no forms; they count for as long as somebody is at them. */
const isTyping = (focused: Element | null): boolean =>
  focused instanceof HTMLInputElement && focused.type === 'search' && focused.value !== '';

/** Whether nobody would be interrupted now: nothing is held, no dialog is open, and nothing is being filled in or typed. */
export const isFree = (): boolean =>
  held.get() === 0 && !document.querySelector('dialog[open]') && !isWriting() && !isTyping(document.activeElement);

/** Calls `listener` whenever `isFree` may have changed. Looks at the whole page, so only for as long as something waits. */
export function onFreedom(listener: () => void): () => void {
  const events = ['input', 'focusin', 'focusout'] as const;
  for (const event of events) document.addEventListener(event, listener);
  const pages = new MutationObserver(listener);
  pages.observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['open'] });
  const stop = held.subscribe(listener);
  return () => {
    for (const event of events) document.removeEventListener(event, listener);
    pages.disconnect();
    stop();
  };
}
