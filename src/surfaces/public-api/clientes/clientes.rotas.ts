import { normalizarCpfCnpj } from '../../../brazil/pessoa/cpf-cnpj.ts';
import { normalizarTelefone, ultimosOito } from '../../../brazil/pessoa/telefone.ts';
import { exigir } from '../erros.ts';
import { rotaDosRemovidos } from '../removidos.ts';
import { comPaginacao, instanteDe, paginaPedida, rota } from '../rota.ts';
import { apresentarCliente } from './clientes.presenter.ts';
import { clienteSchema, consultaDeClientes, exemploCliente } from './clientes.schemas.ts';

export const rotasDeClientes = [
  rota({
    metodo: 'GET',
    caminho: '/clientes',
    permissao: 'clientes:leitura',
    grupo: 'Clientes',
    resumo: 'Lista ou procura clientes',
    descricao:
      'Sem filtros, lista todos, em ordem de id. Cada cliente traz os seus contratos. Em atualizado_desde, contam também os contratos, os telefones e os planos; o estado da conexão, que muda o dia todo, não conta.',
    consulta: consultaDeClientes,
    dados: { type: 'array', items: clienteSchema },
    paginada: true,
    exemplo: [exemploCliente],
    async executar({ consulta, dominio }) {
      const pagina = paginaPedida(consulta);
      const telefone = normalizarTelefone(consulta.telefone ?? '');
      const filtro = {
        cpfCnpj: normalizarCpfCnpj(consulta.cpf_cnpj ?? '') ?? undefined,
        ultimosOito: telefone === null ? undefined : ultimosOito(telefone),
        situacao: consulta.situacao,
        atualizadoDesde: instanteDe(consulta.atualizado_desde),
      };
      return comPaginacao(await dominio.clientes.listar(filtro, pagina), pagina, apresentarCliente);
    },
  }),
  rotaDosRemovidos('clientes', 'Clientes', 'clientes:leitura'),
  rota({
    metodo: 'GET',
    caminho: '/clientes/{id}',
    permissao: 'clientes:leitura',
    grupo: 'Clientes',
    resumo: 'Lê um cliente',
    dados: clienteSchema,
    exemplo: exemploCliente,
    erros: ['nao_encontrado'],
    async executar({ id, dominio }) {
      const cliente = await dominio.clientes.buscarPorId(id);
      exigir(cliente, 'nao_encontrado');
      return { dados: apresentarCliente(cliente) };
    },
  }),
];
