import type { AppSession } from '../../../access/callers.ts';
import { hojeEm } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { lerMudancaDeCliente, lerNovoCliente } from '../../../domain/clientes/cadastro/cadastro.regras.ts';
import type { Cliente } from '../../../domain/clientes/clientes.types.ts';
import type { Dominio } from '../../../domain/dominio.ts';
import { filtroDeClientes } from '../../../objects/clientes.consulta.ts';
import { apresentarCliente } from '../../../objects/clientes.presenter.ts';
import { clienteSchema, exemploCliente } from '../../../objects/clientes.schemas.ts';
import { idNoCaminho } from '../../../objects/consulta.ts';
import { faltasDe } from '../entrada.ts';
import { exigir } from '../erros.ts';
import { comCursor, enderecoDoCriado, rota } from '../rota.ts';
import { consultaDeCancelamento, consultaDeClientes, corpoDeCadastro, corpoDeMudanca } from './clientes.schemas.ts';

/** Judges a body as the domain does, which knows more of documents, phones and dates than a schema can say. */
const julgando =
  (ler: (corpo: unknown, hoje: Data) => unknown) =>
  (corpo: unknown, { provedor, at }: AppSession) =>
    faltasDe(() => ler(corpo, hojeEm(provedor.fusoHorario, at)));

const comum = { group: 'Clientes', data: clienteSchema, example: exemploCliente } as const;

export const rotasDeClientes = [
  rota.get({
    path: '/clientes',
    permission: { chave: 'clientes:leitura' },
    group: 'Clientes',
    summary: 'Lista ou procura clientes',
    description:
      'Em ordem de id. Cada cliente traz os seus contratos. Em atualizado_desde, contam também os contratos, os telefones e os planos; o estado da conexão, que muda o dia todo, não conta.',
    reading: 'list',
    narrowedBy: ['cpf_cnpj', 'telefone'],
    cursor: true,
    query: consultaDeClientes,
    data: { type: 'array', items: clienteSchema },
    example: [exemploCliente],
    async run({ query, after, domain }) {
      exigir(query.telefone_exato === undefined || query.telefone !== undefined, 'parametro_invalido');
      const { limit } = query;
      return comCursor(
        await domain.clientes.listarApos(filtroDeClientes(query), { after, limit }),
        limit,
        apresentarCliente,
      );
    },
  }),
  rota.get({
    ...comum,
    path: '/clientes/{id}',
    params: { id: idNoCaminho },
    permission: { chave: 'clientes:leitura' },
    summary: 'Lê um cliente',
    reading: 'record',
    errors: ['nao_encontrado'],
    async run({ params: { id }, domain }) {
      return { data: apresentarCliente(await lerCliente(domain, id)) };
    },
  }),
  rota.post({
    ...comum,
    path: '/clientes',
    permission: { chave: 'clientes:escrita' },
    summary: 'Cadastra um cliente',
    description:
      'Só um cadastro que não está cancelado pode ter um documento: de vários pedidos ao mesmo tempo, um cadastra e os outros recebem cliente_duplicado. resource_id diz qual é o outro, à chave que pode ler clientes.',
    body: { schema: corpoDeCadastro, required: true, judge: julgando(lerNovoCliente) },
    success: 201,
    location: enderecoDoCriado('/clientes'),
    errors: ['cpf_cnpj_invalido', 'telefone_invalido', 'cliente_duplicado'],
    async run({ body, domain, writes }) {
      return { data: apresentarCliente(await lerCliente(domain, await writes.clientes.criar(body))) };
    },
  }),
  rota.put({
    ...comum,
    path: '/clientes/{id}',
    params: { id: idNoCaminho },
    permission: { chave: 'clientes:escrita' },
    summary: 'Altera um cliente',
    description:
      'O que falta fica como está, também no endereço; os telefones são trocados pela lista. Com If-Match, só altera o que ainda é como foi lido, contratos e conexão inclusive.',
    body: { schema: corpoDeMudanca, required: true, judge: julgando(lerMudancaDeCliente) },
    guarded: true,
    errors: [
      'cpf_cnpj_invalido',
      'telefone_invalido',
      'nao_encontrado',
      'cliente_duplicado',
      'cliente_cancelado',
      'transicao_de_cliente_invalida',
    ],
    async run({ params: { id }, body, domain, writes, requireMatch }) {
      let versao: Date | undefined;
      await requireMatch(async () => {
        const cliente = await lerCliente(domain, id);
        versao = cliente.atualizadoEm;
        return apresentarCliente(cliente);
      });
      // Whoever changes it between the reading above and the lock is found out by the version.
      await writes.clientes.alterar(id, body, { versao });
      return { data: apresentarCliente(await lerCliente(domain, id)) };
    },
  }),
  rota.delete({
    ...comum,
    path: '/clientes/{id}',
    params: { id: idNoCaminho },
    permission: { chave: 'clientes:escrita' },
    summary: 'Cancela um cliente',
    description:
      'Nada é apagado: o cliente e os seus contratos ficam cancelados, e o que deve continua devido. De novo, responde 200 e nada muda.',
    query: consultaDeCancelamento,
    errors: ['nao_encontrado'],
    async run({ params: { id }, query, domain, writes }) {
      await writes.clientes.cancelar(id, query);
      return { data: apresentarCliente(await lerCliente(domain, id)) };
    },
  }),
];

async function lerCliente({ clientes }: Dominio, id: number): Promise<Cliente> {
  const cliente = await clientes.buscarPorId(id);
  exigir(cliente, 'nao_encontrado');
  return cliente;
}
