import { hojeEm } from '../../../src/brazil/calendario/datas.ts';
import { NO_TERMINAL, SEM_RASTRO } from '../../../src/cli/leitura.ts';
import { gerarMes } from '../../../src/domain/faturamento/execucao/pedido.service.ts';
import type { Api } from '../../support/api.ts';
import { AUTOR } from '../../support/autor.ts';
import type { RelogioDeTeste } from '../../support/relogio.ts';
import { criarCasa } from '../contratos/apoio.ts';
import type { Casa } from '../contratos/apoio.ts';

export const execucao = { signal: new AbortController().signal, aoAvancar: () => {} };

/** One that was here before billing began. */
export const novoContrato = async (casa: Casa, linha: object): Promise<number> =>
  casa.contrato({ criado_em: '2026-01-05 12:00:00', ...linha });

export const recusa = async (fazer: Promise<unknown>): Promise<string> =>
  fazer.then(
    () => 'feito',
    (error: { motivo?: string; message: string }) => error.motivo ?? error.message,
  );

/** Billing as the worker and the staff of a provider in Sao Paulo do it. */
export function criarApoio(api: () => Api, relogio: RelogioDeTeste) {
  const em = (iso: string): void => relogio.definir(iso);
  return {
    em,

    /** A provider that bills from December 2026 on. */
    casaQueFatura: async (configuracao: object = {}): Promise<Casa> => {
      em('2026-11-20T15:00:00.000Z');
      const casa = await criarCasa(api());
      await casa.mudar(async ({ faturamento }) => faturamento.configurar({ desde: '2026-12', ...configuracao }));
      return casa;
    },

    /** The day's work, just after its beginning. */
    noDia: async (casa: Casa, qual: string, processo = 0) => {
      em(`${qual}T03:05:00.000Z`);
      const tarefa = { tarefa: 'faturas.gerar' as const, provedorId: casa.provedor, dia: qual };
      return api().containers[processo]!.tarefas.executar(AUTOR, tarefa, execucao);
    },

    previa: async (casa: Casa, mes: string, outro: object = {}) => {
      const { readTenant, provedores } = api().container;
      const provedor = await provedores.exigirPorId(casa.provedor);
      return readTenant(provedor, SEM_RASTRO, NO_TERMINAL, async ({ faturamento }) =>
        faturamento.previa({ mes, ...outro }),
      );
    },

    pedir: async (casa: Casa, mes: string, processo = 0): Promise<number> => {
      const { faturas } = await gerarMes(
        async (dados, depoisDe) => casa.mudar(async ({ faturamento }) => faturamento.gerar(dados, depoisDe), processo),
        mes,
        hojeEm('America/Sao_Paulo', relogio.agora()),
      );
      return faturas;
    },
  };
}
