import type { AppServices } from '../../../access/app-ports.ts';
import type { AppSession } from '../../../access/callers.ts';
import { atorDaChave } from '../../../domain/actor.ts';
import type { Actor } from '../../../domain/actor.ts';
import { CamposInvalidos, Recusa } from '../../../domain/erros.ts';
import { idNoCaminho, instanteDe } from '../../../objects/consulta.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';
import { exigir } from '../erros.ts';
import { comCursor, rota } from '../rota.ts';
import { CATALOGO, EVENTOS } from './eventos.ts';
import {
  EXEMPLO_DE_ENTREGA,
  EXEMPLO_DE_ENTREGA_COM_CORPO,
  EXEMPLO_DE_SEGREDO,
  EXEMPLO_DE_TESTE,
  EXEMPLO_DE_WEBHOOK,
} from './exemplos.ts';
import {
  apresentarEntrega,
  apresentarEntregaComCorpo,
  apresentarTentativa,
  apresentarWebhook,
} from './webhooks.presenter.ts';
import {
  consultaDeEntregas,
  consultaDePartes,
  corpoDeMudanca,
  corpoDoReenvio,
  corpoDoSegredo,
  corpoDoTeste,
  corpoNovo,
  entregaComCorpoSchema,
  entregaSchema,
  eventoSchema,
  reenviados,
  removido,
  resultadoDoTeste,
  segredoSchema,
  webhookNovoSchema,
  webhookSchema,
} from './webhooks.schemas.ts';

type DoCaso = { readonly services: Pick<AppServices, 'webhooks'>; readonly session: AppSession };

/** The fields as the domain calls them, by how they are sent. */
const NA_CASA: Readonly<Record<string, string>> = {
  url: 'url',
  events: 'eventos',
  description: 'descricao',
  status: 'situacao',
  keep_old_hours: 'manter_horas',
  type: 'tipo',
  from: 'de',
  to: 'ate',
  only_failed: 'so_falhas',
};
const FORA = new Map(Object.entries(NA_CASA).map(([fora, casa]) => [casa, fora]));

const paraACasa = (corpo: object | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.entries(corpo ?? {}).map(([nome, valor]) => [NA_CASA[nome] ?? nome, valor]));

function paraFora(campo: string): string {
  const [primeiro = campo, ...resto] = campo.split('.');
  return [FORA.get(primeiro) ?? primeiro, ...resto].join('.');
}

/** What the domain says of a field is said of the field that was sent. */
async function comCamposDeFora<T>(fazer: () => Promise<T>): Promise<T> {
  try {
    return await fazer();
  } catch (error) {
    if (error instanceof CamposInvalidos)
      throw new CamposInvalidos(error.faltas.map((falta) => ({ ...falta, campo: paraFora(falta.campo) })));
    const campo = error instanceof Recusa ? error.detalhe.campo : undefined;
    if (error instanceof Recusa && campo !== undefined)
      throw new Recusa(error.motivo, { ...error.detalhe, campo: paraFora(campo) });
    throw error;
  }
}

function atorDe(session: AppSession): Actor {
  exigir(session.kind === 'chave', 'permissao_insuficiente');
  return atorDaChave(session.chave, session.ip);
}

async function ler({ services, session }: DoCaso, id: number): Promise<TypeOf<typeof webhookSchema>> {
  const webhook = await services.webhooks.buscar(session.provedor.id, id);
  exigir(webhook, 'nao_encontrado');
  const saude = (await services.webhooks.saude(session.provedor.id, id)).get(id);
  return apresentarWebhook(webhook, saude?.pendentes ?? 0);
}

const grupo = { group: 'Webhooks' } as const;
const leitura = { ...grupo, permission: { chave: 'webhooks:leitura' }, kept: false } as const;
const escrita = { ...grupo, permission: { chave: 'webhooks:escrita' } } as const;
const idDaEntrega = { ...idNoCaminho, description: 'Identificador da entrega.' } as const;
const SEM_REPETICAO = 'Não aceita Idempotency-Key: a resposta traz o segredo, que não se guarda em claro.';

export const rotasDeWebhooks = [
  rota.get({
    ...leitura,
    path: '/webhooks',
    summary: 'Lista os webhooks',
    reading: 'list',
    narrowedBy: [],
    cursor: true,
    query: consultaDePartes,
    data: { type: 'array', items: webhookSchema },
    example: [EXEMPLO_DE_WEBHOOK],
    async run({ query: { limit }, after, services, session: { provedor } }) {
      const todos = await services.webhooks.listar(provedor.id);
      const saudes = await services.webhooks.saude(provedor.id);
      const restam = todos.filter(({ id }) => id > Number(after?.[0] ?? 0));
      const itens = restam.slice(0, limit);
      const ultimo = itens.at(-1);
      const next = ultimo !== undefined && restam.length > limit ? [ultimo.id] : null;
      return comCursor({ itens, total: todos.length, next }, limit, (um) =>
        apresentarWebhook(um, saudes.get(um.id)?.pendentes ?? 0),
      );
    },
  }),
  rota.get({
    ...leitura,
    path: '/webhooks/events',
    summary: 'O catálogo de eventos',
    description: 'Cada evento com o JSON Schema de data e um exemplo. Eventos e campos novos podem aparecer.',
    reading: 'record',
    data: { type: 'array', items: eventoSchema },
    example: EVENTOS.slice(0, 1),
    run: async () => Promise.resolve({ data: CATALOGO }),
  }),
  rota.get({
    ...leitura,
    path: '/webhooks/{id}',
    params: { id: idNoCaminho },
    summary: 'Lê um webhook',
    reading: 'record',
    data: webhookSchema,
    example: EXEMPLO_DE_WEBHOOK,
    errors: ['nao_encontrado'],
    run: async (call) => ({ data: await ler(call, call.params.id) }),
  }),
  rota.act.post({
    ...escrita,
    path: '/webhooks',
    summary: 'Cria um webhook',
    description: `O segredo só aparece nesta resposta e na troca. Um provedor tem até 20. ${SEM_REPETICAO}`,
    body: { schema: corpoNovo, required: true },
    data: webhookNovoSchema,
    example: { ...EXEMPLO_DE_WEBHOOK, secret: EXEMPLO_DE_SEGREDO },
    success: 201,
    errors: ['url_nao_permitida', 'evento_desconhecido', 'limite_de_webhooks'],
    async run(call) {
      const { body, services, session } = call;
      const { id, segredo } = await comCamposDeFora(async () =>
        services.webhooks.criar(atorDe(session), session.provedor.id, paraACasa(body)),
      );
      return { data: { ...(await ler(call, id)), secret: segredo } };
    },
  }),
  rota.act.put({
    ...escrita,
    path: '/webhooks/{id}',
    params: { id: idNoCaminho },
    summary: 'Altera um webhook',
    description: 'O que falta fica como está.',
    body: { schema: corpoDeMudanca, required: true },
    data: webhookSchema,
    example: EXEMPLO_DE_WEBHOOK,
    errors: ['nao_encontrado', 'url_nao_permitida', 'evento_desconhecido'],
    async run(call) {
      const { params, body, services, session } = call;
      await comCamposDeFora(async () =>
        services.webhooks.alterar(atorDe(session), session.provedor.id, params.id, paraACasa(body)),
      );
      return { data: await ler(call, params.id) };
    },
  }),
  rota.act.delete({
    ...escrita,
    path: '/webhooks/{id}',
    params: { id: idNoCaminho },
    summary: 'Remove um webhook',
    description: 'O que esperava por ser entregue não é mais; o que foi enviado fica no registro pelo seu tempo.',
    data: removido,
    example: { id: 7 },
    errors: ['nao_encontrado'],
    async run({ params: { id }, services, session }) {
      await services.webhooks.remover(atorDe(session), session.provedor.id, id);
      return { data: { id } };
    },
  }),
  rota.act.post({
    ...escrita,
    path: '/webhooks/{id}/secret',
    params: { id: idNoCaminho },
    summary: 'Troca o segredo',
    description: `Enquanto o anterior vale, os dois assinam; numa terceira troca o mais antigo cai. ${SEM_REPETICAO}`,
    body: { schema: corpoDoSegredo, required: false },
    data: segredoSchema,
    example: { secret: EXEMPLO_DE_SEGREDO, previous_secret_until: '2026-11-23T17:02:11.000Z' },
    errors: ['nao_encontrado'],
    async run(call) {
      const { params, body, services, session } = call;
      const dados = paraACasa(body);
      const { segredo } = await services.webhooks.trocarSegredo(atorDe(session), session.provedor.id, params.id, dados);
      return { data: { secret: segredo, previous_secret_until: (await ler(call, params.id)).previous_secret_until } };
    },
  }),
  rota.act.post({
    ...escrita,
    path: '/webhooks/{id}/test',
    params: { id: idNoCaminho },
    summary: 'Envia um exemplo na hora',
    description: 'Uma tentativa, que não se repete e fica no registro. Até 6 por minuto.',
    body: { schema: corpoDoTeste, required: false },
    data: resultadoDoTeste,
    example: EXEMPLO_DE_TESTE,
    errors: ['nao_encontrado', 'evento_desconhecido', 'limite_de_testes'],
    async run({ params, body, services, session }) {
      const feito = await comCamposDeFora(async () =>
        services.webhooks.testar(atorDe(session), session.provedor, params.id, paraACasa(body)),
      );
      const { entregaId, em, resposta } = feito;
      return {
        data: {
          delivery_id: entregaId,
          at: em.toISOString(),
          ...apresentarTentativa(feito),
          response_body: resposta,
        },
      };
    },
  }),
  rota.get({
    ...leitura,
    path: '/webhooks/{id}/logs',
    params: { id: idNoCaminho },
    summary: 'Lista as entregas, as mais novas primeiro',
    reading: 'person',
    paged: true,
    cursor: true,
    query: consultaDeEntregas,
    data: { type: 'array', items: entregaSchema },
    example: [EXEMPLO_DE_ENTREGA],
    errors: ['nao_encontrado'],
    async run({ params, query, after, services, session: { provedor } }) {
      const { limit, status, event, from, to } = query;
      const filtro = { situacao: status, tipo: event, de: instanteDe(from), ate: instanteDe(to) };
      const antesDe = after === null ? undefined : Number(after[0]);
      const lidas = await services.webhooks.entregas(provedor.id, params.id, { ...filtro, antesDe }, limit + 1);
      const itens = lidas.slice(0, limit);
      const ultima = itens.at(-1);
      const next = ultima !== undefined && lidas.length > limit ? [ultima.id] : null;
      const total = await services.webhooks.contar(provedor.id, params.id, filtro);
      return comCursor({ itens, total, next }, limit, apresentarEntrega);
    },
  }),
  rota.get({
    ...leitura,
    path: '/webhooks/{id}/logs/{delivery_id}',
    params: { id: idNoCaminho, delivery_id: idDaEntrega },
    summary: 'Lê uma entrega, com o que se enviou e o que se respondeu',
    reading: 'record',
    data: entregaComCorpoSchema,
    example: EXEMPLO_DE_ENTREGA_COM_CORPO,
    errors: ['nao_encontrado'],
    async run(call) {
      const { params, services, session } = call;
      await ler(call, params.id);
      const entrega = await services.webhooks.entrega(session.provedor.id, params.id, params.delivery_id);
      exigir(entrega, 'nao_encontrado');
      return { data: apresentarEntregaComCorpo(entrega) };
    },
  }),
  rota.act.post({
    ...escrita,
    path: '/webhooks/{id}/logs/{delivery_id}/replay',
    params: { id: idNoCaminho, delivery_id: idDaEntrega },
    summary: 'Tenta uma entrega de novo, agora',
    description: 'Esteja como estiver; o webhook-id é o mesmo.',
    data: reenviados,
    example: { queued: 1 },
    success: 202,
    errors: ['nao_encontrado', 'webhook_desativado'],
    async run({ params, services, session }) {
      await services.webhooks.reenviar(atorDe(session), session.provedor.id, params.id, params.delivery_id);
      return { data: { queued: 1 } };
    },
  }),
  rota.act.post({
    ...escrita,
    path: '/webhooks/{id}/replay',
    params: { id: idNoCaminho },
    summary: 'Envia de novo o que não foi entregue num período',
    description: 'Até 10.000 entregas por pedido, das mais antigas às mais novas.',
    body: { schema: corpoDoReenvio, required: true },
    data: reenviados,
    example: { queued: 12 },
    success: 202,
    errors: ['nao_encontrado', 'webhook_desativado'],
    async run({ params, body, services, session }) {
      const queued = await comCamposDeFora(async () =>
        services.webhooks.reenviarDesde(atorDe(session), session.provedor.id, params.id, paraACasa(body)),
      );
      return { data: { queued } };
    },
  }),
];
