/** The other end of `Helper`: answers each message with what `handle` resolves to; ends when the bench does. */
export function answerMessages(handle: (message: never) => Promise<object>): void {
  process.on('message', (message) => {
    // Messages arrive untyped; who is sent them names them.
    handle(message as never).then(
      (answer) => process.send?.(answer),
      (error: unknown) => process.send?.({ error: error instanceof Error ? error.stack : String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
}
