import { TERMINAL } from '../../../src/domain/actor.ts';
import { jsonColumn } from '../../../src/platform/mysql/database.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { criarPsp, novoFimAFim } from '../../support/recebimentos.ts';
import type { PixDoPsp } from '../../support/recebimentos.ts';

/** Billing has blocked it. */
export const BLOQUEADO = {
  situacao: 'bloqueado',
  bloqueio_origem: 'financeiro',
  bloqueado_em: '2026-11-15 08:00:00.000',
};

let serie = 0;

export type Assinante = Awaited<ReturnType<typeof criarAssinante>>;

/** A provider with a receiver, a client and a contract, on what its PSP tells of. */
export async function criarAssinante(api: Api, doContrato: object = {}, regras: Record<string, unknown> = {}) {
  const fabrica = criarFabrica(api.dono);
  const psp = criarPsp(api);
  const provedor = await fabrica.provedor({}, regras);
  const plano = await fabrica.plano(provedor);
  const cliente = await fabrica.cliente(provedor);
  const contrato = await fabrica.contrato(provedor, { cliente_id: cliente, plano_id: plano, ...doContrato });
  const { segredo } = await api.container.receptores.criar(TERMINAL, provedor, { nome: 'Banco de teste' });
  const { texto: chave } = await api.criarChave(provedor);
  const linhas = (tabela: string) => api.dono(tabela).where({ provedor_id: provedor }).orderBy('id');
  return {
    provedor,
    cliente,
    contrato,
    linhas,
    chave,
    avisar: async (...avisados: readonly PixDoPsp[]): Promise<string[]> => psp.avisar(segredo, avisados),
    responder: async (...avisados: readonly unknown[]) =>
      psp.pedir(`/webhooks/pix/${segredo}`, { corpo: JSON.stringify({ pix: avisados }) }),

    async fatura({ pix_txid, ...linha }: Record<string, string | number | null> = {}) {
      serie += 1;
      const txid = String(pix_txid ?? `TXIDDETESTE${serie}`);
      const id = await fabrica.fatura(provedor, {
        cliente_id: cliente,
        contrato_id: contrato,
        vencimento: '2026-11-10',
        valor: '150.00',
        ...linha,
        pix_txid: txid,
      });
      return {
        id,
        txid,
        ler: async (): Promise<any> => (await api.get(`/faturas/${id}`, { chave })).corpo.dados,
        lancamentos: async (): Promise<Record<string, string>> => {
          const dela = await api.dono('faturas_lancamentos').where({ fatura_id: id }).where('valor', '>', 0);
          return Object.fromEntries(dela.map(({ tipo, valor }: { tipo: string; valor: string }) => [tipo, valor]));
        },
      };
    },

    async situacaoDoContrato(): Promise<string> {
      return (await api.get(`/contratos/${contrato}`, { chave })).corpo.dados.situacao;
    },
    async eventos(): Promise<{ tipo: string; dados: any }[]> {
      const todos = await linhas('eventos');
      return todos
        .filter(({ tipo }: { tipo: string }) => !/^(?:chave|receptor)\./.test(tipo))
        .map(({ tipo, dados }: { tipo: string; dados: string | null }) => ({
          tipo,
          dados: dados === null ? null : jsonColumn(dados),
        }));
    },
    async notificacoes(): Promise<string[]> {
      return (await linhas('notificacoes')).map(({ tipo }: { tipo: string }) => tipo);
    },
  };
}

/** A PIX paid on the 20th, one minute before noon in São Paulo. */
export function pix(txid: string, valor: string, mais: Partial<PixDoPsp> = {}): PixDoPsp {
  return { endToEndId: novoFimAFim(), txid, valor, horario: '2026-11-20T14:59:00.123Z', ...mais };
}

export function devolucao(valor: string, natureza?: string, id = 'D1') {
  return {
    id,
    rtrId: `D${novoFimAFim()}`,
    valor,
    status: 'DEVOLVIDO',
    ...(natureza === undefined ? {} : { natureza }),
  };
}
