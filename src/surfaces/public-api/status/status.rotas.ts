import { PERMISSOES } from '../../../domain/chaves/chaves.types.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';
import type { Sessao } from '../porta.ts';
import { rota } from '../rota.ts';

const statusSchema = {
  title: 'Status',
  type: 'object',
  additionalProperties: false,
  required: ['provedor', 'chave', 'permissoes', 'versao'],
  properties: {
    provedor: { type: 'string', description: 'Nome do provedor.' },
    chave: { type: 'string', description: 'Nome dado à chave.' },
    permissoes: { type: 'array', items: { type: 'string', enum: PERMISSOES } },
    versao: { type: 'string', enum: ['v1'] },
  },
} as const;

function apresentarStatus({ provedor, chave }: Sessao): TypeOf<typeof statusSchema> {
  return { provedor: provedor.nome, chave: chave.nome, permissoes: [...chave.permissoes], versao: 'v1' };
}

export const rotasDeStatus = [
  rota({
    metodo: 'GET',
    caminho: '/status',
    permissao: null,
    grupo: 'Status',
    resumo: 'Confere a chave',
    descricao: 'Diz de que provedor é a chave e o que ela permite. Serve a qualquer chave válida.',
    daChave: true,
    dados: statusSchema,
    exemplo: { provedor: 'Serra Fibra', chave: 'chatbot', permissoes: ['clientes:leitura'], versao: 'v1' },
    async executar({ sessao }) {
      return { dados: apresentarStatus(sessao) };
    },
  }),
];
