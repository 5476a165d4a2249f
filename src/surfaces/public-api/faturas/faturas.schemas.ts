import { FILTROS_DE_SITUACAO } from '../../../domain/faturas/faturas.types.ts';
import { date, id } from '../../../kit/fields/fields.ts';
import { atualizadoDesdeNaConsulta } from '../../../objects/consulta.ts';
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
