import { useMemo, useState } from 'react';
import { call } from '#client/platform/api/call.ts';
import { errorMessage } from '#client/platform/api/errors.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { REFRESH } from '#client/ui/graphics/drawings.ts';
import { Dialog } from '#client/ui/overlays/dialog.tsx';
import {
  type AnswerFigure,
  type CurrentFigure,
  currentFigureAnswer,
  type FigureSubject,
  readFigures,
} from '#contract/chat/answer-figures.ts';
import styles from './figure-sheet.module.css';
import { formatDifference, formatFigure, formatMoment, TOOL_NAMES, UNIT_NAMES } from './format-figure.ts';

/** A figure of an answer, as the text shows it. */
export interface ShownFigure {
  /** The figures of the message, and the place of this one in their list. */
  figures: unknown;
  index: number;
  text: string;
}

/** Shows what a figure is and where it comes from, and looks up the current one. */
export function FigureSheet({ figures, index, text, onClose }: ShownFigure & { onClose: () => void }) {
  const known = useMemo(() => readFigures(figures), [figures]);
  const figure = known?.list[index];
  const source = figure && known?.sources[figure.source];
  if (!source)
    return (
      <Dialog open onClose={onClose} title={text}>
        <p>This version of the app can’t read where this figure comes from. Reload the app and try again.</p>
      </Dialog>
    );
  const full = formatFigure(figure.value, figure.unit);
  return (
    <Dialog open onClose={onClose} title={figure.label}>
      <div className={styles.sheet}>
        <p className={styles.value}>{text}</p>
        <dl className={styles.facts}>
          {!text.includes(full.replace(/^[+-]/, '')) && <Fact name="In full" value={full} />}
          <Fact name="Unit" value={UNIT_NAMES[figure.unit]} />
          <Fact name="Time" value={formatMoment(source.asOf)} />
          <Fact name="Source" value={source.name} />
          <Fact name="Found in" value={TOOL_NAMES[source.tool]} />
        </dl>
        {figure.now ? (
          <Check figure={figure} subject={figure.now} />
        ) : (
          <p className={styles.note}>There is no current figure to compare this one with. Ask the question again for one.</p>
        )}
      </div>
    </Dialog>
  );
}

const Fact = ({ name, value }: { name: string; value: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
);

type State = { step: 'asked' | 'asking' } | { step: 'failed'; reason: string } | { step: 'found'; found: CurrentFigure };

/** Looks up the current figure, and shows the difference. */
function Check({ figure, subject }: { figure: AnswerFigure; subject: FigureSubject }) {
  const reachable = useReachable();
  const [state, setState] = useState<State>({ step: 'asked' });

  async function check() {
    setState({ step: 'asking' });
    try {
      const { data } = await call('/chat/figures/current', { method: 'POST', body: subject, answer: currentFigureAnswer });
      setState({ step: 'found', found: data });
    } catch (error) {
      setState({ step: 'failed', reason: errorMessage(error) });
    }
  }

  return (
    <div className={styles.check}>
      <div role="status">
        {state.step === 'found' && <Found figure={figure} {...state.found} />}
        {state.step === 'failed' && <p className={styles.failed}>{state.reason}</p>}
        {!reachable && state.step === 'asked' && <p className={styles.note}>You are offline. The current figure needs a connection.</p>}
      </div>
      <Button variant="secondary" icon={REFRESH} block busy={state.step === 'asking'} onClick={() => void check()}>
        Check now
      </Button>
    </div>
  );
}

function Found({ figure: { value: before, unit }, value, source }: CurrentFigure & { figure: AnswerFigure }) {
  if (value === null) return <p className={styles.failed}>The market no longer has this figure. The answer keeps the one it was given.</p>;
  return (
    <dl className={styles.facts}>
      <Fact name="Now" value={formatFigure(value, unit)} />
      <Fact name="Difference" value={formatDifference(before, value, unit)} />
      <Fact name="Time" value={formatMoment(source.asOf)} />
      <Fact name="Source" value={source.name} />
    </dl>
  );
}
