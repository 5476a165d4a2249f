import { randomBytes } from 'node:crypto';
import { escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../../brazil/dinheiro/dinheiro.ts';
import { ID, columns, rowsOf } from '../../../platform/mysql/columns.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { Write } from '../../escrita.ts';
import type { FaturaRow, TipoFatura } from '../faturas.types.ts';
import { TXID_BYTES, novoTxid } from './txid.regras.ts';

/** An invoice that is about to be. */
export interface NovaFatura extends Partial<
  Pick<FaturaRow, 'linha_digitavel' | 'codigo_barras' | 'nosso_numero'> & {
    codigo_externo: string | null;
    /** Of one that a billing run made: the run, and the month of service (its first day). */
    faturamento_id: number;
    competencia: string;
    carne_id: number;
    parcela: number;
  }
> {
  readonly cliente_id: number;
  readonly contrato_id: number | null;
  readonly descricao: string;
  readonly valor: Centavos;
  readonly vencimento: string;
  readonly tipo: TipoFatura;
  /** The account that it is issued by, and stays with; null where the provider has none. */
  readonly cobrador_id: number | null;
}

interface AlteravelRow extends Pick<
  FaturaRow,
  | 'valor'
  | 'vencimento'
  | 'descricao'
  | 'cobrador_id'
  | 'pix_txid'
  | 'linha_digitavel'
  | 'codigo_barras'
  | 'nosso_numero'
  | 'boleto_situacao'
> {
  codigo_externo: string | null;
}

const ALTERAVEL = columns<AlteravelRow>('faturas', {
  valor: true,
  vencimento: true,
  descricao: true,
  cobrador_id: true,
  pix_txid: true,
  linha_digitavel: true,
  codigo_barras: true,
  nosso_numero: true,
  boleto_situacao: true,
  codigo_externo: true,
});
const DO_CLIENTE = columns<{ id: number; apagado_em: string | null }>('clientes', { id: true, apagado_em: true });

interface ContratoDaFatura {
  cliente_id: number;
  cobrador_id: number | null;
}

const DO_CONTRATO = columns<ContratoDaFatura>('contratos', { cliente_id: true, cobrador_id: true });

interface MembroDeAcordo {
  fatura_id: number;
  renegociacao_id: number;
}

const DO_MEMBRO = columns<MembroDeAcordo>('rf', { fatura_id: true, renegociacao_id: true });
const DA_NOVA = columns<{ id: number; token: string }>('faturas', { id: true, token: true });

const TOKEN_BYTES = 16;
/** What nobody can foresee of an invoice: its token, and its txid where it has one. */
const SORTE_BYTES = TOKEN_BYTES + TXID_BYTES;

/** Not of one whose boleto somebody else made, nor of one that is paid at the counter. */
function temBoletoNosso(
  { tipo, cobrador_id: conta, linha_digitavel: linha }: NovaFatura,
  contas: ReadonlySet<number>,
): boolean {
  return conta !== null && contas.has(conta) && tipo !== 'carteira' && (linha ?? '') === '';
}

export function createEmissaoQueries(w: Write) {
  return {
    /** The client, whom nobody changes until the transaction ends. */
    async travarCliente(id: number): Promise<{ apagado_em: string | null } | undefined> {
      const [row] = await rowsOf(w.from('clientes').where('id', id).forShare(), DO_CLIENTE);
      return row;
    },

    /** Whose a contract is, and by which account it is charged. */
    async contrato(id: number): Promise<ContratoDaFatura | undefined> {
      const [row] = await rowsOf(w.from('contratos').where('id', id).forShare(), DO_CONTRATO);
      return row;
    },

    async comCodigoExterno(codigo_externo: string): Promise<number | undefined> {
      const [row] = await rowsOf(w.from('faturas').where({ codigo_externo }), ID);
      return row?.id;
    },

    /** Those of some invoices that an agreement that was not broken made, or took the place of. */
    async membrosDeAcordos(faturaIds: readonly number[]): Promise<MembroDeAcordo[]> {
      const membros = w
        .from('renegociacoes_faturas as rf')
        .join('renegociacoes', function naRenegociacao() {
          this.on('renegociacoes.provedor_id', 'rf.provedor_id').andOn('renegociacoes.id', 'rf.renegociacao_id');
        })
        .whereIn('rf.fatura_id', faturaIds)
        .whereNull('renegociacoes.quebrada_em')
        .orderBy('rf.id');
      return rowsOf(membros, DO_MEMBRO);
    },

    /** Of an invoice that is locked. */
    async alteravel(id: number): Promise<AlteravelRow | undefined> {
      const [row] = await rowsOf(w.from('faturas').where('id', id), ALTERAVEL);
      return row;
    },

    /**
     * Writes invoices; resolves to their ids, in their order. They are found by their tokens: of several rows the server only says the
     * first one's id.
     *
     * @param comConvenio the accounts whose boletos are ours to register.
     * @param codigoDe makes the PIX code that is stored with an invoice; requests make their own.
     */
    async inserir(
      novas: readonly NovaFatura[],
      agora: Date,
      comConvenio: ReadonlySet<number>,
      codigoDe?: (nova: NovaFatura, txid: string) => string | null,
    ): Promise<number[]> {
      const emitida_em = toDatabaseTime(agora);
      // Of all at once: asked for one by one, they take longer than all else that is worked out here.
      const sorte = randomBytes(novas.length * SORTE_BYTES);
      const linhas = novas.map((nova, n) => {
        const daFatura = sorte.subarray(n * SORTE_BYTES, (n + 1) * SORTE_BYTES);
        // A slip of a booklet can be paid by PIX where its account receives any.
        const pix_txid = nova.tipo === 'pix' || nova.tipo === 'carne' ? novoTxid(daFatura.subarray(TOKEN_BYTES)) : null;
        const codigo =
          codigoDe === undefined ? {} : { pix_copia_cola: pix_txid === null ? null : codigoDe(nova, pix_txid) };
        return {
          ...nova,
          valor: escreverDinheiro(nova.valor),
          situacao: 'pendente',
          emitida_em,
          // What guards the pages that whoever has the link can open.
          token: daFatura.toString('base64url', 0, TOKEN_BYTES),
          pix_txid,
          boleto_situacao: temBoletoNosso(nova, comConvenio) ? 'a_registrar' : null,
          ...codigo,
        };
      });
      const primeira = await w.insert('faturas', linhas);
      if (linhas.length === 1) return [primeira];
      const tokens = linhas.map(({ token }) => token);
      const gravadas = await rowsOf(w.from('faturas').whereIn('token', tokens), DA_NOVA);
      const porToken = new Map(gravadas.map(({ id, token }) => [token, id]));
      return tokens.flatMap((token) => porToken.get(token) ?? []);
    },

    async alterar(id: number, mudancas: object): Promise<void> {
      await w.update('faturas', (q) => void q.where('id', id), mudancas);
    },
  };
}
