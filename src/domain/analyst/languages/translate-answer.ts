import { type Language, SENTENCES, type SentenceKey, WORDS } from './sentences.ts';

/** The mark of a figure may stand around a value (answers/told). */
const OPEN = '(?:\\ue000[^\\ue000-\\ue002]*\\ue001)?';
const CLOSE = '\\ue002?';
const PERIOD = '1 hour|24 hours|7 days|30 days|60 days|90 days';
const PERCENT = '[+-]?[\\d.,]+%';

/** Patterns of values, by the letter of their placeholder. */
const VALUES: Readonly<Record<string, string>> = {
  c: '[^|\\n]{1,120}?',
  u: '-?\\$[\\d.,]+[A-Z]?',
  b: '[^ ]{1,20} (?:BTC|₿)|₿[^ ]{1,20}|[\\d.,]+',
  p: PERCENT,
  m: `(?:up|down) ${PERCENT}|unchanged|with an unknown change`,
  t: PERIOD,
  d: '\\d{1,2} [A-Z][a-z]{2} \\d{4}',
  n: '-?[\\d.,]+[A-Z]?',
  r: '#\\d+',
  s: '[^ *]{1,40}',
  h: '[a-z][a-z ()0-9]{2,40}?',
  k: '[A-Za-z0-9-][A-Za-z0-9 -]{2,40}?',
  l: `${PERCENT}${CLOSE} over (?:${PERIOD})(?:, ${OPEN}${PERCENT}${CLOSE} over (?:${PERIOD}))*`,
  x: '[^\\n]{1,400}?',
};

interface Sentence {
  key: SentenceKey;
  /** Compiled when it is first needed. */
  pattern: () => RegExp;
  names: string[];
  /** What a text must contain, so that most patterns need not run. */
  literals: readonly string[];
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

function sentenceOf(key: SentenceKey): Sentence {
  const names: string[] = [];
  const pieces = SENTENCES[key].split(/(\{\w+\})/).filter(Boolean);
  const source = pieces.map((piece, at) => {
    const name = /^\{(\w+)\}$/.exec(piece)?.[1];
    if (!name) return escaped(piece);
    names.push(name);
    // A text or a coin at the end of a sentence goes to the end of the line.
    const value = VALUES[name.charAt(0)] ?? '';
    return `(${OPEN}(?:${at === pieces.length - 1 ? value.replace(/\}\?$/, '}') : value})${CLOSE})`;
  });
  const literals = pieces.filter((piece) => !piece.startsWith('{'));
  let made: RegExp | undefined;
  const pattern = () => {
    made ??= new RegExp(`^${source.join('')}(?= |$)`);
    return made;
  };
  return { key, names, literals, pattern };
}

let prepared: readonly Sentence[] | undefined;
/** Longer sentences first: a shorter one may be their beginning. */
const sentences = (): readonly Sentence[] => {
  prepared ??= (Object.keys(SENTENCES) as SentenceKey[]).map(sentenceOf).sort((a, b) => SENTENCES[b.key].length - SENTENCES[a.key].length);
  return prepared;
};

const FACTORS: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 };

/** Formats a number as English wrote it for another language: the same digits after the point, the same shortening. */
function numberIn(text: string, locale: string, style: Intl.NumberFormatOptions): string {
  const [, digits = '', unit = ''] = /^[+-]?\$?([\d.,]+)([A-Z]?)/.exec(text.replace('-$', '-')) ?? [];
  const fraction = digits.split('.')[1]?.length ?? 0;
  const value = Number(digits.replaceAll(',', '')) * (FACTORS[unit] ?? 1) * (text.startsWith('-') ? -1 : 1);
  if (!Number.isFinite(value) || (unit !== '' && !FACTORS[unit])) return text;
  const shown = Math.min(fraction, 20);
  return new Intl.NumberFormat(locale, {
    ...style,
    ...(unit !== '' && { notation: 'compact' as const }),
    minimumFractionDigits: shown,
    maximumFractionDigits: shown,
  }).format(style.style === 'percent' ? value / 100 : value);
}

const DATE = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const;

/** Writes one value in a language; undefined where it has no word for it. */
function valueIn(language: Language, kind: string, marked: string): string | undefined {
  if (kind === 'l')
    return marked
      .split(', ')
      .map((each) => sentenceIn(language, each) ?? each)
      .join(', ');
  const [, open = '', text = '', close = ''] = /^(\ue000[^\ue000-\ue002]*\ue001)?([^\ue000-\ue002]*)(\ue002?)$/s.exec(marked) ?? [];
  const { locale } = language;
  const plain = (): string | undefined => {
    switch (kind) {
      case 'u':
        return numberIn(text, locale, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' });
      case 'p':
        return numberIn(text, locale, { style: 'percent', signDisplay: text.startsWith('+') ? 'exceptZero' : 'auto' });
      case 'n':
        return numberIn(text, locale, {});
      case 'd':
        return new Intl.DateTimeFormat(locale, DATE).format(Date.parse(`${text} UTC`));
      case 'm':
        return moveIn(language, text);
      case 't':
        return wordIn(language, text);
      case 'h':
        return wordIn(language, text) ?? wordIn(language, text.charAt(0).toUpperCase() + text.slice(1));
      case 'k':
        return wordIn(language, text) ?? text;
      case 'c':
        return text.replace(/ and (?=[^ ]+(?: \([^)]*\))?$)/, ` ${language.sentences.and} `);
      case 'x':
        return text.replace(/ and (?=(?:\*\*|")?[^ ]+(?: \([^)]*\))?(?:\*\*|")?$)/, ` ${language.sentences.and} `);
      default:
        return text;
    }
  };
  // Nested marks: an answer's text is marked value by value.
  if (text === '' && marked !== '') return marked;
  const shown = plain();
  return shown === undefined ? undefined : open + shown + close;
}

function wordIn({ words }: Language, text: string): string | undefined {
  const at = WORDS.indexOf(text as (typeof WORDS)[number]);
  return at < 0 ? undefined : words[at];
}

function moveIn(language: Language, text: string): string {
  if (text === 'unchanged') return language.sentences.unchanged;
  const [way, percent = ''] = text.split(' ');
  if (way !== 'up' && way !== 'down') return language.sentences.unknownChange;
  return language.sentences[way].replace('{p}', valueIn(language, 'p', percent) ?? percent);
}

/** Translates the sentence at the start of a text. */
function firstOf(language: Language, text: string): { translated: string; rest: string }[] {
  const found: { translated: string; rest: string }[] = [];
  for (const { key, pattern, names, literals } of sentences()) {
    const match = literals.every((literal) => text.includes(literal)) ? pattern().exec(text) : null;
    if (!match) continue;
    const values = new Map(names.map((name, at) => [name, valueIn(language, name.charAt(0), match[at + 1] ?? '')]));
    if ([...values.values()].includes(undefined)) continue;
    const translated = language.sentences[key].replace(/\{(\w+)\}/g, (whole, name) => values.get(name) ?? whole);
    found.push({ translated, rest: text.slice(match[0].length).trimStart() });
  }
  return found;
}

/** Translates one or more sentences; undefined if one is unknown. */
export function sentenceIn(language: Language, text: string): string | undefined {
  for (const { translated, rest } of firstOf(language, text)) {
    const after = rest === '' ? '' : sentenceIn(language, rest);
    if (after !== undefined) return after === '' ? translated : `${translated} ${after}`;
  }
  return undefined;
}

const CELL = new RegExp(`^${OPEN}(?:(-?\\$[\\d.,]+[A-Z]?)|(${PERCENT})|(\\d{1,2} [A-Z][a-z]{2} \\d{4})|(-?[\\d.,]+[A-Z]?))${CLOSE}$`);

function cellIn(language: Language, cell: string): string {
  const [, usd, percent, date, number] = CELL.exec(cell) ?? [];
  const kind = usd ? 'u' : percent ? 'p' : date ? 'd' : number ? 'n' : undefined;
  if (kind) return valueIn(language, kind, cell) ?? cell;
  return wordIn(language, cell) ?? cell;
}

function lineIn(language: Language, line: string): string | undefined {
  if (line === '' || /^\|[ :|-]+\|$/.test(line)) return line;
  if (line.startsWith('| '))
    return `| ${line
      .slice(2, -2)
      .split(' | ')
      .map((cell) => cellIn(language, cell))
      .join(' | ')} |`;
  const bullet = line.startsWith('- ') ? '- ' : '';
  const translated = sentenceIn(language, line.slice(bullet.length));
  return translated === undefined ? undefined : bullet + translated;
}

/** Returns an answer in a language; undefined if the language lacks one of its sentences. */
export function answerIn(language: Language, answer: string): string | undefined {
  const lines = answer.split('\n').map((line) => lineIn(language, line));
  return lines.includes(undefined) ? undefined : lines.join('\n');
}
