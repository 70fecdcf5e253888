import { Icon } from '../graphics/icon.tsx';
import styles from './password-checklist.module.css';

interface PasswordRule {
  text: string;
  holds: (password: string) => boolean;
}

interface PasswordChecklistProps {
  rules: readonly PasswordRule[];
  password: string;
}

/** Lists the rules for a password and checks each off as the user types. */
export const PasswordChecklist = ({ rules, password }: PasswordChecklistProps) => (
  <ul className={styles.rules}>
    {rules.map(({ text, holds }) => {
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
