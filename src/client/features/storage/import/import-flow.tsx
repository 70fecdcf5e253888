import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { errorMessage } from '#client/platform/api/errors.ts';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { useBusy } from '#client/platform/pwa/busy.ts';
import { useClaims } from '#client/platform/session/use-session.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { OutcomeNote } from '#client/ui/feedback/outcome-note.tsx';
import { Progress } from '#client/ui/feedback/progress.tsx';
import { Checkbox } from '#client/ui/fields/field.tsx';
import { MINUTE, SECOND } from '#domain/clock.ts';
import { formatCount } from '#domain/format/format-count.ts';
import styles from './import-card.module.css';
import { addsNothing, type ImportPlan } from './import-plan.ts';
import { addedText, previewLines, refusedText } from './import-texts.ts';
import { type ExportContent, readExport } from './read-export.ts';
import { UnreadableFile } from './read-zip.ts';
import { ImportRun, previewImport } from './run-import.ts';

export interface ImportFlowProps {
  file: File;
  onAdded: () => Promise<void>;
  /** Leaves the file, with a message if it could not be read. */
  onLeave: (problem?: string) => void;
}

type State =
  /** `done`: 0 to 1, null while unknown. `wait`: seconds that the server asks to wait. */
  | { is: 'working'; what: string; done: number | null; wait?: number | undefined }
  | { is: 'preview'; content: ExportContent; plan: ImportPlan }
  | { is: 'stopped'; message: string; again: () => void; run?: ImportRun | undefined }
  | { is: 'done'; run: ImportRun; isCanceled: boolean };

/** Reads an export, shows what would be added to the account, and adds it. */
export function ImportFlow({ file, onAdded, onLeave }: ImportFlowProps) {
  const userId = useClaims().sub;
  const [state, setState] = useState<State>({ is: 'working', what: 'Reading the file…', done: null });
  const ending = useRef(new AbortController());
  const root = useRef<HTMLDivElement>(null);
  const content = useRef<ExportContent>(undefined);
  const leave = useRef(onLeave);
  leave.current = onLeave;
  useBusy(state.is !== 'done');

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
  return (
    <div ref={root} tabIndex={-1} className={styles.flow}>
      {state.is === 'working' && <Working state={state} onCancel={() => cancel(adding.current)} />}
      {state.is === 'preview' && (
        <Preview
          plan={state.plan}
          name={file.name}
          onCancel={() => onLeave()}
          onAdd={(replacesSettings) => {
            adding.current = new ImportRun(userId, state.content, state.plan, replacesSettings);
            void add(adding.current);
          }}
        />
      )}
      {state.is === 'stopped' && (
        <OutcomeNote
          outcome={{
            tone: 'failed',
            title: state.run ? 'The import stopped' : 'The file was not compared with your account',
            detail: state.run ? `${state.message} ${addedText(state.run.result)} so far. It stays.` : `${state.message} Nothing was added.`,
          }}
          action={
            <div className={styles.actions}>
              <Button onClick={state.again}>Try again</Button>
              <Button variant="ghost" onClick={() => cancel(state.run)}>
                Cancel
              </Button>
            </div>
          }
        />
      )}
      {state.is === 'done' && <Result run={state.run} isCanceled={state.isCanceled} onClose={() => onLeave()} />}
    </div>
  );
}

function Working({ state: { what, done, wait }, onCancel }: { state: Extract<State, { is: 'working' }>; onCancel: () => void }) {
  return (
    <>
      <Progress value={done} aria-label={what} />
      <p className={styles.quiet} role="status">
        {wait === undefined ? what : `The server asks to wait ${waitText(wait)}. It goes on by itself.`}
      </p>
      <Button variant="ghost" block onClick={onCancel}>
        Cancel
      </Button>
    </>
  );
}

const waitText = (seconds: number): string =>
  seconds * SECOND < MINUTE ? formatCount(seconds, 'second') : formatCount(Math.ceil((seconds * SECOND) / MINUTE), 'minute');

interface PreviewProps {
  plan: ImportPlan;
  name: string;
  onAdd: (replacesSettings: boolean) => void;
  onCancel: () => void;
}

function Preview({ plan, name, onAdd, onCancel }: PreviewProps): ReactNode {
  const isOnline = useReachable();
  const [replacesSettings, setReplaces] = useState(false);
  const isEmpty = addsNothing(plan) && !replacesSettings;
  return (
    <>
      <p className={styles.name}>
        <bdi>{name}</bdi>
      </p>
      <div role="status">
        <ul className={styles.lines} aria-label="What would be added">
          {previewLines(plan).map(({ main, details }) => (
            <li key={main}>
              <p>{main}</p>
              {details.map((detail) => (
                <p key={detail} className={styles.quiet}>
                  {detail}
                </p>
              ))}
            </li>
          ))}
        </ul>
      </div>
      {plan.settings && (
        <Checkbox
          label="Replace my notification settings too"
          checked={replacesSettings}
          onChange={({ target }) => setReplaces(target.checked)}
        />
      )}
      {isEmpty && <p className={styles.quiet}>There is nothing to add.</p>}
      {!isEmpty && !isOnline && <p className={styles.quiet}>You are offline. Adding this needs a connection.</p>}
      <div className={styles.buttons}>
        {!isEmpty && (
          <Button block onClick={() => onAdd(replacesSettings)}>
            Add to my account
          </Button>
        )}
        <Button variant="secondary" block onClick={onCancel}>
          {isEmpty ? 'Close' : 'Cancel'}
        </Button>
      </div>
    </>
  );
}

function Result({ run, isCanceled, onClose }: { run: ImportRun; isCanceled: boolean; onClose: () => void }) {
  const [outcome] = useState(() => {
    const isWhole = !isCanceled && refusedText(run.result) === '';
    return {
      tone: isWhole ? ('done' as const) : ('pending' as const),
      title: addedText(run.result),
      detail: [isCanceled && 'You canceled the rest. Choose the file again to add it.', refusedText(run.result)].filter(Boolean).join(' '),
    };
  });
  return <OutcomeNote outcome={outcome} onClose={onClose} />;
}
