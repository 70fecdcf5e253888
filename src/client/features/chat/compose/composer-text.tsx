import { type ClipboardEvent, type KeyboardEvent, type RefObject, useLayoutEffect } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import styles from './composer-text.module.css';

interface ComposerTextProps {
  area: RefObject<HTMLTextAreaElement | null>;
  field: UseFormRegisterReturn<'message'>;
  text: string;
  placeholder: string;
  /** Id of the error's element, if there is an error. */
  errorId: string | undefined;
  onPasteImage: (file: File) => void;
  onSubmit: () => void;
}

/** Enter submits, except when it ends an input method's composition; Safari reports that one by key code 229. */
const submits = ({ key, shiftKey, keyCode, nativeEvent }: KeyboardEvent) =>
  key === 'Enter' && !shiftKey && !nativeEvent.isComposing && keyCode !== 229;

/** The text area of the composer. It grows up to three rows with its text. */
export function ComposerText({ area, field: { ref, ...field }, text, placeholder, errorId, onPasteImage, onSubmit }: ComposerTextProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height depends on the text
  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    element.style.height = 'auto';
    element.style.height = `${element.scrollHeight + element.offsetHeight - element.clientHeight}px`; // max-height limits it
  }, [text]);

  function paste(event: ClipboardEvent) {
    const file = [...event.clipboardData.files].find(({ type }) => type.startsWith('image/'));
    if (!file) return;
    event.preventDefault();
    onPasteImage(file);
  }

  return (
    <textarea
      {...field}
      ref={(element) => {
        ref(element);
        area.current = element;
      }}
      className={styles.text}
      rows={1}
      aria-label="Your question"
      aria-invalid={errorId ? true : undefined}
      aria-describedby={errorId}
      placeholder={placeholder}
      enterKeyHint="send"
      onPaste={paste}
      onKeyDown={(event) => {
        if (!submits(event)) return;
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}
