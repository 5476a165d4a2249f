import type { Extrato } from '../../../domain/extratos/extratos.types.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';
import { iso, paginacaoNaConsulta } from '../esquemas.ts';
import { comPaginacao, paginaPedida, rota, rotaDeArquivo } from '../rota.ts';
import { exemploExtrato, extratoSchema } from './extratos.schemas.ts';

function apresentarExtrato(extrato: Extrato): TypeOf<typeof extratoSchema> {
  return {
    id: extrato.id,
    dia: extrato.dia,
    situacao: extrato.situacao,
    consistente_em: iso(extrato.consistenteEm),
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
  rota({
    metodo: 'GET',
    caminho: '/extratos',
    permissao: 'extratos:leitura',
    grupo: 'Extratos',
    resumo: 'Lista os extratos',
    descricao:
      'Um por dia, do mais novo ao mais antigo: clientes, contratos, faturas, chamados, planos e quedas, em Parquet e em NDJSON comprimido com gzip, todos do mesmo instante.',
    consulta: { type: 'object', additionalProperties: false, properties: paginacaoNaConsulta },
    dados: { type: 'array', items: extratoSchema },
    paginada: true,
    exemplo: [exemploExtrato],
    async executar({ consulta, dominio }) {
      const pagina = paginaPedida(consulta);
      return comPaginacao(await dominio.extratos.listar(pagina), pagina, apresentarExtrato);
    },
  }),
  rotaDeArquivo({
    caminho: '/extratos/{id}/{arquivo}',
    permissao: 'extratos:leitura',
    grupo: 'Extratos',
    resumo: 'Baixa um arquivo de um extrato',
    descricao:
      'Os bytes do arquivo. Uma transferência que caiu continua de onde parou: envie Range com o que falta e If-Range com o ETag recebido.',
    erros: ['nao_encontrado'],
    abrir: async ({ id, arquivo, dominio }) => dominio.extratos.buscarArquivo(id, arquivo),
  }),
];
