import { idNoCaminho, instanteDe } from '../../../objects/consulta.ts';
import { exigir } from '../erros.ts';
import { comCursor, rota } from '../rota.ts';
import { atorDe, comCamposDeFora, escrita, leitura, ler, paraACasa } from './comum.ts';
import { EXEMPLO_DE_ENTREGA, EXEMPLO_DE_ENTREGA_COM_CORPO } from './exemplos.ts';
import { apresentarEntrega, apresentarEntregaComCorpo } from './webhooks.presenter.ts';
import {
  consultaDeEntregas,
  corpoDoReenvio,
  entregaComCorpoSchema,
  entregaSchema,
  reenviados,
} from './webhooks.schemas.ts';

const idDaEntrega = { ...idNoCaminho, description: 'Identificador da entrega.' } as const;

/** The log of a webhook, and what is sent again. */
export const rotasDoRegistro = [
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
    async run({ params, services, session }) {
      await ler(services.webhooks, session, params.id);
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
