import { Chip } from '../../ui/chip';

interface PaperChipsProps {
  paper: boolean;
  /** How much faster than life the market runs; null on a real one. */
  speed: number | null;
}

/** Says that the money is not real, wherever a bot or its figures show. */
export const PaperChips = ({ paper, speed }: PaperChipsProps) => (
  <>
    {paper && <Chip tone="warn">Paper trading</Chip>}
    {speed !== null && speed !== 1 && <Chip tone="warn">Replay ×{speed}</Chip>}
  </>
);
