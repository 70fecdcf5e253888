import { describe, expect, it } from 'vitest';
import { answerQuestion } from '#domain/analyst/answer-question.ts';
import { tellsOfAccount } from '#domain/analyst/answers/tells-of-account.ts';
import type { Own } from '#domain/analyst/own.ts';
import { marketFigures } from '#server/ports/analyst/market-figures.ts';
import { ownOf } from '#tests/support/chat/own-rows.ts';
import { stillMarket } from '#tests/support/market/market.ts';

const figures = marketFigures(stillMarket());

async function tells(question: string, own?: Own): Promise<boolean> {
  const answer = await answerQuestion(question, [], figures, own);
  return tellsOfAccount(answer.text, answer.figures);
}

describe('an answer that no one else may read', () => {
  it.each(['what do my bots do', 'what is my plan', 'how many questions do I have left', 'was machen meine Bots', 'cuál es mi plan'])(
    'is that to "%s"',
    async (question) => {
      expect(await tells(question, ownOf())).toBe(true);
      expect(await tells(question, ownOf({ bots: [] }))).toBe(true);
      expect(await tells(question)).toBe(true);
    },
  );

  it('is one whose figures come from the account, whatever its text', () => {
    const source = { tool: 'account' as const, name: 'your bots', asOf: '2026-05-13T09:30:00.000Z' };
    expect(tellsOfAccount('$940', { sources: [source], list: [] })).toBe(true);
  });

  it.each([
    'bitcoin price',
    'compare ETH and SOL',
    'how is the market',
    'SOL support and resistance',
    'what is leverage',
    'I bought 2 ETH at $1,500',
  ])('is not that to "%s"', async (question) => expect(await tells(question, ownOf())).toBe(false));
});
