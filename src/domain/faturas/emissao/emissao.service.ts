import type { DaVersao } from '../../campos/versao.ts';
import { hojeEm, somarDias } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { escreverDinheiro, lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { txidEstaticoValido } from '../../../brazil/pix/pix.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { lerAlteracao, lerCampos } from '../../campos/campos.ts';
import { Recusa, faltaEm, recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import type { DadosDosEventos } from '../../eventos/catalogo.types.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { creditarNova } from '../../recebimentos/creditos/creditos.service.ts';
import { conferirFatura, julgarDeNovo, liberar, travarPorId, valoresDe } from '../../recebimentos/quitacao.service.ts';
import { contaDaFatura, contaDeQuemEmite, idDaConta } from '../../cobradores/cobradores.types.ts';
import type { Conta } from '../../cobradores/cobradores.types.ts';
import { FATURAS_TAG, tagsDaFatura } from '../../tags.ts';
import { estaAberta } from '../apuracao.regras.ts';
import { cancelarFaturas } from '../cancelamento/cancelamento.service.ts';
import type { TipoFatura } from '../faturas.types.ts';
import { CAMPOS_DA_ALTERACAO, CAMPOS_DA_FATURA, CAMPOS_DO_CANCELAMENTO } from './emissao.campos.ts';
import { contasQueRegistram } from './contas.service.ts';
import { createEmissaoQueries } from './emissao.queries.ts';
import type { NovaFatura } from './emissao.queries.ts';
import { lerLinha } from './linha.regras.ts';

export type { NovaFatura };
export type EmissaoService = ReturnType<typeof createEmissaoService>;

export interface EmissaoDeps {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}

/** Whoever gives a longer time to pay has typed another year. */
const DIAS_A_FRENTE = 5 * 366;

/** @throws CamposInvalidos unless an invoice may be due on a day: from today on. */
export function exigirVencimento(campo: string, vencimento: Data, hoje: Data): void {
  if (vencimento < hoje) faltaEm(campo, 'não pode ser antes de hoje');
  if (vencimento > somarDias(hoje, DIAS_A_FRENTE)) faltaEm(campo, 'é daqui a mais de cinco anos');
}

/**
 * Writes new invoices of a client who is locked, with their events; resolves to their ids, in their order.
 *
 * @param renegociacao the agreement whose instalments they are.
 * @param codigoDe makes the PIX code that is stored with each.
 * @param comConvenio the accounts whose boletos are ours to register, of who has read them already; see `contasQueRegistram`.
 */
export async function emitirFaturas(
  w: Write,
  novas: readonly NovaFatura[],
  {
    agora,
    renegociacao,
    codigoDe,
    comConvenio,
  }: {
    readonly agora: Date;
    readonly renegociacao: number | null;
    readonly codigoDe?: (nova: NovaFatura, txid: string) => string | null;
    readonly comConvenio?: ReadonlySet<number>;
  },
): Promise<number[]> {
  const registram = comConvenio ?? (await contasQueRegistram(w));
  const ids = await createEmissaoQueries(w).inserir(novas, agora, registram, codigoDe);
  for (const [n, { cliente_id: cliente, contrato_id: contrato, valor, carne_id: carne }] of novas.entries()) {
    const id = ids[n];
    if (id === undefined) throw new Error('uma fatura sumiu ao ser gravada');
    const doAcordo = renegociacao === null ? {} : { renegociacao };
    const deVarias = renegociacao === null && carne === undefined ? {} : { parcela: n + 1, parcelas: novas.length };
    w.emit('fatura.criada', id, { cliente, contrato, valor: escreverDinheiro(valor), ...doAcordo, ...deVarias });
    w.touch(...tagsDaFatura(id, cliente));
  }
  w.touch(FATURAS_TAG);
  return ids;
}

/** The client whom invoices are made for, locked: one who is cancelled may still owe something; one whose data was erased can't be charged. */
export async function travarDevedor(w: Write, clienteId: number): Promise<void> {
  const cliente = await createEmissaoQueries(w).travarCliente(clienteId);
  recusarSeNao(cliente, 'nao_encontrado', { campo: 'cliente_id' });
  recusarSeNao(cliente.apagado_em === null, 'cliente_apagado', { campo: 'cliente_id' });
}

/** The account that a contract says that it is charged by. */
export async function cobradorDoContrato(w: Write, contratoId: number | null): Promise<number | null> {
  if (contratoId === null) return null;
  return (await createEmissaoQueries(w).contrato(contratoId))?.cobrador_id ?? null;
}

/**
 * @throws Recusa where some of the invoices are of an agreement that was not broken: its instalments, and those that it took the place of
 * and that are owed again in part
 */
export async function recusarDeAcordos(w: Write, faturaIds: readonly number[]): Promise<void> {
  const [membro] = await createEmissaoQueries(w).membrosDeAcordos(faturaIds);
  if (membro !== undefined) throw new Recusa('fatura_de_renegociacao', { registroId: membro.renegociacao_id });
}

/**
 * How an invoice is paid: as asked for, else by PIX where its account receives any, else by a boleto where we register it.
 *
 * @param registra whether boletos of the account are ours to register; see `contasQueRegistram`.
 * @throws Recusa `sem_recebedor_pix`
 */
export function tipoDaFatura(pedido: TipoFatura | undefined, { recebedor }: Conta, registra = false): TipoFatura {
  const tipo = pedido ?? (recebedor !== null ? 'pix' : registra ? 'boleto' : 'carteira');
  recusarSeNao(tipo !== 'pix' || recebedor !== null, 'sem_recebedor_pix', { campo: 'tipo' });
  return tipo;
}

/** One-off invoices, and what people change of open ones. */
export function createEmissaoService({ w, provedor, relogio }: EmissaoDeps) {
  const queries = createEmissaoQueries(w);
  const hojeDoProvedor = (agora: Date): Data => hojeEm(provedor.fusoHorario, agora);

  async function exigirCodigoLivre(codigo: string | null, id: number | null): Promise<void> {
    const outra = codigo === null ? undefined : await queries.comCodigoExterno(codigo);
    if (outra === undefined || outra === id) return;
    throw new Recusa('codigo_externo_em_uso', { campo: 'codigo_externo', registroId: outra });
  }

  return {
    /**
     * Makes an invoice; resolves to its id.
     *
     * @param dados by {@link CAMPOS_DA_FATURA}.
     * @throws CamposInvalidos, also of a line that is not this invoice's; Recusa `nao_encontrado` (the client), `cliente_apagado`,
     * `contrato_invalido`, `sem_recebedor_pix` or `codigo_externo_em_uso`.
     */
    async criar(dados: unknown): Promise<number> {
      const agora = relogio.agora();
      const {
        cliente_id,
        contrato_id = null,
        descricao,
        valor,
        vencimento,
        tipo: pedido,
        linha_digitavel: linha = null,
        nosso_numero: nossoNumero = null,
        codigo_externo = null,
      } = lerCampos(CAMPOS_DA_FATURA, dados);
      exigirVencimento('vencimento', vencimento, hojeDoProvedor(agora));
      await travarDevedor(w, cliente_id);
      const contrato = contrato_id === null ? undefined : await queries.contrato(contrato_id);
      recusarSeNao(contrato_id === null || contrato?.cliente_id === cliente_id, 'contrato_invalido', {
        campo: 'contrato_id',
      });
      const conta = contaDeQuemEmite(provedor.contas, contrato?.cobrador_id ?? null);
      const registra = linha === null && (await contasQueRegistram(w)).has(conta.id);
      const tipo = tipoDaFatura(pedido, conta, registra);
      if (tipo !== 'boleto' && linha !== null) faltaEm('linha_digitavel', 'só de uma fatura de tipo boleto');
      if (tipo !== 'boleto' && nossoNumero !== null) faltaEm('nosso_numero', 'só de uma fatura de tipo boleto');
      if (tipo === 'boleto' && linha === null && !registra)
        faltaEm('linha_digitavel', 'é obrigatória de uma fatura de tipo boleto');
      const boleto = linha === null ? {} : lerLinha({ linha, nossoNumero }, { valor, vencimento }, conta.boleto);

      await exigirCodigoLivre(codigo_externo, null);
      const nova: NovaFatura = {
        cliente_id,
        contrato_id,
        descricao,
        valor,
        vencimento,
        tipo,
        cobrador_id: idDaConta(conta),
        codigo_externo,
        ...boleto,
      };
      const [id] = await emitirFaturas(w, [nova], { agora, renegociacao: null });
      if (id === undefined) throw new Error('a fatura não foi gravada');
      await creditarNova(w, provedor, cliente_id, agora);
      return id;
    },

    /**
     * Changes an open invoice. What a bank made for the due date of before (a boleto's line) is withdrawn wherever it is given out, until
     * another line comes; a bank's own PIX charge, whose code does not say by when it is due, is no longer offered. With another due date
     * what was paid may be enough: then it is settled, and contracts that owe nothing late any more are released.
     *
     * @param dados some of {@link CAMPOS_DA_ALTERACAO}.
     * @throws CamposInvalidos; Recusa `nao_encontrado`, `fatura_nao_aberta` or `codigo_externo_em_uso`.
     */
    async alterar(id: number, dados: unknown, { versao }: DaVersao = {}): Promise<void> {
      const pedido = lerAlteracao(CAMPOS_DA_ALTERACAO, dados);
      const agora = relogio.agora();
      const hoje = hojeDoProvedor(agora);
      if (pedido.vencimento !== undefined) exigirVencimento('vencimento', pedido.vencimento, hoje);
      const travada = await travarPorId(w, id);
      conferirFatura(versao, travada);
      const { fatura } = travada;
      recusarSeNao(estaAberta(fatura), 'fatura_nao_aberta');
      const antes = await queries.alteravel(id);
      if (antes === undefined) throw new Error(`a fatura ${id} sumiu`);
      await exigirCodigoLivre(pedido.codigo_externo ?? null, id);
      const escreveLinha = (pedido.linha_digitavel ?? null) !== null || (pedido.nosso_numero ?? null) !== null;
      recusarSeNao(antes.boleto_situacao === null || !escreveLinha, 'boleto_do_banco', { campo: 'linha_digitavel' });

      const { linha_digitavel: linha, nosso_numero: nossoNumero = antes.nosso_numero } = pedido;
      const vencimento = pedido.vencimento ?? (antes.vencimento as Data);
      const aConferir =
        linha === undefined ? ((pedido.nosso_numero ?? null) === null ? null : antes.linha_digitavel) : linha;
      const doBoleto =
        aConferir === null
          ? linha === null
            ? { linha_digitavel: null, codigo_barras: null }
            : {}
          : lerLinha(
              { linha: aConferir, nossoNumero },
              { valor: lerDinheiro(antes.valor), vencimento },
              contaDaFatura(provedor.contas, antes.cobrador_id).boleto,
            );
      const novos = { ...definidos(pedido), ...doBoleto };
      const campos = CAMPOS.filter((campo) => campo in novos && novos[campo as keyof typeof novos] !== antes[campo]);
      if (campos.length === 0) return;

      const venceNoutroDia = campos.includes('vencimento');
      const doBanco = antes.pix_txid !== null && !txidEstaticoValido(antes.pix_txid);
      await queries.alterar(id, {
        ...novos,
        ...(venceNoutroDia ? { situacao: 'pendente', valor_atualizado: null, apurada_em: null } : {}),
        ...(venceNoutroDia && doBanco ? { pix_copia_cola: null } : {}),
      });
      w.touch(FATURAS_TAG, ...tagsDaFatura(id, fatura.cliente_id));
      const { cliente_id: cliente } = fatura;
      w.emit('fatura.alterada', id, { cliente, campos });
      if (!venceNoutroDia) return;
      const mudada = { ...travada, fatura: { ...fatura, vencimento, situacao: 'pendente' as const } };
      const juizo = await julgarDeNovo(w, provedor, mudada, agora);
      if (juizo.situacao === 'paga') w.emit('fatura.paga', id, { cliente, ...valoresDe(juizo) });
      await liberar(w, provedor, mudada, agora, 'pelo novo vencimento');
    },

    /**
     * Cancels an open invoice of which nothing was paid. Contracts that billing had blocked and that owe nothing late any more are released:
     * what ends a block is that nothing late is owed, whatever the way. What an agreement that was broken had been paid counts as paid.
     *
     * @param dados by {@link CAMPOS_DO_CANCELAMENTO}.
     * @throws CamposInvalidos; Recusa `nao_encontrado`, `fatura_nao_aberta`, `fatura_com_pagamento` or `fatura_de_renegociacao`.
     */
    async cancelar(id: number, dados: unknown, { versao }: DaVersao = {}): Promise<void> {
      const { motivo, motivo_codigo: motivoCodigo = 'outro' } = lerCampos(CAMPOS_DO_CANCELAMENTO, dados);
      const agora = relogio.agora();
      const travada = await travarPorId(w, id);
      conferirFatura(versao, travada);
      const { fatura } = travada;
      recusarSeNao(estaAberta(fatura), 'fatura_nao_aberta');
      const deUmAcordo = travada.antes.some(({ meio }) => meio === 'renegociacao');
      recusarSeNao(lerDinheiro(fatura.valor_pago) === 0 && !deUmAcordo, 'fatura_com_pagamento');
      await recusarDeAcordos(w, [id]);
      await cancelarFaturas(w, [fatura], { motivo, motivoCodigo, agora });
      await liberar(w, provedor, travada, agora, 'pelo cancelamento');
    },
  };
}

const CAMPOS = [
  'vencimento',
  'descricao',
  'linha_digitavel',
  'nosso_numero',
  'codigo_externo',
] as const satisfies readonly DadosDosEventos['fatura.alterada']['campos'][number][];

/** What was said, and not what is missing. */
function definidos<T extends object>(dados: T): Partial<T> {
  return Object.fromEntries(Object.entries(dados).filter(([, valor]) => valor !== undefined)) as Partial<T>;
}
