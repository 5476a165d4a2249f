/** IBGE's code of each unit of the federation, with which the codes of its municipalities begin. */
export const CODIGO_DA_UF: ReadonlyMap<string, string> = new Map(
  (
    'RO11 AC12 AM13 RR14 PA15 AP16 TO17 MA21 PI22 CE23 RN24 PB25 PE26 AL27 SE28 BA29 ' +
    'MG31 ES32 RJ33 SP35 PR41 SC42 RS43 MS50 MT51 GO52 DF53'
  )
    .split(' ')
    .map((um) => [um.slice(0, 2), um.slice(2)] as const),
);

export const UF_DO_CODIGO: ReadonlyMap<string, string> = new Map([...CODIGO_DA_UF].map(([uf, codigo]) => [codigo, uf]));
