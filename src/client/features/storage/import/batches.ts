import { type ImportedChat, type ImportedMessage, MAX_IMPORTED_CHATS, MAX_IMPORTED_MESSAGES } from '#contract/chat/import-chats.ts';

/** Bytes of JSON in a request, unless a single question needs more: a slow connection sends them within the time limit. */
const MAX_BYTES = 400_000;
/** The server deletes pictures that no question uses beyond 50. */
const MAX_PICTURES = 20;

/** The chats of one request. */
export interface Batch {
  chats: ImportedChat[];
  /** Its only chat began in an earlier request, which counted it. */
  isContinued: boolean;
}

/** Divides chats into requests that the server accepts, in their order. A long chat continues in the next requests. */
export function batchesOf(chats: readonly ImportedChat[]): Batch[] {
  const batches: Batch[] = [];
  let room = { bytes: 0, messages: 0, pictures: 0 };
  const open = (isContinued: boolean): Batch => {
    const batch: Batch = { chats: [], isContinued };
    batches.push(batch);
    room = { bytes: MAX_BYTES, messages: MAX_IMPORTED_MESSAGES, pictures: MAX_PICTURES };
    return batch;
  };
  let batch: Batch | undefined;
  for (const chat of chats) {
    if (!batch || batch.isContinued || batch.chats.length === MAX_IMPORTED_CHATS || room.messages === 0) batch = open(false);
    let part: ImportedChat = { ...chat, messages: [] };
    batch.chats.push(part);
    room.bytes -= sizeOf(part);
    for (const message of chat.messages) {
      const bytes = sizeOf(message);
      if (bytes > room.bytes || room.messages === 0 || (message.picture && room.pictures === 0)) {
        const isStarted = part.messages.length > 0;
        if (isStarted || batch.chats.length > 1) {
          if (!isStarted) batch.chats.pop();
          batch = open(isStarted);
          part = { ...chat, messages: [] };
          batch.chats.push(part);
        }
      }
      part.messages.push(message);
      room.bytes -= bytes;
      room.messages -= 1;
      if (message.picture) room.pictures -= 1;
    }
  }
  return batches;
}

const sizeOf = (value: ImportedChat | ImportedMessage): number => new TextEncoder().encode(JSON.stringify(value)).length;
