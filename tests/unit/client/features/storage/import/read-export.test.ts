// @vitest-environment node
import { describe, expect, it } from 'vitest';
import { readExport } from '#client/features/storage/import/read-export.ts';
import {
  CHAT,
  exportedAlert,
  exportedChat,
  exportedCoin,
  exportedFiles,
  exportedMessage,
  idOf,
  PICTURE,
  packed,
} from '#tests/support/accounts/export-file.ts';

const read = (bytes: Buffer | string) => readExport(new Blob([bytes as BlobPart]));
const END = Buffer.from([0x50, 0x4b, 5, 6]);
const LISTED = Buffer.from([0x50, 0x4b, 1, 2]);

/** Changes a field of the list entry of a file. */
async function changed(name: string, write: (zip: Buffer, at: number) => void, files = exportedFiles()): Promise<Buffer> {
  const zip = await packed(files);
  const at = zip.lastIndexOf(name) - 46;
  expect(zip.subarray(at, at + 4)).toEqual(LISTED);
  write(zip, at);
  return zip;
}

describe('an export', () => {
  it('says which chats are pinned, as every release writes it', async () => {
    for (const [written, pinned_at] of [
      ['2026-10-02 10:00:00.5+00', '2026-10-02T10:00:00.500Z'],
      [null, undefined],
      [undefined, undefined],
    ]) {
      const { chats } = await read(await packed(exportedFiles({ 'chats.json': [exportedChat({ pinned_at: written })] })));
      expect(chats.map((chat) => chat.pinned_at)).toEqual([pinned_at]);
    }
  });

  it('is read with its chats, pictures, coins, alerts and settings', async () => {
    const figures = { sources: [], list: [] };
    const picture = `pictures/chats/${PICTURE}.png`;
    const content = await read(
      await packed(
        exportedFiles({
          'chat-messages.json': [
            exportedMessage({ id: idOf(2), position: 2, user_message: 'And now?', picture, figures, coins: [1], choices: ['Yes', 'No'] }),
            exportedMessage({
              picture: 'pictures/chats/99999999-9999-4999-8999-999999999999.png',
              figures: { sources: 'odd' },
              marks: 'x',
              coins: 'x',
              choices: 5,
            }),
          ],
          'watchlist.json': [
            exportedCoin({ coin_id: 5, place: 1 }),
            exportedCoin({ coin_id: 6, place: 0 }),
            exportedCoin({ coin_id: 7, created_at: '2026-10-02T10:00:00.000Z' }),
            exportedCoin({ coin_id: 8, created_at: '2026-10-03T10:00:00.000Z' }),
          ],
          'alerts.json': [
            exportedAlert({ note: 'Sell', paused: true, expires_at: '2027-01-01T00:00:00.000Z' }),
            exportedAlert({ id: idOf(2), kind: 'percent', coin_id: null, level: -5, period: '24h' }),
          ],
          'notification-settings.json': [{ choices: { alert: { email: false } }, quiet_from: 60, quiet_to: 420, time_zone: 'Asia/Tokyo' }],
          [picture]: Buffer.from('a picture'),
        }),
      ),
    );
    expect(content.chats).toMatchObject([
      {
        id: CHAT,
        title: 'Bitcoin',
        messages: [
          { id: idOf(1), user_message: 'How is Bitcoin doing?', ai_response: 'It rises.', picture: null, figures: null },
          { id: idOf(2), user_message: 'And now?', picture: PICTURE, figures, coins: [1], choices: ['Yes', 'No'] },
        ],
      },
    ]);
    expect(content.chats[0]?.messages[0]).not.toHaveProperty('position');
    expect(await (await content.picture(PICTURE))?.text()).toBe('a picture');
    expect(content.coins.map(({ coin_id }) => coin_id)).toEqual([8, 7, 6, 5]);
    expect(content.alerts.map(({ form }) => form)).toEqual([
      {
        ...{ kind: 'above', coin: { id: 1, name: 'Bitcoin', symbol: 'BTC' }, price: 150_000, level_name: null, note: 'Sell' },
        ...{ rearms: false, expires_at: '2027-01-01T00:00:00.000Z', paused: true },
      },
      { kind: 'percent', coin: null, percent: -5, period: '24h', note: '', rearms: false, expires_at: null, paused: false },
    ]);
    expect(content.settings).toEqual({ choices: { alert: { email: false } }, quiet: { from: 60, to: 420 }, time_zone: 'Asia/Tokyo' });
    expect(content.unreadable).toEqual({ chats: 0, messages: 0, coins: 0, alerts: 0 });
  });

  it.each([
    ['2026-11-27 00:41:54.123+00', '2026-11-27T00:41:54.123Z'],
    ['2026-11-27 02:41:54+02', '2026-11-27T00:41:54.000Z'],
    ['2026-11-27T00:41:54.123456+00:00', '2026-11-27T00:41:54.123Z'],
  ])('has the time %s as ISO 8601', async (text, iso) => {
    const content = await read(await packed(exportedFiles({ 'chats.json': [exportedChat({ created_at: text })] })));
    expect(content.chats[0]?.created_at).toBe(iso);
  });

  it('leaves out and counts rows that it cannot read, and questions without an answer', async () => {
    const content = await read(
      await packed(
        exportedFiles({
          'chats.json': [exportedChat(), exportedChat(), { id: 'x' }, exportedChat({ id: idOf(7) })],
          'chat-messages.json': [
            exportedMessage(),
            exportedMessage({ user_message: 'The same id again' }),
            exportedMessage({ id: idOf(2), answered_at: null }),
            exportedMessage({ id: idOf(3), answered_at: null, stopped: true }),
            exportedMessage({ id: idOf(4), archive_id: idOf(8) }),
            exportedMessage({ id: idOf(5), user_message: 'x'.repeat(4001) }),
            exportedMessage({ id: idOf(6), created_at: '+012026-01-01T00:00:00.000Z' }),
          ],
          'watchlist.json': [exportedCoin(), exportedCoin(), exportedCoin({ coin_id: -1 })],
          'alerts.json': [
            exportedAlert(),
            exportedAlert({ id: idOf(2), level: -1 }),
            exportedAlert({ id: idOf(3), note: 'x'.repeat(999) }),
          ],
          'notification-settings.json': [{ choices: {}, quiet_from: 5, quiet_to: 5, time_zone: 'UTC' }],
        }),
      ),
    );
    expect(content.chats).toHaveLength(1);
    expect(content.chats[0]?.messages.map(({ id }) => id)).toEqual([idOf(1), idOf(3)]);
    expect(content.chats[0]?.messages[0]?.user_message).toBe('How is Bitcoin doing?');
    expect(content.coins).toHaveLength(1);
    expect(content.alerts).toHaveLength(1);
    expect(content.settings).toBeUndefined();
    expect(content.unreadable).toEqual({ chats: 1, messages: 3, coins: 1, alerts: 2 });
    expect([content.unanswered, content.empty]).toEqual([1, 1]);
  });

  it('of an earlier release may lack files', async () => {
    const content = await read(await packed({ 'chats.json': [] }));
    expect(content).toMatchObject({ chats: [], coins: [], alerts: [], settings: undefined });
  });

  it('has no picture that is damaged', async () => {
    const name = `pictures/chats/${PICTURE}.png`;
    const zip = await packed(exportedFiles({ [name]: Buffer.from('a picture') }));
    zip.write('A', zip.indexOf('a picture'));
    expect(await (await read(zip)).picture(PICTURE)).toBeUndefined();
  });
});

describe('a file that cannot be read says why:', () => {
  const noExport = 'This file is no export of Tidemark.';
  const incomplete = 'This file is incomplete. Copy or export it again.';
  const damaged = 'This file is damaged. Copy or export it again.';

  it.each<[string, () => Promise<Buffer | string> | Buffer | string, string]>([
    ['nothing', () => '', noExport],
    ['a text', () => 'x'.repeat(100_000), noExport],
    ['another ZIP', () => packed({ 'holiday.txt': 'Sun' }), noExport],
    ['an empty ZIP', () => Buffer.concat([END, Buffer.alloc(18)]), noExport],
    [
      'the JSON of a device',
      () => JSON.stringify({ product: 'Tidemark', source: 'device' }, null, 2),
      'This file has only the data of a device. Choose a ZIP file that was exported online.',
    ],
    ['a cut ZIP', async () => (await packed(exportedFiles())).subarray(0, -30), incomplete],
    ['the first half of a ZIP', async () => (await packed(exportedFiles())).subarray(0, 200), incomplete],
    ['a ZIP without its start', async () => (await packed(exportedFiles())).subarray(50), damaged],
    [
      'a ZIP without its middle',
      async () => {
        const zip = await packed(exportedFiles());
        return Buffer.concat([zip.subarray(0, 100), zip.subarray(200)]);
      },
      damaged,
    ],
    [
      'a changed byte',
      async () => {
        const zip = await packed(exportedFiles({ 'pictures/x': 'y' }));
        const at = zip.indexOf('chats.json') + 20;
        zip.writeUInt8(zip.readUInt8(at) ^ 0xff, at);
        return zip;
      },
      damaged,
    ],
    [
      'too many entries',
      async () => {
        const zip = await packed(exportedFiles());
        zip.writeUInt16LE(0xffff, zip.lastIndexOf(END) + 10);
        return zip;
      },
      'This file has too many entries.',
    ],
    [
      'more entries than its list has',
      async () => {
        const zip = await packed(exportedFiles());
        zip.writeUInt16LE(2000, zip.lastIndexOf(END) + 10);
        return zip;
      },
      damaged,
    ],
    [
      'an encrypted entry',
      () => changed('chats.json', (zip, at) => zip.writeUInt16LE(9, at + 8)),
      'This file is encrypted. Save it without a password, or export it again.',
    ],
    [
      'another compression',
      () => changed('chats.json', (zip, at) => zip.writeUInt16LE(12, at + 10)),
      'This file is compressed in an unknown way. Export it again.',
    ],
    [
      'an entry that says to be large',
      () => changed('chats.json', (zip, at) => zip.writeUInt32LE(100_000_001, at + 24)),
      'A part of this file is larger than 100 MB.',
    ],
    ['an entry that is larger than it says', () => changed('chats.json', (zip, at) => zip.writeUInt32LE(10, at + 24)), damaged],
    ['an entry that is smaller than it says', () => changed('chats.json', (zip, at) => zip.writeUInt32LE(1_000_000, at + 24)), damaged],
    ['an entry beyond the end', () => changed('chats.json', (zip, at) => zip.writeUInt32LE(0x7fffffff, at + 42)), damaged],
    ['an entry with an endless content', () => changed('chats.json', (zip, at) => zip.writeUInt32LE(0x7fffffff, at + 20)), incomplete],
    ['a name beyond the list', () => changed('notification-settings.json', (zip, at) => zip.writeUInt16LE(0xffff, at + 28)), damaged],
    [
      'wrong JSON',
      () => packed(exportedFiles({ 'alerts.json': '[{' })),
      'alerts.json in this file cannot be read. Export your data again.',
    ],
    [
      'no list',
      () => packed(exportedFiles({ 'chats.json': '{"__proto__": 1}' })),
      'chats.json in this file has no list. Export your data again.',
    ],
  ])('%s', async (_, make, message) => {
    await expect(read(await make())).rejects.toThrow(new Error(message));
  });

  it('a bomb, without unpacking it', async () => {
    const bomb = Buffer.alloc(20_000_000, ' ');
    const lying = await changed('chats.json', (zip, at) => zip.writeUInt32LE(1000, at + 24), exportedFiles({ 'chats.json': bomb }));
    await expect(read(lying)).rejects.toThrow(damaged);
  });

  it('a file of more than 200 MB', async () => {
    const file = { size: 200_000_001 } as Blob;
    await expect(readExport(file)).rejects.toThrow('This file is larger than 200 MB.');
  });
});
