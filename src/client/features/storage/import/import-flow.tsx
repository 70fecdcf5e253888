import { type ReactNode, useState } from 'react';
import { useReachable } from '#client/platform/live/use-reachable.ts';
import { useBusy } from '#client/platform/pwa/busy.ts';
import { Button } from '#client/ui/buttons/button.tsx';
import { OutcomeNote } from '#client/ui/feedback/outcome-note.tsx';
import { Progress } from '#client/ui/feedback/progress.tsx';
import { Checkbox } from '#client/ui/fields/field.tsx';
import { MINUTE, SECOND } from '#domain/clock.ts';
import { formatCount } from '#domain/format/format-count.ts';
import styles from './import-card.module.css';
import { addsNothing, type ImportPlan } from './import-plan.ts';
import { addedText, canceledText, previewLines, refusedText, soFarText } from './import-texts.ts';
import type { ImportRun } from './run-import.ts';
import { type ImportFlowProps, type ImportState, useImport } from './use-import.ts';

/** Reads an export, shows what would be added to the account, and adds it. */
export function ImportFlow(props: ImportFlowProps) {
  const { file, onLeave } = props;
  const { root, state, add, cancel } = useImport(props);
  useBusy(state.is !== 'done');
  return (
    <div ref={root} tabIndex={-1} className={styles.flow}>
      {state.is === 'working' && <Working state={state} onCancel={cancel} />}
      {state.is === 'preview' && <Preview plan={state.plan} name={file.name} onCancel={() => onLeave()} onAdd={add} />}
      {state.is === 'stopped' && (
        <OutcomeNote
          outcome={{
            tone: 'failed',
            title: state.run ? 'The import stopped' : 'The file was not compared with your account',
            detail: state.run
              ? `${state.message} ${soFarText(state.run.result)}Trying again adds nothing twice.`
              : `${state.message} Nothing was added.`,
          }}
          action={
            <div className={styles.actions}>
              <Button onClick={state.again}>Try again</Button>
              <Button variant="ghost" onClick={cancel}>
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

function Working({ state: { what, done, wait }, onCancel }: { state: Extract<ImportState, { is: 'working' }>; onCancel: () => void }) {
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

const CANCELED =
  'What was being sent when you canceled may be in your account too. Choose the file again to add the rest: nothing is added twice.';

function Result({ run, isCanceled, onClose }: { run: ImportRun; isCanceled: boolean; onClose: () => void }) {
  const [outcome] = useState(() => {
    const isWhole = !isCanceled && refusedText(run.result) === '';
    return {
      tone: isWhole ? ('done' as const) : ('pending' as const),
      title: isCanceled ? canceledText(run.result) : addedText(run.result),
      detail: [isCanceled && CANCELED, refusedText(run.result)].filter(Boolean).join(' '),
    };
  });
  return <OutcomeNote outcome={outcome} onClose={onClose} />;
}
