import { escreverDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import type { Cliente } from '../../domain/clientes/clientes.types.ts';
import type { Contrato } from '../../domain/contratos/contratos.types.ts';

/** By the names of the API, with what only an operator is told. */
export function apresentarCliente(cliente: Cliente) {
  return {
    id: cliente.id,
    nome: cliente.nome,
    nome_fantasia: cliente.nomeFantasia,
    tipo: cliente.tipo,
    cpf_cnpj: cliente.cpfCnpj,
    email: cliente.email,
    telefones: cliente.telefones,
    situacao: cliente.situacao,
    data_nascimento: cliente.dataNascimento,
    codigo_externo: cliente.codigoExterno,
    criado_em: cliente.criadoEm.toISOString(),
    atualizado_em: cliente.atualizadoEm.toISOString(),
    apagado_em: cliente.apagadoEm?.toISOString() ?? null,
    endereco: cliente.endereco,
    contratos: cliente.contratos.map(apresentarContrato),
  };
}

const apresentarContrato = ({ id, situacao, conexao, login, plano, diaVencimento, valor }: Contrato) => ({
  id,
  situacao,
  conexao,
  login,
  plano: { id: plano.id, nome: plano.nome },
  dia_vencimento: diaVencimento,
  valor: escreverDinheiro(valor),
});

/** One line of a list of clients. */
export const linhaDoCliente = ({ id, cpfCnpj, situacao, nome, telefones }: Cliente): string[] => [
  String(id),
  cpfCnpj === '' ? '-' : cpfCnpj,
  situacao,
  telefones[0] ?? '-',
  nome,
];

/** All of a client, a field a line. */
export function linhasDoCliente(cliente: Cliente): string[] {
  const { endereco, contratos, telefones, ...campos } = apresentarCliente(cliente);
  const ditos: readonly (readonly [string, string | number | null])[] = [
    ...Object.entries(campos),
    ['telefones', telefones.join(', ')],
    ...Object.entries(endereco),
    ...contratos.map(
      ({ id, situacao, plano, login }) => [`contrato ${id}`, `${situacao}, ${plano.nome}, ${login ?? '-'}`] as const,
    ),
  ];
  const largura = Math.max(...ditos.map(([nome]) => nome.length));
  return ditos.map(([nome, dito]) => `${nome.padEnd(largura)}  ${dito === null || dito === '' ? '-' : dito}`);
}
