import { ApiError } from '#client/platform/api/errors.ts';
import { alertAnswer, alertsAnswer } from '#contract/alerts/alert.ts';
import type { PutAlertBody } from '#contract/alerts/alert-form.ts';
import { chatImageAnswer } from '#contract/chat/chat.ts';
import { type ImportBody, type Imported, type ImportedChat, importAnswer } from '#contract/chat/import-chats.ts';
import { messageAnswer } from '#contract/envelope.ts';
import { WATCH } from '#contract/market/choices.ts';
import { type WatchBody, watchAnswer, watchlistAnswer } from '#contract/market/watchlist.ts';
import { notificationSettingsAnswer } from '#contract/notifications/settings.ts';
import { askPatiently, type Patience } from './ask-patiently.ts';
import { batchesOf } from './batches.ts';
import type { CoinRow } from './exported-rows.ts';
import { type Account, type ForeseenBatch, type ImportPlan, planImport } from './import-plan.ts';
import type { ExportContent, ExportedAlert } from './read-export.ts';

/** Compares an export with the account, without changing anything. `onProgress`: 0 to 1. Throws as `askPatiently`. */
export async function previewImport(
  userId: string,
  content: ExportContent,
  { onProgress, ...patience }: Patience & { onProgress: (done: number) => void },
): Promise<ImportPlan> {
  const id = encodeURIComponent(userId);
  const settings = await askPatiently(`/notification/${id}/settings`, { answer: notificationSettingsAnswer }, patience);
  const alerts = await askPatiently(`/alerts/${id}`, { answer: alertsAnswer }, patience);
  const listed = { method: 'POST', body: { limit: 1 }, answer: watchlistAnswer } as const;
  const { ids } = await askPatiently(`/watchlist/${id}`, listed, patience);
  const account: Account = { alerts: alerts.data, coinIds: ids, settings: settings.data };
  const batches: ForeseenBatch[] = [];
  const all = batchesOf(content.chats);
  for (const batch of all) {
    batches.push({ ...batch, foreseen: await sendChats(userId, { preview: true, chats: batch.chats }, patience) });
    onProgress(batches.length / all.length);
  }
  return planImport(content, account, batches, Date.now());
}

async function sendChats(userId: string, body: ImportBody, patience: Patience): Promise<Imported> {
  const path = `/user/${encodeURIComponent(userId)}/archives/import`;
  return (await askPatiently(path, { method: 'POST', body, answer: importAnswer }, patience)).data;
}

/** What an import has done so far. */
export interface ImportResult {
  chats: number;
  messages: number;
  coins: number;
  alerts: number;
  settings: boolean;
  /** What the server refused though the preview had it. Pictures: questions came without them. */
  refused: { chats: number; messages: number; coins: number; alerts: number; settings: number; pictures: number };
}

type Step = (patience: Patience) => Promise<void>;

/** An import that can stop after each step and continue with the step that failed. */
export class ImportRun {
  readonly result: ImportResult = {
    ...{ chats: 0, messages: 0, coins: 0, alerts: 0, settings: false },
    refused: { chats: 0, messages: 0, coins: 0, alerts: 0, settings: 0, pictures: 0 },
  };
  readonly #userId: string;
  readonly #content: ExportContent;
  readonly #steps: Step[];
  #done = 0;
  /** Pictures that the server has. */
  readonly #sent = new Set<string>();
  #isFull = false;

  constructor(userId: string, content: ExportContent, plan: ImportPlan, replacesSettings: boolean) {
    this.#userId = userId;
    this.#content = content;
    const { settings } = plan;
    this.#steps = [
      ...plan.batches.filter(({ foreseen }) => foreseen.added.messages + foreseen.added.chats > 0).map((batch) => this.#addChats(batch)),
      // Each new coin comes on top.
      ...[...plan.coins.add].reverse().map((coin) => this.#addCoin(coin)),
      ...plan.alerts.add.map((alert) => this.#addAlert(alert)),
      ...(settings && replacesSettings ? [this.#replaceSettings(settings)] : []),
    ];
  }

  /** Adds what is left. `onProgress`: 0 to 1. Throws as `askPatiently`; called again, it continues. */
  async run({ onProgress, ...patience }: Patience & { onProgress: (done: number) => void }): Promise<void> {
    for (; this.#done < this.#steps.length; this.#done++) {
      onProgress(this.#done / this.#steps.length);
      await this.#steps[this.#done]?.(patience);
    }
  }

  #addChats({ chats, isContinued, foreseen }: ForeseenBatch): Step {
    return async (patience) => {
      const sent = await this.#withPictures(chats, patience);
      const { added, present, left_out } = await sendChats(this.#userId, { preview: false, chats: sent.chats }, patience);
      // A request whose answer was lost has added what is present the next time.
      const addedOf = (kind: 'chats' | 'messages') => added[kind] + Math.max(0, present[kind] - foreseen.present[kind]);
      this.result.messages += addedOf('messages');
      this.result.refused.messages += Math.max(0, left_out.messages - foreseen.left_out.messages);
      this.result.refused.pictures += sent.without;
      if (isContinued) return;
      this.result.chats += addedOf('chats');
      this.result.refused.chats += Math.max(0, left_out.chats - foreseen.left_out.chats);
    };
  }

  /** Uploads the pictures of chats. Questions whose picture cannot be stored come without it, and are counted. */
  async #withPictures(chats: readonly ImportedChat[], patience: Patience): Promise<{ chats: ImportedChat[]; without: number }> {
    let without = 0;
    const ready: ImportedChat[] = [];
    for (const chat of chats) {
      const messages: ImportedChat['messages'] = [];
      for (const message of chat.messages) {
        const isMissing = message.picture !== null && !(await this.#sendPicture(message.picture, patience));
        if (isMissing) without += 1;
        messages.push(isMissing ? { ...message, picture: null } : message);
      }
      ready.push({ ...chat, messages });
    }
    return { chats: ready, without };
  }

  /** Returns whether the account has the picture now. */
  async #sendPicture(id: string, patience: Patience): Promise<boolean> {
    if (this.#sent.has(id)) return true;
    const picture = this.#isFull ? undefined : await this.#content.picture(id);
    if (!picture) return false;
    const form = new FormData();
    form.append('id', id);
    form.append('image', picture, id);
    try {
      await askPatiently('/chat/images', { method: 'POST', body: form, answer: chatImageAnswer }, patience);
    } catch (error) {
      const code = refusalCode(error, [400, 409, 413]);
      this.#isFull ||= code === 'quota';
      // The account has a picture of this id, redrawn differently.
      if (code !== 'image_id_taken') return false;
    }
    this.#sent.add(id);
    return true;
  }

  #addCoin({ coin_id: cryptoId, symbol: cryptoSymbol, name: cryptoName }: CoinRow): Step {
    const body: WatchBody = { userId: this.#userId, cryptoId, cryptoSymbol, cryptoName, actionType: WATCH.add };
    return this.#each('coins', '/watchlist', { method: 'POST', body, answer: watchAnswer });
  }

  #addAlert({ id, form: alert }: ExportedAlert): Step {
    const body: PutAlertBody = { alert, seen: null };
    return this.#each('alerts', `/alerts/${encodeURIComponent(this.#userId)}/${id}`, { method: 'PUT', body, answer: alertAnswer });
  }

  #each(kind: 'coins' | 'alerts', path: string, request: Parameters<typeof askPatiently>[1]): Step {
    return async (patience) => {
      try {
        await askPatiently(path, request, patience);
        this.result[kind] += 1;
      } catch (error) {
        refusalCode(error, [400]);
        this.result.refused[kind] += 1;
      }
    };
  }

  #replaceSettings(body: NonNullable<ImportPlan['settings']>): Step {
    const path = `/notification/${encodeURIComponent(this.#userId)}/settings`;
    return async (patience) => {
      try {
        await askPatiently(path, { method: 'PUT', body, answer: messageAnswer }, patience);
        this.result.settings = true;
      } catch (error) {
        refusalCode(error, [400]);
        this.result.refused.settings = 1;
      }
    };
  }
}

/** Returns why the server refused one row with one of these statuses. Throws any other error again, which ends the import for now. */
function refusalCode(error: unknown, statuses: readonly number[]): string {
  if (error instanceof ApiError && statuses.includes(error.status)) return error.code;
  throw error;
}
