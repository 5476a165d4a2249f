import type { Rota } from '../../../src/surfaces/panel/rota.ts';
import type { Api } from '../../support/api.ts';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { criarFabrica } from '../../support/fabrica.ts';

/** A provider with one row of everything that has a screen. */
export interface Povoado {
  readonly provedorId: number;
  readonly host: string;
  /** The id that stands for `{id}` in an address that begins so. */
  readonly ids: Readonly<Record<string, number | string>>;
}

export async function povoar(api: Api, linha: Readonly<Record<string, unknown>> = {}): Promise<Povoado> {
  const f = criarFabrica(api.dono);
  const provedorId = await f.provedor(linha);
  const { panelHost: host } = await api.container.provedores.exigirPorId(provedorId);
  const plano = await f.plano(provedorId);
  const cliente = await f.cliente(provedorId);
  await f.telefone(provedorId, { cliente_id: cliente });
  const contrato = await f.contrato(provedorId, { cliente_id: cliente, plano_id: plano });
  const fatura = await f.fatura(provedorId, { cliente_id: cliente, contrato_id: contrato });
  const chamado = await f.chamado(provedorId, { cliente_id: cliente });
  const servidor = `10.77.${provedorId % 250}.1`;
  await f.nas(provedorId, servidor);
  const provedor = await api.container.provedores.exigirPorId(provedorId);
  const rede = await api.container.changeTenant(TERMINAL, provedor, async (_, { pops, avisosDeRede }) => ({
    pop: (await pops.criar({ nome: 'Centro', cidade: 'Alfenas', uf: 'MG' })).id,
    aviso: (
      await avisosDeRede.abrir({
        tipo: 'interrupcao',
        titulo: 'Fibra rompida',
        texto: 'Estamos consertando.',
        alvos: [{ tipo: 'todos' }],
      })
    ).id,
  }));
  return {
    provedorId,
    host,
    ids: {
      'rede/endereco': servidor,
      'rede/pop': rede.pop,
      'rede/aviso': rede.aviso,
      'tarefas/id': 1,
      'tarefas/nome': 'clientes.ndjson.gz',
      clientes: cliente,
      contratos: contrato,
      faturas: fatura,
      chamados: chamado,
      planos: plano,
    },
  };
}

/** The address of a route, with the rows of a provider in the place of its parameters. */
export function enderecoDe({ caminho }: Pick<Rota, 'caminho'>, { ids }: Povoado): string {
  const assunto = caminho
    .split('/')
    .slice(1, caminho.startsWith('/configuracoes') ? 3 : 2)
    .join('/');
  return caminho.replaceAll(/\{(\w+)\}/g, (_, nome: string) => {
    if (nome === 'token') return 'nenhum-token-que-exista';
    const id = ids[`${assunto}/${nome}`] ?? ids[assunto];
    if (id === undefined) throw new Error(`${caminho}: povoado.ts does not say which ${nome} there is`);
    return String(id);
  });
}
