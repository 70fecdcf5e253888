import { errorMessage } from '#client/platform/api/errors.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { ErrorState } from '#client/ui/feedback/page-state.tsx';

/** Shown if the list of chats cannot be loaded and none is stored. */
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
