import {
  type AnswerFigure,
  type AnswerFigures,
  type FigureSource,
  type FigureSubject,
  type FigureTool,
  type FigureUnit,
  MAX_FIGURE_LABEL,
  MAX_FIGURE_SOURCES,
  MAX_FIGURE_TEXT,
  MAX_FIGURES,
  MAX_SOURCE_NAME,
} from '#contract/chat/answer-figures.ts';

/** What an answer tells by a figure. */
export interface Told {
  /** Such as "Price of Bitcoin (BTC)". */
  label: string;
  value: number | null | undefined;
  unit: FigureUnit;
  /** Default: 'quotes'. */
  tool?: FigureTool | undefined;
  /** Default: the source of the listing. */
  source?: string | undefined;
  /** The time of the figure, ms UTC. Default: the time of the listing. */
  time?: number | undefined;
  /** The current figure to compare with. */
  now?: FigureSubject | undefined;
}

/** Private characters, which `plain` removes from texts of others. */
const [OPEN, SHOWN, CLOSE] = ['\ue000', '\ue001', '\ue002'];
const MARKED = /\ue000([^\ue000-\ue002]*)\ue001([^\ue000-\ue002]*)\ue002/g;
const LEFT_OVER = /[\ue000-\ue002]/g;

/** Marks a formatted figure with what it is, until `takeFigures` reads the marks. An unknown figure stays text. */
export function told(shown: string, figure: Told): string {
  const { value } = figure;
  if (value === null || value === undefined || !Number.isFinite(value) || shown.length > MAX_FIGURE_TEXT) return shown;
  return `${OPEN}${JSON.stringify(figure)}${SHOWN}${shown}${CLOSE}`;
}

/** Returns a text without its marks, and the figures that they name. `usual`: the source of figures that name none. */
export function takeFigures(marked: string, usual: Pick<FigureSource, 'name' | 'asOf'>): { text: string; figures: AnswerFigures } {
  const sources: FigureSource[] = [];
  const list: AnswerFigure[] = [];
  let text = '';
  let from = 0;
  for (const { 0: whole, 1: json = '', 2: shown = '', index } of marked.matchAll(MARKED)) {
    text += withoutMarks(marked.slice(from, index));
    from = index + whole.length;
    const { label, value, unit, tool = 'quotes', source = usual.name, time, now } = JSON.parse(json) as Told;
    const asOf = time === undefined ? usual.asOf : new Date(time).toISOString();
    const place = placeOf(sources, { tool, name: source.slice(0, MAX_SOURCE_NAME), asOf });
    if (list.length < MAX_FIGURES && place !== undefined) {
      const about = { label: label.slice(0, MAX_FIGURE_LABEL), value: value ?? 0, unit, source: place };
      list.push({ at: text.length, length: shown.length, ...about, ...(now && { now }) });
    }
    text += shown;
  }
  return { text: text + withoutMarks(marked.slice(from)), figures: { sources, list } };
}

/** Changes a marked text with short marks in it, which may change places. Undefined if `change` returns that. */
export function withShortMarks(marked: string, change: (short: string) => string | undefined): string | undefined {
  const marks: string[] = [];
  const remark = (text: string, markOf: (inside: string) => string | number) =>
    text.replace(MARKED, (_, inside: string, shown: string) => `${OPEN}${markOf(inside)}${SHOWN}${shown}${CLOSE}`);
  const changed = change(remark(marked, (json) => marks.push(json) - 1));
  return changed === undefined ? undefined : remark(changed, (at) => marks[Number(at)] ?? '');
}

/** Returns what the marked figures of a text tell, each label once. */
export function toldIn(marked: string): Told[] {
  const found = [...marked.matchAll(MARKED)].map(([, json = '']) => JSON.parse(json) as Told);
  return [...new Map(found.map((each) => [each.label, each])).values()];
}

/** Returns a text of others without characters that mark figures. */
export const withoutMarks = (text: string): string => text.replace(LEFT_OVER, '');

/** Returns the place of a source in the list, and adds a new one. Undefined if the list is full. */
function placeOf(sources: FigureSource[], { tool, name, asOf }: FigureSource): number | undefined {
  const known = sources.findIndex((each) => each.tool === tool && each.name === name && each.asOf === asOf);
  if (known >= 0) return known;
  return sources.length < MAX_FIGURE_SOURCES ? sources.push({ tool, name, asOf }) - 1 : undefined;
}

/** Returns the figures of a text that stands `by` characters further back in an answer. */
export const moveFigures = ({ sources, list }: AnswerFigures, by: number): AnswerFigures => ({
  sources,
  list: list.map((figure) => ({ ...figure, at: figure.at + by })),
});
