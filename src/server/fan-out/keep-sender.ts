/**
 * Keeps one connection for sending: opened at its first use, dropped when it breaks or a use fails.
 * @param connect opens a connection; calls `lose` when it breaks later
 */
export function keepSender<Connection>(connect: (lose: () => void) => Promise<Connection>, destroy: (connection: Connection) => void) {
  let sender: Promise<Connection> | undefined;

  async function drop(lost: Promise<Connection>): Promise<void> {
    if (sender === lost) sender = undefined;
    await lost.then(destroy, () => undefined);
  }

  return {
    async use(work: (connection: Connection) => Promise<unknown>): Promise<void> {
      const used: Promise<Connection> = sender ?? connect(() => void drop(used));
      sender = used;
      try {
        await work(await used);
      } catch (error) {
        await drop(used);
        throw error;
      }
    },

    async close(): Promise<void> {
      if (sender) await drop(sender);
    },
  };
}
