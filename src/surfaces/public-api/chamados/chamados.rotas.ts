import { exigir } from '../erros.ts';
import { comPaginacao, paginaPedida, rota } from '../rota.ts';
import { apresentarChamado, apresentarEntrada } from './chamados.presenters.ts';
import {
  chamadoSchema,
  consultaDeChamados,
  entradaHistoricoSchema,
  exemploChamado,
  exemploEntrada,
} from './chamados.schemas.ts';

export const rotasDeChamados = [
  rota({
    metodo: 'GET',
    caminho: '/chamados',
    permissao: 'chamados:leitura',
    grupo: 'Chamados',
    resumo: 'Lista chamados',
    descricao: 'Do mais novo para o mais antigo, pela abertura.',
    consulta: consultaDeChamados,
    dados: { type: 'array', items: chamadoSchema },
    paginada: true,
    exemplo: [exemploChamado],
    async executar({ consulta, dominio }) {
      const pagina = paginaPedida(consulta);
      const filtro = {
        clienteId: consulta.cliente_id,
        contratoId: consulta.contrato_id,
        situacao: consulta.situacao,
      };
      return comPaginacao(await dominio.chamados.listar(filtro, pagina), pagina, apresentarChamado);
    },
  }),
  rota({
    metodo: 'GET',
    caminho: '/chamados/{id}',
    permissao: 'chamados:leitura',
    grupo: 'Chamados',
    resumo: 'Lê um chamado',
    dados: chamadoSchema,
    exemplo: exemploChamado,
    erros: ['nao_encontrado'],
    async executar({ id, dominio }) {
      const chamado = await dominio.chamados.buscarPorId(id);
      exigir(chamado, 'nao_encontrado');
      return { dados: apresentarChamado(chamado) };
    },
  }),
  rota({
    metodo: 'GET',
    caminho: '/chamados/{id}/historico',
    permissao: 'chamados:leitura',
    grupo: 'Chamados',
    resumo: 'Lê o histórico de um chamado',
    descricao: 'Da entrada mais antiga para a mais nova.',
    dados: { type: 'array', items: entradaHistoricoSchema },
    exemplo: [exemploEntrada],
    erros: ['nao_encontrado'],
    async executar({ id, dominio }) {
      const entradas = await dominio.chamados.listarHistorico(id);
      exigir(entradas, 'nao_encontrado');
      return { dados: entradas.map(apresentarEntrada) };
    },
  }),
];
