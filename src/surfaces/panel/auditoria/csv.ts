import { Readable } from 'node:stream';
import type { PaginaDaAuditoria } from '../../../domain/auditoria/auditoria.service.ts';
import type { FiltroAuditoria, LinhaDaAuditoria } from '../../../domain/auditoria/auditoria.types.ts';
import { csvLine } from '../../../kit/csv/csv.ts';
import { dia, hora } from '../componentes/escrita.ts';
import type { ChamadaDeAcao } from '../rota.ts';

/** Spreadsheets take a file for UTF-8 by this. */
const BOM = '\uFEFF';
const CABECALHO = [
  'Número',
  'Dia',
  'Hora',
  'Quem',
  'O quê',
  'Recurso',
  'Id',
  'Campos',
  'De onde',
  'Dados',
  'Requisição',
];

const linha = (
  fuso: string,
  { id, em, quem, acao, recurso, recursoId, campos, ip, dados, requisicaoId }: LinhaDaAuditoria,
): string =>
  csvLine([
    id,
    dia(fuso, em),
    hora(fuso, em),
    quem.nome,
    acao,
    recurso,
    recursoId,
    campos.join(', '),
    ip,
    Object.keys(dados).length === 0 ? null : JSON.stringify(dados),
    requisicaoId,
  ]);

/**
 * What a filter finds, as a file that is written while it is read, a lot at a time. That it was exported is noted when it ends, also where
 * whoever asked went away in the middle.
 */
export function csvDaAuditoria({ sessao, ler, mudar }: ChamadaDeAcao, filtro: FiltroAuditoria): Readable {
  const fuso = sessao.provedor.fusoHorario;
  async function* linhas(): AsyncGenerator<string> {
    let escritas = 0;
    try {
      yield BOM + csvLine(CABECALHO);
      for (let antesDe: number | null = null; ;) {
        const antes: number | null = antesDe;
        const { itens, proxima }: PaginaDaAuditoria = await ler(async ({ auditoria }) => auditoria.lote(filtro, antes));
        escritas += itens.length;
        yield itens.map((uma) => linha(fuso, uma)).join('');
        if (proxima === null) return;
        antesDe = proxima;
      }
    } finally {
      const total = escritas;
      await mudar(async (_dominio, { exportacoes }) => exportacoes.anotar('auditoria', total));
    }
  }
  return Readable.from(linhas(), { objectMode: false });
}
