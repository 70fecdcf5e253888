interface TextPart {
  text: string;
  /** Whether the part is rendered as a search match. */
  match: boolean;
}

/** Renders a text with its search matches marked. */
export const Highlighted = ({ parts }: { parts: readonly TextPart[] }) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity but their position
  parts.map((part, index) => (part.match ? <mark key={index}>{part.text}</mark> : part.text));
