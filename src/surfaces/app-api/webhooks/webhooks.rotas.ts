import { idNoCaminho } from '../../../objects/consulta.ts';
import { comCursor, rota } from '../rota.ts';
import { atorDe, comCamposDeFora, escrita, leitura, ler, paraACasa } from './comum.ts';
import { CATALOGO, EVENTOS } from './eventos.ts';
import { EXEMPLO_DE_SEGREDO, EXEMPLO_DE_TESTE, EXEMPLO_DE_WEBHOOK } from './exemplos.ts';
import { apresentarTentativa, apresentarWebhook } from './webhooks.presenter.ts';
import {
  consultaDePartes,
  corpoDeMudanca,
  corpoDoSegredo,
  corpoDoTeste,
  corpoNovo,
  eventoSchema,
  removido,
  resultadoDoTeste,
  segredoSchema,
  webhookNovoSchema,
  webhookSchema,
} from './webhooks.schemas.ts';

export const rotasDeWebhooks = [
  rota.get({
    ...leitura,
    path: '/webhooks',
    summary: 'Lista os webhooks',
    reading: 'person',
    paged: true,
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
    run: async ({ params: { id }, services, session }) => ({ data: await ler(services.webhooks, session, id) }),
  }),
  rota.post({
    ...escrita,
    path: '/webhooks',
    summary: 'Cria um webhook',
    description: 'O segredo só aparece nesta resposta e na troca. Um provedor tem até 20.',
    body: { schema: corpoNovo, required: true },
    data: webhookNovoSchema,
    example: { ...EXEMPLO_DE_WEBHOOK, secret: EXEMPLO_DE_SEGREDO },
    success: 201,
    secret: true,
    errors: ['url_nao_permitida', 'evento_desconhecido', 'limite_de_webhooks'],
    async run({ body, writes: { webhooks }, session }) {
      const { id, segredo } = await comCamposDeFora(async () =>
        webhooks.criar(atorDe(session), session.provedor.id, paraACasa(body)),
      );
      return { data: { ...(await ler(webhooks, session, id)), secret: segredo } };
    },
  }),
  rota.put({
    ...escrita,
    path: '/webhooks/{id}',
    params: { id: idNoCaminho },
    summary: 'Altera um webhook',
    description: 'O que falta fica como está.',
    body: { schema: corpoDeMudanca, required: true },
    data: webhookSchema,
    example: EXEMPLO_DE_WEBHOOK,
    errors: ['nao_encontrado', 'url_nao_permitida', 'evento_desconhecido'],
    async run({ params: { id }, body, writes: { webhooks }, session }) {
      await comCamposDeFora(async () => webhooks.alterar(atorDe(session), session.provedor.id, id, paraACasa(body)));
      return { data: await ler(webhooks, session, id) };
    },
  }),
  rota.delete({
    ...escrita,
    path: '/webhooks/{id}',
    params: { id: idNoCaminho },
    summary: 'Remove um webhook',
    description: 'O que esperava por ser entregue não é mais; o que foi enviado fica no registro pelo seu tempo.',
    data: removido,
    example: { id: 7 },
    errors: ['nao_encontrado'],
    async run({ params: { id }, writes: { webhooks }, session }) {
      await webhooks.remover(atorDe(session), session.provedor.id, id);
      return { data: { id } };
    },
  }),
  rota.post({
    ...escrita,
    path: '/webhooks/{id}/secret',
    params: { id: idNoCaminho },
    summary: 'Troca o segredo',
    description: 'Enquanto o anterior vale, os dois assinam; numa terceira troca o mais antigo cai.',
    body: { schema: corpoDoSegredo, required: false },
    data: segredoSchema,
    example: { secret: EXEMPLO_DE_SEGREDO, previous_secret_until: '2026-11-23T17:02:11.000Z' },
    secret: true,
    errors: ['nao_encontrado'],
    async run({ params: { id }, body, writes: { webhooks }, session }) {
      const { segredo } = await webhooks.trocarSegredo(atorDe(session), session.provedor.id, id, paraACasa(body));
      const { previous_secret_until } = await ler(webhooks, session, id);
      return { data: { secret: segredo, previous_secret_until } };
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
];
