import { rota } from '../rota.ts';
import { conviteSchema, corpoDeConvite, exemploConvite } from './convites.schemas.ts';

export const rotasDeConvites = [
  rota.post({
    path: '/pre-cadastros/convites',
    permission: 'pre_cadastro:escrita',
    group: 'Pré-cadastros',
    summary: 'Gera um link de pré-cadastro',
    description:
      'O link abre uma página em que a pessoa se cadastra, uma só vez, como cliente em pré-cadastro. O plano e o dia de vencimento que o convite não levar são escolhidos nela.',
    body: { schema: corpoDeConvite, required: false },
    data: conviteSchema,
    example: exemploConvite,
    success: 201,
    errors: ['plano_indisponivel'],
    async run({ body, writes }) {
      const { link, expiraEm, planoId, diaVencimento } = await writes.convites.criar({
        planoId: body.plano_id ?? null,
        diaVencimento: body.dia_vencimento ?? null,
        validadeDias: body.validade_dias,
      });
      return {
        data: { link, expira_em: expiraEm.toISOString(), plano_id: planoId, dia_vencimento: diaVencimento },
      };
    },
  }),
];
