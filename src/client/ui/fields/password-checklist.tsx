import { PASSWORD_RULES } from '#contract/account/account-rules.ts';
import { Icon } from '../graphics/icon.tsx';
import styles from './password-checklist.module.css';

/** The three rules of a password, ticked off while it is typed (spec §5). */
export const PasswordChecklist = ({ password }: { password: string }) => (
  <ul className={styles.rules}>
    {PASSWORD_RULES.map(({ text, holds }) => {
      const met = holds(password);
      return (
        <li key={text} className={styles.rule} data-met={met}>
          <span className={styles.mark}>{met && <Icon name="check" size={14} />}</span>
          {text}
          <span className="sr-only">{met ? ', met' : ', not met yet'}</span>
        </li>
      );
    })}
  </ul>
);
