import type { Plano } from '../../../domain/planos/planos.types.ts';
import { dinheiro, emReais, id, textoOuNulo } from '../esquemas.ts';
import { rota } from '../rota.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';

const planoSchema = {
  title: 'Plano',
  type: 'object',
  additionalProperties: false,
  required: ['id', 'nome', 'download_mbps', 'upload_mbps', 'valor', 'tecnologia', 'descricao'],
  properties: {
    id,
    nome: { type: 'string' },
    download_mbps: { type: 'integer' },
    upload_mbps: { type: 'integer' },
    valor: dinheiro,
    tecnologia: textoOuNulo,
    descricao: textoOuNulo,
  },
} as const;

function apresentarPlano(plano: Plano): TypeOf<typeof planoSchema> {
  return {
    id: plano.id,
    nome: plano.nome,
    download_mbps: plano.downloadMbps,
    upload_mbps: plano.uploadMbps,
    valor: emReais(plano.valor),
    tecnologia: plano.tecnologia,
    descricao: plano.descricao,
  };
}

export const rotasDePlanos = [
  rota({
    metodo: 'GET',
    caminho: '/planos',
    permissao: 'planos:leitura',
    grupo: 'Planos',
    resumo: 'Lista os planos ativos',
    descricao: 'Em ordem de nome, sem paginação.',
    dados: { type: 'array', items: planoSchema },
    exemplo: [
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
    async executar({ dominio }) {
      return { dados: (await dominio.planos.listarAtivos()).map(apresentarPlano) };
    },
  }),
];
