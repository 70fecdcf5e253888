import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ImportCard } from '#client/features/storage/import/import-card.tsx';
import { reportReachable, reportUnreachable } from '#client/platform/live/reachability.ts';
import { isFree } from '#client/platform/pwa/busy.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import type { ImportBody } from '#contract/chat/import-chats.ts';
import {
  CHAT,
  type ExportedFiles,
  exportedAlert,
  exportedCoin,
  exportedFiles,
  exportedMessage,
  idOf,
  PICTURE,
  packed,
} from '#tests/support/accounts/export-file.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { type Answers, fakeApi, refusal } from '#tests/support/client/fake-api.ts';

let users = 0;
let userId: string;
let added: ReturnType<typeof vi.fn<() => Promise<void>>>;

// Its code is much, and loads with the first file.
beforeAll(() => import('#client/features/storage/import/import-flow.tsx'));

beforeEach(async () => {
  users += 1;
  userId = `imported-${users}`;
  added = vi.fn(async () => undefined);
  await signIn(makeTokens({ sub: userId }), true);
  reportReachable();
});
afterEach(async () => {
  vi.useRealTimers();
  cleanup();
  await endSession();
  vi.unstubAllGlobals();
});

const counts = (chats: number, messages: number) => ({ chats, messages });
const imported = (parts: object) => ({
  status: 200,
  body: { status: 200, data: { added: counts(0, 0), present: counts(0, 0), left_out: counts(0, 0), ...parts } },
});
const settings = {
  choices: {},
  quiet: null,
  time_zone: 'UTC',
  email: 'a@b.c',
  has_telegram: false,
  telegram: null,
  webhook: null,
  browsers: 0,
};
const stored = (id: string) => ({
  ...{ id, kind: 'above', coin: { id: 1, name: 'Bitcoin', symbol: 'BTC' }, price: 1, level_name: null, note: '', rearms: false },
  ...{ expires_at: null, paused: false, state: 'watching', created_at: '2026-01-01T00:00:00.000Z', fired_at: null },
});
const source = { name: 'demo', demo: true, asOf: '2026-01-01T00:00:00.000Z' };

const importCall = () => `POST /api/user/${userId}/archives/import`;

/** An account without anything that takes everything. */
const api = (answers: Answers = {}): Answers => ({
  [`GET /api/notification/${userId}/settings`]: { status: 200, body: { status: 200, data: settings } },
  [`PUT /api/notification/${userId}/settings`]: { status: 200, body: { status: 200, message: 'Saved.' } },
  [`GET /api/alerts/${userId}`]: { status: 200, body: { status: 200, data: [] } },
  [`POST /api/watchlist/${userId}`]: { status: 200, body: { status: 200, data: [], source, ids: [] } },
  'POST /api/watchlist': { status: 200, body: { status: 200, data: { cryptoId: 1, isWatchListed: true } } },
  [`PUT /api/alerts/${userId}/${idOf(1)}`]: { status: 200, body: { status: 200, data: stored(idOf(1)) } },
  [`PUT /api/alerts/${userId}/${idOf(2)}`]: { status: 200, body: { status: 200, data: stored(idOf(2)) } },
  'POST /api/chat/images': { status: 201, body: { status: 201, data: { id: PICTURE, width: 1, height: 1 } } },
  [importCall()]: imported({ added: counts(1, 1) }),
  ...answers,
});

async function choose(files: ExportedFiles | string = {}) {
  render(<ImportCard onAdded={added} />);
  await chooseAgain(files);
}

async function chooseAgain(files: ExportedFiles | string) {
  const bytes = typeof files === 'string' ? files : await packed(exportedFiles(files));
  fireEvent.change(screen.getByLabelText('Choose an export'), { target: { files: [new File([bytes as BlobPart], 'tidemark.zip')] } });
}

const lines = async () => within(await screen.findByRole('list', { name: 'What would be added' }));
const add = async () => fireEvent.click(await screen.findByRole('button', { name: 'Add to my account' }));

describe('an export', () => {
  it('is shown first, and then added', async () => {
    const asked = fakeApi(api());
    const coins = [exportedCoin(), exportedCoin({ coin_id: 2, symbol: 'ETH', name: 'Ethereum', place: 1 })];
    await choose({ 'watchlist.json': coins, 'alerts.json': [exportedAlert({ paused: true })] });
    (await lines()).getByText('1 chat and 1 question would be added');
    (await lines()).getByText('2 coins would be added to your watchlist');
    (await lines()).getByText('1 alert would be added');
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(asked.filter(({ call, body }) => call === importCall() && !(body as ImportBody).preview)).toEqual([]);
    expect(asked.map(({ call }) => call)).not.toContain('POST /api/watchlist');
    expect(isFree()).toBe(false);

    await add();
    await screen.findByText('Added 1 chat, 1 question, 2 coins, and 1 alert');
    const sent = asked.findLast(({ call }) => call === importCall())?.body;
    expect(sent).toMatchObject({ preview: false, chats: [{ id: CHAT, messages: [{ id: idOf(1), ai_response: 'It rises.' }] }] });
    const hearts = asked.filter(({ call }) => call === 'POST /api/watchlist').map(({ body }) => (body as { cryptoId: number }).cryptoId);
    expect(hearts).toEqual([2, 1]); // the last one is on top
    expect(asked.find(({ call }) => call.startsWith('PUT /api/alerts/'))?.body).toMatchObject({ seen: null, alert: { paused: true } });
    expect(asked.map(({ call }) => call)).not.toContain(`PUT /api/notification/${userId}/settings`);
    expect(added).toHaveBeenCalledOnce();
    await waitFor(() => expect(isFree()).toBe(true));
    expect(document.activeElement?.textContent).toContain('Added 1 chat');

    fireEvent.click(screen.getByRole('button', { name: 'Close message' }));
    expect(document.activeElement).toBe(screen.getByLabelText('Choose an export'));
  });

  it('that is here already adds nothing', async () => {
    const asked = fakeApi(
      api({
        [importCall()]: imported({ present: counts(1, 1) }),
        [`GET /api/alerts/${userId}`]: { status: 200, body: { status: 200, data: [stored(idOf(1))] } },
        [`POST /api/watchlist/${userId}`]: { status: 200, body: { status: 200, data: [], source, ids: [1] } },
      }),
    );
    await choose();
    (await lines()).getByText('1 coin is here already');
    screen.getByText('There is nothing to add.');
    expect(screen.queryByRole('button', { name: 'Add to my account' })).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(document.activeElement).toBe(screen.getByLabelText('Choose an export'));
    expect(asked.filter(({ call }) => call.startsWith('PUT'))).toEqual([]);
  });

  it('replaces the settings of notifications only if the user says so', async () => {
    const asked = fakeApi(api({ [importCall()]: imported({ present: counts(1, 1) }) }));
    const row = { choices: { bot: { email: false } }, quiet_from: 60, quiet_to: 120, time_zone: 'Asia/Tokyo' };
    await choose({ 'notification-settings.json': [row], 'alerts.json': [], 'watchlist.json': [] });
    const tick = await screen.findByRole('checkbox', { name: 'Replace my notification settings too' });
    expect(screen.queryByRole('button', { name: 'Add to my account' })).toBeNull();
    fireEvent.click(tick);
    await add();
    await screen.findByText('Added your notification settings');
    const body = { choices: { bot: { email: false } }, quiet: { from: 60, to: 120 }, time_zone: 'Asia/Tokyo' };
    expect(asked.find(({ call }) => call.startsWith('PUT'))?.body).toEqual(body);
  });

  it('comes without what the server does not accept, and says so', async () => {
    const name = `pictures/chats/${PICTURE}.png`;
    const asked = fakeApi(
      api({
        'POST /api/chat/images': { ...refusal(409, 'Full.'), body: { status: 409, code: 'quota', message: 'Full.' } },
        'POST /api/watchlist': refusal(400, 'This coin is not available.'),
        [`PUT /api/alerts/${userId}/${idOf(1)}`]: refusal(400, 'Too many.'),
      }),
    );
    await choose({ 'chat-messages.json': [exportedMessage({ picture: name })], [name]: 'picture' });
    await add();
    await screen.findByText('Added 1 chat and 1 question');
    screen.getByText('The server did not accept 1 coin and 1 alert. 1 question came without its picture.');
    expect(asked.findLast(({ call }) => call === importCall())?.body).toMatchObject({ chats: [{ messages: [{ picture: null }] }] });
  });

  it('keeps a picture that the account has under its id', async () => {
    const name = `pictures/chats/${PICTURE}.png`;
    const taken = { status: 409, body: { status: 409, code: 'image_id_taken', message: 'Another image has this id.' } };
    const asked = fakeApi(api({ 'POST /api/chat/images': taken }));
    await choose({ 'chat-messages.json': [exportedMessage({ picture: name })], [name]: 'picture' });
    await add();
    await screen.findByText(/^Added 1 chat/);
    expect(asked.findLast(({ call }) => call === importCall())?.body).toMatchObject({ chats: [{ messages: [{ picture: PICTURE }] }] });
  });

  it('waits as long as the server asks, and goes on', async () => {
    let asks = 0;
    const full = { ...refusal(429, 'Too many.'), headers: { 'Retry-After': '1' } };
    fakeApi(api({ [importCall()]: () => (asks++ === 0 ? full : imported({ added: counts(1, 1) })) }));
    // A process that is held up does not pass the second before the text shows.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    await choose();
    await screen.findByText('The server asks to wait 1 second. It goes on by itself.');
    await lines();
  });

  it('stops with the server’s words where waiting would not help', async () => {
    let asks = 0;
    fakeApi(api({ [importCall()]: () => (asks++ === 0 ? imported({ added: counts(1, 1) }) : refusal(429, 'Go on tomorrow.')) }));
    await choose();
    await add();
    expect((await screen.findByRole('alert')).textContent).toContain('Go on tomorrow. Trying again adds nothing twice.');
  });

  it('continues where a lost connection stopped it, and counts each part once', async () => {
    const answers = api();
    const put = `PUT /api/alerts/${userId}/${idOf(2)}`;
    const kept = answers[put];
    delete answers[put];
    const asked = fakeApi(answers);
    await choose({ 'alerts.json': [exportedAlert(), exportedAlert({ id: idOf(2) })] });
    await add();
    const stopped = await screen.findByRole('alert');
    expect(stopped.textContent).toContain('The import stopped');
    expect(stopped.textContent).toContain('Added 1 chat, 1 question, 1 coin, and 1 alert so far. Trying again adds nothing twice.');
    expect(added).toHaveBeenCalledOnce();
    if (kept) answers[put] = kept;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByText('Added 1 chat, 1 question, 1 coin, and 2 alerts');
    expect(asked.filter(({ call }) => call === 'POST /api/watchlist')).toHaveLength(1);
  });

  it('counts what a request has added whose answer was lost', async () => {
    const replies = [imported({ added: counts(1, 1) }), undefined, imported({ present: counts(1, 1) })];
    fakeApi(
      api({
        [importCall()]: () => {
          const reply = replies.shift();
          if (!reply) throw new TypeError('Failed to fetch');
          return reply;
        },
      }),
    );
    await choose({ 'alerts.json': [], 'watchlist.json': [] });
    await add();
    fireEvent.click(await screen.findByRole('button', { name: 'Try again' }));
    await screen.findByText('Added 1 chat and 1 question');
  });

  it('keeps the choice while there is no connection', async () => {
    const answers: Answers = {};
    fakeApi(answers);
    act(() => reportUnreachable());
    render(<ImportCard onAdded={added} />);
    screen.getByText('You can choose a file offline, but adding it needs a connection.');
    await chooseAgain({});
    const stopped = await screen.findByRole('alert');
    expect(stopped.textContent).toContain('No connection. Please try again when you are online. Nothing was added.');
    Object.assign(answers, api());
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    (await lines()).getByText('1 chat and 1 question would be added');
  });

  it('is canceled between two requests: what was added stays', async () => {
    const answers = api();
    fakeApi({
      ...answers,
      'POST /api/watchlist': { ...refusal(503, 'Busy.'), headers: { 'Retry-After': '600' } },
    });
    await choose();
    await add();
    await screen.findByText('The server asks to wait 10 minutes. It goes on by itself.');
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await screen.findByText('Added 1 chat and 1 question');
    screen.getByText(/^What was being sent .* Choose the file again to add the rest: nothing is added twice\.$/);
    await waitFor(() => expect(isFree()).toBe(true));
  });

  it('is canceled after a lost answer: it does not say that nothing was added', async () => {
    const replies = [imported({ added: counts(1, 1) })];
    fakeApi(
      api({
        [importCall()]: () => {
          const reply = replies.shift();
          if (!reply) throw new TypeError('Failed to fetch');
          return reply;
        },
      }),
    );
    await choose();
    await add();
    await screen.findByText('The import stopped');
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await screen.findByText('You canceled the import');
    screen.getByText(/^What was being sent when you canceled may be in your account too\./);
    expect(screen.queryByText(/Nothing was added/)).toBeNull();
  });
});

describe('a file that is no export', () => {
  it('is refused at the field, which keeps the focus and takes another file', async () => {
    fakeApi(api());
    await choose('x'.repeat(1000));
    expect((await screen.findByRole('alert')).textContent).toBe('This file is no export of Tidemark.');
    const field = screen.getByLabelText('Choose an export');
    expect(document.activeElement).toBe(field);
    expect(field.getAttribute('aria-invalid')).toBe('true');
    expect(document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent).toContain('no export');
    await chooseAgain({});
    await lines();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
