import { useRef, useState } from 'react';
import type { Outcome } from '#client/ui/feedback/outcome-note.tsx';
import type { TestChange } from './buy.ts';

type TaskName = 'pay' | 'confirm' | 'restore' | TestChange;

export interface Task {
  busy: TaskName | undefined;
  outcome: Outcome | undefined;
  isRunning: () => boolean;
  /** Ignored while another task runs. */
  run: (name: TaskName, work: () => Promise<Outcome | undefined>) => Promise<void>;
  dismiss: () => void;
}

/** Runs one task at a time and keeps its outcome. Calls `onEnd` after each task, successful or not. */
export function useTask(onEnd: () => void): Task {
  const [busy, setBusy] = useState<TaskName>();
  const [outcome, setOutcome] = useState<Outcome>();
  // State would be too late: a second press can come before React renders the first.
  const running = useRef(false);

  return {
    busy,
    outcome,
    isRunning: () => running.current,
    async run(name, work) {
      if (running.current) return;
      running.current = true;
      setBusy(name);
      setOutcome(undefined);
      try {
        setOutcome(await work());
      } finally {
        running.current = false;
        setBusy(undefined);
        onEnd();
      }
    },
    dismiss: () => setOutcome(undefined),
  };
}
