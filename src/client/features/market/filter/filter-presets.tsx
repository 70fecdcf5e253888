import type { Currency } from '#contract/market/market.ts';
import type { FilterForm } from './filter-form.ts';
import styles from './filter-presets.module.css';
import { isSet, presetsOf, toggled } from './presets.ts';

interface FilterPresetsProps {
  currency: Currency;
  form: FilterForm;
  onSet: (field: keyof FilterForm, text: string) => void;
}

/** Common filters: a tap fills their fields, another one clears them. */
export const FilterPresets = ({ currency, form, onSet }: FilterPresetsProps) => (
  <fieldset className={styles.presets}>
    <legend className="sr-only">Presets</legend>
    {presetsOf(currency).map((preset) => (
      <button
        key={preset.label}
        type="button"
        className={styles.preset}
        aria-pressed={isSet(preset, form)}
        onClick={() => {
          for (const [field, text] of toggled(preset, form)) onSet(field, text);
        }}
      >
        {preset.label}
      </button>
    ))}
  </fieldset>
);
