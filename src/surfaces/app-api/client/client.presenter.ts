import type { Assinante } from '../../../domain/acessos/assinante.service.ts';
import type { Contrato } from '../../../domain/contratos/contratos.types.ts';
import type { Endereco } from '../../../domain/enderecos/enderecos.types.ts';
import type { MotivoDeRecusa } from '../../../domain/erros.ts';
import { toIso, toReais } from '../../../kit/fields/fields.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';
import type { clientSchema } from './client.schemas.ts';

type Client = TypeOf<typeof clientSchema>;
type Contract = Client['contracts'][number];

/** @param impedem why no trust unblock would be applied now, by the contract; @param dias that one lasts */
export function apresentarClient(
  { cliente, cadastros, contratos }: Assinante,
  impedem: ReadonlyMap<number, MotivoDeRecusa | null>,
  dias: number,
): Client {
  return {
    id: cliente.id,
    name: cliente.nome,
    trade_name: cliente.nomeFantasia,
    type: cliente.tipo,
    cpf_cnpj: cliente.cpfCnpj,
    email: cliente.email,
    phones: [...cliente.telefones],
    status: cliente.situacao,
    birth_date: cliente.dataNascimento,
    created_at: cliente.criadoEm.toISOString(),
    address: apresentarEndereco(cliente.endereco),
    contracts: contratos.map((contrato) => apresentarContract(contrato, impedem.get(contrato.id) ?? null, dias)),
    registrations: cadastros.map(({ id, situacao }) => ({ id, status: situacao })),
  };
}

function apresentarContract(contrato: Contrato, impede: MotivoDeRecusa | null, dias: number): Contract {
  const { plano, desbloqueadoAte } = contrato;
  return {
    id: contrato.id,
    client_id: contrato.clienteId,
    status: contrato.situacao,
    connection: contrato.conexao,
    connection_type: contrato.tipoConexao,
    login: contrato.login,
    billing_type: contrato.tipoCobranca,
    due_day: contrato.diaVencimento,
    amount: toReais(contrato.valor),
    activated_at: contrato.ativadoEm,
    blocked_at: toIso(contrato.bloqueadoEm),
    plan: {
      id: plano.id,
      name: plano.nome,
      download_mbps: plano.downloadMbps,
      upload_mbps: plano.uploadMbps,
    },
    installation_address: apresentarEndereco(contrato.enderecoInstalacao),
    trust_unblock: {
      active: desbloqueadoAte !== null,
      until: toIso(desbloqueadoAte),
      available: impede === null,
      reason: impede as Contract['trust_unblock']['reason'],
      days: dias,
    },
  };
}

const apresentarEndereco = (endereco: Endereco): Client['address'] => ({
  zip_code: endereco.cep,
  street: endereco.logradouro,
  number: endereco.numero,
  complement: endereco.complemento,
  district: endereco.bairro,
  city: endereco.cidade,
  state: endereco.uf,
});
