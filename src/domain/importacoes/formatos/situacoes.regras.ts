import type { SituacaoContrato } from '../../contratos/contratos.types.ts';
import type { Formato } from '../importacoes.types.ts';

/** A contract's state as it comes in. */
export interface SituacaoLida {
  readonly situacao: Exclude<SituacaoContrato, 'cancelado_definitivo'>;
  readonly origem: 'financeiro' | 'manual' | null;
}

/** What of a line says the state; texts in lower case without accents, absent ones undefined. */
export interface DitoDaSituacao {
  readonly situacao?: string | undefined;
  readonly situacao_internet?: string | undefined;
  readonly bloqueado?: string | undefined;
  readonly bloqueio_origem?: string | undefined;
}

type Estados = Readonly<Record<string, SituacaoLida>>;

const estado = (situacao: SituacaoLida['situacao'], origem: SituacaoLida['origem'] = null): SituacaoLida => ({
  situacao,
  origem,
});

const COMUNS: Estados = {
  pendente: estado('pendente'),
  ativo: estado('ativo'),
  inativo: estado('inativo'),
  cancelado: estado('cancelado'),
  bloqueado: estado('bloqueado', 'financeiro'),
};

/** `status` of cliente_contrato; N is a negative and D a withdrawn one. */
const DO_IXC: Estados = {
  ...COMUNS,
  p: estado('pendente'),
  a: estado('ativo'),
  i: estado('inativo'),
  n: estado('cancelado'),
  d: estado('cancelado'),
};

/** `status_internet`, of a contract that is active. */
const DA_INTERNET_DO_IXC: Estados = {
  a: estado('ativo'),
  ativo: estado('ativo'),
  cm: estado('bloqueado', 'manual'),
  ca: estado('bloqueado', 'financeiro'),
  fa: estado('bloqueado', 'financeiro'),
  aa: estado('pendente'),
};

const DO_MKAUTH: Estados = {
  ...COMUNS,
  s: estado('ativo'),
  sim: estado('ativo'),
  n: estado('cancelado'),
  nao: estado('cancelado'),
};

const DO_SGP: Estados = { ...COMUNS, suspenso: estado('bloqueado', 'financeiro'), novo: estado('pendente') };

const POR_FORMATO: Readonly<Record<Formato, Estados>> = { malha: COMUNS, ixc: DO_IXC, mkauth: DO_MKAUTH, sgp: DO_SGP };

/** The texts are the file's: one may be called as something that every object has. */
const doTexto = <T>(estados: Readonly<Record<string, T>>, texto: string): T | undefined =>
  Object.hasOwn(estados, texto) ? estados[texto] : undefined;

/** `sim` and `nao` in the ways in which they are written; undefined for any other text. */
export function lerSimOuNao(texto: string): boolean | undefined {
  if (/^(?:s|sim|1|true|y|yes)$/.test(texto)) return true;
  return /^(?:n|nao|0|false|no)$/.test(texto) ? false : undefined;
}

/**
 * The contract's state by what a system says of it; or the field whose text nobody knows. What says nothing of
 * it is active.
 */
export function lerSituacao(
  formato: Formato,
  dito: DitoDaSituacao,
): SituacaoLida | { readonly campo: keyof DitoDaSituacao } {
  const lida = dito.situacao === undefined ? COMUNS['ativo'] : doTexto(POR_FORMATO[formato], dito.situacao);
  if (lida === undefined) return { campo: 'situacao' };
  if (lida.situacao !== 'ativo' && lida.situacao !== 'bloqueado') return lida;
  if (dito.situacao_internet !== undefined) {
    const daInternet = doTexto(DA_INTERNET_DO_IXC, dito.situacao_internet);
    if (daInternet === undefined) return { campo: 'situacao_internet' };
    if (daInternet.situacao !== 'ativo') return daInternet;
  }
  const bloqueado = dito.bloqueado === undefined ? false : lerSimOuNao(dito.bloqueado);
  if (bloqueado === undefined) return { campo: 'bloqueado' };
  if (!bloqueado && lida.situacao === 'ativo') return lida;
  const { bloqueio_origem: origem = 'financeiro' } = dito;
  return origem === 'financeiro' || origem === 'manual' ? estado('bloqueado', origem) : { campo: 'bloqueio_origem' };
}

/** What an invoice is; partly paid ones are open, with what was paid. */
export type SituacaoDaFaturaLida = 'aberta' | 'paga' | 'cancelada';

const DAS_FATURAS: Readonly<Record<string, SituacaoDaFaturaLida>> = {
  a: 'aberta',
  aberta: 'aberta',
  aberto: 'aberta',
  pendente: 'aberta',
  vencida: 'aberta',
  vencido: 'aberta',
  atrasado: 'aberta',
  p: 'aberta',
  parcial: 'aberta',
  r: 'paga',
  recebida: 'paga',
  recebido: 'paga',
  paga: 'paga',
  pago: 'paga',
  c: 'cancelada',
  cancelada: 'cancelada',
  cancelado: 'cancelada',
};

export function lerSituacaoDaFatura(texto: string | undefined): SituacaoDaFaturaLida | undefined {
  return texto === undefined ? 'aberta' : doTexto(DAS_FATURAS, texto);
}
