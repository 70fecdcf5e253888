import { useEffect } from 'react';
import { createValue } from '../create-value';

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

/** Controls that hold something typed. Search fields and the composer keep theirs by themselves, but for the moment of typing. */
type Control = HTMLInputElement | HTMLTextAreaElement;
const isTyped = (element: Element | null): boolean =>
  (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) &&
  !NOT_TYPED.includes(element.type) &&
  element.value !== '';
const NOT_TYPED = ['button', 'submit', 'reset', 'checkbox', 'radio', 'range', 'file', 'hidden'];
const isChanged = (control: Control) => control.value !== control.defaultValue && isTyped(control);

/**
 * Whether nobody would be interrupted now: nothing is held, no dialog is open, nothing is being typed, and no form has
 * something in it that was not there when it was shown.
 */
export const isFree = (): boolean =>
  held.get() === 0 &&
  !document.querySelector('dialog[open]') &&
  !isTyped(document.activeElement) &&
  ![...document.querySelectorAll<Control>('form input, form textarea')].some(isChanged);

/** Calls `listener` whenever `isFree` may have changed. Looks at the whole page, so only for as long as something waits. */
export function onFreedom(listener: () => void): () => void {
  const events = ['input', 'focusin', 'focusout', 'reset'] as const;
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
