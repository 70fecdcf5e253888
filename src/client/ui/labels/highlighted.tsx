import { highlight } from '#domain/text.ts';

/** A text with what was searched for marked in it. */
export function Highlighted({ text, query }: { text: string; query: string }) {
  // biome-ignore lint/suspicious/noArrayIndexKey: at most three parts, each known by its place
  return highlight(text, query).map((part, index) => (part.match ? <mark key={index}>{part.text}</mark> : part.text));
}
