import { beforeEach, describe, expect, it } from 'vitest';
import type { Identity } from '#server/http/authenticate.ts';
import { knownTokens } from '#server/modules/accounts/sessions/known-tokens.ts';

let now: number;
let looked: string[];
/** Tokens whose signature was checked. */
let verifications: string[];
let ended: Set<string>;
/** Resolves the pending lookups. */
let finish: (() => void)[];
let held: boolean;
let expiresAt: number;

const known = (
  trust = Number.POSITIVE_INFINITY,
  elapsed = () => now,
  more: Pick<Parameters<typeof knownTokens>[0], 'findEnded' | 'lookUpEvery'> = {},
) =>
  knownTokens({
    async identify(token, verified): Promise<Identity> {
      looked.push(token);
      if (!verified) verifications.push(token);
      const [sessionId = ''] = token.split('.');
      const over = ended.has(sessionId);
      if (held) await new Promise<void>((resolve) => finish.push(resolve));
      if (over) throw new Error('ended');
      return { userId: 'user', sessionId, expiresAt };
    },
    clock: () => now,
    elapsed,
    trust,
    ...more,
  });

beforeEach(() => {
  now = 0;
  looked = [];
  verifications = [];
  ended = new Set();
  finish = [];
  held = false;
  expiresAt = 1000;
});

it('looks a token up once, until it expires', async () => {
  const tokens = known();
  expect(await tokens.identify('a.1')).toEqual(await tokens.identify('a.1'));
  now = 999;
  await tokens.identify('a.1');
  expect(looked).toEqual(['a.1']);
  now = 1000;
  await tokens.identify('a.1');
  expect(looked).toEqual(['a.1', 'a.1']);
});

it('looks a token up again after its trust period', async () => {
  const tokens = known(100);
  await tokens.identify('a.1');
  now = 100;
  await tokens.identify('a.1');
  expect(looked).toHaveLength(2);
});

it('verifies a token once until it expires, although its session is looked up again', async () => {
  const tokens = known(100);
  for (now = 0; now < 1000; now += 200) expect(await tokens.identify('a.1')).toMatchObject({ sessionId: 'a' });
  expect([looked.length, verifications]).toEqual([5, ['a.1']]);
  ended.add('a');
  await expect(tokens.identify('a.1')).rejects.toThrow('ended');
  await expect(tokens.identify('a.1')).rejects.toThrow('ended');
  expect(verifications).toHaveLength(3);
});

it('verifies another token of the same session', async () => {
  const tokens = known(100);
  await tokens.identify('a.1');
  await tokens.identify('a.2');
  expect(verifications).toEqual(['a.1', 'a.2']);
});

it('trusts a slow lookup from its start on, and no request joins one that began too long ago', async () => {
  const tokens = known(100);
  held = true;
  const slow = tokens.identify('a.1');
  now = 99;
  const joined = tokens.identify('a.1');
  now = 100;
  const later = tokens.identify('a.1');
  expect(looked).toHaveLength(2);
  for (const end of finish) end();
  await Promise.all([slow, joined, later]);
  now = 199;
  await tokens.identify('a.1');
  expect(looked).toHaveLength(2);
  now = 200;
  held = false;
  await tokens.identify('a.1');
  expect(looked).toHaveLength(3);
});

it.each(['back', 'ahead'])('looks a token up again after its trust period when the clock is set %s', async (where) => {
  let uptime = 0;
  const tokens = known(100, () => uptime);
  now = 500;
  await tokens.identify('a.1');
  now = where === 'back' ? 450 : 550;
  uptime = 100;
  await tokens.identify('a.1');
  expect(looked).toHaveLength(2);
  now = where === 'back' ? 0 : 900;
  await tokens.identify('a.1');
  expect(looked).toHaveLength(3);
});

it('forgets every token of an ended session and no other', async () => {
  const tokens = known();
  for (const token of ['a.1', 'a.2', 'b.1']) await tokens.identify(token);
  ended.add('a');
  tokens.forget('a');
  for (const token of ['a.1', 'a.2']) await expect(tokens.identify(token)).rejects.toThrow('ended');
  looked = [];
  await tokens.identify('b.1');
  expect(looked).toEqual([]);
});

it('does not cache a lookup that started before the session ended', async () => {
  const tokens = known();
  held = true;
  const before = tokens.identify('a.1');
  ended.add('a');
  tokens.forget('a');
  held = false;
  finish[0]?.();
  await before;
  await expect(tokens.identify('a.1')).rejects.toThrow('ended');
});

it('does not cache a refusal', async () => {
  const tokens = known();
  ended.add('a');
  await expect(tokens.identify('a.1')).rejects.toThrow('ended');
  ended.clear();
  expect((await tokens.identify('a.1')).sessionId).toBe('a');
});

it('evicts tokens beyond its limit, those not used for longest first', async () => {
  const tokens = known();
  for (let n = 0; n < 10_001; n++) await tokens.identify(`s.${n}`);
  looked = [];
  for (const token of ['s.9999', 's.10000', 's.0']) await tokens.identify(token);
  expect(looked).toEqual(['s.0']);
});

describe('with one query for the sessions of all tokens in use', () => {
  /** The sessions of each query. */
  let queries: string[][];
  /** Ends the pending query. */
  let answer: (() => void) | undefined;

  beforeEach(() => {
    queries = [];
    answer = undefined;
  });

  const renewing = (lookUpEvery = Number.POSITIVE_INFINITY) =>
    known(100, () => now, {
      lookUpEvery,
      async findEnded(sessionIds) {
        queries.push([...sessionIds]);
        const over = sessionIds.filter((id) => ended.has(id));
        await new Promise<void>((resolve) => {
          answer = resolve;
        });
        return over;
      },
    });

  async function answered(): Promise<void> {
    answer?.();
    await new Promise(setImmediate);
  }

  it('looks none of them up again', async () => {
    const tokens = renewing();
    for (; now < 900; now += 40) {
      for (const token of ['a.1', 'b.1', 'b.2']) await tokens.identify(token);
      await answered();
    }
    expect(looked).toEqual(['a.1', 'b.1', 'b.2']);
    expect(queries).toHaveLength(22);
    expect(queries[0]).toEqual(['a', 'b', 'b']);
  });

  it('trusts them from the start of the query on, and asks one query at a time', async () => {
    const tokens = renewing();
    await tokens.identify('a.1');
    now = 40;
    await tokens.identify('a.1');
    now = 90;
    await tokens.identify('a.1');
    expect(queries).toHaveLength(1);
    await answered();
    now = 139;
    await tokens.identify('a.1');
    expect(queries).toHaveLength(2);
    now = 140;
    const waiting = tokens.identify('a.1');
    expect(await Promise.race([waiting, new Promise((resolve) => setImmediate(resolve, 'nothing yet'))])).toBe('nothing yet');
    await answered();
    expect(await waiting).toMatchObject({ sessionId: 'a' });
    expect([looked, queries.length]).toEqual([['a.1'], 2]);
  });

  it('reads them in one query after a pause, for which requests wait', async () => {
    const tokens = renewing();
    const all = ['a.1', 'b.1', 'c.1'];
    for (const token of all) await tokens.identify(token);
    now = 500;
    ended.add('c');
    const asked = Promise.allSettled(all.map((token) => tokens.identify(token)));
    await answered();
    expect((await asked).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(queries).toEqual([['a', 'b', 'c']]);
    expect(looked).toEqual([...all, 'c.1']);
  });

  it('refuses a token once a query has found that its session has ended', async () => {
    const tokens = renewing();
    for (const token of ['a.1', 'b.1']) await tokens.identify(token);
    ended.add('a');
    now = 40;
    await tokens.identify('b.1');
    await answered();
    await expect(tokens.identify('a.1')).rejects.toThrow('ended');
    now = 120;
    await tokens.identify('b.1');
    expect(looked).toEqual(['a.1', 'b.1', 'a.1']);
  });

  it('does not trust a token again that was forgotten during the query', async () => {
    const tokens = renewing();
    await tokens.identify('a.1');
    now = 40;
    await tokens.identify('a.1');
    ended.add('a');
    tokens.forget('a');
    await answered();
    await expect(tokens.identify('a.1')).rejects.toThrow('ended');
  });

  it('leaves out tokens that were not used for 30 trust periods, and looks them up again', async () => {
    expiresAt = 10_000;
    const tokens = renewing();
    for (const token of ['a.1', 'b.1']) await tokens.identify(token);
    for (now = 40; now <= 3_000; now += 40) {
      await tokens.identify('b.1');
      await answered();
    }
    expect(queries.slice(-2)).toEqual([['a', 'b'], ['b']]);
    now += 100;
    await tokens.identify('a.1');
    expect(looked).toEqual(['a.1', 'b.1', 'a.1']);
  });

  it('looks a token up again after the time that stores its last use', async () => {
    const tokens = renewing(200);
    for (; now <= 360; now += 40) {
      await tokens.identify('a.1');
      await answered();
    }
    expect(looked).toHaveLength(2);
  });

  it('looks a token up again after its trust period when the queries fail or never end', async () => {
    const failing = known(100, () => now, { findEnded: () => Promise.reject(new Error('away')) });
    const silent = known(100, () => now, { findEnded: () => new Promise(() => undefined) });
    for (; now <= 100; now += 50) for (const tokens of [failing, silent]) await tokens.identify('a.1');
    expect(looked).toHaveLength(4);
  });
});
