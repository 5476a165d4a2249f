import { CANAIS } from '../../protocolos/protocolos.types.ts';
import { campos, data, evento, id, idOuNulo, quantos } from './evento.ts';

const promessa = campos({ cliente: id, contrato: id, data });

/** What happens with contacts, and with what subscribers promise in them. */
export const DOS_ATENDIMENTOS = {
  'atendimento.registrado': evento({
    descricao: 'Anotou-se um contato, com o seu protocolo; nulo é o cliente que não se sabe quem é.',
    sai: false,
    dados: campos({ cliente: idOuNulo, contrato: idOuNulo, canal: { enum: CANAIS } }),
    exemplo: { cliente: 12, contrato: null, canal: 'chatbot' },
  }),
  'cliente.promessa_registrada': evento({
    descricao: 'Um assinante prometeu pagar o que um contrato deve até um dia.',
    sai: true,
    dados: promessa,
    exemplo: { cliente: 12, contrato: 34, data: '2026-11-30' },
  }),
  'cliente.promessa_quebrada': evento({
    descricao: 'Passou o dia de uma promessa, e ainda se deve algo que venceu até ele.',
    sai: true,
    dados: promessa,
    exemplo: { cliente: 12, contrato: 34, data: '2026-11-30' },
  }),
  'promessas.conferidas': evento({
    descricao: 'Conferiram-se as promessas de pagamento cujo dia passou.',
    sai: false,
    dados: campos({ dia: data, linhas: quantos }),
    exemplo: { dia: '2026-12-01', linhas: 4 },
  }),
} as const;
