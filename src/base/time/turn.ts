// The event loop's turns: what comes in one of them can be worked off together.

/** Resolves when everything that this turn of the event loop has brought is worked off. Takes no time that a clock would tell. */
export async function turnOver(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
