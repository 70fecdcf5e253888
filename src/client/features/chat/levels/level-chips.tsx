import { askForAlert } from '#client/platform/alert-request.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import type { AlertCoin } from '#contract/alerts/alert-form.ts';
import type { ChartMarks } from '#contract/chat/chart-reading.ts';
import type { NamedLevel } from '#domain/alerts/named-levels.ts';
import { formatUsd } from '#domain/format/format-number.ts';
import { formatUnitless } from '#domain/format/format-unitless.ts';
import styles from './level-chips.module.css';

/** Chips on each side of the price. */
const EACH_SIDE = 2;

interface LevelChip extends NamedLevel {
  text: string;
}

const NAMES = { support: 'Support', resistance: 'Resistance', level: 'Level' } as const;
const SIDES = { support: 'below', resistance: 'above', level: undefined } as const;

/** Returns the levels of a picture that are next to its last price, if its axis was read. */
export function chipsOfPicture({ levels }: ChartMarks): LevelChip[] {
  const known = levels.flatMap(({ kind, price }) =>
    price === undefined || price <= 0 ? [] : [{ kind, price, text: formatUnitless(price) }],
  );
  const highestFirst = known.sort((a, b) => b.price - a.price);
  const above = highestFirst.filter(({ kind }) => kind === 'resistance').slice(-EACH_SIDE);
  return [...above, ...highestFirst.filter(({ kind }) => kind === 'support').slice(0, EACH_SIDE)];
}

/** Returns the first levels of each kind that an answer names. */
export function chipsOfAnswer(levels: readonly NamedLevel[]): LevelChip[] {
  const chips = levels.map((level) => ({ ...level, text: formatUsd(level.price) }));
  return (['resistance', 'support', 'level'] as const).flatMap((kind) => chips.filter((chip) => chip.kind === kind).slice(0, EACH_SIDE));
}

interface LevelChipsProps {
  chips: readonly LevelChip[];
  /** The user is asked for the coin without it. */
  coin: AlertCoin | undefined;
  /** Who found the levels, in a name of one: "Resistance from the analyst". */
  source: 'the analyst' | 'a chart picture';
}

/** Buttons that open the form for an alert at a level. */
export function LevelChips({ chips, coin, source }: LevelChipsProps) {
  if (chips.length === 0) return null;
  return (
    <fieldset className={styles.chips}>
      <legend className="sr-only">Levels{coin && ` of ${coin.name}`}</legend>
      {chips.map(({ kind, price, text }) => (
        <Button
          key={`${kind}-${price}`}
          variant="secondary"
          className={styles.chip}
          onClick={() => askForAlert({ coin, price, level: `${NAMES[kind]} from ${source}`, side: SIDES[kind] })}
        >
          Alert at {text}
          <span className="sr-only">, {NAMES[kind].toLowerCase()}</span>
        </Button>
      ))}
    </fieldset>
  );
}
