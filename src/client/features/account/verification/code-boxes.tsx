import { type ClipboardEvent, type ComponentProps, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { MESSAGES } from '#contract/account/account-rules.ts';
import { digits as digitsOf } from '#domain/format/input-filters.ts';
import styles from './code-boxes.module.css';

interface CodeBoxesProps {
  /** One digit or an empty string per box. */
  value: readonly string[];
  onChange: (value: string[]) => void;
  /** Called after `onChange` when the last box or the last gap is filled. A digit corrected before others does not count. */
  onComplete?: (() => void) | undefined;
}

/** One box per digit: typing moves forward, deleting moves back, and a pasted or autofilled code fills them all. */
export function CodeBoxes({ value, onChange, onComplete }: CodeBoxesProps) {
  const boxes = useRef<(HTMLInputElement | null)[]>([]);
  const [refused, setRefused] = useState(false);
  const message = useId();
  const last = value.length - 1;

  useEffect(() => boxes.current[0]?.focus(), []);

  const focus = (index: number) => boxes.current[Math.min(Math.max(index, 0), last)]?.focus();

  function put(index: number, added: string) {
    const next = [...value];
    for (const [offset, digit] of [...added].entries()) if (index + offset <= last) next[index + offset] = digit;
    onChange(next);
    focus(index + added.length);
    const fills = index + added.length > last || value.includes('');
    if (fills && !next.includes('')) onComplete?.();
  }

  function clear(index: number) {
    onChange(value.map((digit, at) => (at === index ? '' : digit)));
    focus(index - 1);
  }

  function type(index: number, text: string) {
    const typed = digitsOf(text);
    setRefused(typed.length < text.length);
    if (text === '') clear(index);
    else if (typed) put(...placeOf(typed, index, value));
  }

  function press(event: KeyboardEvent, index: number) {
    if (event.key === 'Backspace' && !value[index] && index > 0) {
      event.preventDefault();
      clear(index - 1);
      focus(index - 1);
    } else if (event.key === value[index] && !event.ctrlKey && !event.metaKey && !event.altKey) {
      // Typed over the same digit: the text does not change, so no change event follows.
      event.preventDefault();
      put(index, event.key);
    } else if (event.key === 'ArrowLeft') focus(index - 1);
    else if (event.key === 'ArrowRight') focus(index + 1);
  }

  function paste(event: ClipboardEvent) {
    event.preventDefault();
    const pasted = digitsOf(event.clipboardData.getData('text'));
    setRefused(pasted === '');
    if (pasted) put(0, pasted);
  }

  return (
    <fieldset className={styles.code} aria-describedby={refused ? message : undefined}>
      <legend className="sr-only">Verification code, sent with its last digit</legend>
      <div className={styles.boxes}>
        {value.map((digit, index) => (
          <Box
            // biome-ignore lint/suspicious/noArrayIndexKey: a box is its place
            key={index}
            ref={(box) => {
              boxes.current[index] = box;
            }}
            autoComplete={index === 0 ? 'one-time-code' : 'off'}
            aria-label={`Digit ${index + 1} of ${value.length}`}
            aria-invalid={refused || undefined}
            value={digit}
            onChange={(event) => type(index, event.target.value)}
            onKeyDown={(event) => press(event, index)}
            onPaste={paste}
          />
        ))}
      </div>
      {refused && (
        <p className={styles.error} id={message} role="alert">
          {MESSAGES.codeDigits}
        </p>
      )}
    </fieldset>
  );
}

const Box = (props: ComponentProps<'input'>) => (
  <input
    className={styles.box}
    type="text"
    inputMode="numeric"
    pattern="\d"
    required
    onFocus={(event) => event.target.select()}
    {...props}
  />
);

/** Returns where digits go that were typed into a box, whose text holds the digit it had, too. */
function placeOf(typed: string, index: number, value: readonly string[]): [index: number, digits: string] {
  const before = value[index] ?? '';
  if (typed.length > value.length - index) return [0, typed];
  return [index, typed.length === 2 && before ? typed.replace(before, '') : typed];
}
