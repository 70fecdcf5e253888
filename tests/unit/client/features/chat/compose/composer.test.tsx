import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import Dexie, { type Table } from 'dexie';
import { Profiler } from 'react';
import { SWRConfig } from 'swr';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { askQuestion } from '#client/features/chat/ask/ask-question.ts';
import { PictureProblem, preparePicture } from '#client/features/chat/attach/picture-prepare.ts';
import { Composer } from '#client/features/chat/compose/composer.tsx';
import { saveDrafts } from '#client/features/chat/compose/drafts.ts';
import { startEditing } from '#client/features/chat/compose/edit-message.ts';
import type { LocalMessage } from '#client/features/chat/conversation/conversation.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { history } from '#client/platform/router/history.ts';
import { endSession, signIn } from '#client/platform/session/session.ts';
import { deleteShare, putShare, readShare } from '#client/platform/shared/inbox.ts';
import { withLock } from '#client/platform/tabs/with-lock.ts';
import { PICTURE_CHAT } from '#domain/picture-chat.ts';
import { profileOf } from '#tests/support/accounts/profile.ts';
import { makeTokens } from '#tests/support/accounts/tokens.ts';
import { ARCHIVE, chatRow, unanswered } from '#tests/support/chat/chat-rows.ts';
import { type Answers, fakeApi } from '#tests/support/client/fake-api.ts';

vi.mock('#client/features/chat/attach/picture-prepare.ts', async (original) => ({
  ...(await original<typeof import('#client/features/chat/attach/picture-prepare.ts')>()),
  preparePicture: vi.fn(),
}));

let user = 0;
let userId: string;
let answers: Answers;
const db = () => userDb(userId);
const box = () => screen.getByRole<HTMLTextAreaElement>('textbox');
const type = (text: string) => fireEvent.change(box(), { target: { value: text } });
const enter = (more: object = {}) => fireEvent.keyDown(box(), { key: 'Enter', ...more });
const asked = async () =>
  (await db().messages.toArray()).sort((one, other) => one.position - other.position).map(({ user_message }) => user_message);
/** Waits until the effects of a key press are done. */
const settle = () => act(async () => {});

const answerProfile = (more: object = {}) => {
  const data = profileOf({ id: userId, userSubscription: { extraQuestions: 7, extraChatAnalysis: 2, ...more } });
  answers[`GET /api/auth/user/${userId}/`] = { status: 200, body: { status: 200, data } };
};

const onAsked = vi.fn<(archiveId: string) => void>();
const onAsking = vi.fn<(question: LocalMessage | undefined) => void>();
const at = (archiveId: string | undefined, awaited?: string) => (
  <SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false }}>
    <Composer archiveId={archiveId} awaited={awaited} onAsking={onAsking} onAsked={onAsked} />
  </SWRConfig>
);
const NEW_CHAT = '';
async function compose(archiveId: string = ARCHIVE, awaited?: string) {
  const view = render(at(archiveId || undefined, awaited));
  await settle();
  return view;
}

const png = () => new File([new Uint8Array([0x89, 0x50])], 'chart.png', { type: 'image/png' });
const choose = (file: File) => {
  fireEvent.click(screen.getByRole('button', { name: 'Attach a picture' }));
  fireEvent.change(screen.getByLabelText('Gallery', { selector: 'input' }), { target: { files: [file] } });
};
const encoded = (type: string) => ({ type, bytes: new ArrayBuffer(4) });
const prepared = { ...encoded('image/png'), width: 20, height: 10, preview: encoded('image/webp') };

beforeEach(async () => {
  user += 1;
  userId = `writer-${user}`;
  answers = {};
  onAsked.mockReset();
  onAsking.mockReset();
  vi.mocked(preparePicture).mockReset().mockResolvedValue(prepared);
  fakeApi(answers);
  answerProfile();
  await signIn(makeTokens({ sub: userId }), true);
});

afterEach(async () => {
  cleanup(); // requires a signed-in user
  await endSession();
  vi.unstubAllGlobals();
});

it('keeps what is typed before the sent text has left the screen', async () => {
  onAsked.mockImplementationOnce(() => void type('Next'));
  await compose();
  type('First');
  enter();
  await waitFor(() => expect(onAsked).toHaveBeenCalledOnce());
  await settle();
  expect(box().value).toBe('Next');
  enter();
  await waitFor(() => expect(onAsked).toHaveBeenCalledTimes(2));
  expect((await asked()).sort()).toEqual(['First', 'Next']);
});

it('asks once when the user sends twice, and shows at once that it sends', async () => {
  const store = holdMessages();
  await compose();
  type('Why?');
  enter();
  await waitFor(() => expect(box().form?.getAttribute('aria-busy')).toBe('true'));
  enter();
  store();
  await waitFor(() => expect(onAsked).toHaveBeenCalled());
  await waitFor(() => expect(box().form?.hasAttribute('aria-busy')).toBe(false));
  await settle();
  expect(await asked()).toEqual(['Why?']);
  expect(screen.queryByRole('alert')).toBeNull();
});

it('opens the chat in which another tab has sent the same draft, and asks nothing twice', async () => {
  const inAnotherTab = (text: string) => askQuestion(db(), { userId, archiveId: undefined, text, draft: { key: 'new', wasSaved: true } });
  await compose(NEW_CHAT);
  type('What is staking?');
  await saveDrafts();
  const archive = await inAnotherTab('What is staking?');
  await inAnotherTab('And another one');
  enter();
  await waitFor(() => expect(onAsked).toHaveBeenCalledWith(archive));
  await settle();
  expect((await asked()).sort()).toEqual(['And another one', 'What is staking?']);
  expect([box().value, screen.queryByRole('alert')]).toEqual(['', null]);

  // A draft that is on the device, and one that changed since, are sent, whatever another tab has sent.
  type('What is staking?');
  await saveDrafts();
  enter();
  await waitFor(() => expect(onAsked).toHaveBeenCalledTimes(2));
  await settle();
  type('Why?');
  await saveDrafts();
  await inAnotherTab('Why?');
  type('Why then?');
  enter();
  await waitFor(() => expect(onAsked).toHaveBeenCalledTimes(3));
  await settle();
  expect((await asked()).sort()).toEqual(['And another one', 'What is staking?', 'What is staking?', 'Why then?', 'Why?']);
});

it('sends a draft that was read from the device once, whichever tab sends it', async () => {
  await db().drafts.put({ key: 'new', text: 'Shared', imageId: null, editing: null });
  await compose(NEW_CHAT);
  await waitFor(() => expect(box().value).toBe('Shared'));
  await askQuestion(db(), { userId, archiveId: undefined, text: 'Shared', draft: { key: 'new', wasSaved: true } });
  enter();
  await waitFor(() => expect(onAsked).toHaveBeenCalledOnce());
  expect(await asked()).toEqual(['Shared']);
});

describe('a shared picture', () => {
  const share = (more: object = {}) => ({ id: 'one', receivedAt: Date.now(), text: 'BTCUSDT', picture: new ArrayBuffer(4), ...more });
  /** Holds the preparation of the next picture until the returned function is called. */
  const hold = () => {
    let end = () => {};
    const held = new Promise<void>((resolve) => {
      end = resolve;
    });
    vi.mocked(preparePicture).mockImplementationOnce(() => held.then(() => prepared));
    return end;
  };
  const preparing = () => waitFor(() => expect(preparePicture).toHaveBeenCalledOnce());
  const waits = async () => (await readShare(Date.now()))?.id;
  const parsePage = (at: number) => {
    const domInteractive = performance.now() + at - Date.now();
    vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ domInteractive } as never]);
  };
  beforeEach(() => parsePage(Date.now() + 60_000));
  afterEach(async () => {
    vi.mocked(performance.getEntriesByType).mockRestore();
    await deleteShare();
  });

  it('that came after this page is left to the page that it has opened', async () => {
    parsePage(Date.now() - 1000);
    await db().drafts.put({ key: 'new', text: 'Mine', imageId: null, editing: null });
    await putShare(share());
    await compose(NEW_CHAT);
    await waitFor(() => expect(box().value).toBe('Mine'));
    // The composer has asked for the lock before it shows the draft.
    await act(() => withLock('tidemark-shared', async () => {}));
    expect([await waits(), box().value]).toEqual(['one', 'Mine']);
  });

  it('waits for the next new chat if another chat opens while it is prepared', async () => {
    const end = hold();
    await putShare(share());
    const view = await compose(NEW_CHAT);
    await preparing();
    await act(async () => {
      view.rerender(at(ARCHIVE));
      end();
    });
    await settle();
    expect(await waits()).toBe('one');
    expect(screen.queryByRole('button', { name: 'Remove picture' })).toBeNull();
    view.rerender(at(undefined));
    await screen.findByRole('button', { name: 'Remove picture' });
    expect(box().value).toBe('BTCUSDT');
    await waitFor(async () => expect(await waits()).toBeUndefined());
  });

  it('is in the draft of the new chat if its page is left while it is prepared', async () => {
    const end = hold();
    await putShare(share());
    const view = await compose(NEW_CHAT);
    await preparing();
    view.unmount();
    end();
    await waitFor(async () => expect(await waits()).toBeUndefined());
    expect(await db().drafts.get('new')).toMatchObject({ text: 'BTCUSDT', imageId: expect.any(String) });
  });

  it('does not come back once the user has chosen another picture instead', async () => {
    const end = hold();
    await putShare(share());
    await compose(NEW_CHAT);
    await preparing();
    choose(png());
    await screen.findByRole('button', { name: 'Remove picture' });
    const chosen = (await db().attachments.toArray()).map(({ id }) => id);
    end();
    await waitFor(async () => expect(await waits()).toBeUndefined());
    await waitFor(async () => expect((await db().drafts.get('new'))?.imageId).toBe(chosen[0]));
  });

  it('says that it took the place of an attached one, and of a share that was never used', async () => {
    await db().drafts.put({ key: 'new', text: 'Mine', imageId: 'mine', editing: null });
    await putShare(share({ id: 'lost' }));
    await putShare(share());
    await compose(NEW_CHAT);
    expect((await screen.findByRole('alert')).textContent).toBe(
      'What you shared before this was not used yet, and is gone. Share it again after you have sent this. ' +
        'The shared picture took the place of the one that was attached.',
    );
    expect(box().value).toBe('BTCUSDT\nMine');
  });
});

/** Keeps all messages from being written until the returned function is called. */
function holdMessages(): () => void {
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  void db().transaction('rw', db().messages, () => Dexie.waitFor(held));
  return letGo;
}

/** Lets the device have no space for messages. */
function fillDevice() {
  const tables = Object.getPrototypeOf(db().messages) as Table;
  const { add } = tables;
  vi.spyOn(tables, 'add').mockImplementation(function (this: Table, row) {
    return this.name === 'messages' ? Dexie.Promise.reject(new Error('no space')) : add.call(this, row);
  });
}

it('shows a question before it is stored, and keeps what is typed meanwhile as the next draft', async () => {
  const store = holdMessages();
  await compose();
  type('Why?');
  enter();
  await waitFor(() => expect(onAsking).toHaveBeenCalled());
  expect([box().value, onAsking.mock.calls.map(([question]) => question?.user_message)]).toEqual(['', ['Why?']]);
  expect(onAsked).not.toHaveBeenCalled();
  type('And ETH?');
  store();
  await waitFor(() => expect(onAsked).toHaveBeenCalledOnce());
  await settle();
  expect([await asked(), box().value]).toEqual([['Why?'], 'And ETH?']);
  await saveDrafts();
  expect(await db().drafts.toArray()).toMatchObject([{ key: ARCHIVE, text: 'And ETH?' }]);
});

it('sends the next question, too, while the one before it is being stored, once and in order', async () => {
  const store = holdMessages();
  await compose();
  type('Why?');
  enter();
  enter();
  await waitFor(() => expect(box().value).toBe(''));
  enter();
  type('And ETH?');
  enter();
  enter();
  expect([onAsked.mock.calls, box().value]).toEqual([[], 'And ETH?']);
  store();
  await waitFor(async () => expect(await asked()).toEqual(['Why?', 'And ETH?']));
  await settle();
  expect([box().value, screen.queryByRole('alert'), await asked()]).toEqual(['', null, ['Why?', 'And ETH?']]);
});

it('says nothing of an empty field when Send is pressed twice', async () => {
  const store = holdMessages();
  await compose();
  type('Why?');
  enter();
  await waitFor(() => expect(box().value).toBe(''));
  enter();
  store();
  await waitFor(() => expect(onAsked).toHaveBeenCalledOnce());
  await settle();
  expect([screen.queryByRole('alert'), await asked()]).toEqual([null, ['Why?']]);
});

it('keeps what is typed after the first question of a chat until its conversation is shown, in that conversation', async () => {
  let archive = '';
  onAsked.mockImplementationOnce((id) => {
    archive = id;
    type('And');
  });
  const view = await compose(NEW_CHAT);
  type('Why?');
  enter();
  await waitFor(() => expect(onAsked).toHaveBeenCalledOnce());
  await settle();
  type('And ETH?');
  view.rerender(at(archive));
  await settle();
  expect(box().value).toBe('And ETH?');
  await saveDrafts();
  expect(await db().drafts.toArray()).toMatchObject([{ key: archive, text: 'And ETH?' }]);
  view.rerender(at(undefined));
  await waitFor(() => expect(box().value).toBe(''));
  type('Another chat');
  view.rerender(at(archive));
  await waitFor(() => expect(box().value).toBe('And ETH?'));
  await saveDrafts();
  expect(await db().drafts.get('new')).toMatchObject({ text: 'Another chat' });
  expect(await db().drafts.get(archive)).toMatchObject({ text: 'And ETH?' });
});

it('takes a question back that cannot be stored, with what was typed since and its picture', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  await compose();
  choose(png());
  await screen.findByRole('button', { name: 'Remove picture' });
  const fail = holdMessages();
  fillDevice();
  type('Why?');
  enter();
  await waitFor(() => expect(box().value).toBe(''));
  expect(screen.queryByRole('button', { name: 'Remove picture' })).toBeNull();
  type('And ETH?');
  fail();
  expect((await screen.findByRole('alert')).textContent).toContain('could not be stored on this device');
  expect([box().value, await asked(), onAsking.mock.lastCall]).toEqual(['Why?\nAnd ETH?', [], [undefined]]);
  expect(screen.getByRole('button', { name: 'Remove picture' })).toBeTruthy();
  await saveDrafts();
  expect(await db().drafts.toArray()).toMatchObject([{ key: ARCHIVE, text: 'Why?\nAnd ETH?' }]);
});

it('stores the trimmed text on Enter and clears the field', async () => {
  await compose();
  type('  Why?  ');
  enter();
  await waitFor(() => expect(onAsked).toHaveBeenCalledWith(ARCHIVE));
  expect(await asked()).toEqual(['Why?']);
  expect(box().value).toBe('');
  await saveDrafts();
  expect(await db().drafts.count()).toBe(0);
});

it.each([
  ['Shift+Enter', { shiftKey: true }],
  ['Enter that ends a composition', { isComposing: true }],
  ['Enter with key code 229', { keyCode: 229 }],
])('does not send with %s', async (_what, more) => {
  await compose();
  type('Why?');
  enter(more);
  await settle();
  expect(onAsked).not.toHaveBeenCalled();
});

it.each([
  ['before', true],
  // The text area changes before React handles the event.
  ['while', false],
])(
  'keeps what is typed in the very moment in which the device has answered that there is no draft, %s effects run',
  async (_when, heard) => {
    let answer = (_draft: undefined) => {};
    vi.spyOn(db().drafts, 'get').mockReturnValueOnce(
      new Dexie.Promise((resolve) => {
        answer = resolve;
      }),
    );
    let armed = false;
    const tell = () => void box().dispatchEvent(new Event('input', { bubbles: true }));
    /** After the draft is rendered, and before its effects run. */
    const onRender = () => {
      if (!armed) return;
      armed = false;
      // Dispatch natively: the library would run act() inside a commit.
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(box(), 'Why?');
      if (heard) tell();
    };
    render(
      <Profiler id="composer" onRender={onRender}>
        {at(ARCHIVE)}
      </Profiler>,
    );
    await settle();
    armed = true;
    answer(undefined);
    await waitFor(() => expect(armed).toBe(false));
    await settle();
    if (!heard) act(tell);
    enter();
    await waitFor(() => expect(onAsked).toHaveBeenCalledWith(ARCHIVE));
    expect(await asked()).toEqual(['Why?']);
  },
);

it.each(['', '   \n '])('asks for a question when there is none (%j)', async (text) => {
  await compose();
  type(text);
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect((await screen.findByRole('alert')).textContent).toBe('Enter chat description!');
  expect(box().getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(box());
  expect(onAsked).not.toHaveBeenCalled();
});

it('tells the limit before and beyond it', async () => {
  await compose();
  type('x'.repeat(3_900));
  expect(screen.getByText('3,900 of 4,000 characters')).toBeDefined();
  type('x'.repeat(4_001));
  enter();
  expect((await screen.findByRole('alert')).textContent).toBe('At most 4,000 characters');
});

it('keeps the text when it could not be stored', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  await compose();
  fillDevice();
  type('Why?');
  enter();
  expect((await screen.findByRole('alert')).textContent).toContain('could not be stored');
  expect(box().value).toBe('Why?');
  vi.restoreAllMocks();
});

it('keeps the error of an empty question when the empty draft is read later', async () => {
  let read = (_row: undefined) => {};
  const reading = new Promise<undefined>((resolve) => (read = resolve));
  vi.spyOn(db().drafts, 'get').mockReturnValue(Dexie.Promise.resolve(reading) as never);
  await compose();
  fireEvent.click(screen.getByRole('button', { name: 'Send' }));
  await screen.findByText('Enter chat description!');
  await act(async () => {
    read(undefined);
    await reading;
  });
  await settle();
  expect(screen.getByText('Enter chat description!')).toBeTruthy();
  vi.mocked(db().drafts.get).mockRestore();
});

it('keeps a draft for each conversation', async () => {
  const { rerender, unmount } = await compose();
  type('Half a thought');
  rerender(at(undefined));
  await waitFor(() => expect(box().value).toBe(''));
  rerender(at(ARCHIVE));
  await waitFor(() => expect(box().value).toBe('Half a thought'));
  unmount();
  await compose();
  expect(box().value).toBe('Half a thought');
});

it('shows what is left of the month, and nothing where there is no limit', async () => {
  await compose();
  expect(await screen.findByText('7 of 10 questions · 2 of 3 chart analyses left this month')).toBeDefined();
  cleanup();
  answerProfile({ planType: 'PREMIUM', extraQuestions: -1, extraChatAnalysis: -1 });
  await compose();
  await waitFor(async () => expect((await db().profile.toArray())[0]?.userSubscription.planType).toBe('PREMIUM'));
  await waitFor(() => expect(screen.queryByText(/left this month/)).toBeNull());
});

it('sends a picture with the question and then removes it from the composer', async () => {
  await compose();
  choose(png());
  expect(await screen.findByRole('button', { name: 'Remove picture' })).toBeDefined();
  const [attachment] = await db().attachments.toArray();
  type('And this?');
  enter();
  await waitFor(() => expect(onAsked).toHaveBeenCalled());
  expect(await db().outbox.toArray()).toMatchObject([{ body: { message: { chat_image: attachment?.id } } }]);
  expect(screen.queryByRole('button', { name: 'Remove picture' })).toBeNull();
});

it('keeps picture and text over a reload, and drops a picture that is removed', async () => {
  const { unmount } = await compose();
  type('With this');
  choose(png());
  await screen.findByRole('button', { name: 'Remove picture' });
  unmount();
  await saveDrafts();
  expect(await db().drafts.toArray()).toMatchObject([{ key: ARCHIVE, text: 'With this', imageId: expect.any(String) }]);
  await compose();
  fireEvent.click(await screen.findByRole('button', { name: 'Remove picture' }));
  await waitFor(async () => expect(await db().attachments.count()).toBe(0));
  expect(box().value).toBe('With this');
});

it('says at the field why a file is no picture, and keeps the text', async () => {
  vi.mocked(preparePicture).mockRejectedValue(new PictureProblem('The file cannot be read as an image.'));
  await compose();
  type('Look');
  choose(png());
  expect((await screen.findByRole('alert')).textContent).toBe('The file cannot be read as an image.');
  expect(box().value).toBe('Look');
});

it('takes a pasted picture', async () => {
  await compose();
  fireEvent.paste(box(), { clipboardData: { files: [png()] } });
  expect(await screen.findByRole('button', { name: 'Remove picture' })).toBeDefined();
});

it('takes a dropped picture', async () => {
  await compose();
  const transfer = { dataTransfer: { types: ['Files'], files: [png()] } };
  const drag = (name: string) => act(async () => void window.dispatchEvent(Object.assign(new Event(name), transfer)));
  await drag('dragenter');
  expect(screen.getByText('Drop a chart picture')).toBeDefined();
  await drag('drop');
  expect(await screen.findByRole('button', { name: 'Remove picture' })).toBeDefined();
  await waitFor(() => expect(screen.queryByText('Drop a chart picture')).toBeNull());
});

it('has a premium badge on the camera, and takes PNG, JPEG and GIF', async () => {
  await compose();
  const badge = screen.getByTitle('Premium');
  expect(badge.previousElementSibling?.contains(screen.getByRole('button', { name: 'Attach a picture' }))).toBe(true);
  for (const way of ['Camera', 'Gallery'])
    expect(screen.getByLabelText<HTMLInputElement>(way, { selector: 'input' }).accept).toBe('image/png,image/jpeg,image/gif,image/webp');
});

it('offers an upgrade when the plan has no chart analysis left', async () => {
  answerProfile({ extraChatAnalysis: 0 });
  await compose();
  await screen.findByText(/0 of 3 chart analyses/);
  fireEvent.click(screen.getByRole('button', { name: 'Attach a picture' }));
  const text = 'Upgrade to Premium for unlimited access to all features including Trading Bot';
  expect(await screen.findByText(text)).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByText(text)).toBeNull());
  expect(preparePicture).not.toHaveBeenCalled();
});

it('loads a message to edit and restores the earlier draft afterwards', async () => {
  const message = chatRow({ id: 'm', user_message: 'Old', chat_image: '/chat/images/00000000-0000-4000-8000-000000000001' });
  await db().messages.put(message);
  await compose();
  type('My next question');
  act(() => startEditing(db(), message));
  await waitFor(() => expect(box().value).toBe('Old'));
  expect(screen.getByText('Editing Message')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Remove picture' })).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Cancel editing' }));
  await waitFor(() => expect(box().value).toBe('My next question'));

  act(() => startEditing(db(), message));
  await waitFor(() => expect(box().value).toBe('Old'));
  type('New');
  enter();
  await waitFor(() => expect(onAsked).toHaveBeenCalledWith(ARCHIVE));
  expect(await db().messages.toArray()).toMatchObject([{ id: 'm', user_message: 'New', ai_response: '' }]);
  await waitFor(() => expect(box().value).toBe('My next question'));
});

it('resumes an edit after a reload, and says so', async () => {
  await db().messages.put(chatRow({ id: 'm' }));
  await db().drafts.put({ key: `edit/${ARCHIVE}`, text: 'Half edited', imageId: null, editing: 'm' });
  await compose();
  await waitFor(() => expect(box().value).toBe('Half edited'));
  expect(screen.getByText('Editing Message, saved on your last visit')).toBeDefined();
});

it('stops a pending answer when there is nothing to send', async () => {
  const stopped = chatRow({ id: 'm', ai_response: '', stopped: true });
  await db().messages.put(unanswered({ id: 'm' }));
  answers['POST /api/chat/m/stop'] = { status: 200, body: { status: 200, data: stopped } };
  await compose(ARCHIVE, 'm');
  type('x');
  expect(screen.queryByRole('button', { name: 'Stop' })).toBeNull();
  type('');
  fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
  await waitFor(async () => expect(await db().messages.get('m')).toMatchObject({ stopped: true }));
});

it.each([
  [2, 'menuitem', 'Gallery'],
  [0, 'dialog', 'Upgrade'],
])('opens with the choice of a picture when the address asks for it, with %i pictures left', async (extraChatAnalysis, role, name) => {
  answerProfile({ extraChatAnalysis });
  await db().profile.put(profileOf({ id: userId, userSubscription: { extraChatAnalysis } }));
  history.push(PICTURE_CHAT);
  await compose(undefined);
  expect(await screen.findByRole(role, { name: new RegExp(name) })).toBeDefined();
  expect(window.location.pathname + window.location.search).toBe('/chat');
});
