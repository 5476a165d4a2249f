import { normalizarCpfCnpj } from '../../../brazil/pessoa/cpf-cnpj.ts';
import { normalizarTelefone, ultimosOito } from '../../../brazil/pessoa/telefone.ts';
import { exigir } from '../erros.ts';
import { rotaDosRemovidos } from '../removidos.ts';
import { idNoCaminho } from '../esquemas.ts';
import { comPaginacao, instanteDe, paginaPedida, rota } from '../rota.ts';
import { apresentarCliente } from './clientes.presenter.ts';
import { clienteSchema, consultaDeClientes, exemploCliente } from './clientes.schemas.ts';

export const rotasDeClientes = [
  rota.get({
    path: '/clientes',
    permission: 'clientes:leitura',
    group: 'Clientes',
    summary: 'Lista ou procura clientes',
    description:
      'Sem filtros, lista todos, em ordem de id. Cada cliente traz os seus contratos. Em atualizado_desde, contam também os contratos, os telefones e os planos; o estado da conexão, que muda o dia todo, não conta.',
    reading: 'list',
    narrowedBy: ['cpf_cnpj', 'telefone'],
    query: consultaDeClientes,
    data: { type: 'array', items: clienteSchema },
    example: [exemploCliente],
    async run({ query, domain }) {
      const pagina = paginaPedida(query);
      const telefone = normalizarTelefone(query.telefone ?? '');
      const filtro = {
        cpfCnpj: normalizarCpfCnpj(query.cpf_cnpj ?? '') ?? undefined,
        ultimosOito: telefone === null ? undefined : ultimosOito(telefone),
        situacao: query.situacao,
        atualizadoDesde: instanteDe(query.atualizado_desde),
      };
      return comPaginacao(await domain.clientes.listar(filtro, pagina), pagina, apresentarCliente);
    },
  }),
  rotaDosRemovidos('clientes', 'Clientes', 'clientes:leitura'),
  rota.get({
    path: '/clientes/{id}',
    params: { id: idNoCaminho },
    permission: 'clientes:leitura',
    group: 'Clientes',
    summary: 'Lê um cliente',
    reading: 'record',
    data: clienteSchema,
    example: exemploCliente,
    errors: ['nao_encontrado'],
    async run({ params: { id }, domain }) {
      const cliente = await domain.clientes.buscarPorId(id);
      exigir(cliente, 'nao_encontrado');
      return { data: apresentarCliente(cliente) };
    },
  }),
];
