import * as z from 'zod/mini';
import { atMost, notEmpty } from './text.ts';

export const NAME_RULE = "Names can't contain links or line breaks";

/** Invisible joiners, which some scripts and emoji need inside a word. */
const JOINERS = /[\u200c\u200d]/g;
const LOOSE_JOINER = /(?<![\p{L}\p{M}\p{Emoji}])[\u200c\u200d]/u;
/** Includes letters without a shape, which could hide the end of a domain. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const ADDRESS = /:\/\/|(?<![\p{L}\p{N}])www\./iu;

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));
/** Endings that make even a single letter a domain ("t.co"). "J.Smith" stays a name. */
const COMMON_ENDINGS = setOf('com net org info biz io co ai app dev xyz me cc tv ly to gl gg it is in us uk de eu ru cn');
/** Endings in other scripts, where most words after a dot are names. */
const OTHER_ENDINGS = setOf('рф онлайн сайт орг ком укр бел срб 中国 公司 网络 网站 网址 在线 香港 한국 भारत');
/** "Dr.Smith", typed without a space. */
const TITLES = setOf('mr mrs ms mx dr prof st ste sr jr fr br rev hon capt col gen lt sgt ing mag ma md abd moh muh');

/** Tests for a web address, or a domain that mail programs turn into a link. */
export function holdsLink(text: string): boolean {
  const plain = text.replace(UNSEEN, '').normalize('NFKC').replaceAll('\u3002', '.');
  return ADDRESS.test(plain) || (plain.match(/[\p{L}\p{M}\p{N}_.-]+(?:[/?#]|:\d)?/gu) ?? []).some(holdsDomain);
}

/** @param run letters, digits, dots and dashes, and the first sign of a port or path after them */
function holdsDomain(run: string): boolean {
  const [host = '', path] = run.split(/[/?#:]/);
  const labels = host.split('.');
  return labels.some((ending, at) => at > 0 && isDomain(labels[at - 1] ?? '', ending, path !== undefined && at === labels.length - 1));
}

function isDomain(label: string, ending: string, hasPath: boolean): boolean {
  if (label === '' || !/^(?:\p{L}[\p{L}\p{M}]+(?:-.*)?|xn--.+)$/u.test(ending)) return false;
  // "evil.com你好", "evil.com-x": a link ends before another script or a dash.
  const known = ending.toLowerCase().match(/^(?:xn--|\p{Script=Latin}+|[\p{L}\p{M}]+)/u)?.[0] ?? '';
  if (hasPath || COMMON_ENDINGS.has(known) || OTHER_ENDINGS.has(known)) return true;
  const isTitled = TITLES.has(label.toLowerCase()) && /^[A-Z][a-z]/.test(ending);
  return label.length > 1 && !isTitled && /^(?:[a-z]{2,}$|xn--)/.test(known);
}

/** Tests for one line without invisible characters. */
export const isOneLine = (text: string): boolean => !LOOSE_JOINER.test(text) && !INVISIBLE.test(text.replace(JOINERS, ''));

/** Tests that a name can't deceive in a mail or notification, by a link or a line break. */
export const isPlainName = (text: string): boolean => isOneLine(text) && !holdsLink(text);

/** Returns a schema of a trimmed name with 1 to `max` characters. */
export const nameText = (max: number, required: string) =>
  z.string(required).check(atMost(max), z.trim(), notEmpty(required), z.refine(isPlainName, NAME_RULE));
