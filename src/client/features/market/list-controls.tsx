import { RANKINGS } from '../../../contract/market';
import type { ListChoice } from '../../../domain/list-address';
import { CoinControls } from '../../ui/coin-controls';
import { Select } from '../../ui/select';

const rankings = RANKINGS.map(({ id, label }) => ({ value: id, label }));

export interface ListControlsProps {
  choice: ListChoice;
  onChange: (change: Partial<ListChoice>) => void;
}

/** Ranking type, currency, count and period of the market list (spec §2). */
export const ListControls = ({ choice, onChange }: ListControlsProps) => (
  <CoinControls choice={choice} onChange={onChange}>
    <Select compact label="Ranking type" value={choice.ranking} options={rankings} onChange={(ranking) => onChange({ ranking })} />
  </CoinControls>
);
