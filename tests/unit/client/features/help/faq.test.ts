import { describe, expect, it } from 'vitest';
import { FAQ, searchFaq } from '#client/features/help/faq.ts';
import { PLANS, UNLIMITED } from '#domain/plans/plans.ts';

const text = (id: string) => FAQ.find((entry) => entry.id === id)?.details.join(' ') ?? '';

describe('common questions', () => {
  it('are eight, each with an answer', () => {
    expect(FAQ).toHaveLength(8);
    expect(new Set(FAQ.map(({ id }) => id)).size).toBe(8);
    for (const { title, details } of FAQ) expect([title, ...details].every((part) => part.length > 20)).toBe(true);
  });

  it('state the limits of each plan from the table of plans', () => {
    for (const { name, price, questions, chartAnalyses } of Object.values(PLANS)) {
      expect(text('plans')).toContain(price === 0 ? `${name}, $0 a month` : `${name}, $${price} a month`);
      if (questions !== UNLIMITED) expect(text('plans')).toContain(`${questions} general questions and ${chartAnalyses} chart analyses`);
    }
    expect(text('support')).toContain('Premium includes priority support');
  });
});

describe('a search', () => {
  it('finds titles and answers, whatever the case', () => {
    expect(searchFaq('TRADING BOTS work').map(({ id }) => id)).toEqual(['bots']);
    expect(searchFaq('priority support').map(({ id }) => id)).toEqual(['support']);
    expect(searchFaq(' offline ').length).toBeGreaterThan(0);
  });

  it('finds all for nothing, and nothing for nonsense', () => {
    expect(searchFaq('  ')).toEqual(FAQ);
    expect(searchFaq('zebra')).toEqual([]);
  });
});
