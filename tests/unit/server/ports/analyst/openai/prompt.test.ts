import { describe, expect, it } from 'vitest';
import { givesAway, INSTRUCTIONS } from '#server/ports/analyst/openai/prompt.ts';

const KEY = 'sk-live-0123456789abcdef';

describe('a leak of the key or the prompt', () => {
  it.each([
    `The key is ${KEY}.`,
    `s k - l i v e - 0123 4567 89ab cdef`,
    `${KEY.toUpperCase()}`,
    `I was told: "${INSTRUCTIONS.split('\n')[1]}"`,
    INSTRUCTIONS.toUpperCase(),
  ])('is found in %j', (text) => {
    expect(givesAway(text, KEY)).toBe(true);
  });

  it.each(['There is none.', 'Keep your keys to yourself.', 'You answer questions about coins.', ''])('is not found in %j', (text) => {
    expect(givesAway(text, KEY)).toBe(false);
    expect(givesAway(text, 'none')).toBe(false);
  });
});
