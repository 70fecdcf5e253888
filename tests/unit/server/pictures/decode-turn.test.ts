import { expect, it } from 'vitest';
import { createDecodeTurns } from '#server/pictures/decode-turn.ts';

/** Starts decoding when the test says so. */
function rig(limits: Parameters<typeof createDecodeTurns>[0]) {
  const inTurn = createDecodeTurns(limits);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const decode = (user: string, name: string) =>
    inTurn(user, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const endNext = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { decode, begun, endNext };
}

it('decodes one picture per user at a time, and users in turn', async () => {
  const { decode, begun, endNext } = rig({ atOnce: 2, perUser: 3, perProcess: 10 });
  const all = [decode('ada', 'a1'), decode('ada', 'a2'), decode('ada', 'a3'), decode('bob', 'b1'), decode('cy', 'c1')];
  expect(begun).toEqual(['a1', 'b1']);
  for (let left = all.length; left > 0; left--) await endNext();
  await Promise.all(all);
  expect(begun.indexOf('c1')).toBeLessThan(begun.indexOf('a3'));
});

it('answers 429 to a user with many pictures, and 503 to all users when the process has too many', async () => {
  const { decode, endNext } = rig({ atOnce: 1, perUser: 2, perProcess: 3 });
  const taken = [decode('ada', 'a1'), decode('ada', 'a2')];
  await expect(decode('ada', 'a3')).rejects.toMatchObject({ status: 429 });
  taken.push(decode('bob', 'b1'));
  await expect(decode('cy', 'c1')).rejects.toMatchObject({ status: 503 });
  for (let left = taken.length; left > 0; left--) await endNext();
  await Promise.all(taken);
  const again = decode('ada', 'a4');
  await endNext();
  await again;
});

it('releases its slot after an error', async () => {
  const inTurn = createDecodeTurns({ atOnce: 1, perUser: 1, perProcess: 1 });
  await expect(inTurn('ada', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await inTurn('ada', async () => 'fine')).toBe('fine');
});
