import { zodResolver } from '@hookform/resolvers/zod';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { question } from '../../../contract/chat';
import { IconButton } from '../../ui/button';
import styles from './composer.module.css';
import { readDraft, writeDraft } from './drafts';

const form = z.object({ message: question });

interface ComposerProps {
  /** Names the conversation: each keeps its own draft. */
  draftKey: string;
  /** Rejects when the question could not be stored; the text then stays. */
  onAsk: (text: string) => Promise<void>;
}

/** Enter sends (spec §5), but not the one that ends an input method's composition (failure mode 25). */
const sends = ({ key, shiftKey, keyCode, nativeEvent }: KeyboardEvent) =>
  key === 'Enter' && !shiftKey && !nativeEvent.isComposing && keyCode !== 229;

/** Where questions are typed. It grows with the text up to three rows. */
export function Composer({ draftKey, onAsk }: ComposerProps) {
  const { register, handleSubmit, reset, setError, formState, watch } = useForm({
    resolver: zodResolver(form),
    reValidateMode: 'onChange',
    defaultValues: { message: readDraft(draftKey) },
  });
  const area = useRef<HTMLTextAreaElement | null>(null);
  const text = watch('message');
  const problem = formState.errors.message?.message ?? formState.errors.root?.message;

  // Another conversation brings its own draft; the box, and the focus in it, stay.
  useEffect(() => reset({ message: readDraft(draftKey) }), [draftKey, reset]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the text is what makes it grow
  useLayoutEffect(() => {
    const box = area.current;
    if (!box) return;
    box.style.height = 'auto';
    box.style.height = `${box.scrollHeight}px`; // max-height ends it at three rows
  }, [text]);

  const submit = handleSubmit(async ({ message }) => {
    try {
      await onAsk(message);
    } catch (error) {
      console.error('the question could not be stored', error);
      setError('root', { message: 'Your question could not be stored on this device. Free some space and try again.' });
      return;
    }
    writeDraft(draftKey, '');
    reset({ message: '' });
  });

  const { ref, ...field } = register('message', { onChange: (event) => writeDraft(draftKey, event.target.value) });
  return (
    <form className={styles.composer} onSubmit={submit} noValidate>
      {problem && (
        <p className={styles.problem} id="composer-problem" role="alert">
          {problem}
        </p>
      )}
      <div className={styles.box}>
        <textarea
          {...field}
          ref={(element) => {
            ref(element);
            area.current = element;
          }}
          className={styles.text}
          rows={1}
          aria-label="Your question"
          aria-invalid={problem ? true : undefined}
          aria-describedby={problem ? 'composer-problem' : undefined}
          placeholder="Ask about a coin or the market"
          enterKeyHint="send"
          onKeyDown={(event) => {
            if (!sends(event)) return;
            event.preventDefault();
            void submit();
          }}
        />
        <IconButton className={styles.send} label="Send" icon="send" type="submit" />
      </div>
    </form>
  );
}
