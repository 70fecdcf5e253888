import type { ResourceState } from '#client/platform/cache/use-resource.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { FormError } from '#client/ui/fields/form-error.tsx';
import { botMessage } from './bot-call.ts';
import styles from './load-failure.module.css';

interface LoadFailureProps {
  of: Pick<ResourceState<unknown>, 'error' | 'isValidating' | 'refresh'>;
  /** What failed, for errors without a message of their own. */
  text: string;
}

/** Says why a section of a bot's page did not load, and offers a retry. */
export const LoadFailure = ({ of: { error, isValidating, refresh }, text }: LoadFailureProps) => (
  <div className={styles.failure}>
    <FormError>{botMessage(error, text)} The bot is not affected.</FormError>
    <Button variant="secondary" busy={isValidating} onClick={() => void refresh()}>
      Try again
    </Button>
  </div>
);
