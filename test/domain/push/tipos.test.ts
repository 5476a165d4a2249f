import test from 'ava';
import { TERMINAL } from '../../../src/domain/actor.ts';
import { donoDe } from '../../../src/domain/acessos/sessoes/sessoes.regras.ts';
import { CATALOGO } from '../../../src/domain/eventos/catalogo.types.ts';
import { SILENCIAVEIS, regraDoTipo } from '../../../src/domain/push/tipos.regras.ts';
import type { NomeDePush } from '../../../src/domain/push/tipos.regras.ts';
import { NOMES_DE_PERMISSAO } from '../../../src/domain/usuarios/permissoes.regras.ts';
import type { PermissaoPainel } from '../../../src/domain/usuarios/permissoes.regras.ts';
import { criarApi } from '../../support/api.ts';
import type { Api } from '../../support/api.ts';
import { AUTOR } from '../../support/autor.ts';
import { WEBHOOKS_AQUI, criarReceptorDeWebhooks } from '../../support/receptor.ts';
import type { ReceptorDeWebhooks } from '../../support/receptor.ts';
import { relogioEm } from '../../support/relogio.ts';
import { criarAssinante } from '../acessos/apoio.ts';
import { carteiro, criarNavegador } from './apoio.ts';

// Every kind of the table, delivered by the event that it is for. One that is added to the table fails here until it has its event.

/** Noon in São Paulo. */
const AGORA = '2026-11-20T15:00:00.000Z';

let api: Api;
let receptor: ReceptorDeWebhooks;
let correio: ReturnType<typeof carteiro>;
let casa: Casa;

test.before(async () => {
  receptor = await criarReceptorDeWebhooks();
  const env = { ...WEBHOOKS_AQUI, MALHA_PUSH_HOSTS: '127.0.0.1' };
  api = await criarApi({ relogio: relogioEm(AGORA), env });
  correio = carteiro(api.container);
  casa = await criarCasa();
});
test.after.always(async () => {
  receptor.fechar();
  await api.fechar();
});

type Casa = Awaited<ReturnType<typeof criarCasa>>;

/** A subscriber and two of the staff, each with a browser. */
async function criarCasa() {
  const assinante = await criarAssinante(api);
  const { provedor, cliente, fabrica } = assinante;
  const navegadores = new Map<string, ReturnType<typeof criarNavegador>>();
  async function comNavegador(quem: string, dono: { usuarioId: number } | ReturnType<typeof donoDe>, sessaoId = 0) {
    const navegador = criarNavegador(`${receptor.url}/${quem}`);
    navegadores.set(quem, navegador);
    await api.container.changeTenant(TERMINAL, provedor, async (_d, { dispositivos }) =>
      dispositivos.registrar({ ...dono, sessaoId: sessaoId === 0 ? null : sessaoId }, navegador.dispositivo),
    );
  }
  async function pessoa(nome: string) {
    const doPerfil = { provedor_id: provedor.id, nome, permissoes: '[]' };
    const [perfil_id = 0] = await api.dono('perfis').insert(doPerfil);
    const dela = { provedor_id: provedor.id, perfil_id, nome, email: `${nome}@malha.test` };
    const [id = 0] = await api.dono('usuarios').insert(dela);
    const podendo = async (permissoes: readonly PermissaoPainel[]): Promise<void> =>
      void (await api.dono('perfis').where('id', perfil_id).update('permissoes', JSON.stringify(permissoes)));
    return { id, podendo };
  }
  const sessao = await assinante.registro(await assinante.entrar());
  const [pode, outra] = [await pessoa('pode'), await pessoa('outra')];
  await comNavegador('cliente', donoDe(sessao), sessao.sessao.id);
  await comNavegador('pode', { usuarioId: pode.id });
  await comNavegador('outra', { usuarioId: outra.id });
  const plano = await fabrica.plano(provedor.id);
  const contrato = await fabrica.contrato(provedor.id, { cliente_id: cliente, plano_id: plano });
  const fatura = async (linha: object = {}): Promise<number> =>
    fabrica.fatura(provedor.id, { cliente_id: cliente, contrato_id: contrato, vencimento: '2026-12-10', ...linha });
  const chamado = async (linha: object = {}): Promise<number> =>
    fabrica.chamado(provedor.id, { cliente_id: cliente, situacao: 'em_andamento', ...linha });
  /** An event as its example is, of this client, and with what is said of it here. */
  async function dizer(tipo: keyof typeof CATALOGO, recurso: number | null, dados: object = {}): Promise<void> {
    const { exemplo } = CATALOGO[tipo];
    const deste = exemplo === null || !('cliente' in exemplo) ? {} : { cliente };
    const dito = exemplo === null ? null : { ...exemplo, ...deste, ...dados };
    await api.container.write(AUTOR, provedor.id, async (w) => w.emit(tipo, recurso, dito as never));
  }
  const mudarChamado = async (id: number, campos: readonly string[], dados: object = {}): Promise<void> =>
    dizer('chamado.atualizado', id, { campos, de: 'em_andamento', para: 'em_andamento', ...dados });
  const avisoDeRede = async (): Promise<number> =>
    api.container.changeTenant(AUTOR, provedor, async (_d, { avisosDeRede }) => {
      const alvos = [{ tipo: 'plano', id: plano }];
      return (await avisosDeRede.abrir({ tipo: 'manutencao', titulo: 'Obras', texto: 'Das 2h às 4h.', alvos })).id;
    });
  return { provedor, cliente, contrato, pode, outra, navegadores, fatura, chamado, dizer, mudarChamado, avisoDeRede };
}

/** Makes what a kind is for happen. */
type Causa = (c: Casa) => Promise<unknown>;

const PAGA = { situacao: 'paga', valor_pago: '102.23', pago_em: '2026-11-20' } as const;

/** Whom each kind is for, and by what he is told. */
const CAUSAS: Readonly<Record<NomeDePush, { readonly cliente?: Causa; readonly equipe?: Causa }>> = {
  fatura_disponivel: { cliente: async (c) => c.dizer('fatura.criada', await c.fatura()) },
  fatura_a_vencer: { cliente: async (c) => c.dizer('fatura.a_vencer', await c.fatura()) },
  fatura_vencida: { cliente: async (c) => c.dizer('fatura.vencida', await c.fatura({ vencimento: '2026-11-19' })) },
  pagamento_confirmado: { cliente: async (c) => c.dizer('fatura.paga', await c.fatura(PAGA)) },
  nfcom_disponivel: {
    cliente: async (c) =>
      c.dizer('nfcom.autorizada', 1, { fatura: await c.fatura(), ambiente: 'producao', finalidade: 'normal' }),
  },
  contrato_bloqueado: { cliente: async (c) => c.dizer('contrato.bloqueado', c.contrato) },
  contrato_liberado: { cliente: async (c) => c.dizer('contrato.liberado', c.contrato) },
  desbloqueio_terminando: { cliente: async (c) => c.dizer('contrato.desbloqueio_terminando', c.contrato) },
  chamado_respondido: {
    cliente: async (c) => c.mudarChamado(await c.chamado(), ['comentario'], { entrada: 1, por: 'equipe' }),
  },
  chamado_agendado: {
    cliente: async (c) =>
      c.mudarChamado(await c.chamado({ agendado_para: '2026-11-21 17:00:00.000' }), ['agendamento']),
    equipe: async (c) => {
      const marcado = { responsavel_id: c.pode.id, agendado_para: '2026-11-21 17:00:00.000' };
      await c.mudarChamado(await c.chamado(marcado), ['agendamento']);
    },
  },
  chamado_solucionado: {
    cliente: async (c) => c.mudarChamado(await c.chamado(), ['situacao'], { para: 'solucionado' }),
  },
  aviso_de_rede: { cliente: async (c) => c.avisoDeRede() },
  seguranca: {
    cliente: async (c) => c.dizer('acesso.senha_trocada', null),
    equipe: async (c) => c.dizer('sessao.reuso_detectado', null, { acesso: null, usuario_id: 999_999 }),
  },
  mensagem: {
    cliente: async ({ provedor, cliente }) =>
      api.container.changeTenant(AUTOR, provedor, async (_d, { mensagensDePush }) =>
        mensagensDePush.enviar({ cliente_ids: [cliente], titulo: 'Recado', texto: 'Bom dia.' }),
      ),
  },
  chamado_atribuido: { equipe: async (c) => c.dizer('chamado.atribuido', await c.chamado(), { para: c.pode.id }) },
  chamado_proximo: {
    equipe: async (c) => {
      const marcado = { responsavel_id: c.pode.id, agendado_para: '2026-11-20 16:00:00.000' };
      await c.dizer('chamado.proximo', await c.chamado(marcado));
    },
  },
  chamado_urgente: { equipe: async (c) => c.dizer('chamado.aberto', await c.chamado({ prioridade: 'urgente' })) },
  servidor_silencioso: { equipe: async (c) => c.dizer('nas.silenciaram', null) },
  chamado_novo: { equipe: async (c) => c.dizer('chamado.aberto', await c.chamado({ origem: 'app' })) },
  pre_cadastro_novo: { equipe: async (c) => c.dizer('cliente.pre_cadastrado', c.cliente) },
  pagamento_a_mais: { equipe: async (c) => c.dizer('fatura.paga_a_mais', await c.fatura(PAGA)) },
  estorno: { equipe: async (c) => c.dizer('fatura.estornada', await c.fatura({ situacao: 'estornada' })) },
  quedas_em_massa: {
    equipe: async (c) => c.dizer('rede.aviso_aberto', await c.avisoDeRede(), { origem: 'detectado' }),
  },
  webhook_falhando: { equipe: async (c) => c.dizer('webhook.falhando', 3) },
  webhook_desativado: { equipe: async (c) => c.dizer('webhook.desativado', 3) },
  chave_expirando: { equipe: async (c) => c.dizer('chave.expirando', 5) },
  certificado_expirando: { equipe: async (c) => c.dizer('nfcom.certificado_expirando', 2) },
  faturamento_falhou: { equipe: async (c) => c.dizer('faturamento.falhou', 4) },
  envio_pausado: { equipe: async (c) => c.dizer('nfcom.fila_esquecida', null) },
  tarefa_falhou: { equipe: async (c) => c.dizer('tarefa.falhou', null) },
};

const TIPOS: readonly NomeDePush[] = [...SILENCIAVEIS, 'seguranca'];

/** What is told to each of them, once nothing waits. */
async function ditos(causa: Causa): Promise<Record<string, string[]>> {
  await correio.tudo();
  // Each kind has the whole of a day.
  await api.dono('push_envios').where('provedor_id', casa.provedor.id).delete();
  receptor.recebidos.length = 0;
  await causa(casa);
  await correio.tudo();
  const lidos: Record<string, string[]> = {};
  for (const { caminho, bytes } of receptor.recebidos) {
    const quem = caminho.slice(caminho.lastIndexOf('/') + 1);
    (lidos[quem] ??= []).push(casa.navegadores.get(quem)!.ler(bytes)['dados'].kind as string);
  }
  return lidos;
}

test.serial('todo tipo tem a sua causa, para cada um de quem ele é', (t) => {
  const esperadas = TIPOS.map((tipo) => {
    const { cliente, equipe } = regraDoTipo(tipo);
    return [tipo, cliente === true, equipe !== undefined];
  });
  t.deepEqual(
    TIPOS.map((tipo) => [tipo, CAUSAS[tipo]?.cliente !== undefined, CAUSAS[tipo]?.equipe !== undefined]),
    esperadas,
  );
});

for (const tipo of TIPOS) {
  const { cliente, equipe } = CAUSAS[tipo] ?? {};
  if (cliente !== undefined) {
    test.serial(`${tipo}: chega ao aparelho do assinante`, async (t) => {
      t.deepEqual((await ditos(cliente))['cliente'], [tipo]);
    });
  }
  if (equipe !== undefined) {
    test.serial(`${tipo}: chega a quem da equipe ele é, e a mais ninguém dela`, async (t) => {
      const regra = regraDoTipo(tipo).equipe;
      const daPessoa = regra === 'pessoa' || regra === undefined;
      await casa.pode.podendo([daPessoa ? 'chamados.ver' : regra]);
      await casa.outra.podendo(daPessoa ? NOMES_DE_PERMISSAO : NOMES_DE_PERMISSAO.filter((uma) => uma !== regra));
      const { pode, outra = [] } = await ditos(equipe);
      t.deepEqual(pode, [tipo]);
      t.false(outra.includes(tipo));
    });
  }
}

test.serial(
  'o que se pagou de uma vez a mais do que se devia é ao cliente um pagamento, e à equipe um a mais',
  async (t) => {
    await casa.pode.podendo(['faturas.baixar']);
    const pagar = async (c: Casa): Promise<void> => c.dizer('fatura.paga', await c.fatura(PAGA), { excedente: '2.33' });
    const { cliente, pode } = await ditos(pagar);
    t.deepEqual([cliente, pode], [['pagamento_confirmado'], ['pagamento_a_mais']]);
  },
);
