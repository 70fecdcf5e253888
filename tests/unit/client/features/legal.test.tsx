import { fireEvent, render, screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import PrivacyPage from '#client/features/legal/privacy-page.tsx';
import TermsPage from '#client/features/legal/terms-page.tsx';
import { endSession } from '#client/platform/session/session.ts';

beforeEach(async () => {
  await endSession();
  window.history.replaceState(null, '', '/settings/terms-and-conditions');
});

const headings = () => screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);
const text = () => screen.getByRole('article').textContent;

it('shows the terms with their dates, ten sections and required facts', () => {
  render(<TermsPage />);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Terms and Conditions');
  expect(headings()).toEqual([
    '1. Who we are',
    '2. Registration and access',
    '3. Using the services',
    '4. Subscriptions and payments',
    '5. Content and intellectual property',
    '6. Disclaimers and liability',
    '7. Termination',
    '8. Privacy',
    '9. Governing law',
    '10. Contact',
  ]);
  for (const fact of [
    'Published Apr 21, 2025',
    'Effective Apr 21, 2025',
    'at least 13 years old',
    'under 18',
    'US persons may not use automated trading',
    'mobile app store',
    'State of New York',
    'Free, Basic, Pro and Premium',
  ])
    expect(text()).toContain(fact);
  expect(screen.getByRole('link', { name: 'Privacy Policy' }).getAttribute('href')).toBe('/settings/privacy-policies');
});

it('shows the privacy policy with its date, sections and facts', () => {
  render(<PrivacyPage />);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Privacy Policy');
  expect(headings()).toEqual([
    '1. Information we collect',
    '2. How we use it',
    '3. Sharing',
    '4. Subscription policy',
    '5. Retention',
    '6. Security',
    '7. Your rights',
    '8. Children under 13',
    '9. Changes',
    '10. Contact',
  ]);
  for (const fact of [
    'Last updated May 1, 2025',
    'do not sell your personal data',
    'at least 24 hours before the current period ends',
    'non-refundable, except',
    'encrypted',
    'audited regularly',
    'two-factor',
  ])
    expect(text()).toContain(fact);
});

describe('navigation', () => {
  it('jumps to a section without changing the address, so that Back is one step', () => {
    render(<TermsPage />);
    const contents = within(screen.getByRole('navigation', { name: 'Contents' }));
    fireEvent.click(contents.getByRole('link', { name: /Termination/ }));
    expect(document.activeElement?.textContent).toBe('7. Termination');
    expect(location.hash).toBe('');
  });

  it('goes back to the previous page, or to the start', () => {
    render(<TermsPage />);
    fireEvent.click(screen.getByRole('button', { name: 'Back' }));
    expect(location.pathname).toBe('/');

    window.history.replaceState({ depth: 1 }, '', '/settings/terms-and-conditions');
    const go = vi.spyOn(window.history, 'go').mockImplementation(() => {});
    fireEvent.click(screen.getByRole('button', { name: 'Back' }));
    expect(go).toHaveBeenCalledExactlyOnceWith(-1);
    go.mockRestore();
  });
});
