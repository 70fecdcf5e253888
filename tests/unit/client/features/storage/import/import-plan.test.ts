// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { batchesOf } from '#client/features/storage/import/batches.ts';
import { type Account, addsNothing, planImport } from '#client/features/storage/import/import-plan.ts';
import { previewLines } from '#client/features/storage/import/import-texts.ts';
import { readExport } from '#client/features/storage/import/read-export.ts';
import type { ImportedChat, ImportedMessage } from '#contract/chat/import-chats.ts';
import { importBody } from '#contract/chat/import-chats.ts';
import {
  type ExportedFiles,
  exportedAlert,
  exportedCoin,
  exportedFiles,
  exportedMessage,
  idOf,
  PICTURE,
  packed,
} from '#tests/support/accounts/export-file.ts';

const NOW = Date.UTC(2026, 10, 27);
const SETTINGS = { choices: {}, quiet: null, time_zone: 'UTC' };
const empty: Account = { alerts: [], coinIds: [], settings: SETTINGS };

async function plan(files: ExportedFiles, account: Partial<Account> = {}) {
  const content = await readExport(new Blob([(await packed(exportedFiles(files))) as BlobPart]));
  return planImport(content, { ...empty, ...account }, [], NOW);
}

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));

describe('a plan', () => {
  it('adds the alerts that are not there, can still fire, and have room', async () => {
    const alerts = [
      exportedAlert(),
      exportedAlert({ id: idOf(2), expires_at: '2026-11-26T23:59:00.000Z' }),
      exportedAlert({ id: idOf(3), fired_at: '2026-11-20T00:00:00.000Z' }),
      exportedAlert({ id: idOf(4), fired_at: '2026-11-20T00:00:00.000Z', rearms: true, paused: true }),
      exportedAlert({ id: idOf(5), kind: 'percent', level: 5, period: '1h', coin_id: null, fired_at: '2026-11-20T00:00:00.000Z' }),
      exportedAlert({ id: idOf(6) }),
      exportedAlert({ id: idOf(7) }),
    ];
    const coin = { id: 1 };
    const account = { alerts: [{ id: idOf(1).toUpperCase(), coin }, ...many(96, (index) => ({ id: idOf(100 + index), coin }))] };
    const { alerts: planned } = await plan({ 'alerts.json': alerts }, account);
    expect(planned).toMatchObject({ present: 1, expired: 1, fired: 1, over: 1 });
    expect(planned.add.map(({ id }) => id)).toEqual([idOf(4), idOf(5), idOf(6)]);
    expect(planned.add[0]?.form.paused).toBe(true);
  });

  it('adds at most ten alerts for the whole watchlist', async () => {
    const alerts = many(12, (index) => exportedAlert({ id: idOf(index), kind: 'percent', level: 5, period: '1h', coin_id: null }));
    const { alerts: planned } = await plan({ 'alerts.json': alerts }, { alerts: [{ id: idOf(50), coin: null }] });
    expect([planned.add.length, planned.over]).toEqual([9, 3]);
  });

  it('adds the first coins that fit into the watchlist', async () => {
    const coins = many(4, (index) => exportedCoin({ coin_id: index + 1, place: index }));
    const { coins: planned } = await plan({ 'watchlist.json': coins }, { coinIds: [2, ...many(497, (index) => 1000 + index)] });
    expect(planned.add.map(({ coin_id }) => coin_id)).toEqual([1, 3]);
    expect(planned).toMatchObject({ present: 1, over: 1 });
  });

  it('offers settings that differ, whatever the order of their keys', async () => {
    const row = { choices: { bot: { push: true, email: false }, alert: {} }, quiet_from: null, quiet_to: null, time_zone: 'UTC' };
    const same = { choices: { alert: {}, bot: { email: false, push: true } }, quiet: null, time_zone: 'UTC' };
    const of = async (settings: Account['settings']) => (await plan({ 'notification-settings.json': [row] }, { settings })).settings;
    expect(await of(same)).toBeUndefined();
    expect(await of({ ...same, choices: { bot: { push: true, email: true } } })).toEqual(same);
    expect(await of({ ...same, quiet: { from: 1, to: 2 } })).toEqual(same);
  });

  it('counts a chat of several requests once', async () => {
    const content = await readExport(new Blob([(await packed({ 'chats.json': [] })) as BlobPart]));
    const foreseen = { added: { chats: 1, messages: 5 }, present: { chats: 0, messages: 2 }, left_out: { chats: 0, messages: 0 } };
    const planned = planImport(
      content,
      empty,
      [false, true].map((isContinued) => ({ chats: [], isContinued, foreseen })),
      NOW,
    );
    expect(planned.chats).toMatchObject({ added: 1, present: 0 });
    expect(planned.messages).toMatchObject({ added: 10, present: 4 });
    expect(addsNothing(planned)).toBe(false);
  });

  it('says of each kind what is added and what is not', async () => {
    const planned = await plan({
      'chat-messages.json': [exportedMessage({ answered_at: null })],
      'alerts.json': [exportedAlert(), exportedAlert({ id: 'x' }), exportedAlert({ id: idOf(2), expires_at: '2026-01-01T00:00:00.000Z' })],
      'watchlist.json': [],
    });
    expect(previewLines(planned)).toEqual([
      { main: 'No new chats', details: ['1 question without an answer: left out', '1 chat without an answered question: left out'] },
      { main: 'No new coins in your watchlist', details: [] },
      { main: '1 alert would be added', details: ['1 alert that expired: left out', '1 alert that cannot be read: left out'] },
    ]);
  });
});

describe('the requests of chats', () => {
  const message = (index: number, changes: Partial<ImportedMessage> = {}): ImportedMessage => ({
    id: idOf(index),
    ...{ user_message: 'Why?', ai_response: 'So.', failed: false, stopped: false, rating: null, figures: null, picture: null },
    ...{ created_at: '2026-01-01T00:00:00.000Z', answered_at: '2026-01-01T00:00:00.000Z' },
    ...changes,
  });
  const chat = (number: number, messages: ImportedMessage[]): ImportedChat => ({
    ...{ id: idOf(number), title: 'Chat', created_at: '2026-01-01T00:00:00.000Z' },
    messages,
  });
  /** Joins batches again, and checks that the server accepts each. */
  const joined = (chats: ImportedChat[]) => {
    const batches = batchesOf(chats);
    for (const batch of batches) {
      expect(importBody.safeParse({ preview: false, chats: batch.chats }).success).toBe(true);
      expect(batch.chats.length === 1 || !batch.isContinued).toBe(true);
    }
    const whole = new Map<string, string[]>();
    for (const { id, messages } of batches.flatMap((batch) => batch.chats))
      whole.set(id, [...(whole.get(id) ?? []), ...messages.map((one) => one.id)]);
    expect([...whole]).toEqual(chats.map(({ id, messages }) => [id, messages.map((one) => one.id)]));
    expect(batches.filter(({ isContinued }) => !isContinued).flatMap((batch) => batch.chats)).toHaveLength(chats.length);
    return batches;
  };

  it.each<[string, ImportedChat[], number]>([
    ['no chats', [], 0],
    ['250 short chats', many(250, (index) => chat(index, [message(index)])), 3],
    [
      'a chat of 450 questions, and a short one',
      [
        chat(
          1,
          many(450, (index) => message(index)),
        ),
        chat(2, [message(900)]),
      ],
      4,
    ],
    [
      'chats of 150 questions',
      many(3, (number) =>
        chat(
          number,
          many(150, (index) => message(number * 1000 + index)),
        ),
      ),
      3,
    ],
    [
      'long answers',
      [
        chat(
          1,
          many(9, (index) => message(index, { ai_response: 'x'.repeat(99_000) })),
        ),
      ],
      3,
    ],
    [
      'one longest answer a request',
      [
        chat(
          1,
          many(3, (index) => message(index, { ai_response: '\u0001'.repeat(100_001) })),
        ),
      ],
      3,
    ],
    [
      '20 pictures a request',
      [
        chat(
          1,
          many(45, (index) => message(index, { picture: PICTURE })),
        ),
      ],
      3,
    ],
    ['a picture in each of many chats', many(45, (index) => chat(index, [message(index, { picture: PICTURE })])), 3],
  ])('divide %s', (_, chats, count) => {
    expect(joined(chats)).toHaveLength(count);
  });

  it('stay below the server’s limit of a body', () => {
    const answer = '\u0001'.repeat(100_001);
    for (const { chats } of batchesOf([
      chat(
        1,
        many(4, (index) => message(index, { ai_response: answer, user_message: 'é'.repeat(4000) })),
      ),
    ]))
      expect(Buffer.byteLength(JSON.stringify(chats))).toBeLessThan(1024 * 1024);
  });
});
