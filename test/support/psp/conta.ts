import { TERMINAL } from '../../../src/domain/actor.ts';
import { abrirCartorio } from '../../../seeds/autoridade/certificados.ts';
import { CREDENCIAIS } from '../../../seeds/psp/pedidos.ts';
import { abrirPsp } from '../../../seeds/psp/psp.ts';
import type { HumorDoPsp } from '../../../seeds/psp/pedidos.ts';
import type { Api } from '../api.ts';
import { criarFabrica } from '../fabrica.ts';
import { conferirApiPix } from './esquemas.ts';

export const CHAVE = 'financeiro@serraazul.example';
const cartorio = abrirCartorio(new Date('2026-01-01T00:00:00Z'));
/** Of every provider here: to make a key takes long. */
const a1 = cartorio.a1('11222333000181', 'SERRA AZUL', 'senha');

/** A provider whose account has a PSP, which answers as `humor` says. */
export async function provedorComPsp(
  api: Api,
  agora: () => Date,
  humor?: (operacao: string, id: string) => HumorDoPsp,
) {
  const psp = await abrirPsp({ cartorio, agora, conferir: conferirApiPix, ...(humor === undefined ? {} : { humor }) });
  const fabrica = criarFabrica(api.dono);
  const provedor = await fabrica.provedor({ pix_chave: CHAVE, pix_nome: 'Serra Azul', pix_cidade: 'Alfenas' });
  const [conta] = await api.dono('cobradores').where('provedor_id', provedor).orderBy('id');
  const { container } = api;
  const cobrador = Number(conta.id);
  await container.psp.configurar(TERMINAL, provedor, cobrador, {
    adaptador: 'outro',
    base: psp.base,
    token_url: psp.tokenUrl,
    chave: CHAVE,
    ...CREDENCIAIS,
    cas_extras: cartorio.caPem,
  });
  const lido = await container.lerPfx(a1, 'senha');
  await container.psp.guardarCertificado(TERMINAL, provedor, cobrador, lido);
  await container.psp.ativar(TERMINAL, provedor, cobrador, true);
  /** What is to be done at the PSP follows what the invoices say. */
  const pedir = async (): Promise<number> =>
    container.cobrancasPix.acompanhar(TERMINAL, provedor, new AbortController().signal);
  return {
    psp,
    fabrica,
    provedor,
    cobrador,
    async fatura(mudar: object = {}): Promise<number> {
      const cliente = await fabrica.cliente(provedor);
      return fabrica.fatura(provedor, { cliente_id: cliente, vencimento: '2026-12-10', valor: '99.90', ...mudar });
    },
    /** What is charged follows what the invoices say, and what is due at the PSP is done. */
    async acompanhar(): Promise<void> {
      await pedir();
      await enviar(api);
    },
    pedir,
    linha: async (fatura: number) => api.dono('faturas').where({ provedor_id: provedor, id: fatura }).first(),
    cobrancas: async () => api.dono('psp_cobrancas').where('provedor_id', provedor).orderBy('id'),
  };
}

/** Does what is due at PSPs until nothing is. */
export async function enviar({ container }: Pick<Api, 'container'>): Promise<void> {
  while ((await container.envioAoPsp.entregar()) > 0) await container.envioAoPsp.terminar();
}
