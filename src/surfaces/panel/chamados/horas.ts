import { hojeEm, inicioDoDiaEm, lerData } from '../../../brazil/calendario/datas.ts';
import { hora } from '../componentes/escrita.ts';

const LOCAL = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)(?::\d\d)?$/;

/** What a browser's field of day and hour says, at the provider's place, as an instant; what is none is left for the domain to refuse. */
export function instanteDoCampo(fuso: string, texto: unknown): unknown {
  if (typeof texto !== 'string') return texto;
  const [, dia = '', horas = '', minutos = ''] = LOCAL.exec(texto) ?? [];
  const data = lerData(dia);
  if (data === null) return texto;
  return new Date(inicioDoDiaEm(fuso, data).getTime() + (Number(horas) * 60 + Number(minutos)) * 60_000).toISOString();
}

/** The instant as such a field takes it. */
export const paraOCampo = (fuso: string, quando: Date): string => `${hojeEm(fuso, quando)}T${hora(fuso, quando)}`;
