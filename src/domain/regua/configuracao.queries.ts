import type { Data } from '../../brazil/calendario/datas.ts';
import { centavos, escreverDinheiro, lerDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import { columns, expressions, rowsOf } from '../../platform/mysql/columns.ts';
import { jsonColumn, toDatabaseTime } from '../../platform/mysql/database.ts';
import { sameTenant } from '../../platform/mysql/tenant.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import type { Write } from '../escrita.ts';
import { versaoDe } from '../campos/versao.ts';
import { REFERENCIA_DA_FATURA } from './dia/candidatas.queries.ts';
import { juntarTextos } from './textos.regras.ts';
import type { ConfiguracaoRegua, TextosDaRegua } from './regua.types.ts';

interface ReguaRow {
  ativa_desde: Data | null;
  hora: number;
  lembrete_dias: number | null;
  no_vencimento: number;
  aviso_dias: number;
  bloqueio_dias: number | null;
  segundo_aviso_dias: number | null;
  rescisao_dias: number;
  rescinde: number;
  vesperas: number;
  sem_entrega: number;
  minimo: string;
  textos: string | Partial<TextosDaRegua> | null;
}

const DA_REGUA = columns<ReguaRow>('reguas', {
  ativa_desde: true,
  hora: true,
  lembrete_dias: true,
  no_vencimento: true,
  aviso_dias: true,
  bloqueio_dias: true,
  segundo_aviso_dias: true,
  rescisao_dias: true,
  rescinde: true,
  vesperas: true,
  sem_entrega: true,
  minimo: true,
  textos: true,
});

const QUANTOS = expressions<{ quantos: number }>({ quantos: 'COUNT(*)' });

type Regras = Omit<ConfiguracaoRegua, 'versao'>;

/** Of a ladder that is off: on which day it was switched off, and since when it had been on. */
export interface Desligada {
  readonly desligadaEm: Data | null;
  readonly ativaAntes: Data | null;
}

const DESLIGADA = columns<{ desligada_em: Data | null; ativa_antes: Data | null }>('reguas', {
  desligada_em: true,
  ativa_antes: true,
});

/** What holds of a provider that has set nothing. */
const PADRAO: Regras = {
  ativaDesde: null,
  hora: 9,
  lembreteDias: 3,
  noVencimento: true,
  avisoDias: 1,
  bloqueioDias: 15,
  segundoAvisoDias: 30,
  rescisaoDias: 60,
  rescinde: false,
  vesperas: false,
  semEntrega: false,
  minimo: centavos(1000),
  textos: juntarTextos({}),
};

const comVersao = (regras: Regras): ConfiguracaoRegua => {
  const { textos, ...simples } = regras;
  return { ...regras, versao: versaoDe({ ...simples, textos: JSON.stringify(textos) }) };
};

function paraRegua(row: ReguaRow): ConfiguracaoRegua {
  return comVersao({
    ativaDesde: row.ativa_desde,
    hora: row.hora,
    lembreteDias: row.lembrete_dias,
    noVencimento: row.no_vencimento === 1,
    avisoDias: row.aviso_dias,
    bloqueioDias: row.bloqueio_dias,
    segundoAvisoDias: row.segundo_aviso_dias,
    rescisaoDias: row.rescisao_dias,
    rescinde: row.rescinde === 1,
    vesperas: row.vesperas === 1,
    semEntrega: row.sem_entrega === 1,
    minimo: lerDinheiro(row.minimo),
    textos: juntarTextos(row.textos === null ? {} : jsonColumn<Partial<TextosDaRegua>>(row.textos)),
  });
}

/** A provider's ladder; that of the house, switched off, where it has none of its own. */
export async function lerRegua(de: Pick<TenantDb, 'from'>): Promise<ConfiguracaoRegua> {
  const [row] = await rowsOf(de.from('reguas'), DA_REGUA);
  return row === undefined ? comVersao(PADRAO) : paraRegua(row);
}

/** The same, locked until the transaction ends. */
export async function travarRegua(w: Write): Promise<ConfiguracaoRegua & Desligada & { readonly existe: boolean }> {
  const [row] = await rowsOf(w.from('reguas').forUpdate(), DA_REGUA, DESLIGADA);
  if (row === undefined) return { ...comVersao(PADRAO), desligadaEm: null, ativaAntes: null, existe: false };
  return { ...paraRegua(row), desligadaEm: row.desligada_em, ativaAntes: row.ativa_antes, existe: true };
}

export async function gravarRegua(w: Write, existe: boolean, regras: Regras & Desligada, agora: Date): Promise<void> {
  const linha = {
    ativa_desde: regras.ativaDesde,
    desligada_em: regras.desligadaEm,
    ativa_antes: regras.ativaAntes,
    hora: regras.hora,
    lembrete_dias: regras.lembreteDias,
    no_vencimento: regras.noVencimento ? 1 : 0,
    aviso_dias: regras.avisoDias,
    bloqueio_dias: regras.bloqueioDias,
    segundo_aviso_dias: regras.segundoAvisoDias,
    rescisao_dias: regras.rescisaoDias,
    rescinde: regras.rescinde ? 1 : 0,
    vesperas: regras.vesperas ? 1 : 0,
    sem_entrega: regras.semEntrega ? 1 : 0,
    minimo: escreverDinheiro(regras.minimo),
    textos: JSON.stringify(regras.textos),
    atualizado_em: toDatabaseTime(agora),
  };
  if (existe) await w.update('reguas', () => {}, linha);
  else await w.insert('reguas', linha);
}

/** How many notices are in force: their invoices are open as they were, and they are not too old to act upon. */
export async function contarAvisosEmVigor(w: Pick<TenantDb, 'from'>, desde: Data): Promise<number> {
  const avisos = w
    .from('regua_passos as p')
    .join('faturas as f', sameTenant('p', 'fatura_id', 'f', 'id'))
    .where({ 'p.passo': 'aviso', 'f.grupo': 'aberta' })
    .where('p.dia', '>=', desde)
    .whereRaw(`p.referencia = ${REFERENCIA_DA_FATURA}`);
  const [row] = await rowsOf(avisos, QUANTOS);
  return row?.quantos ?? 0;
}
