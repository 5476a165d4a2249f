import type { Plano } from '../../../domain/planos/planos.types.ts';
import { money, toReais, id, textOrNull } from '../../../kit/fields/fields.ts';
import { rota } from '../rota.ts';
import { closed } from '../../../platform/schema-type.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';

const planoSchema = closed('Plano', {
  id,
  nome: { type: 'string', mask: 'none' },
  download_mbps: { type: 'integer' },
  upload_mbps: { type: 'integer' },
  valor: money,
  tecnologia: { ...textOrNull, mask: 'none' },
  descricao: { ...textOrNull, mask: 'none' },
});

function apresentarPlano(plano: Plano): TypeOf<typeof planoSchema> {
  return {
    id: plano.id,
    nome: plano.nome,
    download_mbps: plano.downloadMbps,
    upload_mbps: plano.uploadMbps,
    valor: toReais(plano.valor),
    tecnologia: plano.tecnologia,
    descricao: plano.descricao,
  };
}

export const rotasDePlanos = [
  rota.get({
    path: '/planos',
    permission: 'planos:leitura',
    group: 'Planos',
    summary: 'Lista os planos ativos',
    description: 'Em ordem de nome, sem paginação.',
    reading: 'record',
    data: { type: 'array', items: planoSchema },
    example: [
      {
        id: 3,
        nome: 'Fibra 500',
        download_mbps: 500,
        upload_mbps: 250,
        valor: 99.9,
        tecnologia: 'fibra',
        descricao: null,
      },
    ],
    async run({ domain }) {
      return { data: (await domain.planos.listarAtivos()).map(apresentarPlano) };
    },
  }),
];
