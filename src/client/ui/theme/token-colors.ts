/** The design tokens' colours as they are in this place and theme, for what draws without CSS. Names without the dashes. */
export function tokenColors<Name extends string>(place: HTMLElement, names: readonly Name[]): Record<Name, string> {
  const probe = place.ownerDocument.createElement('span');
  probe.hidden = true;
  place.append(probe);
  // A custom property reads as it was written, light-dark() and all; a colour reads as it is.
  const colors = names.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color] as const;
  });
  probe.remove();
  return Object.fromEntries(colors) as Record<Name, string>;
}

/** Calls `listener` after the theme has changed, by the user or by the device. Returns how to stop. */
export function onThemeChange(listener: () => void): () => void {
  const chosen = new MutationObserver(listener);
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const device = matchMedia('(prefers-color-scheme: dark)');
  device.addEventListener('change', listener);
  return () => {
    chosen.disconnect();
    device.removeEventListener('change', listener);
  };
}
