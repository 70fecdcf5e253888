import { act, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { watchUnread } from '#client/features/notifications/watch-unread.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { useUnread } from '#client/platform/notifications/unread.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { Bell } from '#client/ui/buttons/bell.tsx';
import type { Notification } from '#contract/notification.ts';
import { NOTIFICATIONS_PAGE } from '#contract/notifications/pages.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';

const note = (id: string, read: boolean): Notification => ({
  id,
  created_at: '2026-01-01T00:00:00.000Z',
  notification_text: id,
  kind: 'security',
  link: null,
  read,
});

const Told = () => <p>{useUnread()} unread</p>;

describe('the bell', () => {
  it.each([
    [0, 'Notifications', ''],
    [1, 'Notifications, 1 unread', '1'],
    [99, 'Notifications, 99 unread', '99'],
    [100, 'Notifications, 100 unread', '99+'],
  ])('with %i unread is called "%s" and shows "%s"', (unread, name, shown) => {
    const { container } = render(<Bell href={NOTIFICATIONS_PAGE} unread={unread} />);
    expect(screen.getByRole('link').getAttribute('aria-label')).toBe(name);
    expect(screen.getByRole('link').getAttribute('href')).toBe('/settings/notification');
    expect(container.textContent).toBe(shown);
  });
});

describe('the number of unread notifications', () => {
  const badge: (number | 'none')[] = [];

  beforeEach(() => {
    badge.length = 0;
    Object.assign(navigator, {
      setAppBadge: async (count: number) => void badge.push(count),
      clearAppBadge: async () => void badge.push('none'),
    });
  });
  afterEach(() => {
    Object.assign(navigator, { setAppBadge: undefined, clearAppBadge: undefined });
  });

  it('shows on the bell and the app icon until they are read or the user signs out', async () => {
    watchUnread();
    render(<Told />);
    await act(() => signIn(makeTokens({ sub: 'unread-1' }), true));
    const { notifications } = userDb('unread-1');
    await notifications.bulkPut([note('a', false), note('b', false), note('c', true)]);
    await screen.findByText('2 unread');
    await waitFor(() => expect(badge.at(-1)).toBe(2));

    await notifications.toCollection().modify({ read: true });
    await screen.findByText('0 unread');
    await waitFor(() => expect(badge.at(-1)).toBe('none'));

    await notifications.put(note('d', false));
    await screen.findByText('1 unread');
    await act(() => endSession());
    await screen.findByText('0 unread');
    await waitFor(() => expect(badge.at(-1)).toBe('none'));
    // After the sign-in of another user, notifications of the first do not count.
    await act(() => signIn(makeTokens({ sub: 'unread-2' }), true));
    await userDb('unread-2').notifications.bulkPut([note('e', false), note('f', false), note('g', false)]);
    await screen.findByText('3 unread');
    await notifications.put(note('h', false));
    await userDb('unread-2').notifications.put(note('i', false));
    await screen.findByText('4 unread');
  });
});
