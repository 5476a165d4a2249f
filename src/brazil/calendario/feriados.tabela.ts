/** One holiday of every year from `desde` to `ate`: a day of the year, 'MM-DD', or so many days after Easter Sunday. */
export interface Feriado {
  readonly dia: string | number;
  readonly nome: string;
  readonly desde?: number;
  readonly ate?: number;
}

/** The nation's bank holidays: CMN Resolution 4.880/2020, and Law 14.759/2023 for 20 November. */
export const NACIONAIS: readonly Feriado[] = [
  { dia: '01-01', nome: 'Ano Novo' },
  { dia: -48, nome: 'Carnaval' },
  { dia: -47, nome: 'Carnaval' },
  { dia: '04-21', nome: 'Dia de Tiradentes' },
  { dia: -2, nome: 'Sexta-Feira Santa' },
  { dia: '05-01', nome: 'Dia do trabalhador' },
  { dia: 60, nome: 'Corpo de Deus' },
  { dia: '09-07', nome: 'Dia da Independência' },
  { dia: '10-12', nome: 'Nossa Senhora Aparecida' },
  { dia: '11-02', nome: 'Dia de Finados' },
  { dia: '11-15', nome: 'Proclamação da República' },
  { dia: '11-20', nome: 'Dia da Consciência Negra', desde: 2024 },
  { dia: '12-25', nome: 'Natal' },
];

/**
 * What the states' laws add, as `date-holidays` has it, which a test holds. Left out are the two that it still has and that laws have
 * ended: 26 July in Paraíba (10.601/2015) and 19 December in Paraná (18.384/2014).
 */
export const ESTADUAIS: Readonly<Partial<Record<string, readonly Feriado[]>>> = {
  AC: [
    { dia: '01-12', nome: 'Dia do evangélico', desde: 2005 },
    { dia: '03-08', nome: 'Alusivo ao Dia Internacional da Mulher', desde: 2002 },
    { dia: '06-15', nome: 'Aniversário do estado' },
    { dia: '09-05', nome: 'Dia da Amazônia', desde: 2004 },
  ],
  AL: [
    { dia: '06-24', nome: 'São João', desde: 1994 },
    { dia: '06-29', nome: 'São Pedro', desde: 1994 },
    { dia: '09-16', nome: 'Emancipação política' },
    { dia: '11-20', nome: 'Morte de Zumbi dos Palmares', desde: 1995 },
  ],
  AM: [
    { dia: '09-05', nome: 'Elevação do Amazonas à categoria de província' },
    { dia: '11-20', nome: 'Dia da Consciência Negra', desde: 2010 },
  ],
  AP: [
    { dia: '03-19', nome: 'Dia de São José', desde: 2003 },
    { dia: '09-13', nome: 'Criação do Território Federal' },
  ],
  BA: [{ dia: '07-02', nome: 'Independência da Bahia' }],
  CE: [{ dia: '03-25', nome: 'Data magna do estado', desde: 2012 }],
  DF: [{ dia: '11-30', nome: 'Dia do Evangélico', desde: 1996 }],
  ES: [{ dia: 8, nome: 'Dia de Nossa Senhora da Penha', desde: 2020 }],
  GO: [
    { dia: '07-26', nome: 'Fundação da Cidade de Goiás' },
    { dia: '10-24', nome: 'Lançamento da pedra fundamental de Goiânia' },
  ],
  MA: [{ dia: '07-28', nome: 'Adesão do Maranhão à independência do Brasil' }],
  MT: [{ dia: '11-20', nome: 'Dia da Consciência Negra', desde: 2003 }],
  MS: [{ dia: '10-11', nome: 'Criação do estado' }],
  PA: [{ dia: '08-15', nome: 'Adesão do Grão-Pará à independência do Brasil', desde: 1997 }],
  PB: [{ dia: '08-05', nome: 'Nossa Senhora das Neves' }],
  PI: [{ dia: '10-19', nome: 'Dia do Piauí' }],
  RJ: [
    { dia: '04-23', nome: 'Dia de São Jorge', desde: 2008 },
    { dia: '11-20', nome: 'Dia da Consciência Negra', desde: 2002 },
  ],
  RN: [{ dia: '10-03', nome: 'Mártires de Cunhaú e Uruaçu', desde: 2007 }],
  RO: [
    { dia: '01-04', nome: 'Criação do estado', desde: 2011 },
    { dia: '06-18', nome: 'Dia do evangélico', desde: 2002 },
  ],
  RR: [{ dia: '10-05', nome: 'Criação do estado' }],
  RS: [{ dia: '09-20', nome: 'Proclamação da República Rio-Grandense' }],
  // Since 2005 they are kept on a Sunday, on which banks are closed anyway.
  SC: [
    { dia: '08-11', nome: 'Dia de Santa Catarina', desde: 2004, ate: 2004 },
    { dia: '11-25', nome: 'Dia de Santa Catarina de Alexandria', desde: 1997, ate: 2004 },
  ],
  SE: [{ dia: '07-08', nome: 'Emancipação política de Sergipe' }],
  SP: [
    { dia: '07-09', nome: 'Revolução Constitucionalista', desde: 1997 },
    { dia: '11-20', nome: 'Dia da Consciência Negra', desde: 2023 },
  ],
  TO: [
    { dia: '03-18', nome: 'Autonomia do Estado', desde: 1998 },
    { dia: '09-08', nome: 'Nossa Senhora da Natividade', desde: 1994 },
    { dia: '10-05', nome: 'Criação do estado', desde: 1990 },
  ],
};
