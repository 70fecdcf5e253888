import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { errorMessage } from '#client/platform/api/errors.ts';
import { loadAhead } from '#client/platform/cache/use-resource.ts';
import { type UserDb, userDb } from '#client/platform/db/user-db.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { TextField } from '#client/ui/fields/field.tsx';
import { FormError } from '#client/ui/fields/form-error.tsx';
import { Dialog } from '#client/ui/overlays/dialog.tsx';
import { FILTERS, type Filters, type ListChoice } from '#domain/market/list-address.ts';
import { type CoinListParams, coinListResource } from '../list/coin-list-resource.ts';
import { filterForm, filterRanges, filtersOf, formOf } from './filter-form.ts';
import styles from './filter-sheet.module.css';

interface FilterSheetProps {
  open: boolean;
  choice: ListChoice;
  /** Receives the filters once the device has the filtered list. */
  onChoose: (filters: Filters) => void;
  onClose: () => void;
}

/** The filters of the market list, in a bottom sheet. */
export const FilterSheet = ({ open, onClose, ...form }: FilterSheetProps) => (
  <Dialog open={open} title="Filter" onClose={onClose}>
    <FilterForm {...form} onDone={onClose} />
  </Dialog>
);

/** Fetches the list. If that fails, a stored list is enough. Throws what the fetch throws. */
async function loadList(db: UserDb, params: CoinListParams) {
  try {
    await loadAhead(db, coinListResource, params);
  } catch (error) {
    if (!(await coinListResource.read(db, params, true))) throw error;
  }
}

interface FilterFormProps extends Pick<FilterSheetProps, 'choice' | 'onChoose'> {
  onDone: () => void;
}

/** Stays open with its input until there is a list to show. */
function FilterForm({ choice, onChoose, onDone }: FilterFormProps) {
  const db = userDb(useClaims().sub);
  const [problem, setProblem] = useState<string>();
  const { register, handleSubmit, formState } = useForm({ resolver: zodResolver(filterForm), defaultValues: formOf(choice.filters) });
  const { errors, isSubmitting } = formState;

  const apply = handleSubmit(async (form) => {
    setProblem(undefined);
    const filters = filtersOf(form);
    try {
      await loadList(db, { ...choice, filters });
      onDone();
      onChoose(filters);
    } catch (error) {
      setProblem(errorMessage(error));
    }
  });
  const reset = () => {
    onDone();
    onChoose({});
  };

  /** A field that accepts only the characters its filter allows. */
  const field = (name: (typeof FILTERS)[number]['field'], label: string) => {
    const { onChange, ...rest } = register(name);
    const typed = FILTERS.find((filter) => filter.field === name)?.typed;
    return (
      <TextField
        label={label}
        inputMode={name.startsWith('percent') ? 'text' : 'decimal'}
        autoComplete="off"
        error={errors[name]?.message}
        {...rest}
        onChange={(event) => {
          if (typed) event.target.value = typed(event.target.value);
          return onChange(event);
        }}
      />
    );
  };

  return (
    <form className={styles.form} onSubmit={apply} noValidate>
      {filterRanges(choice.currency).map(({ legend, hint, min, max }) => (
        <fieldset key={min} className={styles.range}>
          <legend className={styles.legend}>
            {legend}
            {hint && <span className={styles.hint}> {hint}</span>}
          </legend>
          {field(min, 'Min')}
          {field(max, 'Max')}
        </fieldset>
      ))}
      {problem && <FormError>{problem} Nothing you typed is lost.</FormError>}
      <div className={styles.actions}>
        <Button variant="secondary" onClick={reset}>
          Reset
        </Button>
        <Button type="submit" busy={isSubmitting}>
          Apply
        </Button>
      </div>
    </form>
  );
}
