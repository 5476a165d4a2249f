import { centavos, escreverDinheiro, lerDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import { expressions, rowsOf } from '../../platform/mysql/columns.ts';
import { fromDatabaseTime, jsonColumn } from '../../platform/mysql/database.ts';
import type { Write } from '../escrita.ts';
import type { Leitor } from './lotes/lote.types.ts';
import { COLUNAS_DA_IMPORTACAO, SEM_CONTAGENS } from './importacoes.types.ts';
import type { Contagens, Importacao, ImportacaoRow, SimulacaoGuardada } from './importacoes.types.ts';

export async function buscarImportacao(leitor: Leitor, id: number): Promise<Importacao | null> {
  const [row] = await rowsOf(leitor.from('importacoes').where({ id }), COLUNAS_DA_IMPORTACAO);
  return row === undefined ? null : paraImportacao(row);
}

/** The same, locked: whoever does something with it now is the only one. */
export async function travarImportacao(w: Write, id: number): Promise<Importacao | null> {
  const [row] = await rowsOf(w.from('importacoes').where({ id }).forUpdate(), COLUNAS_DA_IMPORTACAO);
  return row === undefined ? null : paraImportacao(row);
}

/** Newest first. */
export async function listarImportacoes(leitor: Leitor, limite: number): Promise<Importacao[]> {
  const rows = await rowsOf(leitor.from('importacoes').orderBy('id', 'desc').limit(limite), COLUNAS_DA_IMPORTACAO);
  return rows.map(paraImportacao);
}

/** The one that was asked for something longest ago. */
export async function proximaPedida(leitor: Leitor): Promise<Importacao | null> {
  const pedidas = leitor.from('importacoes').whereNotNull('acao').orderBy('id').limit(1);
  const [row] = await rowsOf(pedidas, COLUNAS_DA_IMPORTACAO);
  return row === undefined ? null : paraImportacao(row);
}

const MAIOR_LINHA = expressions<{ linha: number | null }>({ linha: 'MAX(linha)' });

/** The first line of a file that its import has not come to. */
export async function proximaDepoisDasGravadas(leitor: Leitor, id: number): Promise<number> {
  const [row] = await rowsOf(leitor.from('importacao_linhas').where({ importacao_id: id }), MAIOR_LINHA);
  return row?.linha === null || row === undefined ? 0 : row.linha + 1;
}

const SIMULACAO_NENHUMA: SimulacaoGuardada = SEM_CONTAGENS;

function paraImportacao(row: ImportacaoRow): Importacao {
  const instante = (texto: string | null): Date | null => (texto === null ? null : fromDatabaseTime(texto));
  const simulada = row.simulacao === null ? null : jsonColumn<SimulacaoGuardada>(row.simulacao as string);
  const { planos_sem_par: planosSemPar = [], ...simulacao } = simulada ?? SIMULACAO_NENHUMA;
  return {
    id: row.id,
    arquivo: row.arquivo,
    formato: row.formato,
    tipo: row.tipo,
    leitura: jsonColumn<Importacao['leitura']>(row.leitura as string),
    mapa: jsonColumn<Importacao['mapa']>(row.mapa as string),
    bytes: row.bytes,
    linhas: row.linhas,
    situacao: row.situacao,
    acao: row.acao,
    avisar: row.avisar === 1,
    proximaLinha: row.proxima_linha,
    contagens: { ...SEM_CONTAGENS, ...jsonColumn<Contagens>(row.contagens as string) },
    simulacao: simulada === null ? null : simulacao,
    planosSemPar,
    motivo: row.motivo,
    autor: row.autor,
    criadoEm: fromDatabaseTime(row.criado_em),
    iniciadaEm: instante(row.iniciada_em),
    terminadaEm: instante(row.terminada_em),
  };
}

export function somarContagens(contagens: Contagens, mais: Partial<Contagens>): Contagens {
  const soma: Record<string, number | string> = { ...contagens };
  for (const [nome, valor] of Object.entries(mais)) {
    const antes = soma[nome] ?? 0;
    soma[nome] =
      typeof valor === 'string'
        ? escreverDinheiro(centavos(lerDinheiro(String(antes)) + lerDinheiro(valor)))
        : Number(antes) + valor;
  }
  return soma as unknown as Contagens;
}
