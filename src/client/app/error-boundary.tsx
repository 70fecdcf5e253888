import { Component, type ReactNode } from 'react';
import { Button } from '../ui/buttons/button.tsx';
import { ErrorState } from '../ui/feedback/page-state.tsx';

interface State {
  failed: boolean;
}

/** Shows an error instead of a page that throws. The data on the device is safe, and the user can reload. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { failed: false };

  static getDerivedStateFromError(): State {
    return { failed: true };
  }

  override componentDidCatch(error: unknown) {
    console.error('a page failed', error);
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <ErrorState
        title="This page could not be shown"
        detail="Nothing you wrote is lost. If you are offline, this page may not be on your device yet."
        action={<Button onClick={() => location.reload()}>Reload</Button>}
      />
    );
  }
}
