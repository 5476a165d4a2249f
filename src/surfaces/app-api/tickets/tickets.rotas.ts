import type { AppSession } from '../../../access/callers.ts';
import { Failure, faultIn } from '../../../kit/reply/failure.ts';
import { idNoCaminho } from '../../../objects/consulta.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';
import { clientesDe, exigirAlcance, exigirAssinante } from '../alcance.ts';
import { exigir } from '../erros.ts';
import type { CodigoErro } from '../erros.ts';
import { comCursor, enderecoDoCriado, rota } from '../rota.ts';
import { apresentarEntrada, apresentarTicket, apresentarTicketDaEquipe } from './tickets.presenter.ts';
import {
  consultaDeTickets,
  corpoDeAbertura,
  corpoDeComentario,
  detalheSchema,
  entradaSchema,
  exemploEntrada,
  exemploTicket,
  ticketSchema,
} from './tickets.schemas.ts';

const GRUPO = 'Chamados do app';

export const rotasDeTickets = [
  rota.get({
    path: '/tickets',
    permission: { cliente: true, equipe: 'chamados.ver' },
    group: GRUPO,
    summary: 'Lista chamados',
    description:
      'Do mais novo para o mais antigo, pela abertura: do assinante, os seus; da equipe, os que assigned diz, cada um com o cliente e quem atende.',
    reading: 'person',
    paged: true,
    cursor: true,
    query: consultaDeTickets,
    data: { type: 'array', items: ticketSchema },
    example: [exemploTicket],
    async run({ query, after, session, domain }) {
      const { limit, status: situacao, contract_id: contratoId, client_id: clienteId } = query;
      const clientes = await clientesDe(session, domain);
      if (clientes !== null) {
        recusarDaEquipe(query);
        const filtro = { clienteIds: clientes, contratoId, situacao };
        return comCursor(await domain.chamadosDoApp.listar(filtro, { after, limit }), limit, apresentarTicket);
      }
      const clienteIds = clienteId === undefined ? null : [clienteId];
      const filtro = { clienteIds, contratoId, situacao, responsavelId: responsavelDe(session, query.assigned) };
      const parte = await domain.chamadosDoApp.listarDaEquipe(filtro, { after, limit });
      return comCursor(parte, limit, apresentarTicketDaEquipe);
    },
  }),
  rota.post({
    path: '/tickets',
    permission: { cliente: true },
    group: GRUPO,
    summary: 'Abre um chamado de quem pede',
    description:
      'O chamado entra na fila do provedor, que é avisado. Quem tem cinco em aberto espera a resposta deles.',
    body: { schema: corpoDeAbertura, required: true },
    data: ticketSchema,
    example: exemploTicket,
    success: 201,
    location: enderecoDoCriado('/tickets'),
    errors: ['contrato_invalido', 'cliente_cancelado', 'limite_de_chamados'],
    async run({ body, session, domain, writes }) {
      const id = await writes.chamadosDoApp.abrir(exigirAssinante(session).cpfCnpj, {
        contratoId: body.contract_id ?? null,
        assunto: body.subject,
        descricao: body.description,
        categoria: body.category,
      });
      const chamado = await domain.chamados.buscarPorId(id);
      exigir(chamado, 'nao_encontrado');
      return { data: apresentarTicket(chamado) };
    },
  }),
  rota.get({
    path: '/tickets/{id}',
    params: { id: idNoCaminho },
    permission: { cliente: true, equipe: 'chamados.ver' },
    group: GRUPO,
    summary: 'Lê um chamado, com o que aconteceu nele',
    description: 'A equipe lê também as suas notas.',
    reading: 'record',
    data: detalheSchema,
    example: { ...exemploTicket, history: [exemploEntrada] },
    errors: ['nao_encontrado'],
    async run({ params: { id }, session, domain }) {
      const clientes = await clientesDe(session, domain);
      if (clientes === null) {
        const chamado = await domain.chamadosDoApp.buscarDaEquipe(id);
        exigir(chamado, 'nao_encontrado');
        return { data: { ...apresentarTicketDaEquipe(chamado), history: chamado.historico.map(apresentarEntrada) } };
      }
      const chamado = await domain.chamados.buscarPorId(id);
      exigirAlcance(clientes, chamado?.clienteId);
      exigir(chamado, 'nao_encontrado');
      const historico = await domain.chamadosDoApp.historico(id);
      return { data: { ...apresentarTicket(chamado), history: historico.map(apresentarEntrada) } };
    },
  }),
  rota.post({
    path: '/tickets/{id}/comments',
    params: { id: idNoCaminho },
    permission: { cliente: true, equipe: 'chamados.atender' },
    group: GRUPO,
    summary: 'Comenta um chamado, ou o reabre',
    description:
      'O comentário do assinante chama a equipe. O de um chamado fechado pede reopen, até 30 dias depois de fechado; se não, é recusado com transicao_invalida.',
    body: { schema: corpoDeComentario, required: true },
    data: entradaSchema,
    example: exemploEntrada,
    success: 201,
    errors: ['nao_encontrado', 'transicao_invalida'],
    async run({ params: { id }, body: { comment, reopen }, session, domain, writes }) {
      const cpfCnpj = session.kind === 'cliente' ? session.quem.cpfCnpj : null;
      const feita = await writes.chamadosDoApp.comentar(id, { comentario: comment, reabrir: reopen === true }, cpfCnpj);
      const entrada = feita === null ? null : await domain.chamadosDoApp.entrada(feita);
      exigir(entrada, 'nao_encontrado');
      return { data: apresentarEntrada(entrada) };
    },
  }),
];

/** A subscriber may not ask by what only the staff sees. @throws Failure */
function recusarDaEquipe(query: TypeOf<typeof consultaDeTickets>): void {
  const faltas = (['client_id', 'assigned'] as const)
    .filter((campo) => query[campo] !== undefined)
    .map((campo) => faultIn<CodigoErro>(campo, 'parametro_invalido', `${campo}: só a equipe o envia.`));
  const [primeira] = faltas;
  if (primeira !== undefined) throw new Failure(primeira.code, primeira.message, {}, faltas);
}

/** Undefined: whoever attends; null: nobody. */
function responsavelDe(session: AppSession, assigned: 'me' | 'none' | 'all' = 'me'): number | null | undefined {
  if (assigned === 'all') return undefined;
  return assigned === 'me' && session.kind === 'equipe' ? session.quem.id : null;
}
