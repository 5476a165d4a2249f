import { escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { escreverReais } from '../../../brazil/dinheiro/escrita.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { Relogio } from '../../../platform/timing/relogio.ts';
import { exigido, lerCampos } from '../../campos/campos.ts';
import { dinheiro, escolha } from '../../campos/leitores.ts';
import { travarContratos } from '../../contratos/movimentos/travas.service.ts';
import { faltaEm, recusarSeNao } from '../../erros.ts';
import type { Write } from '../../escrita.ts';
import { contratoTag } from '../../tags.ts';
import { esperarAVez } from '../configuracao/configuracao.queries.ts';
import { presosEntre } from '../execucao/contratos.queries.ts';
import { COMO_SE_ACERTA } from '../faturamento.types.ts';
import type { ComoSeAcerta, ItemDaCobranca } from '../faturamento.types.ts';
import { creditoDoContrato, creditosDesde } from './creditos.queries.ts';
import type { CreditoDeContrato, CreditosDeContratos } from './creditos.queries.ts';

const DITO: Readonly<Record<ComoSeAcerta, string>> = {
  devolvido: 'devolvido ao cliente',
  descontado: 'descontado do que o cliente devia',
};

const CAMPOS_DO_ACERTO = { como: exigido(escolha(COMO_SE_ACERTA)), valor: exigido(dinheiro()) };

/** Of contracts that were cancelled so long ago, credits are listed. */
const LISTADOS_MS = 366 * 86_400_000;

export type LeituraDeCreditosService = ReturnType<typeof createLeituraDeCreditosService>;

export function createLeituraDeCreditosService({
  tenant,
  relogio,
}: {
  readonly tenant: TenantDb;
  readonly relogio: Relogio;
}) {
  return {
    /** What contracts that were cancelled in the last twelve months have left to their clients, page by page. */
    async listar({ antesDe }: { readonly antesDe?: number | undefined } = {}): Promise<CreditosDeContratos> {
      return creditosDesde(tenant, { desde: new Date(relogio.agora().getTime() - LISTADOS_MS), antesDe });
    },

    /** What one has left, however long ago; null where it has left nothing, or goes on. */
    doContrato: async (contratoId: number): Promise<CreditoDeContrato | null> => creditoDoContrato(tenant, contratoId),
  };
}

export function createCreditosDeContratos({ w, relogio }: { readonly w: Write; readonly relogio: Relogio }) {
  return {
    /**
     * Notes that what a contract that is over had left to its client was returned, or taken off something else that he owed, outside of
     * billing: should the contract come back, its next charge takes it off no more. No money is moved by it. Whoever notes it says how much it
     * was, because a charge that was made meanwhile may have left more, which nobody has returned.
     *
     * @throws CamposInvalidos, also where the credit is of another amount; Recusa `nao_encontrado`, `transicao_invalida` where there is no
     * such credit, or its run is being taken back
     */
    async acertar(contratoId: number, dados: unknown): Promise<void> {
      const { como, valor: dito } = lerCampos(CAMPOS_DO_ACERTO, dados);
      await esperarAVez(w.tenant);
      const [contrato] = (await travarContratos(w, [contratoId])).contratos;
      recusarSeNao(contrato, 'nao_encontrado');
      const credito = await creditoDoContrato(w.tenant, contratoId);
      recusarSeNao(credito, 'transicao_invalida', { dito: 'o contrato não tem crédito a acertar' });
      const preso = (await presosEntre(w.tenant, [contratoId])).has(contratoId);
      recusarSeNao(!preso, 'transicao_invalida', { dito: 'um faturamento do contrato está sendo desfeito: espere' });
      const { valor, competencia } = credito;
      if (dito !== valor) faltaEm('valor', `o crédito é agora de ${escreverReais(valor)}: confira`);
      const descricao = `Crédito de ${escreverReais(valor)} ${DITO[como]}`;
      const acertado: ItemDaCobranca = { tipo: 'acertado', ref: competencia, valor, descricao };
      await w.update(
        'faturamento_cobrancas',
        (q) => void q.where({ contrato_id: contratoId, competencia, tipo: 'mensalidade' }),
        { valor: '0.00', itens: JSON.stringify([...credito.itens, acertado]) },
      );
      const linha = { acao: 'credito_acertado', descricao, ocorrido_em: toDatabaseTime(relogio.agora()) };
      await w.insert('contratos_historico', { contrato_id: contratoId, autor: w.author.name, ...linha });
      const { cliente_id: cliente } = contrato;
      w.emit('contrato.credito_acertado', contratoId, { cliente, como, valor: escreverDinheiro(valor) });
      w.touch(contratoTag(contratoId));
    },
  };
}
