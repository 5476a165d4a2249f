import { hojeEm, inicioDoDiaEm, somarDias } from '../../../brazil/calendario/datas.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Bytes } from '../../trafego/trafego.service.ts';
import type { HoraRow } from './horas.queries.ts';
import type { Periodo, PontoDaRede, Servidor } from './panorama.types.ts';

const HORA_MS = 3_600_000;
/** Shorter, an average says more of when updates came than of the traffic. */
export const MENOR_MEDIA_MS = 600_000;

interface BytesDaHora extends Bytes {
  readonly hora: string;
}

/** Bits a second of a server: of this hour, or since the one before began while this one is young. */
export function trafegoAgora(rows: readonly BytesDaHora[], agora: Date): Servidor['trafego'] {
  const estaHora = Math.floor(agora.getTime() / HORA_MS) * HORA_MS;
  const desde = agora.getTime() - estaHora < MENOR_MEDIA_MS ? estaHora - HORA_MS : estaHora;
  const contam = rows.filter(({ hora }) => fromDatabaseTime(hora).getTime() >= desde);
  const [download, upload] = [somaDe(contam, 'download'), somaDe(contam, 'upload')];
  if (download + upload === 0) return null;
  const segundos = (agora.getTime() - desde) / 1000;
  return {
    download: Math.round((download * 8) / segundos),
    upload: Math.round((upload * 8) / segundos),
    desde: new Date(desde),
  };
}

export const somaDe = (rows: readonly Bytes[], qual: keyof Bytes): number =>
  rows.reduce((total, row) => total + row[qual], 0);

/** Each hour, or each local day, from one instant to another, with what the hours had. */
export function montarSerie(
  rows: readonly HoraRow[],
  trafego: readonly BytesDaHora[],
  periodo: Periodo,
  desde: Date,
  agora: Date,
  fuso: string,
): PontoDaRede[] {
  const pontos = new Map<number, PontoDaRede>();
  for (let em = desde.getTime(); em <= agora.getTime();) {
    pontos.set(em, { inicio: new Date(em), quedas: 0, online: null, download: 0, upload: 0 });
    const doDia = new Date(em);
    em = periodo === '31d' ? inicioDoDiaEm(fuso, somarDias(hojeEm(fuso, doDia), 1)).getTime() : em + HORA_MS;
  }
  const mudar = (texto: string, como: (ponto: PontoDaRede) => Partial<PontoDaRede>): void => {
    const hora = fromDatabaseTime(texto);
    const chave = (periodo === '31d' ? inicioDoDiaEm(fuso, hojeEm(fuso, hora)) : hora).getTime();
    const ponto = pontos.get(chave);
    if (ponto !== undefined) pontos.set(chave, { ...ponto, ...como(ponto) });
  };
  for (const row of rows) {
    mudar(row.hora, ({ quedas, online }) => ({
      quedas: quedas + row.quedas,
      online: row.online === null ? online : Math.max(online ?? 0, row.online),
    }));
  }
  for (const row of trafego) {
    mudar(row.hora, ({ download, upload }) => ({ download: download + row.download, upload: upload + row.upload }));
  }
  return [...pontos.values()];
}
