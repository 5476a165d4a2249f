import { filtroDeClientes } from '../../../objects/clientes.consulta.ts';
import { apresentarCliente } from '../../../objects/clientes.presenter.ts';
import { clienteSchema, exemploCliente } from '../../../objects/clientes.schemas.ts';
import { idNoCaminho } from '../../../objects/consulta.ts';
import { exigir } from '../erros.ts';
import { rotaDosRemovidos } from '../removidos.ts';
import { comPaginacao, paginaPedida, rota } from '../rota.ts';
import { consultaDeClientes } from './clientes.schemas.ts';

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
      exigir(
        query.telefone_exato === undefined || query.telefone !== undefined,
        'parametro_invalido',
        'telefone_exato: só com telefone.',
      );
      const pagina = paginaPedida(query);
      const filtro = filtroDeClientes(query);
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
