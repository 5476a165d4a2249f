import { actorOf } from '../../../access/app-ports.ts';
import type { AppSession } from '../../../access/callers.ts';
import { donoDe } from '../../../domain/acessos/sessoes/sessoes.regras.ts';
import type { Sessao } from '../../../domain/acessos/sessoes/sessoes.types.ts';
import { date, instant, textOrNull } from '../../../kit/fields/fields.ts';
import { idNoCaminho } from '../../../objects/consulta.ts';
import { closed } from '../../../platform/schema-type.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';
import { exigir } from '../erros.ts';
import { rota } from '../rota.ts';
import { GRUPO, encerradasSchema } from './auth.schemas.ts';

const conferenciaSchema = closed('Check', {
  valid: { type: 'boolean' },
  kind: { type: 'string', enum: ['cliente', 'equipe'] },
  user_id: { type: 'integer', description: 'Do cliente ou do usuário da equipe.' },
  session_id: { type: 'integer' },
  expires_at: { ...instant, description: 'Até quando vale o token de acesso.' },
  permissions: { type: 'array', items: { type: 'string' }, description: 'Da equipe, as do perfil.' },
  must_change_password: { type: 'boolean' },
});

const sessaoSchema = closed('Session', {
  id: { type: 'integer' },
  device: textOrNull,
  created_at: instant,
  last_used_at: { ...date, description: 'Dia (UTC) do último uso.' },
  ip_network: { type: 'string', description: 'De onde se entrou: o endereço, ou em IPv6 a sua rede /64.' },
  current: { type: 'boolean', description: 'Se é a que pergunta.' },
});

const exemploSessao = {
  id: 81,
  device: 'Moto G',
  created_at: '2026-11-10T13:05:00.000Z',
  last_used_at: '2026-11-22',
  ip_network: '203.0.113.9',
  current: true,
} as const;

const corpoDeSaida = closed(
  'Logout',
  { all: { type: 'boolean', description: 'Todas as sessões de quem pede, e não só esta.', examples: [true] } },
  { optional: ['all'] },
);

const QUEM_ENTROU = { cliente: true, equipe: true } as const;

export const rotasDeSessoes = [
  rota.get({
    path: '/auth/check',
    permission: { ...QUEM_ENTROU, always: true },
    group: GRUPO,
    summary: 'Diz de quem é a sessão',
    reading: 'record',
    kept: false,
    data: conferenciaSchema,
    example: {
      valid: true,
      kind: 'cliente',
      user_id: 1042,
      session_id: 81,
      expires_at: '2026-11-10T13:20:00.000Z',
      permissions: [],
      must_change_password: false,
    },
    async run({ session }) {
      const { quem, sessao, token } = exigirSessao(session);
      return Promise.resolve({
        data: {
          valid: true,
          kind: quem.tipo,
          user_id: quem.tipo === 'cliente' ? quem.clienteId : quem.id,
          session_id: sessao.id,
          expires_at: token.accessAte.toISOString(),
          permissions: quem.tipo === 'cliente' ? [] : [...quem.permissoes],
          must_change_password: quem.tipo === 'cliente' && quem.trocarSenha,
        },
      });
    },
  }),
  rota.act.post({
    path: '/auth/logout',
    permission: { ...QUEM_ENTROU, always: true },
    group: GRUPO,
    summary: 'Encerra a sessão, ou todas',
    description: 'Vale na hora. De uma sessão já encerrada, responde 200 e nada muda.',
    body: { schema: corpoDeSaida, required: false },
    data: encerradasSchema,
    example: { ended: 1 },
    excused: { code: 'sessao_encerrada', data: { ended: 0 } },
    async run({ body, session, services: { app } }) {
      const sua = exigirSessao(session);
      const quais = body?.all === true ? {} : { so: sua.sessao.id };
      return { data: { ended: await app.encerrar(actorOf(session), sua, quais) } };
    },
  }),
  rota.get({
    path: '/auth/sessions',
    permission: QUEM_ENTROU,
    group: GRUPO,
    summary: 'Lista as sessões abertas de quem pergunta',
    description: 'As mais novas primeiro.',
    reading: 'person',
    kept: false,
    data: { type: 'array', items: sessaoSchema },
    example: [exemploSessao],
    async run({ session, domain }) {
      const sua = exigirSessao(session);
      const sessoes = await domain.acessosAoApp.sessoesDe(donoDe(sua));
      return { data: sessoes.map((uma) => apresentarSessao(uma, sua.sessao.id)) };
    },
  }),
  rota.act.delete({
    path: '/auth/sessions/{id}',
    params: { id: idNoCaminho },
    permission: QUEM_ENTROU,
    group: GRUPO,
    summary: 'Encerra uma sessão de quem pede',
    description: 'Vale na hora, em todos os aparelhos.',
    data: encerradasSchema,
    example: { ended: 1 },
    errors: ['nao_encontrado'],
    async run({ params: { id }, session, services: { app } }) {
      const ended = await app.encerrar(actorOf(session), exigirSessao(session), { so: id });
      exigir(ended > 0, 'nao_encontrado');
      return { data: { ended } };
    },
  }),
];

type ComSessao = Extract<AppSession, { readonly kind: 'cliente' | 'equipe' }>;

/** Keys have none, and are not let in by these routes. @throws Failure */
function exigirSessao(session: AppSession): ComSessao {
  const sua = session.kind === 'cliente' || session.kind === 'equipe' ? session : null;
  exigir(sua, 'permissao_insuficiente');
  return sua;
}

const apresentarSessao = (
  { id, aparelho, criadaEm, usadaEm, rede }: Sessao,
  atual: number,
): TypeOf<typeof sessaoSchema> => ({
  id,
  device: aparelho,
  created_at: criadaEm.toISOString(),
  last_used_at: usadaEm,
  ip_network: rede,
  current: id === atual,
});
