import { DE_FORA } from '../../../domain/eventos/fora.types.ts';
import { instante, texto } from '../../../domain/eventos/fora/dito.ts';
import { jsonDecimal } from '../../../platform/json.ts';
import { closed } from '../../../platform/schema-type.ts';
import type { Schema } from '../../../platform/schema-type.ts';

/** Every event as receivers are told of it. */
export const EVENTOS = Object.entries(DE_FORA).map(([type, { descricao, dados, exemplo }]) => ({
  type,
  description: descricao,
  schema: dados as Schema,
  example: exemplo as object,
}));

/** The example as the API says it: a JavaScript number would print 99.90 as 99.9. */
const comCentavos = ({ properties = {} }: Schema, exemplo: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(exemplo).map(([nome, valor]: [string, unknown]) => [
      nome,
      typeof valor === 'number' && properties[nome]?.format === 'dinheiro' ? jsonDecimal(valor.toFixed(2)) : valor,
    ]),
  );

/** The catalogue as `GET /webhooks/events` answers it. */
export const CATALOGO = EVENTOS.map((evento) => ({ ...evento, example: comCentavos(evento.schema, evento.example) }));

const ASSINATURA =
  'Standard Webhooks 1.0: webhook-id, webhook-timestamp e webhook-signature, que se confere com o segredo do webhook.';

const cabecalho = (name: string) => ({ name, in: 'header', required: true, schema: { type: 'string' } });

/** The `webhooks` section of the document. */
export const EVENTOS_NO_DOCUMENTO = Object.fromEntries(
  EVENTOS.map(({ type, description, schema, example }) => [
    type,
    {
      post: {
        operationId: `evento.${type}`,
        tags: ['Webhooks'],
        summary: description,
        description: ASSINATURA,
        security: [],
        parameters: ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(cabecalho),
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: closed(
                null,
                {
                  type: { const: type },
                  timestamp: instante,
                  provedor: texto,
                  test: { type: 'boolean', description: 'Só em testes, verdadeiro.' },
                  data: schema,
                },
                { optional: ['test'] },
              ),
              example: {
                type,
                timestamp: '2026-11-22T17:02:11.000Z',
                provedor: 'painel.serra.example',
                data: example,
              },
            },
          },
        },
        responses: { '2XX': { description: 'Entregue. Qualquer outra resposta é tentada de novo.' } },
      },
    },
  ]),
);
