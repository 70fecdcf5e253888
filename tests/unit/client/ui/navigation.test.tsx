import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { TabBar } from '#client/app/frame/tab-bar.tsx';
import { StepProgress } from '#client/ui/feedback/step-progress.tsx';
import { Highlighted } from '#client/ui/labels/highlighted.tsx';
import { LinkCard } from '#client/ui/layout/card.tsx';

describe('TabBar', () => {
  it('leads to the four places of the app', () => {
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
  ])('marks the place of %s', (path, place) => {
    render(<TabBar path={path} />);
    const marked = screen.getAllByRole('link').filter((link) => link.hasAttribute('aria-current'));
    expect(marked.map((link) => `${link.textContent} ${link.getAttribute('aria-current')}`)).toEqual(place ? [place] : []);
  });
});

describe('LinkCard', () => {
  it('leads nowhere without an address', () => {
    const card = (href?: string) => <LinkCard href={href} icon="bot" title="Trading Bot" text="why" disabled />;
    const { rerender } = render(card('/trading-bot'));
    expect(screen.getByRole('link').getAttribute('href')).toBe('/trading-bot');
    rerender(card());
    expect(screen.queryByRole('link')).toBeNull();
    screen.getByText('why');
  });
});

describe('StepProgress', () => {
  it('says how far along one is', () => {
    render(<StepProgress count={3} current={2} label="Introduction" />);
    const bar = screen.getByRole('progressbar', { name: 'Introduction' });
    expect([bar.getAttribute('aria-valuenow'), bar.getAttribute('aria-valuemax'), bar.children.length]).toEqual(['2', '3', 3]);
  });
});

describe('Highlighted', () => {
  it('marks what was searched for', () => {
    const { container } = render(<Highlighted text="Bitcoin Cash" query="COIN" />);
    expect(container.innerHTML).toBe('Bit<mark>coin</mark> Cash');
  });
});
