import { createAgregacao } from '../../../src/domain/conexoes/agregacao.ts';
import { atorDaTarefa } from '../../../src/domain/actor.ts';
import type { Escritas } from '../../../src/domain/dominio.ts';
import { createEscrita } from '../../../src/domain/escrita.ts';
import { createDeteccaoService } from '../../../src/domain/rede/deteccao/deteccao.service.ts';
import type { Relogio } from '../../../src/platform/timing/relogio.ts';
import { AUTOR } from '../../support/autor.ts';
import type { Api } from '../../support/api.ts';
import { criarFabrica } from '../../support/fabrica.ts';

export const TAREFA = atorDaTarefa('rede.detectar');

/** Providers with lines that drop, and what a worker makes of it. */
export function criarQuedas(api: Api, relogio: Relogio) {
  const fabrica = criarFabrica(api.dono);
  const agregar = async () =>
    createAgregacao({ db: api.dono, relogio, intervaloPadraoSegundos: 300 }).agregarMudancas();
  const deteccao = () =>
    createDeteccaoService({
      db: api.dono,
      relogio,
      write: createEscrita({ db: api.dono, gate: { bump: async () => {} }, onUnconfirmed: () => {} }),
    });

  /** What a worker does every few seconds. */
  async function rodar(): Promise<{ abertos: number; encerrados: number }> {
    await agregar();
    const servico = deteccao();
    return { abertos: await servico.detectar(TAREFA), encerrados: await servico.vigiar(TAREFA) };
  }

  async function mudar<T>(provedor: number, fazer: (escritas: Escritas) => Promise<T>): Promise<T> {
    const dele = await api.container.provedores.exigirPorId(provedor);
    return api.container.changeTenant(AUTOR, dele, async (_, escritas) => fazer(escritas));
  }

  const avisosDe = async (provedor: number) => api.dono('avisos_de_rede').where('provedor_id', provedor).orderBy('id');

  let serie = 0;

  /** A provider whose lines are online at its servers, so many at each. */
  async function cenario({ linhas, servidores = 1, nas = {} }: { linhas: number; servidores?: number; nas?: object }) {
    const n = (serie += 1);
    const enderecos = Array.from({ length: servidores }, (_, i) => `10.${n}.0.${i + 1}`);
    const provedor = await fabrica.provedor();
    for (const endereco of enderecos) await fabrica.nas(provedor, endereco);
    await api
      .dono('provedores_nas')
      .where('provedor_id', provedor)
      .update({ provedor_id: provedor, ...nas });
    const plano = await fabrica.plano(provedor);
    const cliente = await fabrica.cliente(provedor);
    const todas = Array.from({ length: linhas * servidores }, (_, i) => i);
    const login = (i: number): string => `det-${n}-${i}`;
    await api.dono('contratos').insert(
      todas.map((i) => ({
        provedor_id: provedor,
        cliente_id: cliente,
        plano_id: plano,
        situacao: 'ativo',
        login: login(i),
        tipo_cobranca: 'pos_pago',
        dia_vencimento: 10,
        valor: '99.90',
      })),
    );
    const nasDe = (i: number): string => enderecos[Math.floor(i / linhas)]!;
    let sessoes = 0;
    const conectar = async (quais: readonly number[], inicio = '2026-11-20 15:20:00') =>
      api.dono('radacct').insert(
        quais.map((i) => ({
          acctsessionid: `d${n}-${i}-${(sessoes += 1)}`,
          acctuniqueid: `d${n}-${i}-${sessoes}`,
          username: login(i),
          nasipaddress: nasDe(i),
          nasportid: `slot=0;port=${i % 4};vlan=${i}`,
          acctstarttime: inicio,
          acctupdatetime: inicio,
          acctinterval: 300,
        })),
      );
    const cair = async (quais: readonly number[], fim = '2026-11-20 15:29:30', causa = 'Lost-Carrier') =>
      api
        .dono('radacct')
        .whereIn(
          'username',
          quais.map((i) => login(i)),
        )
        .whereNull('acctstoptime')
        .update({ acctstoptime: fim, acctterminatecause: causa });
    await conectar(todas);
    await agregar();
    const contratos: number[] = await api.dono('contratos').where('provedor_id', provedor).orderBy('id').pluck('id');
    return { provedor, enderecos, conectar, cair, contratos, ate: (quantas: number) => todas.slice(0, quantas) };
  }

  return { agregar, deteccao, rodar, mudar, avisosDe, cenario };
}
