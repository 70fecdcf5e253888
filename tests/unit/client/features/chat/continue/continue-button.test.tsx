import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ContinueButton } from '#client/features/chat/continue/continue-button.tsx';
import { userDb } from '#client/platform/db/user-db.ts';
import { reportReachable, reportUnreachable } from '#client/platform/live/reachability.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { ARCHIVE, chatRow } from '#tests/support/chat/chat-rows.ts';

let user = 0;
/** The ids that the server was asked to begin chats with. */
let asked: string[];
let answer: (id: string) => Response;
const created_at = '2026-01-01T00:00:00.000Z';
const made = (id: string) => Response.json({ status: 201, data: { id, archive_title: 'Staking, continued', created_at } }, { status: 201 });

beforeEach(async () => {
  user += 1;
  asked = [];
  answer = made;
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    expect(`${init.method} ${url}`).toBe(`POST /api/archive/${ARCHIVE}/continue`);
    const { id, chat_id } = JSON.parse(String(init.body));
    expect(chat_id).toBe('m');
    asked.push(id);
    return answer(id);
  });
  await signIn(makeTokens({ sub: `continuer-${user}` }), true);
  reportReachable();
  render(<ContinueButton message={chatRow({ id: 'm' })} />);
});

afterEach(async () => {
  cleanup();
  await endSession();
  vi.unstubAllGlobals();
  reportReachable();
});

const button = () => screen.getByRole('button', { name: /^Continue from here/ });

it('begins one chat for a double tap, opens it, and keeps its title on the device', async () => {
  fireEvent.click(button());
  fireEvent.click(button());
  await waitFor(() => expect(location.pathname).toBe(`/chat/archive/${asked[0]}`));
  expect(asked).toHaveLength(1);
  expect(await userDb(`continuer-${user}`).archives.toArray()).toMatchObject([{ id: asked[0], archive_title: 'Staking, continued' }]);
});

it('asks for the same chat again after a failure, and for another one after a success', async () => {
  answer = () => Response.json({ status: 503, code: 'busy', message: 'Later.' }, { status: 503 });
  fireEvent.click(button());
  await waitFor(() => expect(asked.length).toBeGreaterThan(0));
  await waitFor(() => expect(button().getAttribute('aria-busy')).toBeNull());
  answer = made;
  fireEvent.click(button());
  await waitFor(() => expect(location.pathname).toBe(`/chat/archive/${asked[0]}`));
  expect(new Set(asked).size).toBe(1);
  await waitFor(() => expect(button().getAttribute('aria-busy')).toBeNull());
  fireEvent.click(button());
  await waitFor(() => expect(new Set(asked).size).toBe(2));
});

it('says that it needs a connection where there is none, and asks for nothing', async () => {
  act(() => reportUnreachable());
  expect(button().getAttribute('aria-label')).toBe('Continue from here needs a connection');
  expect(button().getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(button());
  expect(asked).toEqual([]);
});
