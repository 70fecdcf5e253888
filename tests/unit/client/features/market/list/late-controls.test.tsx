import { render, screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { LateControls } from '#client/features/market/list/late-controls.tsx';
import { DEFAULT_CHOICE } from '#domain/market/list-address.ts';

const controls = (
  <LateControls choice={DEFAULT_CHOICE} onChange={() => {}}>
    <a href="/crypto/crypto-search">Search coin...</a>
  </LateControls>
);

afterEach(() => document.getElementById('first-screen')?.remove());

test('the controls of the stored first screen show until the code has loaded', async () => {
  const drawn = '<div data-late="controls"><a href="/crypto/crypto-search">Search coin...</a><button>Drawn filter</button></div>';
  document.body.insertAdjacentHTML('afterbegin', `<div id="first-screen">${drawn}</div>`);
  const { container } = render(controls);
  expect(container.querySelectorAll('[data-skeleton]')).toHaveLength(0);
  expect(container.textContent).toBe('Search coin...Drawn filter');
  expect(container.querySelector('button')?.closest('[inert]')).not.toBeNull();
  expect(await screen.findByRole('button', { name: 'Filter' })).not.toBeNull();
  expect(container.textContent).not.toContain('Drawn filter');
});
