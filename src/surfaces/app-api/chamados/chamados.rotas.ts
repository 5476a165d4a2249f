import type { AppSession } from '../../../access/callers.ts';
import type { Dominio } from '../../../domain/dominio.ts';
import type { PermissaoPainel } from '../../../domain/usuarios/permissoes.regras.ts';
import { apresentarChamado } from '../../../objects/chamados.presenter.ts';
import {
  camposDeAbertura,
  camposDeMudanca,
  chamadoSchema,
  exemploChamado,
  exemploSolucionado,
} from '../../../objects/chamados.schemas.ts';
import { idNoCaminho } from '../../../objects/consulta.ts';
import { Failure } from '../../../kit/reply/failure.ts';
import { closed } from '../../../platform/schema-type.ts';
import type { TypeOf } from '../../../platform/schema-type.ts';
import { exigir } from '../erros.ts';
import type { CodigoErro } from '../erros.ts';
import { rota } from '../rota.ts';

const agendadoPara = {
  type: ['string', 'null'],
  format: 'date-time',
  description: 'Quando é a visita; nulo a desmarca.',
  examples: ['2026-11-12T17:00:00.000Z'],
} as const;

const corpoDeAbertura = closed(
  'NovoChamado',
  { ...camposDeAbertura, agendado_para: agendadoPara },
  { optional: ['contrato_id', 'prioridade', 'categoria', 'agendado_para'] },
);

const corpoDeMudanca = {
  title: 'MudancaDeChamado',
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    ...camposDeMudanca,
    agendado_para: agendadoPara,
    responsavel_id: {
      type: ['integer', 'null'],
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Usuário do painel que atende; nulo para ninguém.',
      examples: [null],
    },
  },
} as const;

export const rotasDeChamados = [
  rota.post({
    path: '/chamados',
    permission: { chave: 'chamados:escrita' },
    group: 'Chamados',
    summary: 'Abre um chamado',
    description: 'O chamado entra na fila do provedor, que é avisado.',
    body: { schema: corpoDeAbertura, required: true },
    data: chamadoSchema,
    example: exemploChamado,
    success: 201,
    errors: ['nao_encontrado', 'contrato_invalido', 'cliente_cancelado'],
    async run({ body, domain, writes }) {
      const id = await writes.chamados.abrir({
        clienteId: body.cliente_id,
        contratoId: body.contrato_id ?? null,
        assunto: body.assunto,
        descricao: body.descricao,
        prioridade: body.prioridade,
        categoria: body.categoria ?? null,
        agendadoPara: quandoDe(body.agendado_para),
      });
      return { data: await lerChamado(domain, id) };
    },
  }),
  rota.put({
    path: '/chamados/{id}',
    params: { id: idNoCaminho },
    permission: { chave: 'chamados:escrita', equipe: 'chamados.atender' },
    group: 'Chamados',
    summary: 'Atualiza, comenta, agenda, atribui ou soluciona um chamado',
    description:
      'Envie ao menos um campo. Cada mudança fica no histórico; o que já é como se pede não muda. Quem atende, só a equipe vê. Da equipe, dar o chamado a outro ou a ninguém exige também chamados.atribuir, e marcar ou desmarcar a visita chamados.agendar; assumi-lo, não. Uma visita de chamado fechado é recusada com transicao_invalida.',
    body: { schema: corpoDeMudanca, required: true },
    data: chamadoSchema,
    example: exemploSolucionado,
    errors: ['nao_encontrado', 'transicao_invalida'],
    async run({ params: { id }, body, session, domain, writes }) {
      const { agendado_para, responsavel_id, ...mudanca } = body;
      const falta = session.kind === 'equipe' ? faltaADaEquipe(session, body) : undefined;
      if (falta !== undefined) {
        // What is not there is 404 to everybody.
        await lerChamado(domain, id);
        throw new Failure<CodigoErro>('permissao_insuficiente', `O seu perfil não tem a permissão ${falta}.`);
      }
      await writes.chamados.atualizar(id, {
        ...mudanca,
        agendadoPara: quandoDe(agendado_para),
        responsavelId: responsavel_id,
      });
      return { data: await lerChamado(domain, id) };
    },
  }),
];

/** The permission that somebody lacks of those which the panel asks of who assigns and schedules; taking a ticket oneself is attending. */
function faltaADaEquipe(
  { quem }: Extract<AppSession, { readonly kind: 'equipe' }>,
  {
    agendado_para,
    responsavel_id,
  }: { readonly agendado_para?: unknown; readonly responsavel_id?: number | null | undefined },
): PermissaoPainel | undefined {
  const pedidas: readonly PermissaoPainel[] = [
    ...(responsavel_id === undefined || responsavel_id === quem.id ? [] : (['chamados.atribuir'] as const)),
    ...(agendado_para === undefined ? [] : (['chamados.agendar'] as const)),
  ];
  return pedidas.find((uma) => !quem.permissoes.includes(uma));
}

const quandoDe = (texto: string | null | undefined): Date | null | undefined =>
  typeof texto === 'string' ? new Date(texto) : texto;

async function lerChamado({ chamados }: Dominio, id: number): Promise<TypeOf<typeof chamadoSchema>> {
  const chamado = await chamados.buscarPorId(id);
  exigir(chamado, 'nao_encontrado');
  return apresentarChamado(chamado);
}
