import { CoinControls } from '#client/coins/coin-controls.tsx';
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

/** The controls of the market list: filter, ranking type, currency, count and period. */
export const ListControls = ({ choice, onChange }: ListControlsProps) => (
  <>
    <FilterButton choice={choice} onChoose={(filters) => onChange({ filters })} />
    <ControlsLine>
      <CoinControls choice={choice} onChange={onChange}>
        <Select compact label="Ranking type" value={choice.ranking} options={rankings} onChange={(ranking) => onChange({ ranking })} />
      </CoinControls>
    </ControlsLine>
  </>
);
