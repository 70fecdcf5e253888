import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { botBody } from '#tests/support/bots/bots.ts';
import { blackPng } from '#tests/support/charts/pictures.ts';
import { lettersTo } from '#tests/support/mail/letters.ts';
import { type RunningApp, startApp } from '#tests/support/processes/app.ts';
import { buildServer, operatorRows, runOperator } from '#tests/support/processes/operator.ts';
import { PASSWORD } from '#tests/support/server/server.ts';

const EMAIL = 'ada@example.com';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const PICTURE = blackPng(3, 3);
const SLOW = 240_000;

let app: RunningApp;
let folder: string;
let user: { id: string; authorization: string };

const settings = (env: Record<string, string>) => ({ DATA_DIR: app.dataDir, INIT_CWD: folder, ...env });
const operator = (args: string[], env: Record<string, string> = {}) => runOperator(args, settings(env));
const rows = (args: string[], env: Record<string, string> = {}) => operatorRows(args, settings(env));

async function post(route: string, body: FormData | object) {
  const form = body instanceof FormData;
  const headers = { ...(!form && { 'content-type': 'application/json' }), ...(user && { authorization: user.authorization }) };
  const response = await fetch(`${app.url}/api${route}`, { method: 'POST', headers, body: form ? body : JSON.stringify(body) });
  expect(response.ok).toBe(true);
  return (await response.json()).data;
}

function message(kind: string, text: string, pictures: number): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ name: 'Ada', email: EMAIL, message: text, user_id: user.id, kind })) form.set(name, value);
  for (let count = 0; count < pictures; count++) form.append('files', new Blob([PICTURE]), 'a.png');
  return form;
}

beforeAll(async () => {
  await buildServer();
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tidemark-operator-'));
  app = await startApp();
  await post('/auth/register/', { first_name: 'Ada', last_name: 'Lovelace', country: '', email: EMAIL, password: PASSWORD });
  await post('/auth/verify-otp/', { email: EMAIL, recoveryCode: await app.readCode(EMAIL) });
  const { accessToken } = await post('/auth/login/', { email: EMAIL, password: PASSWORD });
  const { sub: id } = JSON.parse(Buffer.from(accessToken.split('.')[1], 'base64url').toString());
  user = { id, authorization: `Bearer ${accessToken}` };
}, SLOW);
afterAll(async () => {
  await app?.remove();
  fs.rmSync(folder, { recursive: true, force: true });
});

describe('an operator', () => {
  let id: string;

  test('reads messages of a running server and answers them', { timeout: SLOW }, async () => {
    expect(fs.statSync(path.join(app.dataDir, 'operator.sock')).mode & 0o777).toBe(0o600);
    expect(await rows(['contacts'])).toEqual([]);
    ({ id } = await post('/contact-us/send-message', message('contact', 'My chart \u001b[2Jis gone.', 2)));
    const deletion = await post('/contact-us/send-message', message('deletion', 'Please.', 0));

    const files = [1, 2].map((place) => ({ place, name: `${place}.png`, type: 'image/png', size: PICTURE.length }));
    expect(await rows(['contacts'])).toEqual([
      {
        id,
        user_id: user.id,
        kind: 'contact',
        name: 'Ada',
        email: EMAIL,
        message: 'My chart \u001b[2Jis gone.',
        reply: null,
        created_at: expect.stringMatching(/Z$/),
        replied_at: null,
        files,
      },
    ]);
    expect(await rows(['deletions'])).toEqual([expect.objectContaining({ id: deletion.id, kind: 'deletion' })]);
    expect((await operator(['contacts'])).stdout).toContain('message: My chart �[2Jis gone.\n');

    expect(await rows(['file', '--id', id, '--place', '2', '--out', 'two.png'])).toEqual([
      { ...files[1], id, out: path.join(folder, 'two.png') },
    ]);
    expect(fs.readFileSync(path.join(folder, 'two.png'))).toEqual(PICTURE);

    expect(await rows(['reply', '--id', id, '--text', 'It is back.'])).toEqual([{ id, replied: true }]);
    const letters = await lettersTo(app.dataDir, EMAIL);
    expect(letters.filter(({ text }) => text.includes('It is back.'))).toHaveLength(1);
    const { authorization } = user;
    const told = await (await fetch(`${app.url}/api/notification/${user.id}`, { headers: { authorization } })).json();
    expect(told.data).toEqual([expect.objectContaining({ kind: 'support', notification_text: expect.stringContaining('It is back.') })]);
  });

  test('lists users without credentials, and metrics', { timeout: SLOW }, async () => {
    const users = await rows(['users']);
    expect(users).toEqual([expect.objectContaining({ id: user.id, email: EMAIL, verified_at: expect.any(String) })]);
    expect(JSON.stringify(users)).not.toMatch(/argon2|password/i);
    expect(await rows(['metrics'])).toEqual([
      {
        audit: expect.objectContaining({ 'operator-command': expect.any(Number) }),
        users: 1,
        verified_users: 1,
        pending_registrations: 0,
        wrong_guesses: {
          password: { this_hour: 0, today: 0, budget: 10_000, spent: 'no' },
          'reset-code': { this_hour: 0, today: 0, budget: 1_000, spent: 'no' },
          'verify-code': { this_hour: 0, today: 0, budget: 4_000, spent: 'no' },
        },
        most_active_networks: [],
        sessions: 1,
        questions_today: 0,
        unanswered_messages: 1,
        memory_mb: expect.any(Number),
        uptime_s: expect.any(Number),
      },
    ]);
  });

  test.each([
    [[], 2, 'Usage: '],
    [['sessions'], 2, 'Usage: '],
    [['users', 'please'], 2, 'Usage: '],
    [['reply', '--id', 'x', '--text', 'y'], 2, '--id must be the id of a message.'],
    // Without its option, this would halt all bots.
    [['halt', '--id', UNKNOWN], 2, 'halt takes no --id.'],
    [['users', '--out', 'z'], 2, 'users takes no --out.'],
    [['reply', '--id', UNKNOWN], 2, '--text is required.'],
    [['forget-secret', '--name', 'AI_API_KEY'], 2, '--name must be JWT_SECRET or SECRETS_KEY.'],
    [['reply', '--id', UNKNOWN, '--text', 'y'], 1, 'There is no such message.'],
    [['file', '--id', UNKNOWN, '--place', '1', '--out', 'z'], 1, 'There is no such file.'],
  ])('gets one line that says why %j does not work', { timeout: SLOW }, async (args, code, line) => {
    const said = await operator(args);
    expect(said).toEqual({ code, stdout: '', stderr: expect.stringContaining(line) });
    if (!line.startsWith('Usage')) expect(said.stderr).toBe(`${line}\n`);
  });

  test('cannot answer twice or overwrite a file, and creates no data in an empty folder', { timeout: SLOW }, async () => {
    const again = await operator(['reply', '--id', id, '--text', 'Again.']);
    expect(again).toEqual({ code: 1, stdout: '', stderr: 'This message was answered already.\n' });
    const over = await operator(['file', '--id', id, '--place', '1', '--out', 'two.png']);
    expect(over).toMatchObject({ code: 1, stderr: expect.stringContaining('(EEXIST)') });
    const nowhere = path.join(folder, 'nowhere');
    expect(await operator(['users'], { DATA_DIR: nowhere })).toMatchObject({
      code: 1,
      stderr: `DATA_DIR: ${nowhere} does not exist.\n`,
    });
    expect(fs.existsSync(nowhere)).toBe(false);
  });

  test('halts and resumes trading of all users and of one, across server restarts', { timeout: SLOW }, async () => {
    const { bot_id } = await post('/v1/trading-bots', botBody());
    const reason = async () => {
      const { authorization } = user;
      const answer = await fetch(`${app.url}/api/v1/trading-bots/${bot_id}`, { headers: { authorization } });
      return (await answer.json()).data.paused_reason;
    };
    expect(await rows(['halt'])).toEqual([{ halted: 'all', running: expect.any(Number) }]);
    expect(await reason()).toBe('Halted by the operator');
    expect(await rows(['halt', '--user', user.id])).toEqual([{ halted: user.id, stopping: 1 }]);
    expect(await operator(['halt', '--user', UNKNOWN])).toMatchObject({ code: 1, stderr: 'There is no such user.\n' });
    await app.stop('SIGKILL');
    expect(await rows(['resume'])).toEqual([{ resumed: 'all', was_halted: true }]);
    expect(await rows(['resume'])).toEqual([{ resumed: 'all', was_halted: false }]);
    const forgotten = { forgotten: 'JWT_SECRET', had_fingerprint: false, next: expect.stringContaining('restart') };
    expect(await rows(['forget-secret', '--name', 'JWT_SECRET'])).toEqual([forgotten]);
    await app.start();
    expect(await reason()).toBe('Halted by the operator');
    expect(await rows(['resume', '--user', user.id])).toEqual([{ resumed: user.id, was_halted: true }]);
    expect(await reason()).toBeNull();
    expect(await rows(['bots'])).toEqual([expect.objectContaining({ id: bot_id, user_id: user.id, exchange: 'paper', money: 'paper' })]);
  });

  test('reseals exchange keys while the server runs, and continues after a crash', { timeout: SLOW }, async () => {
    const key = () => fs.readFileSync(path.join(app.dataDir, 'secrets-key'), 'utf8');
    const before = key();
    const [rotated] = await rows(['rotate-key']);
    expect(rotated).toMatchObject({ bots: 1, resealed: 1, unreadable: 0, next: expect.stringContaining('delete secrets-key.previous') });
    expect(key()).not.toBe(before);
    await app.stop('SIGKILL');
    expect(await rows(['rotate-key'])).toEqual([{ ...rotated, resealed: 0 }]);
    expect(fs.readFileSync(path.join(app.dataDir, 'audit.log'), 'utf8')).toContain('key-rotation');
    fs.rmSync(path.join(app.dataDir, 'secrets-key.previous'));
    await app.start();
    const [bot] = await rows(['bots']);
    const { authorization } = user;
    const route = `${app.url}/api/v1/trading-bots/${bot?.id}`;
    const status = async () => (await (await fetch(route, { headers: { authorization } })).json()).data.status;
    const becomes = (wanted: string) => vi.waitFor(async () => expect(await status()).toBe(wanted), { timeout: 60_000, interval: 200 });
    // The halt of an earlier test stops the bot, and a bot cannot start while it is stopping.
    await becomes('STOPPED');
    await fetch(`${route}/start`, { method: 'POST', headers: { authorization } });
    await becomes('RUNNING');
    expect(await rows(['bots'])).toEqual([expect.objectContaining({ status: 'RUNNING' })]);
  });

  test('reads the same data after a kill and after the restart', { timeout: SLOW }, async () => {
    await app.stop('SIGKILL');
    expect(await rows(['contacts'])).toEqual([expect.objectContaining({ id, reply: 'It is back.', replied_at: expect.any(String) })]);
    expect(await rows(['metrics'])).toEqual([expect.objectContaining({ users: 1, memory_mb: null, uptime_s: null })]);
    await app.start();
    expect(await rows(['metrics'])).toEqual([expect.objectContaining({ users: 1, uptime_s: expect.any(Number) })]);
    await app.stop();
    expect(fs.existsSync(path.join(app.dataDir, 'operator.sock'))).toBe(false);
  });

  test('deletes a user without a running server, and stops their bots first', { timeout: SLOW }, async () => {
    expect(await operator(['erase'])).toMatchObject({ code: 2, stderr: '--user must be the id of a user.\n' });
    const [report] = await rows(['erase', '--user', user.id]);
    expect(report).toMatchObject({ user: user.id, email: EMAIL, bots: { stopped: 1, out_of_reach: 0 }, mailed: true });
    expect(report?.rows).toMatchObject({ users: 1, bots: 1, contact_messages: 2, contact_files: 2 });
    expect(await rows(['users'])).toEqual([]);
    expect(await rows(['deletions'])).toEqual([]);
    expect(await operator(['erase', '--user', user.id])).toMatchObject({ code: 1, stderr: 'There is no such user.\n' });
  });
});

test('finds the socket in a data directory with a long name', { timeout: SLOW, skip: process.platform !== 'linux' }, async () => {
  const dataDir = path.join(folder, 'long'.repeat(40));
  const long = await startApp({}, dataDir);
  expect(fs.statSync(path.join(dataDir, 'operator.sock')).isSocket()).toBe(true);
  expect(await rows(['metrics'], { DATA_DIR: dataDir })).toEqual([expect.objectContaining({ users: 0, uptime_s: expect.any(Number) })]);
  await long.remove();
});
