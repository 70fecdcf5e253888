import { useLayoutEffect, useRef } from 'react';
import { classes } from '#client/ui/classes.ts';
import { CHART_FRAME_PATH } from '#contract/paths.ts';
import styles from './coin-chart-frame.module.css';
import { PROVIDER_LIMIT_MS, readProviderMessage } from './coin-chart-provider.ts';

interface ChartFrameProps {
  /** The provider's name of the coin. */
  symbol: string;
  name: string;
  /** The frame stays hidden until its chart is drawn. */
  shown: boolean;
  onSettled: (drew: boolean) => void;
}

/** The provider's chart, in a frame without our origin. Only messages about the chart itself are accepted. */
export function ChartFrame({ symbol, name, shown, onSettled }: ChartFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const settle = useRef(onSettled);
  settle.current = onSettled;

  // A layout effect: on a busy device, the first message can arrive before an effect would run.
  useLayoutEffect(() => {
    const timeout = setTimeout(() => settle.current(false), PROVIDER_LIMIT_MS);
    function hear({ source, data }: MessageEvent<unknown>) {
      if (!source || source !== frame.current?.contentWindow) return;
      const message = readProviderMessage(data);
      if (!message) return;
      clearTimeout(timeout);
      settle.current(message === 'chart-ready');
    }
    addEventListener('message', hear);
    return () => {
      clearTimeout(timeout);
      removeEventListener('message', hear);
    };
  }, []);

  return (
    <div className={classes(styles.frame, !shown && styles.unseen)} inert={!shown}>
      <iframe
        ref={frame}
        src={`${CHART_FRAME_PATH}?symbol=${encodeURIComponent(symbol)}`}
        title={`Daily chart of ${name} in USD`}
        sandbox="allow-scripts allow-popups"
        referrerPolicy="no-referrer"
      />
    </div>
  );
}
