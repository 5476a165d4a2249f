import type { Data } from '../../../brazil/calendario/datas.ts';
import type { Convenio, Ocorrencia } from '../../../brazil/cnab/convenio.types.ts';
import { digitoDoNossoNumero } from '../../../brazil/cnab/nosso-numero.ts';
import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { jsonColumn } from '../../../platform/mysql/database.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import type { BoletoSituacao, Motivo, SituacaoDoTitulo } from '../boletos.types.ts';
import type { ResultadoDaLinha } from './retornos.types.ts';
import { codigosDoTitulo, pixDoTitulo } from './titulo.regras.ts';
import type { RecebedorDoPix } from './titulo.regras.ts';
import type { InstrucaoRow, TituloRow } from './titulos.queries.ts';

/** A title while the lines of a part are gone through, in their order. */
export interface TituloEmMaos {
  readonly row: TituloRow;
  situacao: SituacaoDoTitulo;
  numero: string | null;
  dv: string | null;
  valor: Centavos;
  vencimento: Data;
  barras: string | null;
  linha: string | null;
  pix: { readonly txid: string; readonly codigo: string } | null;
  pagoPorPix: string | null;
  motivos: readonly Motivo[];
  registrou: boolean;
  /** The bank has registered it with other terms than were sent. */
  divergiu: boolean;
  encerrou: boolean;
  mudou: boolean;
  /** What its invoice says of it, where that is otherwise now. */
  daFatura: BoletoSituacao | undefined;
  /** Its invoice has another title that the bank has, or may have, so that this one cannot come alive again. */
  readonly temOutro: boolean;
  readonly instrucao: InstrucaoRow | undefined;
  respondida: 'confirmada' | 'recusada' | 'desfeita' | undefined;
}

/** A line with what it did. */
export interface LinhaFeita {
  readonly ocorrencia: Ocorrencia;
  readonly titulo: TituloEmMaos | undefined;
  resultado: ResultadoDaLinha;
}

/** What of a bank's file is done in one transaction. */
export interface Parte {
  readonly provedor: Provedor;
  readonly convenioId: number;
  readonly cobradorId: number;
  readonly convenio: Convenio;
  /** Whom the money of the agreement's account goes to. */
  readonly recebedor: RecebedorDoPix;
  readonly retornoId: number;
  readonly ocorrencias: readonly Ocorrencia[];
  readonly agora: Date;
  /** Of a line that does not say it. */
  readonly dia: Data;
}

export const emMaos = (row: TituloRow, instrucao: InstrucaoRow | undefined, temOutro: boolean): TituloEmMaos => ({
  row,
  temOutro,
  situacao: row.situacao,
  numero: row.numero,
  dv: row.dv,
  valor: lerDinheiro(row.valor),
  vencimento: row.vencimento as Data,
  barras: row.barras,
  linha: row.linha,
  pix: null,
  pagoPorPix: row.pago_por_pix,
  motivos: [],
  registrou: false,
  divergiu: false,
  encerrou: false,
  mudou: false,
  daFatura: undefined,
  instrucao,
  respondida: undefined,
});

const vivo = ({ situacao }: TituloEmMaos): boolean => situacao === 'enviado' || situacao === 'registrado';

/** Whether its bank had it, as far as we knew, before these lines. */
export const eraVivo = ({ row }: TituloEmMaos): boolean => row.situacao === 'enviado' || row.situacao === 'registrado';

/** Writes line and bars of a title that the bank has. */
function escreverCodigos(titulo: TituloEmMaos, convenio: Convenio): void {
  const { numero, valor, vencimento } = titulo;
  if (numero === null) return;
  Object.assign(titulo, codigosDoTitulo(convenio, { numero, valor, vencimento }));
}

/** Why a title is not shown to anybody: its bank has registered it with other terms than were sent. */
const DIVERGENTE: Motivo = { codigo: 'divergente', texto: 'o banco o registrou com outro valor ou vencimento' };

const divergira = ({ motivos }: TituloRow): boolean =>
  jsonColumn<readonly Motivo[]>(motivos ?? []).some(({ codigo }) => codigo === DIVERGENTE.codigo);

/**
 * The bank has it. Where it says another amount or due date than was sent, that is what it has: the boleto contradicts its invoice, so that
 * it is not given out, and the next file asks for what the invoice says.
 */
function registrar(titulo: TituloEmMaos, { convenio, recebedor }: Parte, ocorrencia: Ocorrencia): ResultadoDaLinha {
  // A file that was sent twice is taken the first time and refused the second, and the answers may come in either order.
  const recusadoAntes = titulo.situacao === 'rejeitado' && !titulo.temOutro;
  if (titulo.situacao !== 'enviado' && !recusadoAntes) return 'sem_efeito';
  if (titulo.numero === null) {
    if (ocorrencia.nossoNumero === '') return 'sem_efeito';
    titulo.numero = ocorrencia.nossoNumero;
    titulo.dv = digitoDoNossoNumero(convenio, ocorrencia.nossoNumero) || null;
  }
  titulo.situacao = 'registrado';
  titulo.encerrou = false;
  titulo.motivos = [];
  titulo.registrou = true;
  titulo.mudou = true;
  titulo.daFatura = 'registrado';
  const [valor, vencimento] = [ocorrencia.valorTitulo || titulo.valor, ocorrencia.vencimento ?? titulo.vencimento];
  titulo.divergiu = valor !== titulo.valor || vencimento !== titulo.vencimento;
  Object.assign(titulo, { valor, vencimento });
  if (titulo.divergiu) titulo.motivos = [DIVERGENTE];
  // Whoever paid by a code of another amount or day would pay that.
  titulo.pix = titulo.divergiu ? null : pixDoTitulo(ocorrencia, recebedor);
  escreverCodigos(titulo, convenio);
  return 'registrado';
}

function rejeitar(titulo: TituloEmMaos, { motivos }: Ocorrencia): ResultadoDaLinha {
  if (titulo.situacao !== 'enviado') return 'sem_efeito';
  titulo.situacao = 'rejeitado';
  titulo.encerrou = true;
  titulo.mudou = true;
  titulo.motivos = motivos;
  titulo.daFatura = 'rejeitado';
  return 'rejeitado';
}

function baixar(titulo: TituloEmMaos, { motivos }: Ocorrencia): ResultadoDaLinha {
  if (!vivo(titulo)) return 'sem_efeito';
  titulo.situacao = 'baixado';
  titulo.encerrou = true;
  titulo.mudou = true;
  titulo.motivos = motivos;
  if (titulo.instrucao?.movimento === 'baixa') titulo.respondida = 'confirmada';
  const { row } = titulo;
  // It was asked for because the bank had another amount than is owed: the invoice gets a title of its own amount. Where the bank had
  // registered another than was sent, it would do so again, and people decide.
  const outroValor =
    titulo.respondida === 'confirmada' &&
    !divergira(row) &&
    row.grupo === 'aberta' &&
    lerDinheiro(row.valor_pago) === 0 &&
    lerDinheiro(row.abatido) === 0 &&
    lerDinheiro(row.fatura_valor) !== titulo.valor;
  titulo.daFatura = outroValor ? 'a_registrar' : 'baixado';
  return 'baixado';
}

/** The bank has another due date from now on: the one that was asked for, which its line may not repeat. */
function mudarVencimento(titulo: TituloEmMaos, convenio: Convenio, ocorrencia: Ocorrencia): ResultadoDaLinha {
  if (titulo.situacao !== 'registrado') return 'sem_efeito';
  const { instrucao } = titulo;
  titulo.vencimento = ocorrencia.vencimento ?? (instrucao?.vencimento as Data | null | undefined) ?? titulo.vencimento;
  return confirmar(titulo, convenio, 'vencimento');
}

/** The bank has the amount that was asked for. Where none was, the line is of other data, and says nothing that counts. */
function mudarValor(titulo: TituloEmMaos, convenio: Convenio): ResultadoDaLinha {
  const pedido = titulo.instrucao?.movimento === 'valor' ? titulo.instrucao.valor : null;
  if (titulo.situacao !== 'registrado' || pedido === null) return 'sem_efeito';
  titulo.valor = lerDinheiro(pedido);
  return confirmar(titulo, convenio, 'valor');
}

function confirmar(titulo: TituloEmMaos, convenio: Convenio, oQue: InstrucaoRow['movimento']): ResultadoDaLinha {
  titulo.mudou = true;
  titulo.daFatura = 'registrado';
  if (titulo.instrucao?.movimento === oQue) titulo.respondida = 'confirmada';
  escreverCodigos(titulo, convenio);
  return 'confirmada';
}

function recusarInstrucao(titulo: TituloEmMaos, { motivos }: Ocorrencia): ResultadoDaLinha {
  if (titulo.instrucao === undefined || titulo.respondida !== undefined) return 'sem_efeito';
  titulo.respondida = 'recusada';
  titulo.motivos = motivos;
  titulo.mudou = true;
  return 'recusada';
}

/** Of a payment: the title is done, whatever it was before, also one that had been refused or written off. */
export function liquidar(titulo: TituloEmMaos): void {
  if (titulo.situacao === 'liquidado') return;
  // The bank has it, though it did not say so before.
  if (titulo.situacao === 'enviado') titulo.daFatura = 'registrado';
  titulo.situacao = 'liquidado';
  titulo.encerrou = true;
  titulo.mudou = true;
  if (titulo.instrucao !== undefined) titulo.respondida = 'recusada';
}

/** Of a payment that is taken back: the title is the bank's to collect again, unless its invoice has another by now. */
export function reabrir(titulo: TituloEmMaos, convenio: Convenio): void {
  if (titulo.situacao !== 'liquidado') return;
  const { temOutro } = titulo;
  titulo.situacao = temOutro ? 'baixado' : 'registrado';
  titulo.mudou = true;
  titulo.registrou = false;
  if (temOutro) return;
  if (titulo.respondida !== undefined) titulo.respondida = 'desfeita';
  // A title that was paid in part was no longer offered, and its invoice has to say again that the bank has it: else it could be sent twice.
  titulo.daFatura = 'registrado';
  if (titulo.linha === null) escreverCodigos(titulo, convenio);
}

/** What a line that is no money does to its title. */
export function aplicarLinha(titulo: TituloEmMaos, parte: Parte, ocorrencia: Ocorrencia): ResultadoDaLinha {
  switch (ocorrencia.classe) {
    case 'registrado':
      return registrar(titulo, parte, ocorrencia);
    case 'rejeitado':
      return rejeitar(titulo, ocorrencia);
    case 'baixado':
      return baixar(titulo, ocorrencia);
    case 'vencimento':
      return mudarVencimento(titulo, parte.convenio, ocorrencia);
    case 'valor':
      return mudarValor(titulo, parte.convenio);
    case 'recusada':
      return recusarInstrucao(titulo, ocorrencia);
    case 'liquidado':
    case 'desfeito':
    case 'tarifa':
    case 'ilegivel':
    case 'outra':
      break;
  }
  return 'sem_efeito';
}
