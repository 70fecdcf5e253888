import { type MouseEvent, useMemo, useState } from 'react';
import { useAmountsHidden } from '#client/platform/device-choices/hidden-amounts.ts';
import { lateDialog } from '#client/platform/late-dialog.tsx';
import type { ShownFigure } from '../figure/figure-sheet.tsx';
import { figureAt } from './figure-marks.tsx';
import { Markdown } from './markdown.tsx';
import { markText } from './shown-markdown.ts';

// Late, because most figures are never tapped.
const FigureSheet = lateDialog(async () => ({ default: (await import('../figure/figure-sheet.tsx')).FigureSheet }));

interface AnswerTextProps {
  /** Markdown. */
  text: string;
  figures: unknown;
  /** Maximum number of words to show. Default: all. */
  words?: number | undefined;
}

/** Renders an answer. A tap on one of its figures shows where that comes from. */
export function AnswerText({ text, figures, words }: AnswerTextProps) {
  const [chosen, setChosen] = useState<ShownFigure>();
  // A text, so that the Markdown renders only when it changes: the figures are new objects at each read.
  const areHidden = useAmountsHidden();
  const marked = useMemo(() => markText(text, figures, areHidden), [text, figures, areHidden]);

  function choose(event: MouseEvent) {
    const figure = figureAt(event);
    if (figure) setChosen({ ...figure, figures });
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: the figures in it are buttons
    <div onClick={choose}>
      <Markdown text={marked} words={words} />
      {chosen && <FigureSheet {...chosen} onClose={() => setChosen(undefined)} />}
    </div>
  );
}
