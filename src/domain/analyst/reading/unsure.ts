import { editDistance } from '#domain/market/typos.ts';
import type { Mention } from '../coins/finder.ts';
import { tokenize } from '../coins/tokens.ts';

/** Words that say nothing of what is asked about a coin besides its figures as a whole. */
const FILLERS = new Set(
  `what whats is are s was were the a an of in on for to and or vs versus with between about how hows do does did doing done going today now
   currently current right this that last past over during since tell me show give get see look check know want need info information details
   detail stats statistics figures data numbers coin coins token tokens crypto cryptos cryptocurrency please pls plz thanks thank you hey hi
   hello ok okay so but also again then just only my i we us it its they them both other one ones same compare compared comparison against than
   better best worse which side by at latest update updates status quick quickly overview summary everything all something much many day days
   daily week weeks weekly month months monthly year years hour hours quarter usd usdt dollar dollars performing perform performance trading
   trade looking look would could can will u ur im m re don t not be been has have time from as up down quote rate chart charts live real
   market markets report news analysis analyze analyse explain market's ticker symbol name called if go goes went gone move moved moves rise rose fall fell good
   morning afternoon evening night dear there friend`.split(/\s+/),
);
/** Words that show that a question is English, and no other language has. */
const ENGLISH = /\b(is|are|the|who|how|what|when|where|which|can|could|does|my|of|for|with|has|have|why|it|to|good|did|should|and)\b/;
const MAX_CHECKED = 12;

/** Whether an English question that names a coin and no figure says something else, so that its intent is unsure. */
export function isUnsure(text: string, folded: string, mentions: readonly Mention[]): boolean {
  if (!ENGLISH.test(folded)) return false;
  const rest = tokenize(text).filter(
    (token) => !mentions.some(({ start, end }) => token.start < end && token.end > start) && !/\p{N}/u.test(token.folded),
  );
  const odd = rest.filter(({ folded: word }) => !FILLERS.has(word));
  return odd.length > MAX_CHECKED || odd.some(({ folded: word }) => !isTypo(word));
}

const isTypo = (word: string): boolean =>
  word.length >= 4 && word.length <= 14 && [...FILLERS].some((filler) => filler.length >= 4 && editDistance(word, filler) === 1);
