/** A day of a provider's own calendar. */
export interface FeriadoProprio {
  /** 'AAAA-MM-DD', or 'MM-DD' of every year. */
  readonly dia: string;
  readonly nome: string;
  /** Banks open on it although its state's list has it as a holiday. */
  readonly diaUtil: boolean;
}

/** A holiday of a year, or its last business day, on which banks do not attend either; it may fall on a weekend. With who says so. */
export interface DiaSemBanco {
  /** 'AAAA-MM-DD' */
  readonly dia: string;
  readonly nome: string;
  readonly origem: 'nacional' | 'estado' | 'provedor';
}
