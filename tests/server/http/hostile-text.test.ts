import { expect, test } from 'vitest';
import { holdsLink, isPlainName } from '#contract/names.ts';
import { plain } from '#domain/analyst/answers/format.ts';
import { findCoins } from '#domain/analyst/coins/finder.ts';
import { unlistedCoins } from '#domain/analyst/coins/unlisted.ts';
import { findTerms } from '#domain/analyst/glossary/glossary.ts';
import { readQuestion } from '#domain/analyst/reading/read-question.ts';
import { titleOf } from '#domain/analyst/title.ts';
import { greetingTo } from '#domain/shown-name.ts';
import { fold, highlight } from '#domain/text.ts';
import { rewriteUrl } from '#server/http/rewrite-url.ts';
import { chooseEncoding, matchesEtag } from '#server/modules/market/compressed-answer.ts';
import { inventedFigures, tieFigures } from '#server/ports/analyst/openai/figures.ts';
import { givesAway } from '#server/ports/analyst/openai/prompt.ts';
import { stillMarket } from '#tests/support/market/market.ts';
import { quickest } from '#tests/support/processes/cpu-time.ts';
import { HOSTILE_TEXTS } from '#tests/support/texts/hostile-texts.ts';

const KB = 1024;
const coins = stillMarket().known();

/** As many figures as a model is told by all its tool calls. */
const TOLD = Array.from({ length: 2000 }, (_, at) => ({
  told: { label: `Price ${at}`, value: at % 2 ? 1000 : 1.1, unit: at % 3 ? ('USD' as const) : ('percent' as const) },
  names: [`Coin ${at % 100}`, 'near'],
}));

/** Functions that read untrusted text from users and models, with the longest text each can get. */
const READERS: [name: string, longest: number, read: (text: string) => unknown][] = [
  ['a path', 100 * KB, (text) => rewriteUrl({ url: `/${text}%?${text}` })],
  ['an Accept-Encoding header', 16 * KB, (text) => chooseEncoding(text)],
  ['an If-None-Match header', 16 * KB, (text) => matchesEtag(text, '"x"')],
  ['folded text', 100 * KB, fold],
  ['highlighted text', 8 * KB, (text) => highlight(text, 'x')],
  ['a name', 8 * KB, (text) => [holdsLink(text), isPlainName(text), greetingTo(text)]],
  ['coins of a text', 8 * KB, (text) => findCoins(text, coins)],
  ['coins that are not listed', 100 * KB, unlistedCoins],
  ['terms', 8 * KB, findTerms],
  ['a question, as far as it is read', 600, (text) => readQuestion(text, coins)],
  ['a title', 4000, (text) => titleOf(readQuestion('', coins), text)],
  ['a line of an answer', 100 * KB, plain],
  ['figures of an answer', 8 * KB, (text) => inventedFigures(text, [text])],
  ['figures that tools told', 8 * KB, (text) => tieFigures(text, TOLD)],
  ['secrets in an answer', 100 * KB, (text) => givesAway(text, 'a secret key of the model')],
];

const WORDS = ['where data ', 'how is ', 'is a ', 'price of ', '$1,000', '1.1', 'near, ', '. ', '/', '%', 'highest '];
const TEXTS = {
  ...HOSTILE_TEXTS,
  ...Object.fromEntries(WORDS.map((word) => [word, (length: number) => word.repeat(Math.ceil(length / word.length))])),
};

test.each(READERS)('%s takes less than 50 ms', (_name, longest, read) => {
  // Small ones first: a pattern that backtracks fails the test and does not hang it.
  for (const size of [2 * KB, 8 * KB, longest].filter((each) => each <= longest)) {
    const slow = Object.entries(TEXTS).filter(([, text]) => quickest(() => read(text(size).slice(0, longest)), 50) >= 50);
    expect(slow.map(([name]) => `${name} of ${size}`)).toEqual([]);
  }
});
