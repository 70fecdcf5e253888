import { useEffect } from 'react';
import { createValue } from '../create-value.ts';

/** How many tasks must not be interrupted: a form with unsaved changes, a purchase, a bot command. */
const held = createValue(0);

/** Holds back prompts and updates until the returned function is called. */
export function hold(): () => void {
  held.set(held.get() + 1);
  let over = false;
  return () => {
    if (!over) held.set(held.get() - 1);
    over = true;
  };
}

/** Holds back prompts and updates while `active` is true. */
export function useBusy(active: boolean): void {
  useEffect(() => (active ? hold() : undefined), [active]);
}

/** Forms that the user has started to fill in and that are still on the page. */
const begun = new Set<HTMLFormElement>();

document.addEventListener('input', ({ target }) => {
  const form = target instanceof Element && target.closest('form');
  if (form) begun.add(form);
});

function isWriting(): boolean {
  for (const form of begun) if (!form.isConnected) begun.delete(form);
  return begun.size > 0;
}

/** Returns whether the user types in a search field, which is outside of forms. */
const isTyping = (focused: Element | null): boolean =>
  focused instanceof HTMLInputElement && focused.type === 'search' && focused.value !== '';

/** Returns whether a prompt would interrupt nothing: no held task, no open dialog, no form or search in progress. */
export const isFree = (): boolean =>
  held.get() === 0 && !document.querySelector('dialog[open]') && !isWriting() && !isTyping(document.activeElement);

/** Calls `listener` when `isFree` may have changed. It observes the whole page: use it only while a prompt waits. */
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
