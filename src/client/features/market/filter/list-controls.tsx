import { useEffect, useState } from 'react';
import { CoinControls } from '#client/coins/coin-controls.tsx';
import { TAPPED } from '#client/platform/first-screen/first-screen.ts';
import { Select } from '#client/ui/fields/select.tsx';
import { RANKINGS } from '#contract/market/rankings.ts';
import type { ListChoice } from '#domain/market/list-address.ts';
import { ControlsLine } from '../list/controls-line.tsx';
import { FilterButton } from './filter-button.tsx';

const rankings = RANKINGS.map(({ id, label }) => ({ value: id, label }));

export interface ListControlsProps {
  choice: ListChoice;
  onChange: (change: Partial<ListChoice>) => void;
}

/** The controls of the list, or the copies of the stored screen that stand in their place, in the same order. */
const controls = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-late="controls"] :is(button, label)')];

/** Repeats the tap on a copy that the first render replaces. */
function useEarlierTap() {
  const [tapped] = useState(() => ({ at: controls().findIndex((copy) => copy.hasAttribute(TAPPED)) }));
  useEffect(() => {
    controls()[tapped.at]?.click();
    tapped.at = -1;
  }, [tapped]);
}

/** The controls of the market list: filter, ranking type, currency, count and period. */
export function ListControls({ choice, onChange }: ListControlsProps) {
  useEarlierTap();
  return (
    <>
      <FilterButton choice={choice} onChoose={(filters) => onChange({ filters })} />
      <ControlsLine>
        <CoinControls choice={choice} onChange={onChange}>
          <Select compact label="Ranking type" value={choice.ranking} options={rankings} onChange={(ranking) => onChange({ ranking })} />
        </CoinControls>
      </ControlsLine>
    </>
  );
}
