/** How a text looks in the image. `size` in px. */
export interface Style {
  size: number;
  weight: 400 | 600;
  color: 'ink' | 'ink-2' | 'tide';
  /** Code. */
  mono?: boolean;
}

export interface Run {
  text: string;
  style: Style;
}

/** Returns the width of a text, px. */
export type Measure = (text: string, style: Style) => number;

export interface Line {
  runs: Run[];
  width: number;
  /** Its paragraph begins with a right-to-left letter. */
  isRtl: boolean;
}

const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
const LETTER = /\p{L}/u;
/** Characters that a search for the end of a line reads at a time. */
const PIECE = 400;
/** Marks on one character, so that none reaches into other lines. */
const MARKS = /(\p{M}{4})\p{M}+/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the point is to remove them
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\ue000-\uf8ff]/g;

/** Returns a text of others as the image can draw it. */
export const drawable = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replace(/\t/g, '  ').replace(CONTROLS, '').replace(MARKS, '$1');

/** Splits a text into what a reader sees as characters, so that no emoji is torn apart. */
function charactersOf(text: string): string[] {
  if (typeof Intl.Segmenter === 'undefined') return [...text];
  return Array.from(new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text), ({ segment }) => segment);
}

/** Returns how many of the characters fit. At least one, so that every line takes something. */
function fitting(characters: readonly string[], style: Style, room: number, measure: Measure): number {
  let [low, high] = [1, characters.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (measure(characters.slice(0, middle).join(''), style) <= room) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Runs without a space between them, which stay on one line if they fit. */
type Word = Run[];

function wordsOf(runs: readonly Run[]): (Word | 'space' | 'break')[] {
  const words: (Word | 'space' | 'break')[] = [];
  for (const { text, style } of runs) {
    for (const part of text.split(/(\n|[^\S\n\u00a0]+)/)) {
      if (part === '') continue;
      if (part === '\n') words.push('break');
      else if (/^[^\S\u00a0]+$/.test(part)) words.push('space');
      else {
        const last = words.at(-1);
        if (Array.isArray(last)) last.push({ text: part, style });
        else words.push([{ text: part, style }]);
      }
    }
  }
  return words;
}

/** Breaks runs into lines of at most `width` px. A word that is longer is broken between its characters. */
export function breakLines(runs: readonly Run[], width: number, measure: Measure): Line[] {
  const lines: Line[] = [];
  const letters = runs.map(({ text }) => text).join('');
  const isRtl = RTL.test(LETTER.exec(letters)?.[0] ?? '');
  let line: Run[] = [];
  let used = 0;

  const end = () => {
    lines.push({ runs: line, width: used, isRtl });
    line = [];
    used = 0;
  };
  const add = ({ text, style }: Run, taken: number) => {
    const last = line.at(-1);
    if (last?.style === style) last.text += text;
    else line.push({ text, style });
    used += taken;
  };
  /** Adds a run that no line has room for, line by line. */
  const addBroken = ({ text, style }: Run) => {
    for (let rest = text; rest !== ''; ) {
      const characters = charactersOf(rest.slice(0, PIECE));
      if (rest.length > PIECE && characters.length > 1) characters.pop(); // may continue behind the cut
      if (used > 0 && measure(characters[0] ?? '', style) > width - used) end();
      const part = characters.slice(0, fitting(characters, style, width - used, measure)).join('');
      add({ text: part, style }, measure(part, style));
      rest = rest.slice(part.length);
      if (rest !== '' && measure(charactersOf(rest.slice(0, 40))[0] ?? '', style) > width - used) end();
    }
  };

  for (const word of wordsOf(runs)) {
    if (word === 'break') end();
    else if (word === 'space') {
      const style = line.at(-1)?.style;
      if (style) add({ text: ' ', style }, measure(' ', style));
    } else {
      const taken = word.reduce((sum, { text, style }) => sum + measure(text, style), 0);
      if (used > 0 && used + taken > width) end();
      if (taken <= width) for (const run of word) add(run, measure(run.text, run.style));
      else word.forEach(addBroken);
    }
  }
  if (line.length > 0 || lines.length === 0) end();
  return lines;
}
