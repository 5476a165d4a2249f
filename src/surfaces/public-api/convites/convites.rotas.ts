import { rota } from '../rota.ts';
import { conviteSchema, corpoDeConvite, exemploConvite } from './convites.schemas.ts';

export const rotasDeConvites = [
  rota({
    metodo: 'POST',
    caminho: '/pre-cadastros/convites',
    permissao: 'pre_cadastro:escrita',
    grupo: 'Pré-cadastros',
    resumo: 'Gera um link de pré-cadastro',
    descricao:
      'O link abre uma página em que a pessoa se cadastra, uma só vez, como cliente em pré-cadastro. O plano e o dia de vencimento que o convite não levar são escolhidos nela.',
    corpo: { esquema: corpoDeConvite, obrigatorio: false },
    dados: conviteSchema,
    exemplo: exemploConvite,
    sucesso: 201,
    erros: ['plano_indisponivel'],
    async executar({ corpo, escritas }) {
      const { link, expiraEm, planoId, diaVencimento } = await escritas.convites.criar({
        planoId: corpo.plano_id ?? null,
        diaVencimento: corpo.dia_vencimento ?? null,
        validadeDias: corpo.validade_dias,
      });
      return {
        dados: { link, expira_em: expiraEm.toISOString(), plano_id: planoId, dia_vencimento: diaVencimento },
      };
    },
  }),
];
