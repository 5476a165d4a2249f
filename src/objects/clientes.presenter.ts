import type { Cliente } from '../domain/clientes/clientes.types.ts';
import { apresentarContrato } from './contratos.presenter.ts';
import type { TypeOf } from '../platform/schema-type.ts';
import type { clienteSchema } from './clientes.schemas.ts';

export function apresentarCliente(cliente: Cliente): TypeOf<typeof clienteSchema> {
  return {
    id: cliente.id,
    nome: cliente.nome,
    nome_fantasia: cliente.nomeFantasia,
    tipo: cliente.tipo,
    cpf_cnpj: cliente.cpfCnpj,
    email: cliente.email,
    telefones: [...cliente.telefones],
    situacao: cliente.situacao,
    data_nascimento: cliente.dataNascimento,
    criado_em: cliente.criadoEm.toISOString(),
    endereco: cliente.endereco,
    contratos: cliente.contratos.map(apresentarContrato),
  };
}
