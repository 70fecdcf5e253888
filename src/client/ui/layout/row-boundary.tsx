import { Component, type ReactNode } from 'react';

interface RowBoundaryProps {
  /** What the children show. Another value tries again. */
  row: unknown;
  fallback: ReactNode;
  onError: () => void;
  children: ReactNode;
}

/** Shows a fallback in place of one row that throws, so that the rest of the page stays. */
export class RowBoundary extends Component<RowBoundaryProps, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: unknown) {
    console.error('a row failed', error);
    this.props.onError();
  }

  override componentDidUpdate(before: RowBoundaryProps) {
    if (this.state.failed && before.row !== this.props.row) this.setState({ failed: false });
  }

  override render() {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
