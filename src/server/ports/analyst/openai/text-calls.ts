import type { ToolCall } from './wire.ts';

/** Calls that are read from one answer. */
const MAX_CALLS = 16;

/** Marks that begin calls, and where each ends at the latest: of Hermes and Qwen, Llama 3.1, Mistral, and Llama 3.2 and Qwen Coder. */
const MARKS = [
  { begin: '<tool_call>', end: '</tool_call>' },
  { begin: '<|python_tag|>', end: '<|eom_id|>' },
  { begin: '[TOOL_CALLS]', end: '</s>' },
  { begin: '<function=', end: '</function>' },
] as const;

/** Returns whether a text has a mark of a call, which no answer for users has. */
export const hasCallMark = (text: string): boolean => MARKS.some(({ begin }) => text.includes(begin));

/**
 * Finds the tool calls that a model wrote as text, as it does where its runner has no parser for them: between marks, or as JSON
 * that is the whole answer or a code block and names one of `tools`. A call that cannot be read has no name.
 */
export function toolCallsIn(text: string, tools: readonly string[]): ToolCall[] {
  const marked = MARKS.flatMap((mark) => piecesBetween(text, mark).flatMap(callsOf));
  const calls =
    marked.length > 0
      ? marked
      : blocksOf(text)
          .flatMap(callsOf)
          .filter(({ name }) => tools.includes(name));
  return calls.slice(0, MAX_CALLS).map((call, index) => ({ id: `text_${index}`, ...call }));
}

type Call = Omit<ToolCall, 'id'>;

/** Returns the texts between marks. `<function=` keeps its mark, because the name follows it. */
function piecesBetween(text: string, { begin, end }: (typeof MARKS)[number]): string[] {
  const pieces: string[] = [];
  for (let at = text.indexOf(begin); at >= 0 && pieces.length < MAX_CALLS; ) {
    const from = at + begin.length;
    const next = text.indexOf(begin, from);
    const closed = text.indexOf(end, from);
    const ends = [next, closed].filter((place) => place >= 0);
    const piece = text.slice(from, ends.length > 0 ? Math.min(...ends) : undefined);
    // Qwen Coder writes a function within a call.
    if (begin === '<function=') pieces.push(begin + piece);
    else if (!piece.trim().startsWith('<function=')) pieces.push(piece);
    at = next;
  }
  return pieces;
}

/** Returns the whole text, or its code blocks. */
function blocksOf(text: string): string[] {
  const trimmed = text.trim();
  if (/^[[{]/.test(trimmed)) return [trimmed];
  return text
    .split('```')
    .filter((_, index) => index % 2 === 1)
    .slice(0, MAX_CALLS)
    .map((block) => block.replace(/^\w{0,20}\s/, '').trim());
}

/** Reads a piece as calls: `{"name", "arguments"}`, several in a list, or `<function=name>` with JSON or parameters. */
function callsOf(piece: string): Call[] {
  const text = piece.trim();
  if (text.startsWith('<function=')) return [functionOf(text)];
  const read = parse(text);
  const list = Array.isArray(read) ? read : [read];
  return list.slice(0, MAX_CALLS).map((each) => {
    const call = isRecord(each) && isRecord(each.function) ? each.function : each;
    if (!isRecord(call) || typeof call.name !== 'string') return { name: '', arguments: '' };
    const wanted = call.arguments ?? call.parameters ?? {};
    return { name: call.name, arguments: typeof wanted === 'string' ? wanted : JSON.stringify(wanted) };
  });
}

function functionOf(text: string): Call {
  const close = text.indexOf('>');
  const name = text.slice('<function='.length, close < 0 ? undefined : close).trim();
  const body = close < 0 ? '' : text.slice(close + 1).trim();
  if (!body.startsWith('<parameter=')) return { name, arguments: body };
  const given = body
    .split('<parameter=')
    .slice(1, MAX_CALLS)
    .map((part) => {
      const end = part.indexOf('>');
      const value =
        part
          .slice(end + 1)
          .split('</parameter>')[0]
          ?.trim() ?? '';
      return [part.slice(0, Math.max(end, 0)).trim(), parse(value) ?? value] as const;
    });
  return { name, arguments: JSON.stringify(Object.fromEntries(given)) };
}

/** Returns a text without what a model thought aloud before its answer. */
export function withoutThoughts(text: string): string {
  const end = text.lastIndexOf('</think>');
  if (end >= 0) return text.slice(end + '</think>'.length);
  return text.trimStart().startsWith('<think>') ? '' : text;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
