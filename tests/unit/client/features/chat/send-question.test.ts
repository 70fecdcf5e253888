import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askQuestion, discardQuestion } from '../../../../../src/client/features/chat/ask-question';
import { sendQuestion, type Wire } from '../../../../../src/client/features/chat/send-question';
import { ApiError, NetworkError } from '../../../../../src/client/platform/api/errors';
import { deleteUserDb, userDb } from '../../../../../src/client/platform/db/user-db';
import { drain, retry } from '../../../../../src/client/platform/outbox/outbox';
import { QUESTIONS, type Question } from '../../../../../src/client/platform/outbox/questions';
import type { Chat, ChatMessage } from '../../../../../src/contract/chat';
import { unanswered } from '../../../../support/chat-rows';

const userId = 'sender';
const db = () => userDb(userId);

/** A server that keeps questions by their id, as the real one does, and fails as it is told. */
class FakeServer implements Wire {
  created: string[] = [];
  stored = new Map<string, Chat>();
  asked: string[] = [];
  /** What the next calls do instead of answering. `lost`: it is stored, and the acknowledgement does not arrive. */
  failures: (Error | 'lost')[] = [];

  async createArchive(_userId: string, archiveId: string) {
    this.created.push(archiveId);
  }

  async ask(message: ChatMessage): Promise<Chat> {
    this.asked.push(message.message);
    const failure = this.failures.shift();
    if (failure instanceof Error) throw failure;
    const known = this.stored.get(message.client_id);
    const position = known?.position ?? this.stored.size + 101;
    const row = unanswered({ id: message.client_id, archive_id: message.archive_id, user_message: message.message, position });
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
  it('is written down with its conversation before anything is sent', async () => {
    const archive = await ask('Why?');
    expect(await db().archives.toArray()).toMatchObject([{ id: archive, archive_title: '' }]);
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
    expect(server.created).toEqual([archive]); // by the first; the others know that it is there
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

  it('is sent once by two drains at the same time', async () => {
    await ask('Why?');
    await Promise.all([sendAll(), sendAll()]);
    expect(server.asked).toEqual(['Why?']);
  });

  it.each([401, 408, 429, 500, 503])('waits after a %i', async (status) => {
    await ask('Why?');
    server.failures = [refusal(status)];
    expect(await sendAll()).toBe('stopped');
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
    const [parked] = await db().outbox.toArray();
    await retry(db(), parked?.id ?? '');
    expect(await sendAll()).toBe('empty');
    expect(await commands()).toEqual([]);
  });
});

describe('discarding', () => {
  it('takes the conversation along when nothing else is in it', async () => {
    await ask('Why?');
    const [row] = await db().messages.toArray();
    expect(await discardQuestion(db(), row?.id ?? '')).toBe(true);
    expect(await Promise.all([db().archives.count(), db().messages.count(), db().outbox.count()])).toEqual([0, 0, 0]);
  });

  it('leaves the other questions alone', async () => {
    const archive = await ask('one');
    await ask('two', archive);
    const [, second] = await db().messages.orderBy('[archive_id+position]').toArray();
    expect(await discardQuestion(db(), second?.id ?? '')).toBe(false);
    await sendAll();
    expect(server.asked).toEqual(['one']);
    expect(await db().archives.count()).toBe(1);
  });
});
