import { RISK } from '#domain/analyst/answers/stamp.ts';
import { PRODUCT } from '#domain/product.ts';
import { breakLines, type Measure, type Style } from './break-lines.ts';
import { type Paragraph, paragraphsOf, TEXT } from './paragraphs.ts';
import { createPen, type Op, PADDING, type Pen, type Place } from './pen.ts';

/** A question and its answer in the image. */
export interface Exchange {
  question: string;
  /** Markdown. */
  answer: string;
  /** "13 May 2026, 09:30 UTC". */
  askedAt: string;
  /** Where figures come from, if the answer does not say it. */
  sources: readonly string[];
  hasPicture: boolean;
}

export interface ImageContent {
  title: string;
  exchanges: readonly Exchange[];
  /** "13 May 2026, 09:31 UTC". */
  madeAt: string;
}

export interface Layout {
  width: number;
  height: number;
  ops: Op[];
  /** The text of the image, line by line. */
  text: string;
  isCut: boolean;
}

export const IMAGE_WIDTH = 720;
/** Taller images are cut: apps shrink them until no one can read them. */
export const MAX_IMAGE_HEIGHT = 3600;
const MARGIN = 32;
const WHOLE: Place = { x: MARGIN, width: IMAGE_WIDTH - 2 * MARGIN };
const INSIDE: Place = { x: MARGIN + PADDING, width: WHOLE.width - 2 * PADDING };
/** Share of the width that a question takes at most. */
const QUESTION_SHARE = 0.85;
const TITLE_LINES = 4;
/** Space for the end: the note about the cut, the risk, the time. */
const END = 150;

const TITLE: Style = { size: 26, weight: 600, color: 'ink' };
const MARKER: Style = { ...TEXT, color: 'ink-2' };
const SMALL: Style = { size: 13, weight: 400, color: 'ink-2' };
const NOTE: Style = { ...SMALL, weight: 600 };
const NAME: Style = { size: 14, weight: 600, color: 'tide' };

/** Lays out the image of a chat. Text of any length and direction stays within it; what is beyond the height is cut, and the image says so. */
export function layOut({ title, exchanges, madeAt }: ImageContent, measure: Measure): Layout {
  const pen = createPen(measure, MARGIN, MAX_IMAGE_HEIGHT - END);
  pen.putLines(pen.breakText(title, TITLE, WHOLE.width).slice(0, TITLE_LINES), WHOLE);
  const isCut = !exchanges.every((exchange) => putExchange(pen, exchange));
  pen.skip(20);
  if (isCut) pen.putText('The rest of this chat is left out.', NOTE, WHOLE, MAX_IMAGE_HEIGHT);
  pen.putText(RISK, SMALL, WHOLE, MAX_IMAGE_HEIGHT);
  pen.putText(`${PRODUCT} · figures are of the times they show · made ${madeAt}`, SMALL, WHOLE, MAX_IMAGE_HEIGHT);
  const height = Math.min(pen.y() + MARGIN, MAX_IMAGE_HEIGHT);
  return { width: IMAGE_WIDTH, height, ops: pen.ops, text: pen.texts.join('\n'), isCut };
}

/** Puts a question and its answer. Returns false if the image is full. */
function putExchange(pen: Pen, { question, answer, askedAt, sources, hasPicture }: Exchange): boolean {
  const asked = [...(hasPicture ? ['[Picture]'] : []), ...(question ? [question] : [])].join('\n');
  const lines = pen.breakText(asked, TEXT, WHOLE.width * QUESTION_SHARE - 2 * PADDING);
  const width = Math.max(...lines.map((line) => line.width), 40);
  const right = WHOLE.x + WHOLE.width;
  const bubble = { x: right - width - 2 * PADDING, width: width + 2 * PADDING };

  pen.skip(20);
  const timeWidth = pen.measure(askedAt, SMALL);
  if (!pen.putText(askedAt, SMALL, { x: right - timeWidth, width: timeWidth + 1 })) return false;
  pen.skip(4);
  const put = () => pen.putLines(lines, { x: bubble.x + PADDING, width });
  if (!pen.inBox({ ...bubble, fill: 'tide-soft', hasEdge: false }, put)) return false;
  pen.skip(8);
  return pen.inBox({ ...WHOLE, fill: 'surface', hasEdge: true }, () => {
    if (!pen.putText(PRODUCT, NAME, INSIDE)) return false;
    if (!paragraphsOf(answer).every((paragraph, index) => putParagraph(pen, paragraph, index === 0 ? 4 : paragraph.gap))) return false;
    if (sources.length > 0) pen.skip(8);
    return sources.every((line) => pen.putText(line, SMALL, INSIDE));
  });
}

function putParagraph(pen: Pen, { cells, indent, marker }: Paragraph, gap: number): boolean {
  pen.skip(gap);
  const place = { x: INSIDE.x + indent, width: INSIDE.width - indent };
  if (marker) {
    const x = place.x - Math.min(indent, pen.measure(marker, MARKER) + 8);
    pen.putLine({ runs: [{ text: marker, style: MARKER }], width: 0, isRtl: false }, { x, width: indent });
  }
  const [only, ...more] = cells;
  return more.length > 0 ? pen.putRow(cells, place) : pen.putLines(breakLines(only ?? [], place.width, pen.measure), place);
}
