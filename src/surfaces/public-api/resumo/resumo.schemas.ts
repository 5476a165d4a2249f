import { SUGESTOES } from '../../../domain/resumo/resumo.regras.ts';
import { chamadoSchema, exemploChamado } from '../../../objects/chamados.schemas.ts';
import { filtrosDeClientes } from '../../../objects/clientes.consulta.ts';
import { clienteSchema, exemploCliente } from '../../../objects/clientes.schemas.ts';
import { conexaoDetalheSchema, exemploConexaoDetalhe } from '../../../objects/rede/conexoes.schemas.ts';
import { protocoloNaConsulta } from '../../../objects/consulta.ts';
import { contratoSchema, exemploContrato } from '../../../objects/contratos.schemas.ts';
import { exemploFatura, faturaSchema } from '../../../objects/faturas.schemas.ts';
import { id, moneyOrNull } from '../../../kit/fields/fields.ts';
import { closed } from '../../../platform/schema-type.ts';
import {
  desbloqueioPossivelSchema,
  exemploDesbloqueioPossivel,
  exemploPromessa,
  promessaSchema,
} from '../contratos/contratos.schemas.ts';

const { id: idDoCliente, nome, tipo, cpf_cnpj, situacao, telefones } = clienteSchema.properties;

export const resumoSchema = closed('Resumo', {
  cliente: closed('ClienteResumido', { id: idDoCliente, nome, tipo, cpf_cnpj, situacao, telefones }),
  contratos: {
    type: 'array',
    maxItems: 100,
    description:
      'Até 100: o pedido, depois os bloqueados, offline ou sob aviso, os outros e os cancelados, de cada grupo os mais novos. De quem tem mais, GET /clientes/{id} traz todos.',
    items: closed('ContratoResumido', {
      ...contratoSchema.properties,
      conexao_detalhe: conexaoDetalheSchema,
      desbloqueio: desbloqueioPossivelSchema,
      promessa: {
        anyOf: [promessaSchema, { type: 'null' }],
        description: 'A promessa de pagamento em aberto; nula sem nenhuma.',
      },
    }),
  },
  faturas_abertas: {
    anyOf: [{ type: 'array', maxItems: 24, items: faturaSchema }, { type: 'null' }],
    description: 'Da que venceu há mais tempo à que vence por último; nula se a chave não lê faturas.',
  },
  total_vencido: {
    ...moneyOrNull,
    description: 'O que se deve hoje das faturas vencidas, também das que não couberam.',
  },
  total_aberto: { ...moneyOrNull, description: 'O que se deve hoje de todas as faturas em aberto.' },
  chamados_em_aberto: {
    anyOf: [{ type: 'array', maxItems: 100, items: chamadoSchema }, { type: 'null' }],
    description:
      'Do mais novo para o mais antigo, até 100, o do protocolo pedido entre eles; nulos se a chave não lê chamados.',
  },
  sugestao: {
    type: 'string',
    enum: SUGESTOES,
    description:
      'O que mais provavelmente responde à ligação: o primeiro que couber, nesta ordem. O que a chave não lê não conta, nem o que é de contrato cancelado ou que não coube nos 100.',
  },
});

export const consultaDeResumo = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  maxProperties: 2,
  properties: {
    cpf_cnpj: filtrosDeClientes.cpf_cnpj,
    telefone: filtrosDeClientes.telefone,
    telefone_exato: filtrosDeClientes.telefone_exato,
    contrato_id: { ...id, description: 'De um contrato do cliente.', examples: [12] },
    protocolo: { ...protocoloNaConsulta, description: 'De um contato com o cliente.' },
  },
} as const;

export const exemploResumo = {
  cliente: {
    id: exemploCliente.id,
    nome: exemploCliente.nome,
    tipo: exemploCliente.tipo,
    cpf_cnpj: exemploCliente.cpf_cnpj,
    situacao: exemploCliente.situacao,
    telefones: exemploCliente.telefones,
  },
  contratos: [
    {
      ...exemploContrato,
      conexao_detalhe: exemploConexaoDetalhe,
      desbloqueio: exemploDesbloqueioPossivel,
      promessa: exemploPromessa,
    },
  ],
  faturas_abertas: [exemploFatura],
  total_vencido: exemploFatura.valor_a_pagar,
  total_aberto: exemploFatura.valor_a_pagar,
  chamados_em_aberto: [exemploChamado],
  sugestao: 'fatura_vencida',
};
