import { lerDocumento } from '../../../domain/acessos/entrada/entrada.service.ts';
import { lerToken } from '../../../domain/acessos/sessoes/token.regras.ts';
import { closed } from '../../../platform/schema-type.ts';
import { exigir } from '../erros.ts';
import { rota } from '../rota.ts';
import {
  GRUPO,
  aparelhoNoCorpo,
  apresentarLogin,
  apresentarTokens,
  codigoNoCorpo,
  cpfCnpj,
  exemploLogin,
  exemploTokens,
  julgarDocumento,
  loginSchema,
  senhaNoCorpo,
  tokensSchema,
} from './auth.schemas.ts';

const corpoDeLogin = closed(
  'NewLogin',
  {
    cpf_cnpj: cpfCnpj,
    senha: senhaNoCorpo,
    as: { type: 'string', enum: ['cliente', 'equipe'], default: 'cliente', description: 'Como quem se entra.' },
    codigo: { ...codigoNoCorpo, description: 'Da equipe: o segundo fator.', examples: ['123456'] },
    device: aparelhoNoCorpo,
    device_token: {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      description: 'De um login anterior deste aparelho.',
      examples: ['malha_dt_…'],
    },
  },
  { optional: ['as', 'codigo', 'device', 'device_token'] },
);

const corpoDeRenovacao = closed('Refresh', {
  refresh_token: { type: 'string', minLength: 1, maxLength: 200, examples: [exemploTokens.refresh_token] },
});

const semCredencial = { anonymous: true, permission: null, group: GRUPO } as const;

export const rotasDeEntrada = [
  rota.act.post({
    ...semCredencial,
    path: '/auth/login',
    summary: 'Entra',
    description:
      'Assinantes entram pelo CPF ou CNPJ; a equipe, com as: "equipe", pelo CPF do seu cadastro. Um documento desconhecido, uma senha errada e um acesso desativado têm a mesma resposta. Depois de 5 falhas em 15 minutos cada tentativa espera mais.',
    body: { schema: corpoDeLogin, required: true, judge: julgarDocumento },
    data: loginSchema,
    example: exemploLogin,
    errors: [
      'cpf_cnpj_invalido',
      'credenciais_incorretas',
      'codigo_incorreto',
      'segundo_fator_exigido',
      'segundo_fator_ausente',
      'tentativas_excedidas',
    ],
    async run({ body, session, services: { app, attempts, relogio } }) {
      const { provedor, ip, requestId } = session;
      const documento = lerDocumento(body.cpf_cnpj);
      const { senha, codigo, device_token: aparelhoConhecido } = body;
      const deOnde = { ip, requestId, aparelho: body.device ?? null };
      const feita =
        body.as === 'equipe'
          ? await attempts.signInToApp(provedor.id, `equipe ${documento}`, session, async () =>
              app.entrarNoApp(provedor, { cpf: documento, senha, codigo, ...deOnde }),
            )
          : await attempts.signInToApp(
              provedor.id,
              app.contaDe({ cpfCnpj: documento, aparelhoConhecido }, provedor.id),
              session,
              async () => app.entrar(provedor, { cpfCnpj: documento, senha, aparelhoConhecido, ...deOnde }),
            );
      return { data: apresentarLogin(feita, relogio.agora()) };
    },
  }),
  rota.act.post({
    ...semCredencial,
    path: '/auth/refresh',
    summary: 'Renova os tokens de uma sessão',
    description:
      'Cada token de renovação serve uma vez. Se a resposta se perder, repita: enquanto nenhum dos tokens novos for usado, a resposta é a mesma. Um token já trocado, meio minuto depois de usados os novos, encerra a sessão.',
    body: { schema: corpoDeRenovacao, required: true },
    data: tokensSchema,
    example: exemploTokens,
    errors: ['token_invalido', 'sessao_encerrada', 'tentativas_excedidas'],
    async run({ body: { refresh_token: texto }, session, services: { app, attempts, relogio } }) {
      const { provedor, ip } = session;
      const lido = lerToken('rt', texto);
      exigir(lido?.provedorId === provedor.id, 'token_invalido');
      await attempts.refresh(provedor.id, ip, lido.nome, async () => app.conheceRenovacao(provedor.id, texto));
      return { data: apresentarTokens(await app.renovar(provedor.id, texto, session), null, relogio.agora()) };
    },
  }),
];
