/** A day of a provider's own calendar. */
export interface FeriadoProprio {
  /** 'AAAA-MM-DD', or 'MM-DD' of every year. */
  readonly dia: string;
  readonly nome: string;
  /** Banks open on it although its state's list has it as a holiday. */
  readonly diaUtil: boolean;
}

/** A day of a year on which banks do not attend to the public, though it need not be a weekday, and who says so. */
export interface DiaSemBanco {
  /** 'AAAA-MM-DD' */
  readonly dia: string;
  readonly nome: string;
  readonly origem: 'nacional' | 'estado' | 'provedor';
}
