/** The other end of `Helper`: answers each message with what `handle` resolves to; ends when the bench does. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- messages arrive untyped; who is sent them names them
export function answerMessages<Message>(handle: (message: Message) => Promise<object>): void {
  process.on('message', (message) => {
    handle(message as Message).then(
      (answer) => process.send?.(answer),
      (error: unknown) => process.send?.({ error: error instanceof Error ? error.stack : String(error) }),
    );
  });
  process.on('disconnect', () => process.exit());
}
