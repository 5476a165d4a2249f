import { lerDocumento } from '../../../domain/acessos/entrada/entrada.service.ts';
import { closed } from '../../../platform/schema-type.ts';
import { exigir } from '../erros.ts';
import { rota } from '../rota.ts';
import {
  GRUPO,
  aparelhoNoCorpo,
  apresentarLogin,
  codigoNoCorpo,
  cpfCnpj,
  encerradasSchema,
  exemploLogin,
  julgarDocumento,
  loginSchema,
  senhaNoCorpo,
} from './auth.schemas.ts';

const pedidoSchema = closed('FirstAccess', { message: { type: 'string', description: 'Texto para uma pessoa.' } });

/** The same for everybody: it must not tell whether anybody has the tax id. */
const PEDIDO = {
  message:
    'Se o documento estiver cadastrado com um e-mail, o código chega lá em instantes; se não, peça-o ao provedor.',
} as const;

const corpoDeSenha = closed(
  'NewPassword',
  {
    cpf_cnpj: cpfCnpj,
    codigo: { ...codigoNoCorpo, description: 'Os 8 dígitos recebidos.', examples: ['12345678'] },
    senha: { ...senhaNoCorpo, description: 'De 8 a 128 caracteres.' },
    device: aparelhoNoCorpo,
  },
  { optional: ['device'] },
);

const corpoDeTroca = closed('PasswordChange', {
  senha_atual: senhaNoCorpo,
  senha_nova: { ...senhaNoCorpo, description: 'De 8 a 128 caracteres.', examples: ['tatu de galocha 7'] },
});

const semCredencial = { anonymous: true, permission: null, group: GRUPO } as const;

export const rotasDeSenha = [
  rota.act.post({
    ...semCredencial,
    path: '/auth/first-access',
    summary: 'Pede um código, no primeiro acesso ou por ter esquecido a senha',
    description:
      'A resposta é sempre a mesma. O código vai ao e-mail do cadastro, e o webhook cliente.acesso_solicitado diz aos programas do provedor que foi pedido.',
    body: { schema: closed('FirstAccessRequest', { cpf_cnpj: cpfCnpj }), required: true, judge: julgarDocumento },
    data: pedidoSchema,
    success: 202,
    example: PEDIDO,
    errors: ['cpf_cnpj_invalido', 'tentativas_excedidas'],
    async run({ body, session, services: { app, attempts } }) {
      const { provedor, ip } = session;
      await attempts.askForCode(ip);
      app.pedir(provedor, lerDocumento(body.cpf_cnpj), session);
      return { data: PEDIDO };
    },
  }),
  rota.act.post({
    ...semCredencial,
    path: '/auth/password',
    summary: 'Escolhe a senha por um código, e entra',
    description: 'O código serve uma vez. As outras sessões terminam.',
    body: { schema: corpoDeSenha, required: true, judge: julgarDocumento },
    data: loginSchema,
    example: exemploLogin,
    errors: ['cpf_cnpj_invalido', 'codigo_incorreto', 'senha_fraca', 'senha_repetida', 'tentativas_excedidas'],
    async run({ body, session, services: { app, attempts, relogio } }) {
      const { provedor, ip, requestId } = session;
      const documento = lerDocumento(body.cpf_cnpj);
      const { codigo, senha, device = null } = body;
      const conta = app.contaDe({ cpfCnpj: documento }, provedor.id);
      const feita = await attempts.signInToApp(provedor.id, conta, session, async () =>
        app.definir(provedor, { cpfCnpj: documento, codigo, senha, ip, requestId, aparelho: device }),
      );
      return { data: apresentarLogin(feita, relogio.agora()) };
    },
  }),
  rota.act.put({
    path: '/auth/password',
    permission: { cliente: true, always: true },
    group: GRUPO,
    summary: 'Troca a senha',
    description: 'Esta sessão continua; as outras terminam.',
    body: { schema: corpoDeTroca, required: true },
    data: encerradasSchema,
    example: { ended: 2 },
    errors: ['credenciais_incorretas', 'senha_fraca', 'senha_repetida', 'tentativas_excedidas'],
    async run({ body, session, services: { app, attempts } }) {
      exigir(session.kind === 'cliente', 'permissao_insuficiente');
      const { provedor, sessao } = session;
      // Counted by the session: who holds it guesses, and keeps nobody else out.
      const { encerradas } = await attempts.signInToApp(provedor.id, `sessao ${sessao.id}`, session, async () =>
        app.trocar(session, { atual: body.senha_atual, nova: body.senha_nova }, session),
      );
      return { data: { ended: encerradas } };
    },
  }),
];
