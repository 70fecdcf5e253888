import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import SharedPage from '#client/features/chat/shared-page/shared-page.tsx';
import { reportReachable } from '#client/platform/live/reachability.ts';
import { history } from '#client/platform/router/history.ts';
import type { SharedChat } from '#contract/chat/chat-links.ts';
import { RISK } from '#domain/analyst/answers/stamp.ts';
import { type Answers, fakeApi, refusal } from '#tests/support/client/fake-api.ts';

const OPEN = 'POST /api/shared-chat';
const TOKEN = 'a'.repeat(43);
const chat = (more: Partial<SharedChat> = {}): SharedChat => ({
  title: 'Staking',
  shared_at: '2026-05-13T09:30:00.000Z',
  expires_at: '2026-05-20T09:30:00.000Z',
  messages: [
    { question: 'What is staking?', answer: 'It **locks** coins.', asked_at: '2026-05-13T09:29:00.000Z', figures: null, picture: false },
  ],
  left_out: 0,
  earlier: false,
  ...more,
});
const shared = (more?: Partial<SharedChat>) => ({ status: 200, body: { status: 200, data: chat(more) } });

function show(answers: Answers, token = TOKEN) {
  history.replace(`/shared#${token}`);
  const asked = fakeApi(answers);
  render(<SharedPage />);
  return asked;
}

beforeEach(() => {
  reportReachable();
  // happy-dom lays nothing out, so nothing comes near the screen.
  vi.stubGlobal('IntersectionObserver', undefined);
});
afterEach(() => {
  vi.unstubAllGlobals();
  cleanup();
  reportReachable();
  history.replace('/');
});

describe('a shared chat', () => {
  it('shows title, times, question, answer and the risk, to visitors too', async () => {
    const asked = show({ [OPEN]: shared() });
    expect(screen.getByText('Loading the shared chat')).toBeTruthy();
    expect(await screen.findByRole('heading', { name: 'Staking' })).toBeTruthy();
    expect(screen.getByText(/shared on/).textContent).toMatch(
      /^A copy of a chat with Tidemark, shared on May 13, 2026, 9:30\sAM UTC\. The link expires on May 20, 2026, 9:30\sAM UTC\.$/,
    );
    expect(screen.getByText('locks').tagName).toBe('STRONG');
    expect(screen.getByText(RISK)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Try Tidemark' }).getAttribute('href')).toBe('/');
    // The token goes in a body, and no request has it in its address.
    expect(asked).toEqual([{ call: OPEN, body: { token: TOKEN } }]);
  });

  it('says where its figures come from', async () => {
    const source = { tool: 'quotes', name: 'Kraken BTC/USD', asOf: '2026-05-13T09:28:00.000Z' };
    const figures = { sources: [source], list: [{ at: 3, length: 7, label: 'Price of Bitcoin', value: 70_000, unit: 'USD', source: 0 }] };
    const message = { question: 'Price?', answer: 'At $70,000 now.', asked_at: '2026-05-13T09:29:00.000Z', figures, picture: false };
    show({ [OPEN]: shared({ messages: [message] }) });
    expect(await screen.findByText('Kraken BTC/USD, 13 May 2026, 09:28 UTC')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: '$70,000' }));
    expect(await screen.findByRole('dialog', { name: 'Price of Bitcoin' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Check now' })).toBeNull();
  });

  it('makes no markup of the texts of others', async () => {
    const evil = '<img src=x onerror=alert(1)><script>alert(1)</script>[x](javascript:alert(1))';
    const message = { question: evil, answer: evil, asked_at: '2026-05-13T09:29:00.000Z', figures: { list: 'evil' }, picture: false };
    show({ [OPEN]: shared({ title: evil, messages: [message] }) });
    await screen.findByRole('heading', { name: evil });
    expect(document.querySelector('img, script, a[href^="javascript"]')).toBeNull();
  });

  it('says what is left out', async () => {
    show({ [OPEN]: shared({ left_out: 2, earlier: true }) });
    expect(await screen.findByText('Earlier questions of this chat are left out.')).toBeTruthy();
    expect(screen.getByText('Questions about the owner’s account are left out.')).toBeTruthy();
  });

  it('shows a picture, and how to try again without one', async () => {
    const [message] = chat().messages;
    const answers: Answers = { [OPEN]: shared({ messages: [{ ...(message as SharedChat['messages'][number]), picture: true }] }) };
    const asked = show(answers);
    expect(await screen.findByText(/The picture could not be loaded\./)).toBeTruthy();
    answers['POST /api/shared-chat/picture'] = { status: 200, body: '', headers: { 'Content-Type': 'image/png' } };
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('img', { name: 'Chart that the question is about' })).toBeTruthy();
    expect(asked.at(-1)?.body).toEqual({ token: TOKEN, place: 0 });
  });
});

describe('a link that opens nothing', () => {
  const NOTHING = 'This link opens nothing';

  it('is one that the server does not know any more', async () => {
    show({ [OPEN]: refusal(404, 'This link has expired or was stopped.') });
    expect(await screen.findByRole('heading', { name: NOTHING })).toBeTruthy();
  });

  it.each(['', 'abc', `${TOKEN}x`, '%3Cscript%3E'])('is one with the token %j, which is not sent', async (token) => {
    const asked = show({}, token);
    expect(await screen.findByRole('heading', { name: NOTHING })).toBeTruthy();
    expect(asked).toEqual([]);
  });

  it('replaces what is on the screen when the page comes back to the front', async () => {
    const answers: Answers = { [OPEN]: shared() };
    show(answers);
    await screen.findByRole('heading', { name: 'Staking' });
    answers[OPEN] = refusal(404, 'This link has expired or was stopped.');
    document.dispatchEvent(new Event('visibilitychange'));
    expect(await screen.findByRole('heading', { name: NOTHING })).toBeTruthy();
  });
});

describe('without a connection', () => {
  it('says so, and loads when it is back', async () => {
    const answers: Answers = {};
    show(answers);
    expect(await screen.findByText('You are offline')).toBeTruthy();
    answers[OPEN] = shared();
    reportReachable();
    expect(await screen.findByRole('heading', { name: 'Staking' })).toBeTruthy();
  });

  it('keeps what is on the screen', async () => {
    const answers: Answers = { [OPEN]: shared() };
    const asked = show(answers);
    await screen.findByRole('heading', { name: 'Staking' });
    delete answers[OPEN];
    document.dispatchEvent(new Event('visibilitychange'));
    await waitFor(() => expect(asked).toHaveLength(2));
    expect(screen.getByRole('heading', { name: 'Staking' })).toBeTruthy();
  });

  it('says why the server refused', async () => {
    const answers: Answers = { [OPEN]: refusal(429, 'Too many attempts. Please wait a moment and try again.') };
    const asked = show(answers);
    expect(await screen.findByText('Too many attempts. Please wait a moment and try again.')).toBeTruthy();
    expect(asked).toHaveLength(1);
    answers[OPEN] = shared();
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('heading', { name: 'Staking' })).toBeTruthy();
  });
});
