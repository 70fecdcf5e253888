import { describe, expect, it } from 'vitest';
import { answerQuestion, titleOfQuestion } from '#domain/analyst/answer-question.ts';
import { detectLanguage } from '#domain/analyst/languages/detect-language.ts';
import { inEnglish, OTHER_LANGUAGE } from '#domain/analyst/languages/read-languages.ts';
import { marketFigures } from '#server/ports/analyst/market-figures.ts';
import { stillMarket } from '#tests/support/market/market.ts';

const figures = marketFigures(stillMarket());
const english = async (...turns: string[]) => (await inEnglish(turns)).questions.at(-1);

describe('the language of a question', () => {
  it.each([
    ['was kostet bitcoin', 'de'],
    ['precio de solana', 'es'],
    ['prix du bitcoin', 'fr'],
    ['preço do bitcoin', 'pt'],
    ['BİTCOİN FİYATI', 'tr'],
    ['비트코인', 'ko'],
    ['what is the price of bitcoin', 'en'],
    ['correlation', 'en'],
    ['цена биткоина', 'other'],
    ['wat is de prijs van bitcoin', 'other'],
    ['btc', undefined],
    ['', undefined],
  ])('of "%s" is %s', (question, code) => expect(detectLanguage(question)).toBe(code));

  it('is that of the question before, where its words do not tell', async () => {
    expect((await answerQuestion('SOL?', ['was kostet bitcoin'], figures)).text).toContain('Daten: ');
    expect((await answerQuestion('SOL?', ['price of bitcoin'], figures)).text).toContain('Data: ');
  });

  it('that the analyst does not know is answered in English, which says so', async () => {
    expect((await answerQuestion('ビットコインの価格 BTC', [], figures)).text.startsWith(OTHER_LANGUAGE)).toBe(true);
  });
});

describe('a question in another language', () => {
  it.each([
    ['Ich habe 2 ETH zu 1.500,50 Dollar gekauft', '2 ETH at 1500.50 dollars bought'],
    ["j'ai acheté 2 ETH à 1 500 dollars", '2 ETH at 1500 dollars'],
    ['Solanayı 200.000 doların üstüne çıkınca haber ver', 'Solana 200000 dollars above when alert me'],
    ['비트코인이 20만 달러를 넘으면 알려줘', 'bitcoin 200000 dollars above rises when alert me'],
    ['BİTCOİN İŞLEM HACMİ', 'BITCOIN volume'],
  ])('reads "%s"', async (question, wanted) => {
    const read = await english(question);
    for (const part of wanted.split(' ')) expect(read?.toLowerCase()).toContain(part.toLowerCase());
  });

  it('keeps its own words as the title', () => {
    expect(titleOfQuestion('was kostet bitcoin heute', [])).toBe('Was kostet bitcoin heute');
  });

  it('is asked back in its language, by questions that it understands', async () => {
    const { text, choices } = await answerQuestion('wer hat cardano gegründet', [], figures);
    expect(choices[0]).toBe('Cardano Preis');
    for (const choice of choices) expect(text).toContain(`- ${choice}`);
  });

  it('gets an explanation in English, with a note in its language', async () => {
    expect((await answerQuestion('was ist Leverage', [], figures)).text).toMatch(
      /^Diese Antwort gibt es nur auf Englisch\.\n\n\*\*Leverage\.\*\*/,
    );
  });
});
