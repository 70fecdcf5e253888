/** Hands out text word by word up to `limit` words, in the order it is asked. */
export class Words {
  taken = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get spent(): boolean {
    return this.taken >= this.#limit;
  }

  /** As much of `text` as the words left allow. */
  take(text: string): string {
    const words = text.split(/(?<=\S)(?=\s)/).filter((part) => part.trim() !== '');
    const room = this.#limit - this.taken;
    this.taken += Math.min(room, words.length);
    return words.length <= room ? text : words.slice(0, room).join('');
  }
}
