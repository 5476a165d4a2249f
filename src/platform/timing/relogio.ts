/** The source of the time. It is a dependency, so that tests can choose the date. */
export interface Relogio {
  agora(): Date;
}

export const relogioDoSistema: Relogio = { agora: () => new Date() };
