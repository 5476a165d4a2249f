import { TERMINAL } from '../../../src/domain/actor.ts';
import type { Escritas } from '../../../src/domain/dominio.ts';
import { jsonColumn } from '../../../src/platform/mysql/database.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';

type Linha = Record<string, any>;

/** A provider with a plan and a client, what is written of them, and the way in which staff write. */
export async function criarCasa(api: Api, { provedor = {}, regras = {}, cliente = {} }: Record<string, Linha> = {}) {
  const fabrica = criarFabrica(api.dono);
  const provedorId = await fabrica.provedor(provedor, regras);
  const plano = await fabrica.plano(provedorId);
  const clienteId = await fabrica.cliente(provedorId, cliente);
  const linhas = async (tabela: string, onde: Linha = {}): Promise<Linha[]> =>
    api
      .dono(tabela)
      .where({ provedor_id: provedorId, ...onde })
      .orderBy('id');
  return {
    fabrica,
    provedor: provedorId,
    plano,
    cliente: clienteId,
    linhas,
    contrato: async (linha: Linha = {}): Promise<number> =>
      fabrica.contrato(provedorId, { cliente_id: clienteId, plano_id: plano, ...linha }),
    ler: async (id: number): Promise<Linha> => (await linhas('contratos', { id }))[0]!,
    situacaoDoCliente: async (id = clienteId): Promise<string> => (await linhas('clientes', { id }))[0]!['situacao'],
    /** One change by staff, in one of the processes. */
    async mudar<T>(fazer: (escritas: Escritas) => Promise<T>, processo = 0): Promise<T> {
      const { changeTenant, provedores } = api.containers[processo]!;
      const quem = await provedores.exigirPorId(provedorId);
      return changeTenant(TERMINAL, quem, async (_dominio, escritas) => fazer(escritas));
    },
    historico: async (contrato_id: number): Promise<Linha[]> => linhas('contratos_historico', { contrato_id }),
    pedidos: async (contrato_id: number): Promise<Linha[]> => linhas('rede_pedidos', { contrato_id }),
    eventos: async (): Promise<{ tipo: string; recurso_id: number; dados: any }[]> =>
      (await linhas('eventos')).map(({ tipo, recurso_id, dados }) => ({
        tipo,
        recurso_id,
        dados: dados === null ? null : jsonColumn(dados),
      })),
    auditoria: async (): Promise<string[]> => (await linhas('auditoria')).map(({ acao }) => acao),
    /** All that a refused change must leave as it is. */
    async tudo(): Promise<Linha> {
      const tabelas = [
        'contratos',
        'clientes',
        'contratos_historico',
        'rede_pedidos',
        'eventos',
        'auditoria',
        'faturas',
      ];
      return Object.fromEntries(await Promise.all(tabelas.map(async (tabela) => [tabela, await linhas(tabela)])));
    },
  };
}

export type Casa = Awaited<ReturnType<typeof criarCasa>>;

export const SITUACOES = ['pendente', 'ativo', 'bloqueado', 'inativo', 'cancelado', 'cancelado_definitivo'] as const;

/** What a contract in a state holds besides. */
export const EM: Readonly<Record<(typeof SITUACOES)[number], Linha>> = {
  pendente: { situacao: 'pendente' },
  ativo: { situacao: 'ativo', ativado_em: '2026-01-10' },
  bloqueado: {
    situacao: 'bloqueado',
    ativado_em: '2026-01-10',
    bloqueio_origem: 'financeiro',
    bloqueado_em: '2026-11-15 08:00:00.000',
  },
  inativo: { situacao: 'inativo', ativado_em: '2026-01-10', suspenso_em: '2026-11-15 08:00:00.000' },
  cancelado: { situacao: 'cancelado', ativado_em: '2026-01-10', cancelado_em: '2026-11-15 08:00:00.000' },
  cancelado_definitivo: { situacao: 'cancelado_definitivo', login: null, cancelado_em: '2026-05-15 08:00:00.000' },
};
