import { hojeEm } from '../../brazil/calendario/datas.ts';
import type { Data } from '../../brazil/calendario/datas.ts';
import { centavos, escreverDinheiro, lerDinheiro, somarDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import type { Centavos } from '../../brazil/dinheiro/dinheiro.ts';
import { toDatabaseTime } from '../../platform/mysql/database.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { Relogio } from '../../platform/timing/relogio.ts';
import { lerCampos } from '../campos/campos.ts';
import { contaDeQuemEmite, idDaConta } from '../cobradores/cobradores.types.ts';
import { faltaEm, recusarSeNao } from '../erros.ts';
import type { Write } from '../escrita.ts';
import { createLivroDeAjustes } from '../faturas/ajustes/livro.service.ts';
import { apurarDivida, estaAberta } from '../faturas/apuracao.regras.ts';
import { listarPagamentos } from '../faturas/apuracao.service.ts';
import { contasQueRegistram } from '../faturas/emissao/contas.service.ts';
import {
  cobradorDoContrato,
  emitirFaturas,
  exigirVencimento,
  recusarDeAcordos,
  tipoDaFatura,
  travarDevedor,
} from '../faturas/emissao/emissao.service.ts';
import type { Provedor } from '../provedores/provedores.types.ts';
import { liberarEmDia, travarBloqueadosDe } from '../recebimentos/quitacao.service.ts';
import type { FaturaTravadaRow } from '../recebimentos/recebimentos.types.ts';
import { FATURAS_TAG, tagsDaFatura } from '../tags.ts';
import { parcelar } from './parcelas.regras.ts';
import { CAMPOS_DA_RENEGOCIACAO } from './renegociacoes.campos.ts';
import { createRenegociacoesQueries } from './renegociacoes.queries.ts';
import type { Parcela } from './renegociacoes.types.ts';

export type RenegociacoesService = ReturnType<typeof createRenegociacoesService>;

export interface RenegociacoesDeps {
  readonly w: Write;
  readonly provedor: Provedor;
  readonly relogio: Relogio;
}

export interface RenegociacaoFeita {
  readonly id: number;
  readonly devido: Centavos;
  readonly desconto: Centavos;
  readonly origens: readonly number[];
  readonly parcelas: readonly (Parcela & { readonly faturaId: number })[];
}

/** A debt that an agreement takes over. */
interface Debito {
  readonly fatura: FaturaTravadaRow;
  readonly devido: Centavos;
}

/** What a column of money holds, in centavos. */
const MAXIMO = 999_999_999_999;

/** Agreements about overdue invoices; see docs/adr/0027. Locks: the client, its contracts, its invoices by id. */
export function createRenegociacoesService({ w, provedor, relogio }: RenegociacoesDeps) {
  const queries = createRenegociacoesQueries(w);

  /** What each of the client's overdue invoices owes today, the invoices locked. */
  async function debitosDe(clienteId: number, ids: readonly number[] | undefined, hoje: Data): Promise<Debito[]> {
    const faturas = await queries.travarFaturas(ids === undefined ? { clienteId, hoje } : { ids });
    for (const [n, id] of (ids ?? []).entries()) {
      const detalhe = { campo: `faturas.${n}`, registroId: id };
      const fatura = faturas.find((uma) => uma.id === id);
      recusarSeNao(fatura?.cliente_id === clienteId, 'nao_encontrado', detalhe);
      recusarSeNao(estaAberta(fatura), 'fatura_nao_aberta', detalhe);
      recusarSeNao(fatura.vencimento < hoje, 'fatura_nao_vencida', detalhe);
    }
    if (faturas.length === 0) faltaEm('faturas', 'o cliente não tem fatura vencida');
    const todas = faturas.map(({ id }) => id);
    await recusarDeAcordos(w, todas);
    const porFatura = groupBy(await listarPagamentos(w.tenant, todas), ({ fatura_id }) => fatura_id);
    return faturas.map((fatura) => {
      const { total } = apurarDivida(fatura, porFatura.get(fatura.id) ?? [], provedor, hoje);
      return { fatura, devido: total };
    });
  }

  /** The invoices end, each with what it owed taken over: what was paid of it stays what it was. */
  async function passarAoAcordo(id: number, debitos: readonly Debito[], agora: Date): Promise<void> {
    const comDivida = debitos.filter(({ devido }) => devido > 0);
    const ajustes = comDivida.map(({ fatura, devido: valor }) => ({
      fatura_id: fatura.id,
      tipo: 'renegociacao' as const,
      valor,
      dado_em: toDatabaseTime(agora),
      motivo: null,
      origem_fatura_id: null,
      renegociacao_id: id,
    }));
    if (ajustes.length > 0) await createLivroDeAjustes(w).inserir(ajustes, agora);
    const abatidas = debitos.map(({ fatura, devido }) => ({
      id: fatura.id,
      abatido: somarDinheiro(lerDinheiro(fatura.abatido), devido),
    }));
    await queries.cancelarPeloAcordo(abatidas, id, agora);
    for (const { fatura } of debitos) {
      const { id: faturaId, cliente_id: cliente } = fatura;
      w.emit('fatura.cancelada', faturaId, { cliente, motivo_codigo: 'renegociacao', renegociacao: id });
      w.touch(FATURAS_TAG, ...tagsDaFatura(faturaId, cliente));
    }
  }

  return {
    /**
     * Makes of overdue invoices, paid in part or not, new ones: instalments of what they owe today with charges, less a discount. The old
     * ones are cancelled and say so. Unless told otherwise, contracts of the client that billing had blocked and that owe nothing late any
     * more are released.
     *
     * @param dados by {@link CAMPOS_DA_RENEGOCIACAO}.
     * @throws CamposInvalidos; Recusa `nao_encontrado`, `cliente_apagado`, `fatura_nao_aberta`, `fatura_nao_vencida`,
     * `fatura_de_renegociacao` or `sem_recebedor_pix`.
     */
    async criar(dados: unknown): Promise<RenegociacaoFeita> {
      const agora = relogio.agora();
      const hoje = hojeEm(provedor.fusoHorario, agora);
      const pedido = lerCampos(CAMPOS_DA_RENEGOCIACAO, dados);
      const { cliente_id, parcelas: quantas, primeiro_vencimento: primeiroVencimento, motivo = null } = pedido;
      const { entrada = centavos(0), desconto = centavos(0), liberar = true } = pedido;
      exigirVencimento('primeiro_vencimento', primeiroVencimento, hoje);
      await travarDevedor(w, cliente_id);
      const bloqueados = await travarBloqueadosDe(w, cliente_id);
      const debitos = await debitosDe(cliente_id, pedido.faturas, hoje);

      // The contract of all of them, if they have one.
      const contratos = [...new Set(debitos.map(({ fatura }) => fatura.contrato_id))];
      const contrato_id = contratos.length === 1 ? (contratos[0] ?? null) : null;
      const conta = contaDeQuemEmite(provedor.contas, await cobradorDoContrato(w, contrato_id));
      const tipo = tipoDaFatura(pedido.tipo, conta, (await contasQueRegistram(w)).has(conta.id));

      const devido = somarDinheiro(...debitos.map((debito) => debito.devido));
      if (devido > MAXIMO) faltaEm('faturas', 'somam mais do que um acordo pode ter');
      if (desconto >= devido) faltaEm('desconto', `deve ser menor que o devido, ${escreverDinheiro(devido)}`);
      const total = centavos(devido - desconto);
      if (total - entrada < quantas)
        faltaEm(entrada > 0 ? 'entrada' : 'parcelas', 'não deixa um centavo a cada parcela');
      const parcelas = parcelar({ total, parcelas: quantas, entrada, primeiroVencimento, hoje });

      const id = await queries.inserir({ cliente_id, motivo, devido, desconto }, agora);
      const novas = parcelas.map(({ numero, vencimento, valor }) => ({
        cliente_id,
        contrato_id,
        descricao: numero === 0 ? `Renegociação ${id}: entrada` : `Renegociação ${id}: parcela ${numero} de ${quantas}`,
        valor,
        vencimento,
        tipo,
        cobrador_id: idDaConta(conta),
      }));
      const ids = await emitirFaturas(w, novas, { agora, renegociacao: id });
      await queries.inserirMembros([
        ...debitos.map(({ fatura }) => ({
          renegociacao_id: id,
          fatura_id: fatura.id,
          papel: 'origem' as const,
          numero: null,
        })),
        ...parcelas.map(({ numero }, n) => ({
          renegociacao_id: id,
          fatura_id: ids[n] ?? 0,
          papel: 'parcela' as const,
          numero,
        })),
      ]);
      await passarAoAcordo(id, debitos, agora);
      const valores = { devido: escreverDinheiro(devido), desconto: escreverDinheiro(desconto) };
      w.emit('renegociacao.criada', id, {
        cliente: cliente_id,
        faturas: debitos.length,
        parcelas: parcelas.length,
        ...valores,
      });
      const origens = debitos.map(({ fatura }) => fatura.id);
      if (liberar) {
        const descricao = `Liberado pela renegociação ${id}.`;
        await liberarEmDia(w, provedor, bloqueados, { fatura: origens[0] ?? 0, descricao, agora });
      }
      return {
        id,
        devido,
        desconto,
        origens,
        parcelas: parcelas.map((parcela, n) => ({ ...parcela, faturaId: ids[n] ?? 0 })),
      };
    },
  };
}
