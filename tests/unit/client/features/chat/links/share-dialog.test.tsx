import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LinksCard } from '#client/features/chat/links/links-card.tsx';
import { ShareDialog } from '#client/features/chat/links/share-dialog.tsx';
import { userDb } from '#client/platform/db/user-db.ts';
import { reportReachable, reportUnreachable } from '#client/platform/live/reachability.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { toasts } from '#client/platform/toast.ts';
import type { ChatLink, LinkCopy } from '#contract/chat/chat-links.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { ARCHIVE, chatRow } from '#tests/support/chat/chat-rows.ts';
import { buttonsWork } from '#tests/support/client/buttons-work.ts';
import { type Answers, fakeApi, refusal } from '#tests/support/client/fake-api.ts';

const LIST = `GET /api/archive/${ARCHIVE}/links`;
const MAKE = `POST /api/archive/${ARCHIVE}/links`;
const DONE = { status: 200, body: { status: 200, message: 'Done.' } };
const archive = { id: ARCHIVE, archive_title: 'Staking', created_at: '2026-01-01T00:00:00.000Z' };
const link = (id: string, more: Partial<ChatLink> = {}): ChatLink => ({
  id,
  archive_id: ARCHIVE,
  title: 'Staking',
  created_at: '2026-05-13T09:30:00.000Z',
  expires_at: '2026-05-20T09:30:00.000Z',
  with_pictures: false,
  messages: 3,
  ...more,
});
const copy = (more: Partial<LinkCopy> = {}): LinkCopy => ({ messages: 3, last: 5, left_out: 0, earlier: false, pictures: 0, ...more });
const list = (links: ChatLink[], about = copy()) => ({ status: 200, body: { status: 200, data: { links, copy: about } } });
const made = (answered: ChatLink) => ({ status: 201, body: { status: 201, data: answered } });

const onClose = vi.fn();
function open(answers: Answers) {
  const asked = fakeApi(answers);
  render(<ShareDialog archive={archive} onClose={onClose} />);
  return asked;
}
const sent = (asked: ReturnType<typeof fakeApi>) =>
  asked.filter(({ call }) => call === MAKE).map(({ body }) => body as Record<string, unknown>);

beforeEach(async () => {
  onClose.mockClear();
  const db = userDb('user-1');
  await db.delete();
  await db.open();
  await signIn(makeTokens(), true);
});
afterEach(async () => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  reportReachable();
  toasts.set([]);
  cleanup();
  await endSession();
});

describe('the dialog that shares a chat', () => {
  it('says what others will see before there is a link', async () => {
    open({ [LIST]: list([], copy({ messages: 12, left_out: 2, earlier: true, pictures: 1 })) });
    const dialog = await screen.findByRole('dialog', { name: 'Share chat' });
    expect(
      await within(dialog).findByText(/12 questions and answers up to now, with figures and times\. Your name is not in it/),
    ).toBeTruthy();
    expect(within(dialog).getByText('2 answers about your bots or plan are left out.')).toBeTruthy();
    expect(within(dialog).getByText('Earlier messages are left out, because the chat is long.')).toBeTruthy();
    expect(within(dialog).getByText('Your pictures are left out.')).toBeTruthy();
  });

  it('makes a link with the chosen expiry and pictures, and shows it once', async () => {
    const asked = open({ [LIST]: list([], copy({ pictures: 2 })), [MAKE]: made(link('l1', { with_pictures: true })) });
    fireEvent.click(await screen.findByLabelText('30 days'));
    fireEvent.click(screen.getByRole('switch', { name: /With pictures/ }));
    fireEvent.click(screen.getByRole('button', { name: 'Create link' }));
    const field = (await screen.findByLabelText('Address')) as HTMLInputElement;
    const [body] = sent(asked);
    expect(body).toEqual({ id: expect.any(String), token: expect.stringMatching(/^[\w-]{43}$/), days: 30, with_pictures: true, last: 5 });
    expect(field.value).toBe(`${location.origin}/shared#${body?.token}`);
    expect(screen.getByText(/It expires on May 20, 2026, 9:30\sAM UTC/)).toBeTruthy();
    expect(within(screen.getByRole('list', { name: 'Links to this chat' })).getAllByRole('listitem')).toHaveLength(1);
    expect(document.activeElement?.textContent).toContain('The link is ready.');
    fireEvent.click(screen.getByRole('button', { name: 'Make another link' }));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Create link' }));
  });

  it('sends the same link again after a lost answer, and another one for other choices', async () => {
    const answers: Answers = { [LIST]: list([]) };
    const asked = open(answers);
    fireEvent.click(await screen.findByRole('button', { name: 'Create link' }));
    expect(await screen.findByText(/No connection/)).toBeTruthy();
    reportReachable();
    await buttonsWork();
    answers[MAKE] = refusal(409, 'You have 20 links. Stop sharing one to make another.');
    fireEvent.click(screen.getByRole('button', { name: 'Create link' }));
    expect(await screen.findByText('You have 20 links. Stop sharing one to make another.')).toBeTruthy();
    await buttonsWork();
    answers[MAKE] = made(link('l1'));
    fireEvent.click(screen.getByLabelText('1 day'));
    fireEvent.click(screen.getByRole('button', { name: 'Create link' }));
    await screen.findByLabelText('Address');
    const [first, second, third] = sent(asked);
    expect(second).toEqual(first);
    expect(third?.token).not.toBe(first?.token);
  });

  it('copies the link, and selects it where the browser blocks copying', async () => {
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    open({ [LIST]: list([]), [MAKE]: made(link('l1')) });
    fireEvent.click(await screen.findByRole('button', { name: 'Create link' }));
    const field = (await screen.findByLabelText('Address')) as HTMLInputElement;
    fireEvent.click(screen.getByRole('button', { name: 'Copy link' }));
    await waitFor(() => expect(toasts.get().at(-1)?.message).toBe('Copied'));
    expect(writeText).toHaveBeenCalledWith(field.value);
    writeText.mockRejectedValueOnce(new Error('blocked'));
    fireEvent.click(screen.getByRole('button', { name: 'Copy link' }));
    await waitFor(() => expect(toasts.get().at(-1)?.message).toMatch(/^Your browser blocked copying/));
    expect(screen.queryByRole('button', { name: 'Send link' })).toBeNull();
  });

  it('hands the link to the share menu of the device, where there is one', async () => {
    const share = vi.fn(async (_: ShareData) => undefined);
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { share }));
    open({ [LIST]: list([]), [MAKE]: made(link('l1')) });
    fireEvent.click(await screen.findByRole('button', { name: 'Create link' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Send link' }));
    expect(share).toHaveBeenCalledWith({ title: 'Staking', url: expect.stringContaining('/shared#') });
    share.mockRejectedValueOnce(new DOMException('closed', 'AbortError'));
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Send link' })));
    expect(toasts.get()).toEqual([]);
  });

  it('ends a link, and keeps it with a reason when that fails', async () => {
    const answers: Answers = { [LIST]: list([link('l1'), link('l2', { created_at: '2026-05-12T09:30:00.000Z' })]) };
    open(answers);
    const [stop] = await screen.findAllByRole('button', { name: /^Stop sharing the link made May 13/ });
    fireEvent.click(stop as HTMLElement);
    expect((await screen.findByRole('alert')).textContent).toMatch(/The link still works\.$/);
    await buttonsWork();
    answers['DELETE /api/chat-links/l1'] = DONE;
    fireEvent.click(stop as HTMLElement);
    await waitFor(() => expect(screen.getAllByRole('button', { name: /^Stop sharing/ })).toHaveLength(1));
    expect(document.activeElement?.textContent).toContain('The link no longer works.');
    // Gone on the server already.
    answers['DELETE /api/chat-links/l2'] = refusal(404, 'Not found.');
    fireEvent.click(screen.getByRole('button', { name: /^Stop sharing/ }));
    await waitFor(() => expect(screen.queryByRole('list', { name: 'Links to this chat' })).toBeNull());
  });

  it('shows the address of a link no longer that was just made and stopped', async () => {
    open({ [LIST]: list([]), [MAKE]: made(link('l1')), 'DELETE /api/chat-links/l1': DONE });
    fireEvent.click(await screen.findByRole('button', { name: 'Create link' }));
    await screen.findByLabelText('Address');
    fireEvent.click(screen.getByRole('button', { name: /^Stop sharing/ }));
    await waitFor(() => expect(screen.queryByLabelText('Address')).toBeNull());
    expect(document.activeElement?.textContent).toContain('The link no longer works.');
  });

  it.each([
    [refusal(404, 'Not found.'), 'The server does not have this chat yet. Share it once its question is answered.'],
    [refusal(503, 'We cannot reach our data right now.'), 'We cannot reach our data right now.'],
  ])('says at its place why it has nothing to show', async (answer, said) => {
    const answers: Answers = { [LIST]: answer };
    open(answers);
    expect(await screen.findByText(said)).toBeTruthy();
    answers[LIST] = list([], copy({ messages: 0, last: 0 }));
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('This chat has no answer to share yet.')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Create link' })).toBeNull();
  });

  it('offers the image alone without a connection', async () => {
    reportUnreachable();
    open({});
    expect(((await screen.findByLabelText('Image')) as HTMLInputElement).checked).toBe(true);
    expect(await screen.findByText('This device has no answer of this chat yet.')).toBeTruthy();
    fireEvent.click(screen.getByLabelText('Link'));
    expect(await screen.findByText('You are offline. A link needs a connection; an image does not.')).toBeTruthy();
  });
});

describe('the choice of what an image shows', () => {
  it('is the last answer at first, and never one about the account', async () => {
    const own = { sources: [{ tool: 'account', name: 'your bots', asOf: '2026-05-13T09:30:00.000Z' }], list: [] };
    await userDb('user-1').messages.bulkPut([
      chatRow({ id: 'm1', position: 1 }),
      chatRow({ id: 'm2', position: 2, ai_response: 'You have $900', figures: own }),
      chatRow({ id: 'm3', position: 3 }),
    ]);
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    reportUnreachable();
    open({});
    const boxes = await screen.findAllByRole('checkbox');
    expect(boxes.map((box) => [(box as HTMLInputElement).checked, box.closest('div')?.textContent])).toEqual([
      [true, 'Question m3'],
      [false, 'Question m1'],
    ]);
    expect(screen.getByText('Answers about your bots or plan are left out.')).toBeTruthy();
    // happy-dom draws nothing.
    expect(await screen.findByText(/Your browser could not draw the image/)).toBeTruthy();
    fireEvent.click(boxes[0] as HTMLElement);
    expect(screen.getByText('Choose a question.')).toBeTruthy();
  });
});

describe('the card of all links', () => {
  const ALL = 'GET /api/chat-links';

  it('lists them with their chats and ends them', async () => {
    const asked = fakeApi({
      [ALL]: { status: 200, body: { status: 200, data: [link('l1', { with_pictures: true, messages: 1 })] } },
      'DELETE /api/chat-links/l1': DONE,
    });
    render(<LinksCard />);
    const title = await screen.findByRole('link', { name: 'Staking' });
    expect(title.getAttribute('href')).toBe(`/chat/archive/${ARCHIVE}`);
    expect(screen.getByText(/1 answer · with pictures/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: /^Stop sharing/ }));
    expect(await screen.findByText('You share no chat. The menu of a chat has “Share…”.')).toBeTruthy();
    expect(asked.map(({ call }) => call)).toContain('DELETE /api/chat-links/l1');
  });

  it('says that it needs a connection, and that a read failed', async () => {
    reportUnreachable();
    const answers: Answers = {};
    fakeApi(answers);
    render(<LinksCard />);
    expect(await screen.findByText('Connect to see and stop your links.')).toBeTruthy();
    answers[ALL] = refusal(503, 'Away.');
    reportReachable();
    expect(await screen.findByText('Your links could not be loaded. Away.')).toBeTruthy();
    answers[ALL] = { status: 200, body: { status: 200, data: [] } };
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText(/You share no chat/)).toBeTruthy();
  });
});
