import { REMOCAO, corpoDaCob, corpoDaCobv } from '../../../brazil/pix/cobranca/corpo.ts';
import { codigoDaCobranca } from '../../../brazil/pix/cobranca/codigo.ts';
import { lerCobranca, lerProblema } from '../../../brazil/pix/cobranca/resposta.ts';
import type { CobrancaLida } from '../../../brazil/pix/cobranca/resposta.ts';
import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { fromDatabaseTime } from '../../../platform/mysql/database.ts';
import type { ClientePsp, Resposta } from '../cliente/cliente.ts';
import type { ConvenioComSegredos } from '../convenios/convenios.queries.ts';
import type { CobrancaRow } from '../psp.types.ts';
import { falhaDe } from './envio.types.ts';
import type { Desfecho } from './envio.types.ts';

/** Who pays, and what for. */
export interface DadosDaCobranca {
  readonly pagador: { readonly nome: string; readonly documento: string } | null;
  readonly descricao: string | null;
  /** What the code says of who receives, where it has to be composed. */
  readonly recebedor: { readonly nome: string; readonly cidade: string };
}

const NAO_HA = 404;
const SUMIU = 410;

const recusada = (codigo: string, motivo: string): Desfecho => ({ tipo: 'recusada', codigo, motivo });

function corpoDe(c: ConvenioComSegredos, cobranca: CobrancaRow, dados: DadosDaCobranca, agora: Date): object {
  const comum = {
    chave: c.row.chave,
    valor: lerDinheiro(cobranca.valor),
    pagador: dados.pagador,
    solicitacao: dados.descricao,
  };
  if (cobranca.tipo === 'cob') {
    const restaMs = fromDatabaseTime(cobranca.expira_em).getTime() - agora.getTime();
    return corpoDaCob({ ...comum, segundos: Math.max(1, Math.floor(restaMs / 1000)) });
  }
  const modalidade = cobranca.juros_modalidade;
  return corpoDaCobv({
    ...comum,
    vencimento: cobranca.vencimento,
    validadeDias: cobranca.validade_dias,
    multa: cobranca.multa,
    juros: modalidade === 1 || modalidade === 3 ? { modalidade, valorPerc: cobranca.juros } : null,
  });
}

/** In what an answer is not of the charge that it should be; null: it is. Whoever answers is not believed about whose money it is. */
function divergencia(lida: CobrancaLida | null, c: ConvenioComSegredos, cobranca: CobrancaRow): string | null {
  if (lida === null) return 'a resposta não é uma cobrança da API Pix';
  if (lida.txid !== cobranca.txid) return 'a resposta é de outro txid';
  if (lida.chave.toLowerCase() !== c.row.chave.toLowerCase()) return 'a resposta é de outra chave PIX';
  if (lida.valor !== lerDinheiro(cobranca.valor)) return 'a resposta é de outro valor';
  if (cobranca.tipo === 'cobv' && lida.vencimento !== cobranca.vencimento) return 'a resposta é de outro vencimento';
  return null;
}

type Pedir = (metodo: 'GET' | 'PUT' | 'PATCH', corpo?: object) => Promise<Resposta>;

/** Takes off a charge that the PSP has; where it refuses to, it is asked again what the charge is, which may have been paid meanwhile. */
async function remover(
  pedir: Pedir,
  { txid, expira_em: expira }: Pick<CobrancaRow, 'txid' | 'expira_em'>,
  agora: Date,
): Promise<Desfecho> {
  const removida = await pedir('PATCH', REMOCAO);
  if (!removida.veio) return falhaDe(removida);
  if (removida.status < 400) return { tipo: 'removida' };
  const vista = await pedir('GET');
  if (!vista.veio) return falhaDe(vista);
  const lida = vista.status < 400 ? lerCobranca(vista.json) : null;
  if (lida?.txid === txid && lida.status === 'CONCLUIDA') return { tipo: 'concluida' };
  const acabou = lida?.txid === txid && lida.status.startsWith('REMOVIDA');
  // The API Pix leaves what has expired ATIVA, and some PSPs take nothing off it any more. Nobody can pay it.
  if (acabou || fromDatabaseTime(expira) <= agora) return { tipo: 'removida' };
  const { codigo } = lerProblema(removida.json, removida.status);
  return { tipo: 'falha', codigo, esperaMs: null, soDela: true };
}

/**
 * Makes a PSP have a charge as it is stored, or have it no more. It is asked first what it has: a lost answer is no reason to do anything
 * twice, and the txid, committed before, is what it is asked by (API Pix, `PUT /cobv/{txid}`). Never rejects for what the PSP does.
 */
export async function resolverCobranca(
  cliente: ClientePsp,
  c: ConvenioComSegredos,
  cobranca: CobrancaRow,
  dados: DadosDaCobranca,
  agora: Date,
): Promise<Desfecho> {
  const { tipo: recurso, txid, etapa } = cobranca;
  const pedir: Pedir = async (metodo, corpo) =>
    cliente.pedir(c, { metodo, recurso, partes: [txid], ...(corpo === undefined ? {} : { corpo }) });

  function ativa(resposta: Extract<Resposta, { veio: true }>): Desfecho {
    if (resposta.status >= 400) {
      const { codigo, motivo } = lerProblema(resposta.json, resposta.status);
      return recusada(codigo, motivo);
    }
    const lida = lerCobranca(resposta.json);
    const falta = divergencia(lida, c, cobranca);
    if (lida === null || falta !== null) return recusada('resposta_diverge', falta ?? '');
    const codigo = codigoDaCobranca(lida, dados.recebedor);
    if (codigo === null) return recusada('sem_codigo', 'a resposta não traz código nem location');
    return { tipo: 'ativa', lida, codigo };
  }

  const vista = await pedir('GET');
  if (!vista.veio) return falhaDe(vista);
  if (vista.status === NAO_HA || vista.status === SUMIU) {
    if (etapa === 'remover') return { tipo: 'removida' };
    if (fromDatabaseTime(cobranca.expira_em) <= agora) return { tipo: 'passou' };
    if (cobranca.tipo === 'cobv' && dados.pagador === null) {
      return recusada('pagador_sem_documento', 'o cliente não tem nome e CPF ou CNPJ válidos');
    }
    const feita = await pedir('PUT', corpoDe(c, cobranca, dados, agora));
    return feita.veio ? ativa(feita) : falhaDe(feita);
  }
  if (vista.status >= 400) return ativa(vista);
  const lida = lerCobranca(vista.json);
  if (lida?.txid !== txid) return recusada('resposta_diverge', 'a resposta não é desta cobrança');
  if (lida.status === 'CONCLUIDA') return { tipo: 'concluida' };
  if (lida.status.startsWith('REMOVIDA')) return { tipo: 'removida' };
  if (etapa === 'remover') return remover(pedir, cobranca, agora);
  if (etapa === 'emitir' && divergencia(lida, c, cobranca) === null) return ativa(vista);
  const {
    chave: _chave,
    devedor: _devedor,
    ...revisao
  } = corpoDe(c, cobranca, dados, agora) as Record<string, unknown>;
  const alterada = await pedir('PATCH', revisao);
  return alterada.veio ? ativa(alterada) : falhaDe(alterada);
}
