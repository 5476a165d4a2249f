/** What was given cannot be accepted; the message says, in Portuguese, which part and why. */
export class EntradaInvalida extends Error {}
