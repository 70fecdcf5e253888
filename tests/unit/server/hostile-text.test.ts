import { expect, test } from 'vitest';
import { holdsLink, isPlainName } from '../../../src/contract/names';
import { greetingTo } from '../../../src/domain/shown-name';
import { fold, highlight } from '../../../src/domain/text';
import { rewriteUrl } from '../../../src/server/http/rewrite-url';
import { encodingFor, names } from '../../../src/server/modules/market/hot-answers';
import { plain } from '../../../src/server/ports/analyst/answers/words';
import { findCoins } from '../../../src/server/ports/analyst/coins/finder';
import { unlistedCoins } from '../../../src/server/ports/analyst/coins/unlisted';
import { findTerms } from '../../../src/server/ports/analyst/glossary/glossary';
import { inventedFigures } from '../../../src/server/ports/analyst/openai/figures';
import { givesAway } from '../../../src/server/ports/analyst/openai/prompt';
import { readQuestion } from '../../../src/server/ports/analyst/reading/read-question';
import { titleOf } from '../../../src/server/ports/analyst/title';
import { HOSTILE_TEXTS } from '../../support/hostile-texts';
import { stillMarket } from '../../support/market';
import { quickest } from '../../support/quickest';

const KB = 1024;
const coins = stillMarket().known();

/** What the server does with texts of people and models, and the longest text that reaches it. */
const READERS: [name: string, longest: number, read: (text: string) => unknown][] = [
  ['a path', 100 * KB, (text) => rewriteUrl({ url: `/${text}%?${text}` })],
  ['an Accept-Encoding header', 16 * KB, (text) => encodingFor(text)],
  ['an If-None-Match header', 16 * KB, (text) => names(text, '"x"')],
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
