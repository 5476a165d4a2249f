import { randomBytes } from 'node:crypto';
import { hojeEm, inicioDoDiaEm } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { centavos, escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { contaDeQuemEmite, idDaConta } from '../../cobradores/cobradores.types.ts';
import type { Conta } from '../../cobradores/cobradores.types.ts';
import { EntradaInvalida } from '../../erros.ts';
import { novoTxid } from '../../faturas/emissao/txid.regras.ts';
import type { TipoFatura } from '../../faturas/faturas.types.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { FaturaLida } from '../linhas/faturas.leitura.ts';
import type { Gravacao, Julgamento } from './lote.types.ts';

/** Whose an invoice is. */
export interface Dono {
  readonly clienteId: number;
  readonly contratoId: number | null;
  /** The account that the contract is charged by; null: none of its own. */
  readonly cobradorId: number | null;
}

export interface FaturaNova {
  readonly lida: FaturaLida;
  readonly dono: Dono;
}

/** An invoice that is about to be written. */
export type Nova = Julgamento<FaturaNova>['novas'][number];

const inicios = new Map<string, string>();
const MAIS_INICIOS = 5000;

/** The beginning of a local day as MySQL takes it; kept, because a file has few days and many lines. */
function inicioDe(fuso: string, dia: Data): string {
  const nome = `${fuso} ${dia}`;
  const guardado = inicios.get(nome);
  if (guardado !== undefined) return guardado;
  if (inicios.size >= MAIS_INICIOS) inicios.clear();
  const inicio = toDatabaseTime(inicioDoDiaEm(fuso, dia));
  inicios.set(nome, inicio);
  return inicio;
}

const SITUACOES = { aberta: 'pendente', paga: 'paga', cancelada: 'cancelada' } as const;

/** How an open invoice is paid: as the file says, else by PIX where its account receives any. */
const tipoDa = ({ fatura, situacao, cobranca }: FaturaLida, { recebedor }: Conta): TipoFatura | null =>
  (cobranca?.boletoFora === true && fatura.tipo === 'boleto' ? undefined : fatura.tipo) ??
  (cobranca?.boleto ? 'boleto' : undefined) ??
  (situacao === 'aberta' && recebedor !== null ? 'pix' : null);

/**
 * The account that an invoice is paid to: another one's money never goes to the default.
 *
 * @throws EntradaInvalida where it was made after this run had read the provider; asked for again, the run knows it.
 */
function contaDe({ contas }: Provedor, { cobradorId }: Dono): Conta {
  if (cobradorId !== null && !contas.some(({ id }) => id === cobradorId)) {
    throw new EntradaInvalida(`cobrador: a conta ${cobradorId} é de depois do começo; peça de novo para continuar`);
  }
  return contaDeQuemEmite(contas, cobradorId);
}

/** An invoice as it is stored. One that is open gets a txid, without which nobody could pay it online, or be known to have. */
export function linhaDaFatura({ lida, dono }: Nova, { provedor, agora, marca }: Gravacao) {
  const { fatura, situacao, codigo } = lida;
  const { fusoHorario } = provedor;
  const hoje = hojeEm(fusoHorario, agora);
  const { vencimento } = fatura;
  const conta = contaDe(provedor, dono);
  const tipo = tipoDa(lida, conta);
  const vencida = situacao === 'aberta' && vencimento < hoje;
  const pago = situacao === 'paga' ? (fatura.valor_pago ?? fatura.valor) : (fatura.valor_pago ?? centavos(0));
  // When nobody says when it was paid: on its due date. One that is open has no such day, whatever was paid of it.
  const pagoEm = situacao === 'paga' ? (fatura.pago_em ?? vencimento) : null;
  const emissao = fatura.emitida_em ?? (vencimento < hoje ? vencimento : null);
  const comTxid = situacao === 'aberta' && conta.recebedor !== null && tipo !== 'carteira';
  return {
    cliente_id: dono.clienteId,
    contrato_id: dono.contratoId,
    descricao: fatura.descricao ?? `Mensalidade ${vencimento.slice(5, 7)}/${vencimento.slice(0, 4)}`,
    situacao: vencida ? 'vencida' : SITUACOES[situacao],
    tipo,
    cobrador_id: idDaConta(conta),
    // What is paid at the desk is paid there, even where the account receives PIX.
    pix_txid: lida.cobranca?.pix?.txid ?? (comTxid ? novoTxid() : null),
    pix_copia_cola: lida.cobranca?.pix?.copiaECola ?? null,
    linha_digitavel: lida.cobranca?.boleto?.linha_digitavel ?? null,
    codigo_barras: lida.cobranca?.boleto?.codigo_barras ?? null,
    nosso_numero: lida.cobranca?.boleto?.nosso_numero ?? null,
    valor: escreverDinheiro(fatura.valor),
    valor_pago: escreverDinheiro(pago),
    vencimento,
    emitida_em: emissao === null ? marca : inicioDe(fusoHorario, emissao),
    pago_em: pagoEm === null ? null : inicioDe(fusoHorario, pagoEm),
    cancelada_em: situacao === 'cancelada' ? marca : null,
    motivo: situacao === 'cancelada' ? 'Cancelada no sistema anterior.' : null,
    token: randomBytes(16).toString('base64url'),
    codigo_externo: codigo,
    atualizado_em: marca,
  };
}
