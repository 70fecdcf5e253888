import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Tokens, tokensAnswer } from '#contract/account/tokens.ts';
import { type User, userAnswer } from '#contract/account/user.ts';
import { animatedGif, blackPng, photoWithExif } from '#tests/support/charts/pictures.ts';
import { lettersTo } from '#tests/support/mail/letters.ts';
import { PASSWORD, type SignedUp, startServer, type TestServer } from '#tests/support/server/server.ts';

const MB = 1024 * 1024;
const NEW_PASSWORD = 'Other-1234';
let server: TestServer;
let ada: SignedUp;
let bob: SignedUp;

beforeAll(async () => {
  server = await startServer();
  bob = await server.signUp();
});
const newAda = async () => {
  ada = await server.signUp();
};
afterAll(() => server.close());

type Fields = Record<string, string | Blob>;

function form(fields: Fields): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
}

interface Sender {
  who?: SignedUp;
  id?: string;
  headers?: Record<string, string>;
}
const patch = (body: FormData | string, { who = ada, id = who.user.id, headers = {} }: Sender = {}) =>
  fetch(`${server.url}/api/auth/user/${id}/`, { method: 'PATCH', headers: { authorization: who.authorization, ...headers }, body });
const change = (fields: Fields, headers = {}) => patch(form({ user_id: ada.user.id, ...fields }), { headers });

async function changed(response: Response): Promise<User> {
  expect(response.status).toBe(200);
  return userAnswer.parse(await response.json()).data;
}

async function own(who = ada): Promise<User> {
  const response = await fetch(`${server.url}/api/auth/user/${who.user.id}/`, { headers: { authorization: who.authorization } });
  return userAnswer.parse(await response.json()).data;
}

async function logIn(password = PASSWORD): Promise<Tokens> {
  const response = await server.post('/auth/login/', { email: ada.user.email, password });
  return tokensAnswer.parse(await response.json()).data;
}

const refresh = (tokens: Tokens) => server.post('/auth/refresh-token/', { refreshToken: tokens.refreshToken });
const photo = (bytes: Buffer, type = 'image/jpeg') => new File([new Uint8Array(bytes)], 'photo.jpg', { type });

describe('changing a profile', () => {
  beforeEach(newAda);

  test('changes what is given and nothing else', async () => {
    const one = await changed(await change({ first_name: ' Augusta ' }));
    expect(one).toEqual({ ...ada.user, first_name: 'Augusta' });
    const two = await changed(await change({ last_name: 'King', country: 'gb' }));
    expect(two).toEqual({ ...one, last_name: 'King', country: 'gb' });
    expect(await changed(await change({}))).toEqual(two);
    expect(await own()).toEqual(two);
    expect(await own(bob)).toEqual(bob.user);
  });

  test('shows in the claims after the next refresh', async () => {
    await change({ first_name: 'Augusta' });
    const { data } = tokensAnswer.parse(await (await refresh(ada.tokens)).json());
    expect(JSON.parse(Buffer.from(data.accessToken.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({ first_name: 'Augusta' });
  });

  test.each([
    ['an empty first name', { first_name: '  ' }, 'first_name', 'First name is required'],
    ['a country that is none', { country: 'zz' }, 'country', 'Please choose a country from the list.'],
    ['a country in capitals', { country: 'GB' }, 'country', expect.any(String)],
    ['a weak password', { password: 'short' }, 'password', expect.stringMatching(/^Password must have/)],
    ['a name of 1000 letters', { last_name: 'x'.repeat(1000) }, 'last_name', 'At most 100 characters'],
    ['a photo that is text', { profile_picture: 'photo' }, 'profile_picture', 'The photo must be a file.'],
    ['a name that is a file', { first_name: new File(['Ada'], 'name.txt') }, 'first_name', 'First name is required'],
  ])('refuses %s', async (_name, fields: Fields, field, message) => {
    const response = await change(fields);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'validation', detail: { fields: { [field]: message } } });
    expect(await own()).toEqual(ada.user);
  });

  test('is for oneself: anybody else does not exist', async () => {
    const theirs = { first_name: 'Mallory' };
    expect((await patch(form({ user_id: ada.user.id, ...theirs }), { id: bob.user.id })).status).toBe(404);
    expect((await patch(form({ user_id: bob.user.id, ...theirs }))).status).toBe(404);
    expect((await patch(form({ user_id: ada.user.id, ...theirs }), { headers: { authorization: '' } })).status).toBe(401);
    expect([await own(), await own(bob)]).toEqual([ada.user, bob.user]);
  });

  test('with one Idempotency-Key happens once', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const fields = { first_name: 'Augusta', password: NEW_PASSWORD, profile_picture: photo(await photoWithExif(64, 32)) };
    const first = await changed(await change(fields, headers));
    await change({ first_name: 'Ada' });
    expect(await changed(await change(fields, headers))).toEqual(first);
    expect((await own()).first_name).toBe('Ada');
    expect((await change({ ...fields, password: 'Third-1234' }, headers)).status).toBe(422);
    expect((await change({ ...fields, profile_picture: photo(await photoWithExif(32, 64)) }, headers)).status).toBe(422);
    await server.settled();
    expect((await lettersTo(server.dataDir, ada.user.email)).filter(({ subject }) => subject.includes('changed'))).toHaveLength(1);
  });
});

describe('a new password', () => {
  beforeEach(newAda);

  test('ends the other sessions, keeps this one, and is told by mail', async () => {
    const other = await logIn();
    await changed(await change({ password: NEW_PASSWORD }));
    expect((await refresh(other)).status).toBe(403);
    expect((await refresh(ada.tokens)).status).toBe(200);
    expect((await own()).id).toBe(ada.user.id);
    expect((await server.post('/auth/login/', { email: ada.user.email, password: PASSWORD })).status).toBe(400);
    await logIn(NEW_PASSWORD);
    await server.settled();
    expect((await lettersTo(server.dataDir, ada.user.email))[0]?.subject).toBe('Your Tidemark password was changed');
  });

  test('voids a reset that was under way', async () => {
    const { email } = ada.user;
    await server.post('/auth/forgot-password/', { email });
    const recoveryCode = await server.mail(email);
    const { data: grant } = await (await server.post('/auth/verify-recovery-code/', { email, recoveryCode })).json();
    await change({ password: NEW_PASSWORD });
    expect((await server.post('/auth/reset-password/', { email, newPassword: 'Third-1234', ...grant })).status).toBe(400);
    expect((await server.post('/auth/verify-recovery-code/', { email, recoveryCode })).status).toBe(400);
  });
});

describe('a photo', () => {
  beforeAll(newAda);

  const read = (path: string | null, headers = {}) =>
    fetch(`${server.url}/api${path}`, { headers: { authorization: ada.authorization, ...headers } });

  test('becomes a small upright square without metadata', async () => {
    const camera = await photoWithExif(1600, 1000);
    expect(await sharp(camera).metadata()).toMatchObject({ orientation: 6, exif: expect.any(Buffer) });
    const { profile_image } = await changed(await change({ profile_picture: photo(camera) }));
    const response = await read(profile_image);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/webp');
    const stored = Buffer.from(await response.arrayBuffer());
    const metadata = await sharp(stored).metadata();
    expect(metadata).toMatchObject({ format: 'webp', width: 512, height: 512 });
    expect([metadata.exif, metadata.orientation, metadata.xmp, metadata.iptc]).toEqual([undefined, undefined, undefined, undefined]);
    expect(stored.includes('Ada at home')).toBe(false);
    // The stored left side is the top of the upright picture.
    const pixels = await sharp(stored).raw().toBuffer();
    const colour = (x: number, y: number) => (Number(pixels[(y * 512 + x) * 3]) > 128 ? 'red' : 'blue');
    expect([colour(256, 10), colour(10, 10), colour(256, 500), colour(10, 500)]).toEqual(['red', 'red', 'blue', 'blue']);
  });

  test('is not enlarged, and may be a PNG whatever it is called', async () => {
    const { profile_image } = await changed(await change({ profile_picture: photo(blackPng(40, 30), 'text/plain') }));
    expect(await sharp(await (await read(profile_image)).arrayBuffer()).metadata()).toMatchObject({ width: 30, height: 30 });
  });

  test('is read by its owner only, and asked for again each time', async () => {
    const { profile_image } = await changed(await change({ profile_picture: photo(blackPng(40, 30)) }));
    const response = await read(profile_image);
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    const etag = response.headers.get('etag') ?? '';
    const again = await read(profile_image, { 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await read(profile_image, { authorization: bob.authorization })).status).toBe(404);
    expect((await read(profile_image, { authorization: bob.authorization, 'if-none-match': etag })).status).toBe(404);
    expect((await read(profile_image, { authorization: '' })).status).toBe(401);
    expect((await read(`/auth/user/${bob.user.id}/picture`, { authorization: bob.authorization })).status).toBe(404);
  });

  test('has another address when it is another photo', async () => {
    const first = await changed(await change({ profile_picture: photo(blackPng(40, 30)) }));
    const second = await changed(await change({ profile_picture: photo(await photoWithExif(40, 30)) }));
    expect(second.profile_image).not.toBe(first.profile_image);
    expect((await read(second.profile_image, { 'if-none-match': '"x"' })).status).toBe(200);
  });

  const exe = () => Buffer.concat([Buffer.from('MZ\x90\0\x03', 'latin1'), Buffer.alloc(2000)]);
  const svg = () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>');
  test.each<[string, () => Buffer | Promise<Buffer>, string]>([
    ['a renamed program', exe, '400 picture_type'],
    ['an animated GIF', animatedGif, '400 picture_type'],
    ['an SVG', svg, '400 picture_type'],
    ['an empty file', () => Buffer.alloc(0), '400 picture_type'],
    ['the first bytes of a PNG', () => blackPng(40, 30).subarray(0, 8), '400 picture_broken'],
    ['a JPEG’s first bytes before a program', () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), exe()]), '400 picture_broken'],
    ['half a PNG', () => half(blackPng(4000, 3000)), '400 picture_broken'],
    ['half a JPEG', async () => half(await photoWithExif(1600, 1000)), '400 picture_broken'],
    ['a PNG of 12000 × 12000', () => blackPng(12_000, 12_000), '400 picture_pixels'],
    ['more than 5 MB', () => Buffer.concat([blackPng(40, 30), Buffer.alloc(5 * MB)]), '413 too_large'],
  ])('is not %s', async (_name, make, refusal) => {
    const before = await own();
    const response = await change({ profile_picture: photo(await make()), first_name: 'Mallory' });
    expect(`${response.status} ${(await response.json()).code}`).toBe(refusal);
    expect(await own()).toEqual(before);
  });

  const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);
});

describe('a form', () => {
  beforeAll(newAda);

  const MULTIPART = { 'content-type': 'multipart/form-data; boundary=x' };
  const field = (name: string, value: string) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const raw = (...fields: string[]) => patch(`${field('user_id', ada.user.id)}${fields.join('')}--x--\r\n`, { headers: MULTIPART });

  test('as the next tests write it is understood', async () => {
    expect((await changed(await raw(field('first_name', 'Augusta')))).first_name).toBe('Augusta');
  });

  test.each<[string, () => Promise<Response>, number]>([
    ['a field of 1 MB', () => raw(field('first_name', 'x'.repeat(MB))), 413],
    ['1000 fields', () => raw(...Array.from({ length: 1000 }, (_, index) => field(`f${index}`, 'x'))), 413],
    ['a field twice', () => raw(field('first_name', 'Eve'), field('first_name', 'Mallory')), 400],
    ['NUL in a field', () => raw(field('first_name', 'E\0ve')), 400],
    ['a field named __proto__', () => raw(field('__proto__', '{"admin":true}')), 400],
    [
      'a field that claims to be JSON',
      () => raw(field('first_name', '{}').replace('\r\n\r\n', '\r\nContent-Type: application/json\r\n\r\n')),
      400,
    ],
    ['no user_id', () => patch(`${field('first_name', 'Eve')}--x--\r\n`, { headers: MULTIPART }), 400],
    ['no end', () => patch(field('user_id', ada.user.id) + field('first_name', 'Eve'), { headers: MULTIPART }), 400],
    ['nothing', () => patch('', { headers: MULTIPART }), 400],
    ['no boundary', () => patch(field('first_name', 'Eve'), { headers: { 'content-type': 'multipart/form-data' } }), 400],
    ['another boundary', () => patch(field('first_name', 'Eve'), { headers: { 'content-type': 'multipart/form-data; boundary=y' } }), 400],
    [
      'two photos',
      () => {
        const two = form({ user_id: ada.user.id });
        for (let count = 0; count < 2; count++) two.append('profile_picture', photo(blackPng(40, 30)));
        return patch(two);
      },
      413,
    ],
  ])('with %s is refused', async (_name, send, status) => {
    const before = await own();
    const response = await send();
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ status, code: expect.any(String), message: expect.any(String) });
    expect(await own()).toEqual(before);
  });
});

test('changes of one account are limited', async () => {
  await newAda();
  const answers: number[] = [];
  for (let count = 0; count < 31; count++) answers.push((await change({})).status);
  expect(answers).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
  expect((await patch(form({ user_id: bob.user.id }), { who: bob })).status).toBe(200);
});
