import { hojeEm } from '../src/brazil/calendario/datas.ts';
import { fromDatabaseTime, toDatabaseTime } from '../src/platform/mysql/database.ts';
import { HORA } from './calendario.ts';
import type { ContratoGerado, Linha } from './modelo.ts';

/** Bytes received and sent. */
type Bytes = [download: number, upload: number];

/** What the sessions of {@link gerarSessoes} would have told while they lasted, as much in each hour, by contract and day and by server and hour. */
export function gerarTrafego(
  sessoes: readonly Linha[],
  contratos: readonly ContratoGerado[],
  fuso: string,
  agora: Date,
): { readonly diario: Linha[]; readonly horario: Linha[] } {
  const contratoDe = new Map(contratos.map(({ linha }, contrato) => [linha.login, contrato]));
  const diaDe = new Map<number, string>();
  const dias = new Map<string, Bytes>();
  const horas = new Map<string, Bytes>();
  for (const sessao of sessoes) {
    const inicio = fromDatabaseTime(String(sessao['acctstarttime'])).getTime();
    const fim = Math.min(
      sessao['acctstoptime'] === null ? agora.getTime() : fromDatabaseTime(String(sessao['acctstoptime'])).getTime(),
      agora.getTime(),
    );
    const primeira = Math.floor(inicio / HORA);
    const quantas = Math.max(1, Math.floor(fim / HORA) - primeira + 1);
    const bytes: Bytes = [
      Math.floor(Number(sessao['acctoutputoctets']) / quantas),
      Math.floor(Number(sessao['acctinputoctets']) / quantas),
    ];
    const contrato = contratoDe.get(String(sessao['username']));
    for (let hora = primeira; hora < primeira + quantas; hora += 1) {
      const dia = diaDe.get(hora) ?? hojeEm(fuso, new Date(hora * HORA));
      diaDe.set(hora, dia);
      if (contrato !== undefined) somar(dias, `${contrato} ${dia}`, bytes);
      somar(horas, `${hora} ${String(sessao['nasipaddress'])}`, bytes);
    }
  }
  return {
    diario: [...dias].map(([chave, [download_bytes, upload_bytes]]) => {
      const [contrato = '', dia = ''] = chave.split(' ');
      return { contrato_id: Number(contrato), dia, download_bytes, upload_bytes };
    }),
    horario: [...horas].map(([chave, [download_bytes, upload_bytes]]) => {
      const [hora = '', nas = ''] = chave.split(' ');
      return {
        hora: toDatabaseTime(new Date(Number(hora) * HORA)).slice(0, 19),
        nas,
        download_bytes,
        upload_bytes,
      };
    }),
  };
}

function somar(somas: Map<string, Bytes>, chave: string, [download, upload]: Bytes): void {
  const soma = somas.get(chave);
  if (soma === undefined) somas.set(chave, [download, upload]);
  else {
    soma[0] += download;
    soma[1] += upload;
  }
}
