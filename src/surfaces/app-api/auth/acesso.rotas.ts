import { instant } from '../../../kit/fields/fields.ts';
import { idNoCaminho } from '../../../objects/consulta.ts';
import { closed } from '../../../platform/schema-type.ts';
import { rota } from '../rota.ts';

const codigoSchema = closed('CodigoDeAcesso', {
  codigo: { type: 'string', description: 'Oito dígitos, que servem uma vez. Não estão em mais lugar nenhum.' },
  expira_em: instant,
  telefones: {
    type: 'array',
    items: { type: 'string' },
    description: 'Os do cadastro; a uma chave, do que vale. Só a eles se diz o código.',
  },
});

const corpoDoPedido = closed(
  'PedidoDeCodigo',
  {
    canal: {
      type: 'string',
      minLength: 1,
      maxLength: 20,
      // It stays in the audit log, where no telephone number may come to stand.
      pattern: String.raw`^\D*$`,
      description: 'Por onde o código vai ao cliente, sem algarismos; fica na auditoria. Quem envia é quem pede.',
      examples: ['whatsapp'],
    },
  },
  { optional: ['canal'] },
);

export const rotasDeAcesso = [
  rota.post({
    path: '/clientes/{id}/acesso',
    params: { id: idNoCaminho },
    permission: { chave: 'acesso:escrita', equipe: 'acesso.gerar' },
    group: 'Clientes',
    summary: 'Gera um código de acesso ao app',
    description:
      'O código de antes deixa de servir. Vale 15 minutos, e o da equipe 24 horas; até 3 por hora e 10 por dia de um documento. ' +
      'De um documento cujos cadastros têm e-mails diferentes só a equipe gera um: a uma chave se responde acesso_indisponivel.',
    body: { schema: corpoDoPedido, required: false },
    data: codigoSchema,
    success: 201,
    secret: true,
    example: { codigo: '01234567', expira_em: '2026-11-10T13:20:00.000Z', telefones: ['35999990001'] },
    errors: ['nao_encontrado', 'acesso_indisponivel', 'tentativas_excedidas'],
    async run({ params: { id }, body, session, writes }) {
      const canal = session.kind === 'equipe' ? 'equipe' : 'integracao';
      const { codigo, expiraEm, telefones } = await writes.codigosDoApp.gerar(id, canal, body?.canal);
      return { data: { codigo, expira_em: expiraEm.toISOString(), telefones: [...telefones] } };
    },
  }),
];
