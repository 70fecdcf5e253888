import { useRef } from 'react';

/** A longer pause between two keys starts a new word. */
const TYPING_PAUSE_MS = 600;

interface TypedKey {
  key: string;
  timeStamp: number;
}

/** Returns a function that takes a typed key and returns the index of the option whose label starts with the typed word. */
export function useTypeAhead(options: readonly { label: string }[]): (event: TypedKey) => number | undefined {
  const typed = useRef({ text: '', at: 0 });
  return ({ key, timeStamp }) => {
    const text = timeStamp - typed.current.at < TYPING_PAUSE_MS ? typed.current.text + key : key;
    typed.current = { text, at: timeStamp };
    const { compare } = new Intl.Collator('en', { sensitivity: 'base' }); // ignores case and accents
    const index = options.findIndex(({ label }) => compare(label.slice(0, text.length), text) === 0);
    return index < 0 ? undefined : index;
  };
}
