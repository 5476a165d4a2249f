import { TERMINAL } from '../../../src/domain/actor.ts';
import { lerData, somarDias } from '../../../src/brazil/calendario/datas.ts';
import type { Data } from '../../../src/brazil/calendario/datas.ts';
import type { Dominio, Escritas } from '../../../src/domain/dominio.ts';
import { createTenantWriter } from '../../../src/platform/mysql/tenant.ts';
import { AUTOR } from '../../support/autor.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { relogioEm } from '../../support/relogio.ts';

/** A Monday; the first day without banks after it is Good Friday, 26 March. */
export const ZERO = lerData('2027-03-01')!;
export const DIA = (n: number): Data => somarDias(ZERO, n);
export const relogio = relogioEm('2027-03-01T13:00:00Z');

/** Noon in UTC is nine o'clock in São Paulo. */
export const ir = (dia: Data, hora: number): void => relogio.definir(`${dia}T${String(hora).padStart(2, '0')}:00:00Z`);

/** Providers with their ladders on from the day after. */
export function cenarios(api: Api) {
  const fabrica = criarFabrica(api.dono);
  return async function cenario(regras: object = {}, daCobranca: Record<string, unknown> = {}) {
    const { dono } = api;
    const id = await fabrica.provedor({}, daCobranca);
    const plano_id = await fabrica.plano(id);
    ir(ZERO, 13);
    const mudar = async <V>(fazer: (e: Escritas) => Promise<V>): Promise<V> =>
      api.container.changeTenant(AUTOR, await api.container.provedores.exigirPorId(id), async (_, e) => fazer(e));
    const ler = async <V>(fazer: (d: Dominio) => Promise<V>): Promise<V> =>
      api.container.changeTenant(AUTOR, await api.container.provedores.exigirPorId(id), async (d) => fazer(d));
    await mudar(async ({ regua }) => regua.configurar({ ativa: true, sem_entrega: true, ...regras }));
    async function devedor(linha: Record<string, unknown> = {}) {
      const cliente = await fabrica.cliente(id, { email: 'maria@malha.test' });
      const contrato = await fabrica.contrato(id, { cliente_id: cliente, plano_id, ...linha });
      const dever = async (vencimento: string, mais: Record<string, unknown> = {}): Promise<number> =>
        fabrica.fatura(id, { cliente_id: cliente, contrato_id: contrato, vencimento, situacao: 'vencida', ...mais });
      return { cliente, contrato, dever };
    }
    async function rodar(dia: Data, hora = 13) {
      ir(dia, hora);
      const semParar = { signal: new AbortController().signal, aoAvancar: () => {} };
      await api.container.tarefas.executar(TERMINAL, { tarefa: 'faturas.vencer', provedorId: id, dia }, semParar);
      return api.container.tarefas.executar(TERMINAL, { tarefa: 'regua.aplicar', provedorId: id, dia }, semParar);
    }
    const passos = async (passo?: string): Promise<string[]> =>
      dono('regua_passos')
        .where({ provedor_id: id, ...(passo === undefined ? {} : { passo }) })
        .orderBy('id')
        .pluck('passo');
    const situacao = async (contrato: number): Promise<string> =>
      (await dono('contratos').where({ id: contrato }).pluck('situacao'))[0] as string;
    return { id, mudar, ler, devedor, rodar, passos, situacao, plano_id };
  };
}

/** A late invoice that charges some contracts of a client together. */
export async function faturaConjunta(
  { dono }: Api,
  provedor: number,
  cliente_id: number,
  contratos: readonly number[],
): Promise<number> {
  const escritor = createTenantWriter(dono, provedor);
  const lote = { dia: ZERO, origem: 'diario', iniciado_em: `${ZERO} 03:00:00` };
  const faturamento_id = await escritor.insert('faturamentos', lote);
  const vencimento = '2027-02-10';
  const fatura_id = await criarFabrica(dono).fatura(provedor, {
    cliente_id,
    contrato_id: null,
    vencimento,
    situacao: 'vencida',
    valor: '299.70',
  });
  for (const contrato_id of contratos)
    await escritor.insert('faturamento_cobrancas', {
      contrato_id,
      competencia: '2027-01-01',
      tipo: 'mensalidade',
      faturamento_id,
      fatura_id,
      vencimento,
      valor: '99.90',
      dias: 31,
      itens: '[]',
    });
  return fatura_id;
}
