import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deleteArchive } from '#client/features/archive/archive-edits.ts';
import { askAgain, askQuestion, discardQuestion, retryQuestion } from '#client/features/chat/ask/ask-question.ts';
import { sendQuestion, type Wire } from '#client/features/chat/ask/send-question.ts';
import { conversation, storeMessages } from '#client/features/chat/conversation/conversation.ts';
import { ApiError, NetworkError } from '#client/platform/api/errors.ts';
import { type AttachmentRow, deleteUserDb, userDb } from '#client/platform/db/user-db.ts';
import { ARCHIVES } from '#client/platform/outbox/archives.ts';
import { drain } from '#client/platform/outbox/outbox.ts';
import { QUESTIONS, type Question } from '#client/platform/outbox/questions.ts';
import type { ChatMessage, Message } from '#contract/chat/chat.ts';
import { chatRow, unanswered } from '#tests/support/chat/chat-rows.ts';

const userId = 'sender';
const db = () => userDb(userId);

/** A fake server that stores questions by id and fails on request. */
class FakeServer implements Wire {
  created: string[] = [];
  stored = new Map<string, Message>();
  asked: string[] = [];
  pictures: string[] = [];
  /** Results of the next calls. `lost`: stored, but the acknowledgement does not arrive. */
  failures: (Error | 'lost')[] = [];

  async createArchive(_userId: string, archiveId: string) {
    this.created.push(archiveId);
  }

  async sendPicture({ id }: AttachmentRow) {
    this.pictures.push(id);
  }

  async ask(message: ChatMessage): Promise<Message> {
    this.asked.push(message.message);
    const failure = this.failures.shift();
    if (failure instanceof Error) throw failure;
    const id = message.chat_id || message.client_id;
    const position = this.stored.get(id)?.position ?? this.stored.size + 101;
    const row = unanswered({ id, archive_id: message.archive_id, user_message: message.message, position });
    this.stored.set(row.id, row);
    if (failure === 'lost') throw new NetworkError('timeout');
    return row;
  }
}

const refusal = (status: number) => new ApiError({ status, code: 'x', message: `Refused with ${status}` });

let server: FakeServer;
const sendAll = () => drain<Question>(db(), QUESTIONS, (command) => sendQuestion(db(), command, server));
const ask = (text: string, archiveId?: string) => askQuestion(db(), { userId, archiveId, text });
const commands = async () => (await db().outbox.toArray()).map(({ state, reason }) => (reason ? `${state}: ${reason}` : state));

beforeEach(() => {
  server = new FakeServer();
});
afterEach(() => deleteUserDb(userId));

describe('a question', () => {
  it('is stored with its conversation before anything is sent', async () => {
    const archive = await ask('Why?');
    expect(await db().archives.toArray()).toMatchObject([{ id: archive, archive_title: '', preview: 'Why?' }]);
    expect(await db().messages.toArray()).toMatchObject([
      { archive_id: archive, user_message: 'Why?', chat_status: 'message', position: 1 },
    ]);
    expect(await commands()).toEqual(['waiting']);
  });

  it('leaves nothing behind when it cannot be written down whole', async () => {
    const clash = { newId: () => 'same' };
    await askQuestion(db(), { userId, archiveId: 'a', text: 'First' }, clash);
    await expect(askQuestion(db(), { userId, archiveId: undefined, text: 'Second' }, clash)).rejects.toThrow();
    expect(await db().archives.count()).toBe(0);
    expect((await db().messages.toArray()).map((row) => row.user_message)).toEqual(['First']);
    expect(await db().outbox.count()).toBe(1);
  });

  it('creates its conversation first, and takes the row the server stored', async () => {
    const archive = await ask('Why?');
    expect(await sendAll()).toBe('empty');
    expect(server.created).toEqual([archive]);
    expect(await db().messages.toArray()).toMatchObject([{ user_message: 'Why?', position: 101 }]);
    expect(await commands()).toEqual([]);
  });

  it('goes into a known conversation without creating it', async () => {
    await ask('Why?', 'known');
    await sendAll();
    expect(server.created).toEqual([]);
  });

  it('keeps the order in which it was asked', async () => {
    const archive = await ask('one');
    await ask('two', archive);
    await ask('three', archive);
    expect((await db().messages.orderBy('[archive_id+position]').toArray()).map((row) => row.position)).toEqual([1, 2, 3]);
    await sendAll();
    expect(server.asked).toEqual(['one', 'two', 'three']);
    expect(server.created).toEqual([archive]); // by the first; the others know that it exists
  });

  it('is asked once, though its acknowledgement was lost', async () => {
    await ask('Why?');
    server.failures = ['lost'];
    expect(await sendAll()).toBe('stopped');
    expect(await commands()).toEqual(['waiting']);
    expect(await sendAll()).toBe('empty');
    expect(server.asked).toEqual(['Why?', 'Why?']);
    expect(server.stored.size).toBe(1);
    expect(await db().messages.count()).toBe(1);
  });

  it('stays deleted with its conversation, though the server acknowledges it later', async () => {
    const archive = await ask('Why?');
    const answer = server.ask.bind(server);
    server.ask = async (message) => {
      await deleteArchive(db(), archive);
      return answer(message);
    };
    await sendAll();
    expect(server.asked).toEqual(['Why?']);
    expect(await db().messages.count()).toBe(0);
  });

  it('is not asked if its conversation is deleted while the server creates it, and the deletion is sent after it', async () => {
    const archive = await ask('Why?');
    server.createArchive = async () => {
      await deleteArchive(db(), archive);
      await db().outbox.clear(); // the server had nothing to delete yet
    };
    expect(await sendAll()).toBe('empty');
    expect(server.asked).toEqual([]);
    expect((await db().outbox.toArray()).map(({ lane, body }) => ({ lane, body }))).toEqual([
      { lane: ARCHIVES, body: { archiveId: archive, title: null } },
    ]);
  });

  it('is sent once by two drains at the same time', async () => {
    await ask('Why?');
    await Promise.all([sendAll(), sendAll()]);
    expect(server.asked).toEqual(['Why?']);
  });

  it.each([401, 408, 429, 500, 503])('waits after a %i', async (status) => {
    await ask('Why?');
    server.failures = [refusal(status)];
    expect(await sendAll()).toBe('stopped');
    expect(await commands()).toEqual([status === 429 ? 'waiting: Refused with 429' : 'waiting']);
  });

  it('forgets why it waited once the reason is another one', async () => {
    await ask('Why?');
    for (const status of [429, 503]) {
      server.failures = [refusal(status)];
      await sendAll();
    }
    expect(await commands()).toEqual(['waiting']);
  });

  it.each([400, 403, 404, 413, 422])('is parked with the reason after a %i, and holds up nothing', async (status) => {
    const archive = await ask('Bad');
    await ask('Good', archive);
    server.failures = [refusal(status)];
    expect(await sendAll()).toBe('empty');
    expect(await commands()).toEqual([`parked: Refused with ${status}`]);
    expect([...server.stored.values()].map((row) => row.user_message)).toEqual(['Good']);
  });

  it('can be sent again after a refusal', async () => {
    await ask('Why?');
    server.failures = [refusal(400)];
    await sendAll();
    const [row] = await db().messages.toArray();
    await retryQuestion(db(), row?.id ?? '');
    expect(await sendAll()).toBe('empty');
    expect(await commands()).toEqual([]);
  });
});

describe('discarding', () => {
  it('also deletes a conversation without other messages', async () => {
    await ask('Why?');
    const [row] = await db().messages.toArray();
    expect(await discardQuestion(db(), row?.id ?? '')).toBe(true);
    expect(await Promise.all([db().archives.count(), db().messages.count(), db().outbox.count()])).toEqual([0, 0, 0]);
  });

  it('leaves the other questions alone', async () => {
    const archive = await ask('one');
    await ask('two', archive);
    const [, second] = await db().messages.orderBy('[archive_id+position]').toArray();
    const previews = async () => (await db().archives.toArray()).map(({ preview }) => preview);
    expect(await previews()).toEqual(['two']);
    expect(await discardQuestion(db(), second?.id ?? '')).toBe(false);
    expect(await previews()).toEqual(['one']);
    await sendAll();
    expect(server.asked).toEqual(['one']);
    expect(await db().archives.count()).toBe(1);
  });
});

describe('the preview of a chat', () => {
  const preview = async () => (await db().archives.toArray())[0]?.preview;
  const edit = async (archiveId: string, at: number, text: string) => {
    const rows = await db().messages.orderBy('[archive_id+position]').toArray();
    await askQuestion(db(), { userId, archiveId, text, replaces: rows[at]?.id ?? '' });
    return rows[at]?.id ?? '';
  };

  it('changes at once with its last question, and returns with a discarded edit', async () => {
    const archive = await ask('one');
    await ask('two', archive);
    await sendAll();
    const edited = await edit(archive, 1, 'two, edited');
    expect(await preview()).toBe('two, edited');
    await discardQuestion(db(), edited);
    expect(await preview()).toBe('two');
  });

  it('stays when an earlier question is edited', async () => {
    const archive = await ask('one');
    await ask('two', archive);
    await sendAll();
    await edit(archive, 0, 'one, edited');
    expect(await preview()).toBe('two');
  });
});

describe('a question with a picture', () => {
  let picture = 0;
  /** Asks about an attached picture. */
  async function askWithPicture() {
    picture += 1;
    const id = `00000000-0000-4000-8000-${String(picture).padStart(12, '0')}`;
    await db().attachments.add({ id, name: 'picture.png', type: 'image/png', bytes: new ArrayBuffer(4), width: 2, height: 2 });
    await askQuestion(db(), { userId, archiveId: undefined, text: 'And this?', imageId: id });
    return id;
  }
  const missing = new ApiError({ status: 409, code: 'image_missing', message: 'The picture is missing.' });

  it('sends the picture first, and keeps it until the question is stored', async () => {
    const id = await askWithPicture();
    expect(await db().messages.toArray()).toMatchObject([
      { preview_image: `/chat/images/${id}/preview`, chat_image: `/chat/images/${id}` },
    ]);
    server.failures = [new NetworkError('timeout')];
    await sendAll();
    expect(await db().attachments.count()).toBe(1);
    await sendAll();
    expect(server.pictures).toEqual([id]); // once, for both attempts
    expect(await db().attachments.count()).toBe(0);
  });

  it('sends the picture again when the server does not have it', async () => {
    const id = await askWithPicture();
    server.failures = [missing];
    expect(await sendAll()).toBe('empty');
    expect(server.pictures).toEqual([id, id]);
    expect(await commands()).toEqual([]);
  });

  it('is parked when its picture no longer exists', async () => {
    await askWithPicture();
    await db().attachments.clear();
    server.failures = [missing];
    await sendAll();
    expect(await commands()).toEqual(['parked: The picture is missing.']);
  });

  it('also deletes the picture when it is discarded', async () => {
    await askWithPicture();
    const [row] = await db().messages.toArray();
    await discardQuestion(db(), row?.id ?? '');
    expect(await db().attachments.count()).toBe(0);
  });
});

describe('an edit', () => {
  const before = chatRow({ id: 'a', position: 7, user_message: 'Old', ai_response: 'Answer', rating: 'up' });
  const edit = (text: string) => askQuestion(db(), { userId, archiveId: before.archive_id, text, replaces: 'a' });
  const row = () => db().messages.get('a');

  it('empties the answer and keeps the place', async () => {
    await db().messages.put(before);
    await edit('New');
    expect(await row()).toMatchObject({ position: 7, user_message: 'New', ai_response: '', chat_status: 'message' });
    expect(await row()).not.toHaveProperty('rating');
    expect(await db().messages.count()).toBe(1);
    await sendAll();
    expect(await commands()).toEqual([]);
    expect(server.stored.get('a')?.user_message).toBe('New');
  });

  it('is shown in its place while it waits', async () => {
    await db().messages.bulkPut([before, chatRow({ id: 'b', position: 8 })]);
    await edit('New');
    const messages = await conversation.read(db(), { userId, archiveId: before.archive_id }, true);
    expect(messages?.map(({ id, unsent }) => [id, unsent?.state])).toEqual([
      ['a', 'waiting'],
      ['b', undefined],
    ]);
  });

  it('is not undone by what the server had before', async () => {
    await db().messages.put(before);
    await edit('New');
    await storeMessages(db(), [before]);
    expect(await row()).toMatchObject({ user_message: 'New', ai_response: '' });
  });

  it('that is discarded brings back what was there', async () => {
    await db().messages.put(before);
    await edit('New');
    expect(await discardQuestion(db(), 'a')).toBe(false);
    expect(await row()).toEqual(before);
    expect(await commands()).toEqual([]);
  });

  it('of nothing changed asks for another answer', async () => {
    await db().messages.put(before);
    await askAgain(db(), userId, before);
    expect(await db().outbox.toArray()).toMatchObject([{ body: { message: { chat_id: 'a', message: 'Old' } } }]);
  });
});
