import { useLayoutEffect, useRef } from 'react';
import { classes } from '#client/ui/classes.ts';
import { CHART_FRAME_PATH } from '#contract/paths.ts';
import styles from './coin-chart-frame.module.css';
import { PROVIDER_LIMIT_MS, readProviderMessage } from './coin-chart-provider.ts';

interface ChartFrameProps {
  /** As the provider names it. */
  symbol: string;
  /** The coin's. */
  name: string;
  /** It works unseen until it has drawn something. */
  shown: boolean;
  onSettled: (drew: boolean) => void;
}

/** The charting provider's page, in a frame without our origin. It is believed only about itself. */
export function ChartFrame({ symbol, name, shown, onSettled }: ChartFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const settle = useRef(onSettled);
  settle.current = onSettled;

  // In the same turn as the frame itself: on a busy device its first word can come before an effect would run.
  useLayoutEffect(() => {
    const silent = setTimeout(() => settle.current(false), PROVIDER_LIMIT_MS);
    function hear({ source, data }: MessageEvent<unknown>) {
      if (!source || source !== frame.current?.contentWindow) return;
      const said = readProviderMessage(data);
      if (!said) return;
      clearTimeout(silent);
      settle.current(said === 'chart-ready');
    }
    addEventListener('message', hear);
    return () => {
      clearTimeout(silent);
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
