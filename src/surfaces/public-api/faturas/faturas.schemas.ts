import { CANAIS_DE_ENVIO } from '../../../domain/faturas/envio/envio.service.ts';
import { FILTROS_DE_SITUACAO } from '../../../domain/faturas/faturas.types.ts';
import { date, id } from '../../../kit/fields/fields.ts';
import { atualizadoDesdeNaConsulta } from '../../../objects/consulta.ts';
import { closed } from '../../../platform/schema-type.ts';
import { paginacaoNaConsulta } from '../esquemas.ts';

export const consultaDeFaturas = {
  type: 'object',
  additionalProperties: false,
  properties: {
    cliente_id: { ...id, description: 'Só as faturas deste cliente.', examples: [7] },
    contrato_id: { ...id, description: 'Só as faturas deste contrato.', examples: [12] },
    situacao: {
      type: 'string',
      enum: FILTROS_DE_SITUACAO,
      default: 'todas',
      description: 'aberta é pendente mais vencida.',
      examples: ['aberta'],
    },
    vencimento_de: { ...date, description: 'Vencimento a partir deste dia.' },
    vencimento_ate: { ...date, description: 'Vencimento até este dia.' },
    ...atualizadoDesdeNaConsulta,
    ...paginacaoNaConsulta,
  },
} as const;

const canal = {
  type: 'string',
  enum: CANAIS_DE_ENVIO,
  description: 'email: ao endereço do cadastro; evento: por quem o provedor tem para isso.',
  examples: ['email'],
} as const;

export const corpoDeEnvio = closed('PedidoDeEnvio', { canal });

export const envioSchema = closed('Envio', { fatura_id: id, canal });

export const exemploEnvio = { fatura_id: 345, canal: 'email' } as const;
