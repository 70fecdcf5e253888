import { beforeEach, expect, it } from 'vitest';
import type { Identity } from '#server/http/authenticate.ts';
import { knownTokens } from '#server/modules/accounts/sessions/known-tokens.ts';

let now: number;
let looked: string[];
let ended: Set<string>;
/** Resolves what is being looked at. */
let finish: (() => void)[];
let held: boolean;

const known = (trust = Number.POSITIVE_INFINITY) =>
  knownTokens({
    async identify(token): Promise<Identity> {
      looked.push(token);
      const [sessionId = ''] = token.split('.');
      const over = ended.has(sessionId);
      if (held) await new Promise<void>((resolve) => finish.push(resolve));
      if (over) throw new Error('ended');
      return { userId: 'user', sessionId, expiresAt: 1000 };
    },
    clock: () => now,
    trust,
  });

beforeEach(() => {
  now = 0;
  looked = [];
  ended = new Set();
  finish = [];
  held = false;
});

it('looks a token up once, until it ends', async () => {
  const tokens = known();
  expect(tokens.has('a.1')).toBe(false);
  expect(await tokens.identify('a.1')).toEqual(await tokens.identify('a.1'));
  expect(tokens.has('a.1')).toBe(true);
  now = 999;
  await tokens.identify('a.1');
  expect(looked).toEqual(['a.1']);
  now = 1000;
  expect(tokens.has('a.1')).toBe(false);
  await tokens.identify('a.1');
  expect(looked).toEqual(['a.1', 'a.1']);
});

it('looks again after the time it is trusted for', async () => {
  const tokens = known(100);
  await tokens.identify('a.1');
  now = 100;
  expect(tokens.has('a.1')).toBe(false);
  await tokens.identify('a.1');
  expect(looked).toHaveLength(2);
});

it('forgets every token of an ended session, and no other', async () => {
  const tokens = known();
  for (const token of ['a.1', 'a.2', 'b.1']) await tokens.identify(token);
  ended.add('a');
  tokens.forget('a');
  expect(['a.1', 'a.2', 'b.1'].map(tokens.has)).toEqual([false, false, true]);
  await expect(tokens.identify('a.1')).rejects.toThrow('ended');
});

it('does not keep what was found before the session ended', async () => {
  const tokens = known();
  held = true;
  const before = tokens.identify('a.1');
  ended.add('a');
  tokens.forget('a');
  held = false;
  finish[0]?.();
  await before;
  expect(tokens.has('a.1')).toBe(false);
  await expect(tokens.identify('a.1')).rejects.toThrow('ended');
});

it('keeps no refusal', async () => {
  const tokens = known();
  ended.add('a');
  await expect(tokens.identify('a.1')).rejects.toThrow('ended');
  ended.clear();
  expect((await tokens.identify('a.1')).sessionId).toBe('a');
});

it('keeps a bounded number', async () => {
  const tokens = known();
  for (let n = 0; n < 10_001; n++) await tokens.identify(`s.${n}`);
  expect([tokens.has('s.0'), tokens.has('s.1'), tokens.has('s.10000')]).toEqual([false, true, true]);
});
