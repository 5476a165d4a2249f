import { normalizarCpfCnpj } from '../../../brazil/pessoa/cpf-cnpj.ts';
import { normalizarTelefone } from '../../../brazil/pessoa/telefone.ts';
import { date } from '../../../kit/fields/fields.ts';
import { idNoCaminho } from '../../../objects/consulta.ts';
import { filtrosDeClientes } from '../../../objects/clientes.consulta.ts';
import { closed } from '../../../platform/schema-type.ts';
import { rota } from '../rota.ts';

const corpo = {
  title: 'Conferencia',
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    cpf_cnpj: filtrosDeClientes.cpf_cnpj,
    data_nascimento: { ...date, description: 'Só de pessoa física.', examples: ['1988-04-12'] },
    telefone: {
      ...filtrosDeClientes.telefone,
      description: 'Com DDD; o 55 e o nono dígito do celular podem faltar.',
    },
    email: { type: 'string', minLength: 3, maxLength: 254, description: 'E-mail.', examples: ['maria@example.com'] },
    cep: {
      type: 'string',
      pattern: String.raw`^\d{5}-?\d{3}$`,
      description: 'O do cadastro, ou o de um contrato.',
      examples: ['37130-001'],
    },
  },
} as const;

const confere = { type: ['boolean', 'null'], description: 'Nulo se não foi perguntado.' } as const;

const conferidoSchema = closed('Conferido', {
  confere: closed(null, {
    cpf_cnpj: confere,
    data_nascimento: confere,
    telefone: confere,
    email: confere,
    cep: confere,
  }),
});

export const rotasDeConferencia = [
  rota.post({
    path: '/clientes/{id}/conferir',
    params: { id: idNoCaminho },
    permission: 'clientes:leitura',
    group: 'Clientes',
    summary: 'Confere o que uma pessoa diz de si',
    description:
      'Para identificar quem está na linha sem ler os dados de ninguém: diz, de cada campo enviado, se é o do cliente. Cinco tentativas por hora por cliente, de todas as chaves juntas; cada uma fica na auditoria.',
    body: { schema: corpo, required: true },
    data: conferidoSchema,
    example: { confere: { cpf_cnpj: true, data_nascimento: false, telefone: null, email: null, cep: null } },
    errors: ['nao_encontrado', 'cpf_cnpj_invalido', 'telefone_invalido', 'tentativas_excedidas'],
    before: async ({ params: { id }, session, services }) => services.attempts.confer(session.provedor.id, id),
    async run({ params: { id }, body, writes }) {
      const { data_nascimento, email, cep } = body;
      const ditos = {
        cpf_cnpj: normalizarCpfCnpj(body.cpf_cnpj ?? '') ?? undefined,
        data_nascimento,
        telefone: normalizarTelefone(body.telefone ?? '') ?? undefined,
        email: email?.trim(),
        cep: cep?.replace('-', ''),
      };
      const enviados = Object.fromEntries(Object.entries(ditos).filter(([, dito]) => dito !== undefined));
      return { data: { confere: await writes.conferencias.conferir(id, enviados) } };
    },
  }),
];
