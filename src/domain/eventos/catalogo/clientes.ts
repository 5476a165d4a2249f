import { CAMPOS_MUDADOS } from '../../clientes/cadastro/cadastro.types.ts';
import { SITUACOES_DE_CLIENTE } from '../../clientes/clientes.types.ts';
import { CONFERIVEIS } from '../../conhecidos/conferencia.types.ts';
import { CANAIS } from '../../protocolos/protocolos.types.ts';
import { campos, data, evento, id, idOuNulo, instante, nomes, quantos, semDados } from './evento.ts';

const promessa = campos({ cliente: id, contrato: id, data });

/** What happens with registrations of clients. */
export const DOS_CLIENTES = {
  'cliente.criado': evento({
    descricao: 'Cadastrou-se um cliente.',
    sai: true,
    dados: campos({
      cliente: id,
      situacao: { enum: SITUACOES_DE_CLIENTE },
      origem: { enum: ['painel', 'api', 'importacao'] },
    }),
    exemplo: { cliente: 12, situacao: 'ativo', origem: 'painel' },
  }),
  'cliente.pre_cadastrado': evento({
    descricao: 'Alguém se cadastrou pelo link de um convite.',
    sai: true,
    dados: campos({ convite: id, contrato: id, plano: id }),
    exemplo: { convite: 5, contrato: 34, plano: 2 },
  }),
  'cliente.atualizado': evento({
    descricao: 'Mudou algo no cadastro de um cliente; um que volta de cancelado muda de situação.',
    sai: true,
    dados: campos({ cliente: id, campos: { type: 'array', items: { enum: CAMPOS_MUDADOS } } }),
    exemplo: { cliente: 12, campos: ['email', 'telefones'] },
  }),
  'cliente.conferido': evento({
    descricao: 'Comparou-se o que alguém disse de si com o cadastro de um cliente.',
    sai: false,
    dados: campos({
      cliente: id,
      campos: { type: 'array', items: { enum: CONFERIVEIS } },
      conferem: { type: 'array', items: { enum: CONFERIVEIS } },
    }),
    exemplo: { cliente: 12, campos: ['cpf_cnpj', 'cep'], conferem: ['cpf_cnpj'] },
  }),
  'cliente.cancelado': evento({
    descricao: 'Cancelou-se um cliente, com tantos contratos, e tantas faturas que ainda não venciam.',
    sai: true,
    dados: campos({ cliente: id, contratos: quantos, faturas: quantos }),
    exemplo: { cliente: 12, contratos: 1, faturas: 0 },
  }),
  'cliente.apagado': evento({
    descricao: 'Apagaram-se dados de um cliente a seu pedido (LGPD): o que se foi, e o que a lei manda guardar.',
    sai: true,
    dados: campos({ cliente: id, apagados: nomes, guardados: nomes }),
    exemplo: { cliente: 12, apagados: ['cadastro.email', 'cadastro.telefones'], guardados: ['cadastro.cpf_cnpj'] },
  }),
  'cliente.acesso_solicitado': evento({
    descricao: 'Alguém pediu um código para entrar no app, pela primeira vez ou porque esqueceu a senha.',
    sai: true,
    dados: campos({ cliente: id, solicitacao: id, expira_em: instante }),
    exemplo: { cliente: 12, solicitacao: 81, expira_em: '2026-11-30T15:15:00.000Z' },
  }),
  'acesso.codigo_gerado': evento({
    descricao: 'Gerou-se um código de acesso ao app, que não está aqui, para um cliente.',
    sai: false,
    // `por`: by what the program that asked sends it, in its own words, which have no digits.
    dados: campos(
      { cliente: id, canal: { enum: ['equipe', 'integracao'] }, por: { type: 'string', pattern: '^\\D{1,20}$' } },
      ['por'],
    ),
    exemplo: { cliente: 12, canal: 'integracao', por: 'whatsapp' },
  }),
  'acesso.aparelho_novo': evento({
    descricao: 'Um assinante entrou no app, de um aparelho em que ainda não tinha entrado; a sessão que começou.',
    sai: false,
    dados: campos({ cliente: id, sessao: id }),
    exemplo: { cliente: 12, sessao: 345 },
  }),
  'acesso.senha_definida': evento({
    descricao: 'Um assinante escolheu a senha do app por um código; tantas sessões terminaram.',
    sai: false,
    dados: campos({ cliente: id, sessoes: quantos }),
    exemplo: { cliente: 12, sessoes: 0 },
  }),
  'acesso.senha_trocada': evento({
    descricao: 'Um assinante trocou a senha do app; tantas outras sessões terminaram.',
    sai: false,
    dados: campos({ cliente: id, sessoes: quantos }),
    exemplo: { cliente: 12, sessoes: 1 },
  }),
  'acesso.muitas_falhas': semDados(false, 'Num minuto, mais de 300 tentativas de entrar no app falharam.'),
  'exportacao.feita': evento({
    descricao: 'Exportaram-se dados: de que, de quem (de ninguém em particular numa lista), e quantas linhas.',
    sai: false,
    dados: campos({
      o_que: { enum: ['titular', 'clientes', 'auditoria', 'nfcom', 'recebimentos', 'extrato', 'importacao'] },
      cliente: idOuNulo,
      linhas: quantos,
    }),
    exemplo: { o_que: 'titular', cliente: 12, linhas: 345 },
  }),
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
} as const;
