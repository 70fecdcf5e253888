import { describe, expect, it } from 'vitest';
import { answerQuestion } from '#domain/analyst/answer-question.ts';
import { marketFigures } from '#server/ports/analyst/market-figures.ts';
import { stillMarket } from '#tests/support/market/market.ts';

const figures = marketFigures(stillMarket());
const ask = async (...turns: string[]) => (await answerQuestion(turns.at(-1) ?? '', turns.slice(0, -1), figures)).text;

it.each(['bye', 'good night', 'see you'])('says goodbye: "%s"', async (question) => {
  expect(await ask(question)).toMatch(/^Goodbye\./);
});

it.each(['how are you?', "how's it going", 'tell me a joke'])('greets: "%s"', async (question) => {
  expect(await ask(question)).toMatch(/^Hello\./);
});

it.each(['fuck off', 'you suck', 'I hate you'])('stays friendly: "%s"', async (question) => {
  expect(await ask(question)).toMatch(/^I am sorry/);
});

describe('what the app can do', () => {
  it.each(['what can this app do', 'what is Tidemark', 'what is this site for'])('"%s"', async (question) => {
    const text = await ask(question);
    for (const page of ['/crypto', '/settings/alerts', '/trading-bot']) expect(text).toContain(`](${page})`);
  });
});

describe('an earlier day', () => {
  it('has its close from candles, from a month on', async () => {
    expect(await ask('BTC price two months ago')).toContain('closed at **$');
    expect(await ask('eth', 'how much was it 3 weeks ago')).toContain('Ethereum (ETH) closed at **$');
    expect(await ask('bitcoin a week ago')).toContain('was at about **$');
  });

  it.each([
    ['market cap of btc a year ago', 'I know earlier prices only, not an earlier market cap.'],
    ['what was the volume of eth on 3 march', 'I know earlier prices only, not an earlier volume (24h).'],
  ])('has no other figures: "%s"', async (question, said) => expect(await ask(question)).toContain(said));

  it.each([
    ['Solana vor drei Wochen', 'schloss am'],
    ['precio de bitcoin hace dos meses', 'cerró a'],
    ['prix du bitcoin il y a trois mois', 'a clôturé à'],
    ['bitcoin há dois meses', 'fechou em'],
    ['bitcoin dois meses atrás', 'fechou em'],
    ['bitcoin iki ay önce', 'kapandı'],
    ['두 달 전 비트코인 가격', '종가'],
    ['100일 전 비트코인 가격', '종가'],
  ])('is understood: "%s"', async (question, said) => expect(await ask(question)).toContain(said));
});

it('rates no coin by a comparison of volumes or supplies', async () => {
  expect(await ask('supply of BTC and LTC')).not.toContain('did best');
  expect(await ask('btc vs ltc')).toContain('did best');
});

it('asks back where a yes or no has no figure', async () => {
  for (const question of ['is solana good for staking', 'does ethereum use proof of stake', 'can cardano be staked at 5%'])
    expect(await ask(question)).toContain('What do you want to know about');
});

it.each([
  ['tschüss', 'Auf Wiedersehen.'],
  ['adiós', 'Hasta luego.'],
  ['au revoir', 'Au revoir.'],
  ['tchau', 'Até logo.'],
  ['hoşçakal', 'Hoşça kalın.'],
  ['안녕히 계세요', '안녕히 가세요.'],
])('says goodbye in the language of "%s"', async (question, said) => expect(await ask(question)).toContain(said));
