/** Returns the computed colors of design tokens in an element, for drawing without CSS. Names have no dashes. */
export function tokenColors<Name extends string>(place: HTMLElement, names: readonly Name[]): Record<Name, string> {
  const probe = place.ownerDocument.createElement('span');
  probe.hidden = true;
  // In forced colors, every text has one color.
  probe.style.setProperty('forced-color-adjust', 'none');
  place.append(probe);
  // A custom property returns its source text, such as light-dark(…); a color property returns the computed color.
  const colors = names.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color] as const;
  });
  probe.remove();
  return Object.fromEntries(colors) as Record<Name, string>;
}

/** Calls `listener` after the user or the device changes the theme. Returns a function that stops it. */
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
