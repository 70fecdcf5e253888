/** Limits the words rendered across several texts to `limit`. */
export class WordBudget {
  taken = 0;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get spent(): boolean {
    return this.taken >= this.#limit;
  }

  /** Returns as much of `text` as the remaining words allow. */
  take(text: string): string {
    const words = text.split(/(?<=\S)(?=\s)/).filter((part) => part.trim() !== '');
    const room = this.#limit - this.taken;
    this.taken += Math.min(room, words.length);
    return words.length <= room ? text : words.slice(0, room).join('');
  }
}
