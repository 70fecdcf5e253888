import { errorMessage } from '../../platform/api/errors';
import { Button } from '../../ui/button';
import { ErrorState } from '../../ui/state';

/** No list of chats came, and none was kept. */
export const ArchivesFailed = ({ error, onRetry }: { error: unknown; onRetry: () => unknown }) => (
  <ErrorState
    title="Your chats could not be loaded"
    detail={`${errorMessage(error)} They are safe on the server.`}
    action={
      <Button variant="secondary" onClick={() => void onRetry()}>
        Try again
      </Button>
    }
  />
);
