import { useCallback, useEffect, useRef, useState } from 'react';
import { errorMessage } from '#client/platform/api/errors.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import type { ImportPlan } from './import-plan.ts';
import { type ExportContent, readExport } from './read-export.ts';
import { UnreadableFile } from './read-zip.ts';
import { ImportRun, previewImport } from './run-import.ts';

export interface ImportFlowProps {
  file: File;
  onAdded: () => Promise<void>;
  /** Leaves the file, with a message if it could not be read. */
  onLeave: (problem?: string) => void;
}

export type ImportState =
  /** `done`: 0 to 1, null while unknown. `wait`: seconds that the server asks to wait. */
  | { is: 'working'; what: string; done: number | null; wait?: number | undefined }
  | { is: 'preview'; content: ExportContent; plan: ImportPlan }
  | { is: 'stopped'; message: string; again: () => void; run?: ImportRun | undefined }
  | { is: 'done'; run: ImportRun; isCanceled: boolean };

/** Reads an export at once and compares it with the account. `root` is what takes the focus when a step begins. */
export function useImport({ file, onAdded, onLeave }: ImportFlowProps) {
  const root = useRef<HTMLDivElement>(null);
  const userId = useClaims().sub;
  const [state, setState] = useState<ImportState>({ is: 'working', what: 'Reading the file…', done: null });
  const ending = useRef(new AbortController());
  const content = useRef<ExportContent>(undefined);
  const leave = useRef(onLeave);
  leave.current = onLeave;

  /** Returns what requests report to. A new one for each attempt. */
  const start = useCallback((what: string) => {
    root.current?.focus();
    ending.current.abort();
    const own = new AbortController();
    ending.current = own;
    const work = (changes: { done?: number; wait?: number | undefined }) =>
      !own.signal.aborted && setState((now) => ({ ...(now.is === 'working' ? now : { is: 'working', done: null }), what, ...changes }));
    work({});
    return {
      signal: own.signal,
      onProgress: (done: number) => work({ done }),
      onWait: (wait: number | undefined) => work({ wait }),
    };
  }, []);

  const check = useCallback(async () => {
    let patience = start('Reading the file…');
    try {
      content.current ??= await readExport(file);
      patience.signal.throwIfAborted();
      const read = content.current;
      patience = start('Comparing with your account…');
      const plan = await previewImport(userId, read, patience);
      setState({ is: 'preview', content: read, plan });
    } catch (error) {
      if (patience.signal.aborted) return;
      if (error instanceof UnreadableFile) leave.current(error.message);
      else if (content.current === undefined) leave.current('The file could not be read. Choose it again.');
      else setState({ is: 'stopped', message: errorMessage(error), again: () => void check() });
    }
  }, [file, userId, start]);

  useEffect(() => {
    void check();
    return () => ending.current.abort();
  }, [check]);

  const add = async (run: ImportRun) => {
    const patience = start('Adding to your account…');
    try {
      await run.run(patience);
      setState({ is: 'done', run, isCanceled: false });
    } catch (error) {
      if (patience.signal.aborted) return;
      setState({ is: 'stopped', message: errorMessage(error), again: () => void add(run), run });
    } finally {
      void onAdded();
    }
  };

  const cancel = (run?: ImportRun) => {
    ending.current.abort();
    if (run) setState({ is: 'done', run, isCanceled: true });
    else onLeave();
  };

  const adding = useRef<ImportRun>(undefined);
  return {
    state,
    root,
    /** Adds what the preview shows. */
    add(replacesSettings: boolean) {
      if (state.is !== 'preview') return;
      adding.current = new ImportRun(userId, state.content, state.plan, replacesSettings);
      void add(adding.current);
    },
    cancel: () => cancel(adding.current),
  };
}
