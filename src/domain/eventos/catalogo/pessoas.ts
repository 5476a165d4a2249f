import { campos, evento, id, idOuNulo, nomes, quantos, semDados } from './evento.ts';

const tipoDeFator = { type: 'string', enum: ['totp', 'passkey'] } as const;

/** What is done about the people of a provider, and by them at the panel's door: for the audit log. Never a name or an address. */
export const DAS_PESSOAS = {
  'usuario.convidado': evento({
    descricao: 'Convidou-se alguém para o painel, ou de novo.',
    sai: false,
    dados: campos({ perfil_id: id }),
    exemplo: { perfil_id: 4 },
  }),
  'usuario.criado': semDados(false, 'Um convidado aceitou o convite e disse a sua senha.'),
  'usuario.alterado': evento({
    descricao: 'Mudaram colunas de um usuário; `perfil_id` é o de agora. Reativar é mudar `ativo`.',
    sai: false,
    dados: campos({ campos: nomes, perfil_id: id }),
    exemplo: { campos: ['perfil_id'], perfil_id: 4 },
  }),
  'usuario.desativado': semDados(false, 'Um usuário deixou de entrar.'),
  'usuario.senha_pedida': semDados(false, 'Fez-se um link para a senha nova de um usuário.'),
  'usuario.senha_trocada': semDados(false, 'Um usuário trocou a sua senha.'),
  'usuario.fator_criado': evento({
    descricao: 'Um usuário confirmou um segundo fator.',
    sai: false,
    dados: campos({ fator_id: id, tipo: tipoDeFator }),
    exemplo: { fator_id: 2, tipo: 'totp' },
  }),
  'usuario.fator_removido': evento({
    descricao: 'Um usuário removeu um dos seus fatores.',
    sai: false,
    dados: campos({ fator_id: id }),
    exemplo: { fator_id: 2 },
  }),
  'usuario.fator_redefinido': evento({
    descricao: 'Tiraram-se de um usuário todos os fatores e códigos, ou ele fez códigos novos.',
    sai: false,
    dados: campos({ fatores: quantos }),
    exemplo: { fatores: 1 },
  }),
  'perfil.criado': evento({
    descricao: 'Criou-se um perfil, a partir de outro.',
    sai: false,
    dados: campos({ de_id: idOuNulo, permissoes: nomes }),
    exemplo: { de_id: 3, permissoes: ['clientes.ver'] },
  }),
  'perfil.alterado': evento({
    descricao: 'Mudou o nome de um perfil, ou o que ele pode.',
    sai: false,
    dados: campos({ campos: nomes, acrescentadas: nomes, tiradas: nomes }),
    exemplo: { campos: ['permissoes'], acrescentadas: ['chaves.gerir'], tiradas: [] },
  }),
  'perfil.removido': semDados(false, 'Removeu-se um perfil que ninguém tinha.'),
  'sessao.iniciada': evento({
    descricao: 'Alguém da equipe entrou no painel, ou no app onde se diz; se falta o segundo fator.',
    sai: false,
    dados: campos({ usuario_id: id, falta_fator: { type: 'boolean' }, onde: { enum: ['app'] } }, ['onde']),
    exemplo: { usuario_id: 7, falta_fator: false },
  }),
  'sessao.confirmada': evento({
    descricao: 'O segundo fator de uma sessão foi dado.',
    sai: false,
    dados: campos({ usuario_id: id, por: { type: 'string', enum: ['totp', 'passkey', 'codigo'] } }),
    exemplo: { usuario_id: 7, por: 'totp' },
  }),
  'sessao.provada': evento({
    descricao: 'Quem está na sessão provou de novo quem é.',
    sai: false,
    dados: campos({ usuario_id: id }),
    exemplo: { usuario_id: 7 },
  }),
  'sessao.encerrada': evento({
    descricao: 'Encerraram-se sessões de um usuário, ou as do app de um assinante, pelo seu acesso.',
    sai: false,
    dados: campos({ usuario_id: idOuNulo, acesso: idOuNulo, sessoes: quantos }, ['acesso']),
    exemplo: { usuario_id: 7, sessoes: 1 },
  }),
  'sessao.reuso_detectado': evento({
    descricao: 'Alguém mostrou um token que já tinha sido trocado: a sessão do app terminou.',
    sai: false,
    dados: campos({ usuario_id: idOuNulo, acesso: idOuNulo }),
    exemplo: { usuario_id: null, acesso: 9 },
  }),
  'sessao.falhou': evento({
    descricao: 'Cinco tentativas de entrar falharam; de que usuário, quando o e-mail é de um.',
    sai: false,
    dados: campos({ usuario_id: idOuNulo, tentativas: quantos }),
    exemplo: { usuario_id: null, tentativas: 5 },
  }),
} as const;
