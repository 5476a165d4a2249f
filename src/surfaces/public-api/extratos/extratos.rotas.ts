import type { Extrato } from '../../../domain/extratos/extratos.types.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';
import { toIso } from '../../../kit/fields/fields.ts';
import { idNoCaminho } from '../../../objects/consulta.ts';
import { arquivoNoCaminho, paginacaoNaConsulta } from '../esquemas.ts';
import { comPaginacao, paginaPedida, rota } from '../rota.ts';
import { exemploExtrato, extratoSchema } from './extratos.schemas.ts';

function apresentarExtrato(extrato: Extrato): TypeOf<typeof extratoSchema> {
  return {
    id: extrato.id,
    dia: extrato.dia,
    situacao: extrato.situacao,
    consistente_em: toIso(extrato.consistenteEm),
    arquivos: extrato.arquivos.map(({ nome, formato, linhas, bytes, sha256 }) => ({
      nome,
      formato,
      linhas,
      bytes,
      sha256,
    })),
  };
}

export const rotasDeExtratos = [
  rota.get({
    path: '/extratos',
    permission: 'extratos:leitura',
    group: 'Extratos',
    summary: 'Lista os extratos',
    description:
      'Um por dia, do mais novo ao mais antigo: clientes, contratos, faturas, chamados, planos e quedas, em Parquet e em NDJSON comprimido com gzip, todos do mesmo instante.',
    reading: 'list',
    narrowedBy: [],
    bulk: true,
    query: { type: 'object', additionalProperties: false, properties: paginacaoNaConsulta },
    data: { type: 'array', items: extratoSchema },
    example: [exemploExtrato],
    async run({ query, domain }) {
      const pagina = paginaPedida(query);
      return comPaginacao(await domain.extratos.listar(pagina), pagina, apresentarExtrato);
    },
  }),
  rota.file({
    path: '/extratos/{id}/{arquivo}',
    params: { id: idNoCaminho, arquivo: arquivoNoCaminho },
    permission: 'extratos:leitura',
    group: 'Extratos',
    summary: 'Baixa um arquivo de um extrato',
    description:
      'Os bytes do arquivo. Uma transferência que caiu continua de onde parou: envie Range com o que falta e If-Range com o ETag recebido.',
    errors: ['nao_encontrado'],
    async open({ params: { id, arquivo }, domain }) {
      const aberto = await domain.extratos.buscarArquivo(id, arquivo);
      const { nome, bytes, sha256 } = aberto;
      return { name: nome, bytes, sha256, open: async (parte) => aberto.abrir(parte) };
    },
  }),
];
