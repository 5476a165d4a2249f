import { FORMATOS } from '../../../domain/extratos/extratos.types.ts';
import { SITUACOES_DE_EXTRATO } from '../../../domain/extratos/extratos.types.ts';
import { date, id, instantOrNull } from '../../../kit/fields/fields.ts';
import { closed } from '../../../platform/schema-type.ts';

const arquivoSchema = closed('ArquivoDeExtrato', {
  nome: { type: 'string', description: 'Nome a pôr no endereço de GET /extratos/{id}/{arquivo}.' },
  formato: { type: 'string', enum: [...FORMATOS, 'json'] },
  linhas: { type: ['integer', 'null'], description: 'Registros; nulo no manifesto.' },
  bytes: { type: 'integer' },
  sha256: { type: 'string', description: 'Em hexadecimal; é também o ETag do arquivo.' },
});

export const extratoSchema = closed('Extrato', {
  id,
  dia: { ...date, description: 'Dia local do provedor.' },
  situacao: { type: 'string', enum: SITUACOES_DE_EXTRATO },
  consistente_em: {
    ...instantOrNull,
    description: 'Instante de todos os arquivos: o que foi gravado até ele está neles.',
  },
  arquivos: { type: 'array', items: arquivoSchema },
});

export const exemploExtrato = {
  id: 31,
  dia: '2026-11-10',
  situacao: 'pronto',
  consistente_em: '2026-11-10T03:05:00.000Z',
  arquivos: [
    {
      nome: 'clientes.parquet',
      formato: 'parquet',
      linhas: 18250,
      bytes: 1204311,
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    },
  ],
};
