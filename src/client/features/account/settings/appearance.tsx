import { useId } from 'react';
import { THEMES, type Theme } from '#client/platform/device-choices/stored-theme.ts';
import { setTheme, useTheme } from '#client/platform/device-choices/theme.ts';
import styles from './appearance.module.css';

const NAMES: Record<Theme, string> = { system: 'System', dark: 'Dark', light: 'Light' };

/** Chooses the theme: dark, light or the device's. */
export function Appearance() {
  const theme = useTheme();
  const name = useId();
  return (
    <fieldset className={styles.field}>
      <legend className={styles.legend}>Appearance</legend>
      <div className={styles.choices}>
        {THEMES.map((each) => (
          <label key={each} className={styles.choice}>
            <input className="sr-only" type="radio" name={name} checked={each === theme} onChange={() => setTheme(each)} />
            {NAMES[each]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
