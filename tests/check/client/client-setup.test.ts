import { render, screen } from '@testing-library/react';
import { createElement, useEffect, useState } from 'react';
import { expect, it } from 'vitest';

/** Draws as slowly as on a busy machine, so that React runs the effect in a turn of its own. */
function Field() {
  useEffect(() => document.querySelector('input')?.focus(), []);
  const end = performance.now() + 20;
  while (performance.now() < end);
  return createElement('input', { 'aria-label': 'Name' });
}

function Late() {
  const [isThere, show] = useState(false);
  useEffect(() => void setTimeout(show, 5, true), []);
  return isThere && createElement(Field);
}

it('a wait ends after the effects of what it has found', async () => {
  for (let times = 0; times < 50; times += 1) {
    const { unmount } = render(createElement(Late));
    const field = await screen.findByLabelText('Name');
    expect(document.activeElement).toBe(field);
    unmount();
  }
});
