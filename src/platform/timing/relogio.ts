/** Where the time comes from. A dependency, so that tests choose the date. */
export interface Relogio {
  agora(): Date;
}

export const relogioDoSistema: Relogio = { agora: () => new Date() };
