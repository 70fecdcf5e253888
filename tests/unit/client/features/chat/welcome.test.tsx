import { act, fireEvent, render, screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { UpgradeDialog } from '#client/features/chat/upgrade/upgrade-dialog.tsx';
import { UpgradeLink, UpgradeNotice } from '#client/features/chat/upgrade/upgrade-notice.tsx';
import { askToUpgrade } from '#client/features/chat/upgrade/upgrade-prompt.ts';
import { Welcome } from '#client/features/chat/welcome.tsx';

it('an empty chat says how to ask and what an unclear chart costs, and has questions to begin with', () => {
  const ask = vi.fn();
  render(<Welcome onAsk={ask} />);
  expect(screen.getAllByRole('term').map((tip) => tip.textContent)).toEqual(['Concise', 'Unambiguous', 'Respectful']);
  expect(
    screen.getByText('Unclear charts, or charts without indicators, are hard to analyze. These still count towards your limit.'),
  ).toBeDefined();
  const [first] = within(screen.getByRole('list', { name: 'Examples' })).getAllByRole('button');
  fireEvent.click(first as HTMLElement);
  expect(ask).toHaveBeenCalledExactlyOnceWith('What is the price of Bitcoin?');
});

it('the Free-plan notice has its exact text, leads to the plans and can be dismissed', () => {
  const close = vi.fn();
  render(<UpgradeNotice onClose={close} />);
  expect(screen.getByRole('complementary', { name: 'Free plan' }).textContent).toBe(
    "Free plan: You don't have access to chart analysis & general questions. Upgrade to Premium plan for unlimited chart analysis. Upgrade NowIncluded each month: 10 questions and 3 chart analyses.",
  );
  expect(screen.getByRole('link', { name: 'Upgrade Now' }).getAttribute('href')).toBe('/pricing');
  fireEvent.click(screen.getByRole('button', { name: 'Close notice' }));
  expect(close).toHaveBeenCalledOnce();
});

it('the floating button in its place leads there too', () => {
  render(<UpgradeLink />);
  expect(screen.getByRole('link', { name: 'Upgrade Now' }).getAttribute('href')).toBe('/pricing');
});

it('the upgrade dialog has its exact text, and leads to the plans or closes', () => {
  window.history.replaceState(null, '', '/chat');
  render(<UpgradeDialog />);
  const text = 'Upgrade to Premium for unlimited access to all features including Trading Bot';
  act(askToUpgrade);
  expect(screen.getByText(text)).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByText(text)).toBeNull();
  expect(location.pathname).toBe('/chat');
  act(askToUpgrade);
  fireEvent.click(screen.getByRole('button', { name: 'Upgrade' }));
  expect(screen.queryByText(text)).toBeNull();
  expect(location.pathname).toBe('/pricing');
});
