import { PRODUCT } from '../../domain/product';
import { useWaitingUpdate } from '../platform/pwa/register-worker';
import { Button } from '../ui/button';
import styles from './update-prompt.module.css';

/** A newer version waits. It never takes over by itself. */
export function UpdatePrompt() {
  const update = useWaitingUpdate();
  if (!update) return null;
  return (
    <div className={styles.prompt} role="status">
      <span>A new version of {PRODUCT} is ready.</span>
      <Button variant="secondary" onClick={update}>
        Update
      </Button>
    </div>
  );
}
