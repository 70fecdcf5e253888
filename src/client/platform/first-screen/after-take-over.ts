import { afterFrame } from '../after-frame.ts';
import { firstScreen } from './first-screen.ts';

/** Calls `run` after the next frame that shows the app, not the stored screen. Returns a function that cancels it. */
export function afterTakeOver(run: () => void): () => void {
  const wait = () => afterFrame(firstScreen() ? again : run);
  const again = () => {
    cancel = wait();
  };
  let cancel = wait();
  return () => cancel();
}
