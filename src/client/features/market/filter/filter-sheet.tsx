import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { type UseFormRegister, useForm } from 'react-hook-form';
import { errorMessage } from '#client/platform/api/errors.ts';
import { loadAhead } from '#client/platform/cache/use-resource.ts';
import { type UserDb, userDb } from '#client/platform/db/user-db.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { TextField } from '#client/ui/fields/field.tsx';
import { FormError } from '#client/ui/fields/form-error.tsx';
import { Dialog } from '#client/ui/overlays/dialog.tsx';
import type { FilterField, Filters, ListChoice } from '#domain/market/list-address.ts';
import { type CoinListParams, coinListResource } from '../list/coin-list-resource.ts';
import { type FilterForm as FilterFields, filterForm, filterRanges, filtersOf, formOf, typedFilter } from './filter-form.ts';
import { FilterPresets } from './filter-presets.tsx';
import styles from './filter-sheet.module.css';
import { useMatchCount } from './use-match-count.ts';

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
  const { register, handleSubmit, formState, watch, setValue } = useForm({
    resolver: zodResolver(filterForm),
    defaultValues: formOf(choice.filters),
  });
  const { errors, isSubmitting, isSubmitted } = formState;
  const form = watch();
  const matches = useMatchCount(db, choice, filterForm.safeParse(form).success ? filtersOf(form) : undefined);

  const apply = handleSubmit(async (typed) => {
    setProblem(undefined);
    const filters = filtersOf(typed);
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

  return (
    <form className={styles.form} onSubmit={apply} noValidate>
      <FilterPresets
        currency={choice.currency}
        form={form}
        onSet={(name, text) => setValue(name, text, { shouldDirty: true, shouldValidate: isSubmitted })}
      />
      {filterRanges(choice.currency).map(({ legend, hint, min, max }) => (
        <fieldset key={min} className={styles.range}>
          <legend className={styles.legend}>
            {legend}
            <span className={styles.hint}> {hint}</span>
          </legend>
          <FilterInput name={min} label="Min" register={register} error={errors[min]?.message} />
          <FilterInput name={max} label="Max" register={register} error={errors[max]?.message} />
        </fieldset>
      ))}
      {problem && <FormError>{problem} Nothing you typed is lost.</FormError>}
      <div className={styles.actions}>
        <p className={styles.matches} role="status">
          {matches}
        </p>
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

interface FilterInputProps {
  name: FilterField;
  label: string;
  register: UseFormRegister<FilterFields>;
  error: string | undefined;
}

/** A field that accepts only the characters its filter allows. */
function FilterInput({ name, label, register, error }: FilterInputProps) {
  const { onChange, ...rest } = register(name);
  return (
    <TextField
      label={label}
      // A minus or a unit (1B) needs letters' keyboards.
      inputMode={/^(?:percent|marketCap)/.test(name) ? 'text' : 'decimal'}
      autoCapitalize="characters"
      autoComplete="off"
      error={error}
      {...rest}
      onChange={(event) => {
        event.target.value = typedFilter(name, event.target.value);
        return onChange(event);
      }}
    />
  );
}
