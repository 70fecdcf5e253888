import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { TabBar } from '#client/app/frame/tab-bar.tsx';

describe('TabBar', () => {
  it('links to the four main pages', () => {
    render(<TabBar path="/home" />);
    expect(screen.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Home', '/home'],
      ['Crypto', '/crypto'],
      ['Archive', '/archive'],
      ['Settings', '/settings/account'],
    ]);
  });

  it.each([
    ['/home', 'Home page'],
    ['/crypto', 'Crypto page'],
    ['/crypto/crypto-search', 'Crypto page'],
    ['/archive', 'Archive page'],
    ['/settings/account', 'Settings page'],
    ['/crypto/details/1', 'Crypto true'],
    ['/chat/archive/1', 'Archive true'],
    ['/settings/profile', 'Settings true'],
    ['/cryptography', undefined],
  ])('marks the current tab for %s', (path, place) => {
    render(<TabBar path={path} />);
    const marked = screen.getAllByRole('link').filter((link) => link.hasAttribute('aria-current'));
    expect(marked.map((link) => `${link.textContent} ${link.getAttribute('aria-current')}`)).toEqual(place ? [place] : []);
  });
});
