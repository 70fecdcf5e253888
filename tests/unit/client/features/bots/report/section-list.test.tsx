import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { SectionList } from '#client/features/bots/report/section-list.tsx';

it('a long list grows by "Show more" and has no scroll of its own', () => {
  const items = Array.from({ length: 30 }, (_, index) => index).map((each) => <li key={each}>Item</li>);
  render(
    <SectionList title="Journal" none="Nothing">
      {items}
    </SectionList>,
  );
  const shown = () => screen.getAllByRole('listitem').length;
  const more = () => screen.queryByRole('button', { name: 'Show more' });
  expect(screen.getByRole('list', { name: 'Journal, newest first' }).tabIndex).toBe(-1);
  expect(shown()).toBe(12);
  fireEvent.click(more() as HTMLElement);
  expect(shown()).toBe(24);
  fireEvent.click(more() as HTMLElement);
  expect(shown()).toBe(30);
  expect(more()).toBeNull();
});
