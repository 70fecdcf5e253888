import { CoinControls } from '#client/coins/coin-controls.tsx';
import { Select } from '#client/ui/fields/select.tsx';
import { RANKINGS } from '#contract/market/market.ts';
import type { ListChoice } from '#domain/market/list-address.ts';
import { ControlsLine } from '../list/controls-line.tsx';
import { FilterButton } from './filter-button.tsx';

const rankings = RANKINGS.map(({ id, label }) => ({ value: id, label }));

export interface ListControlsProps {
  choice: ListChoice;
  onChange: (change: Partial<ListChoice>) => void;
}

/** The filter, beside the search; below them ranking type, currency, count and period of the market list (spec §2). */
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
