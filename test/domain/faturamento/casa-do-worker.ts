import { atorDaTarefa } from '../../../src/domain/actor.ts';
import type { Dominio, Escritas } from '../../../src/domain/dominio.ts';
import { createTenantWriter } from '../../../src/platform/mysql/tenant.ts';
import { AUTOR } from '../../support/autor.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';

const WORKER = atorDaTarefa('faturamento.executar');

const linhasDeContratos = (doProvedor: { provedorId: number; cliente_id: number; plano_id: number }, quantos: number) =>
  Array.from({ length: quantos }, (_, n) => {
    const { provedorId, ...donos } = doProvedor;
    return {
      ...donos,
      situacao: 'ativo',
      login: `p${provedorId}n${(serie += 1)}`,
      tipo_cobranca: 'pre_pago',
      dia_vencimento: 10 + (n % 15),
      valor: '99.90',
      ativado_em: '2026-06-01',
      criado_em: '2026-06-01 12:00:00',
    };
  });

let serie = 0;

/** A provider whose worker makes a month, with so many contracts of one client that are due in March 2027. */
export async function criarCasaDoWorker(api: Api, contratos: number) {
  const fabrica = criarFabrica(api.dono);
  const id = await fabrica.provedor();
  const w = createTenantWriter(api.dono, id);
  await w.insert('faturamento_configuracoes', { desde: '2027-03-01', antecedencia: 5, atualizado_em: '2027-01-01' });
  const plano_id = await fabrica.plano(id);
  const cliente_id = await fabrica.cliente(id);
  const criar = async (quantos: number) =>
    w.insert('contratos', linhasDeContratos({ provedorId: id, cliente_id, plano_id }, quantos));
  await criar(contratos);
  const provedor = await api.container.provedores.exigirPorId(id);
  const mudar = async <V>(fazer: (e: Escritas) => Promise<V>): Promise<V> =>
    api.container.changeTenant(AUTOR, provedor, async (_, e) => fazer(e));
  const ler = async <V>(fazer: (d: Dominio) => Promise<V>): Promise<V> =>
    api.container.changeTenant(AUTOR, provedor, async (d) => fazer(d));
  const pedir = async (tipo: 'previa' | 'faturas', mes = '2027-03') =>
    mudar(async ({ faturamento }) => faturamento.pedir(tipo, { mes }));
  /** The worker; `ate`: it dies once it has come so far. `aoAndar` hears of each part. */
  async function executar(ate = Infinity, aoAndar: (feitas: number) => void = () => {}) {
    const morte = new AbortController();
    const andou: number[] = [];
    const opcoes = {
      signal: morte.signal,
      aoAvancar({ feitas }: { readonly feitas: number }) {
        andou.push(feitas);
        aoAndar(feitas);
        if (feitas >= ate) morte.abort(new Error('morreu'));
      },
    };
    const feito = api.container.execucaoDoFaturamento.executarPedidos(WORKER, id, opcoes);
    return { andou, feito: await feito.then(({ pedidos }) => pedidos) };
  }
  const linhas = async (tabela: string): Promise<any[]> => api.dono(tabela).where({ provedor_id: id });
  const contar = async (tabela: string): Promise<number> => (await linhas(tabela)).length;
  const pedidos = async () => api.dono('faturamento_pedidos').where({ provedor_id: id }).orderBy('id');
  return { id, criar, mudar, ler, pedir, executar, linhas, contar, pedidos };
}
