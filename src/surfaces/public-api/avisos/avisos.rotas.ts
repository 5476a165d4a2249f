import { SITUACOES_PEDIDAS } from '../../../domain/rede/avisos/avisos.types.ts';
import { apresentarAviso } from '../../../objects/rede/avisos.presenter.ts';
import { avisoSchema, exemploAviso } from '../../../objects/rede/avisos.schemas.ts';
import { paginacaoNaConsulta } from '../esquemas.ts';
import { comPaginacao, paginaPedida, rota } from '../rota.ts';

const consulta = {
  type: 'object',
  additionalProperties: false,
  properties: {
    situacao: {
      type: 'string',
      enum: SITUACOES_PEDIDAS,
      default: 'abertos',
      description: 'abertos: os que não terminaram, também os que estão marcados para depois (veja inicio).',
      examples: ['abertos'],
    },
    ...paginacaoNaConsulta,
  },
} as const;

export const rotasDeAvisos = [
  rota.get({
    path: '/avisos',
    permission: 'clientes:leitura',
    group: 'Rede',
    summary: 'Lista os avisos de rede',
    description:
      'Interrupções, manutenções e o mais que o provedor diz da sua rede, do aberto por último ao mais antigo. Os que cobrem um contrato vêm com ele, em avisos.',
    // They are few, and of nobody: whoever is on the line waits for them.
    reading: 'person',
    paged: true,
    query: consulta,
    data: { type: 'array', items: avisoSchema },
    example: [exemploAviso],
    async run({ query, domain }) {
      const pagina = paginaPedida(query);
      return comPaginacao(await domain.avisosDeRede.pagina(query.situacao, pagina), pagina, apresentarAviso);
    },
  }),
];
