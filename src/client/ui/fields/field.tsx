import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { IconButton } from '../buttons/button.tsx';
import { classes } from '../classes.ts';
import { EYE, EYE_OFF } from '../graphics/drawings.ts';
import styles from './field.module.css';

interface FieldProps {
  label: string;
  /** The error, announced at once to screen readers. */
  error?: string | undefined;
  /** Help text, shown with or without an error. */
  hint?: ReactNode;
}

/** Returns the ids and attributes that link a control to its label, hint and error. */
function useWiring(error: string | undefined, hint: ReactNode, given: string | undefined) {
  const own = useId();
  const id = given ?? own;
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return {
    id,
    control: { id, 'aria-invalid': error ? true : undefined, 'aria-describedby': described || undefined },
  };
}

function Frame({ id, label, error, hint, children }: FieldProps & { id: string; children: ReactNode }) {
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children}
      {hint && (
        <div className={styles.hint} id={`${id}-hint`}>
          {hint}
        </div>
      )}
      <ErrorText id={id} error={error} />
    </div>
  );
}

const ErrorText = ({ id, error }: { id: string; error: string | undefined }) =>
  error ? (
    <p className={styles.error} id={`${id}-error`} role="alert">
      {error}
    </p>
  ) : null;

interface TextFieldProps extends ComponentProps<'input'>, FieldProps {
  /** Shown at the end of the box: a unit or a button. */
  trailing?: ReactNode;
}

/** A labeled input. Spread react-hook-form's `register(...)` into it. */
export function TextField({ label, error, hint, trailing, className, ...input }: TextFieldProps) {
  const { id, control } = useWiring(error, hint, input.id);
  return (
    <Frame id={id} label={label} error={error} hint={hint}>
      <div className={styles.box}>
        <input {...input} {...control} className={classes(styles.input, className)} />
        {trailing && <div className={styles.trailing}>{trailing}</div>}
      </div>
    </Frame>
  );
}

interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'trailing'> {
  /** What the toggle calls the secret. */
  what?: string;
}

/** An input for a password or another secret, with a button that shows it. */
export function PasswordField({ what = 'password', ...props }: PasswordFieldProps) {
  const [shown, show] = useState(false);
  return (
    <TextField
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...props}
      type={shown ? 'text' : 'password'}
      trailing={<IconButton label={`${shown ? 'Hide' : 'Show'} ${what}`} icon={shown ? EYE_OFF : EYE} onClick={() => show(!shown)} />}
    />
  );
}

/** A labeled input with several lines. */
export function TextArea({ label, error, hint, className, rows = 4, ...area }: ComponentProps<'textarea'> & FieldProps) {
  const { id, control } = useWiring(error, hint, area.id);
  return (
    <Frame id={id} label={label} error={error} hint={hint}>
      <div className={styles.box}>
        <textarea {...area} {...control} rows={rows} className={classes(styles.input, styles.area, className)} />
      </div>
    </Frame>
  );
}

interface CheckboxProps extends ComponentProps<'input'> {
  label: ReactNode;
  error?: string | undefined;
}

/** A checkbox with a label, which may contain links. */
export function Checkbox({ label, error, className, ...input }: CheckboxProps) {
  const { id, control } = useWiring(error, undefined, input.id);
  return (
    <div className={styles.field}>
      <div className={styles.choice}>
        <input {...input} {...control} type="checkbox" className={classes(styles.tick, className)} />
        <label className={styles.choiceLabel} htmlFor={id}>
          {label}
        </label>
      </div>
      <ErrorText id={id} error={error} />
    </div>
  );
}
