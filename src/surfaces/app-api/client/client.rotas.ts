import type { AppSession } from '../../../access/callers.ts';
import type { Dominio } from '../../../domain/dominio.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';
import { avisoSchema, apresentarAviso, exemploAviso } from '../network/avisos.ts';
import { rota } from '../rota.ts';
import { apresentarClient } from './client.presenter.ts';
import { clientSchema, exemploClient } from './client.schemas.ts';
import { exigirAssinante, exigirTudo } from './comum.ts';
import { corpoDeMudanca, julgarMudanca, mudaContato, mudancaDe } from './mudanca.ts';

const GRUPO = 'Assinante';

export const rotasDoAssinante = [
  rota.get({
    path: '/client',
    permission: { cliente: true },
    group: GRUPO,
    summary: 'Lê o cadastro e os contratos de quem pergunta',
    description: 'Tudo o que é do seu documento neste provedor, também de cadastros cancelados.',
    reading: 'person',
    data: clientSchema,
    example: exemploClient,
    errors: ['nao_encontrado'],
    run: async ({ session, domain }) => ({ data: await lerClient(domain, session) }),
  }),
  rota.put({
    path: '/client',
    permission: { cliente: true, editaCadastro: true },
    group: GRUPO,
    summary: 'Muda os contatos e o endereço de quem pede',
    description:
      'O que falta fica como está. O e-mail de antes é avisado de uma mudança de e-mail ou de telefones. Um provedor pode não deixar: então é 403.',
    body: { schema: corpoDeMudanca, required: true, judge: julgarMudanca },
    data: clientSchema,
    example: exemploClient,
    errors: [
      'nao_encontrado',
      'telefone_invalido',
      'credenciais_incorretas',
      'cliente_cancelado',
      'tentativas_excedidas',
    ],
    // A password is compared outside of the write, which would wait for it.
    async before({ body, session, services: { app, attempts } }) {
      if (!mudaContato(body)) return;
      const { provedor, sessao } = exigirAssinante(session);
      // Counted by the session: who holds it guesses, and keeps nobody else out.
      await attempts.signInToApp(provedor.id, `sessao ${sessao.id}`, session, async () =>
        app.conferirSenha(exigirAssinante(session), body.senha ?? '', 'senha'),
      );
    },
    async run({ body, session, domain, writes }) {
      const { cliente } = await exigirTudo(domain, session);
      await writes.clientes.alterar(cliente.id, mudancaDe(body));
      return { data: await lerClient(domain, session) };
    },
  }),
  rota.get({
    path: '/notices',
    permission: { cliente: true },
    group: GRUPO,
    summary: 'Lista os avisos da rede que tocam quem pergunta',
    description: 'Os abertos, também os agendados, e os que terminaram há até 3 dias; os de início mais novo primeiro.',
    reading: 'person',
    data: { type: 'array', items: avisoSchema },
    example: [exemploAviso],
    errors: ['nao_encontrado'],
    async run({ session, domain }) {
      const { cadastros } = await exigirTudo(domain, session);
      const avisos = await domain.linhasDoAssinante.avisos(cadastros.map(({ id }) => id));
      return { data: avisos.map((aviso) => apresentarAviso(aviso, aviso.contratoIds)) };
    },
  }),
];

async function lerClient(domain: Dominio, session: AppSession): Promise<TypeOf<typeof clientSchema>> {
  const tudo = await exigirTudo(domain, session);
  const impedem = await domain.desbloqueios.dosClientes(tudo.cadastros.map(({ id }) => id));
  return apresentarClient(tudo, impedem, session.provedor.regras.desbloqueioDias);
}
