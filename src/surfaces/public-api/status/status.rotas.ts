import { PERMISSOES, RESTRICOES } from '../../../domain/chaves/chaves.types.ts';
import { closed } from '../../../platform/schema-type.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';
import type { KeySession } from '../../../access/keys.ts';
import { rota } from '../rota.ts';

const statusSchema = closed('Status', {
  provedor: { type: 'string', mask: 'none', description: 'Nome do provedor.' },
  chave: { type: 'string', mask: 'none', description: 'Nome dado à chave.' },
  permissoes: { type: 'array', items: { type: 'string', enum: PERMISSOES } },
  restricoes: {
    type: 'array',
    items: { type: 'string', enum: RESTRICOES },
    description: 'O que a chave não alcança; vazia, nada além das permissões a limita.',
  },
  versao: { type: 'string', enum: ['v1'] },
});

function apresentarStatus({ provedor, chave }: KeySession): TypeOf<typeof statusSchema> {
  const { nome, permissoes, restricoes } = chave;
  return {
    provedor: provedor.nome,
    chave: nome,
    permissoes: [...permissoes],
    restricoes: [...restricoes],
    versao: 'v1',
  };
}

export const rotasDeStatus = [
  rota.get({
    path: '/status',
    permission: null,
    group: 'Status',
    summary: 'Confere a chave',
    description: 'Diz de que provedor é a chave e o que ela permite. Serve a qualquer chave válida.',
    reading: 'record',
    kept: false,
    data: statusSchema,
    example: {
      provedor: 'Serra Fibra',
      chave: 'chatbot',
      permissoes: ['clientes:leitura'],
      restricoes: ['somente_busca', 'dados_mascarados'],
      versao: 'v1',
    },
    async run({ session }) {
      return { data: apresentarStatus(session) };
    },
  }),
];
