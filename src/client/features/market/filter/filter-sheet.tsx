import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useRef, useState } from 'react';
import { type UseFormRegister, useForm } from 'react-hook-form';
import { afterFrame } from '#client/platform/after-frame.ts';
import { errorMessage } from '#client/platform/api/errors.ts';
import { useShowNext } from '#client/platform/cache/use-resource.ts';
import { userDb } from '#client/platform/db/user-db.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { TextField } from '#client/ui/fields/field.tsx';
import { FormError } from '#client/ui/fields/form-error.tsx';
import { Dialog } from '#client/ui/overlays/dialog.tsx';
import { type FilterField, type Filters, firstList, type ListChoice, listKey } from '#domain/market/list-address.ts';
import { type CoinListAnswer, coinListResource } from '../list/coin-list-resource.ts';
import { type FilterForm as FilterFields, filterForm, filterRanges, filtersOf, formOf, typedFilter } from './filter-form.ts';
import { FilterPresets } from './filter-presets.tsx';
import styles from './filter-sheet.module.css';
import { useMatches } from './use-matches.ts';

interface FilterSheetProps {
  open: boolean;
  choice: ListChoice;
  /** Receives the filters once there are rows to show. */
  onChoose: (filters: Filters) => void;
  onClose: () => void;
}

/** The filters of the market list, in a bottom sheet. */
export const FilterSheet = ({ open, onClose, ...form }: FilterSheetProps) => (
  <Dialog open={open} title="Filter" onClose={onClose}>
    <FilterForm {...form} onDone={onClose} />
  </Dialog>
);

/** Returns the list of the first rows, unless it has all rows. */
const partOf = (choice: ListChoice, { matches }: CoinListAnswer): ListChoice | undefined => {
  const first = firstList(choice);
  return first.top < choice.top && (matches === undefined || matches > first.top) ? first : undefined;
};

interface FilterFormProps extends Pick<FilterSheetProps, 'choice' | 'onChoose'> {
  onDone: () => void;
}

/** Stays open with its input until there is a list to show. */
function FilterForm({ choice, onChoose, onDone }: FilterFormProps) {
  const db = userDb(useClaims().sub);
  const showNext = useShowNext(coinListResource);
  const [problem, setProblem] = useState<string>();
  const { register, handleSubmit, formState, watch, setValue } = useForm({
    resolver: zodResolver(filterForm),
    defaultValues: formOf(choice.filters),
  });
  const { errors, isSubmitting, isSubmitted } = formState;
  const form = watch();
  const { count, firstRows } = useMatches(db, choice, filterForm.safeParse(form).success ? filtersOf(form) : undefined);

  const isOpen = useRef(true);
  useEffect(
    () => () => {
      isOpen.current = false;
    },
    [],
  );

  function finish(filters: Filters) {
    onDone();
    onChoose(filters);
  }

  const apply = handleSubmit(async (typed) => {
    setProblem(undefined);
    const filters = filtersOf(typed);
    const chosen = { ...choice, filters };
    try {
      if (listKey(chosen) !== listKey(choice)) {
        const answer = await firstRows(chosen);
        await showNext(chosen, answer, partOf(chosen, answer));
      }
    } catch (error) {
      // A stored list is enough.
      if (!(await coinListResource.read(db, chosen, true))) return setProblem(errorMessage(error));
    }
    // The frame that answers the tap shows the button as busy, and does not wait for the list.
    await new Promise<void>(afterFrame);
    if (isOpen.current) finish(filters);
  });

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
          {count}
        </p>
        <Button variant="secondary" onClick={() => finish({})}>
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
