import { exigir } from '../erros.ts';
import { rota } from '../rota.ts';
import { apresentarConexao, apresentarContrato } from './contratos.presenters.ts';
import { conexaoSchema, contratoSchema, exemploConexao, exemploContrato } from './contratos.schemas.ts';

export const rotasDeContratos = [
  rota({
    metodo: 'GET',
    caminho: '/contratos/{id}',
    permissao: 'clientes:leitura',
    grupo: 'Contratos',
    resumo: 'Lê um contrato',
    dados: contratoSchema,
    exemplo: exemploContrato,
    erros: ['nao_encontrado'],
    async executar({ id, dominio }) {
      const contrato = await dominio.contratos.buscarPorId(id);
      exigir(contrato, 'nao_encontrado');
      return { dados: apresentarContrato(contrato) };
    },
  }),
  rota({
    metodo: 'GET',
    caminho: '/contratos/{id}/conexao',
    permissao: 'clientes:leitura',
    grupo: 'Contratos',
    resumo: 'Lê a conexão e as quedas de um contrato',
    descricao: 'Estado da conexão, quedas dos últimos 7 e 30 dias e as sessões dos últimos 30 dias.',
    dados: conexaoSchema,
    exemplo: exemploConexao,
    erros: ['nao_encontrado'],
    async executar({ id, dominio }) {
      const conexao = await dominio.conexoes.buscarPorContrato(id);
      exigir(conexao, 'nao_encontrado');
      return { dados: apresentarConexao(conexao) };
    },
  }),
];
