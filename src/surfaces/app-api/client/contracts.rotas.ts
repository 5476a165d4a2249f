import { faltaEm } from '../../../domain/erros.ts';
import { toIso } from '../../../kit/fields/fields.ts';
import { idNoCaminho } from '../../../objects/consulta.ts';
import { exigir } from '../erros.ts';
import { apresentarAviso } from '../network/avisos.ts';
import { apresentarBytes, totalDe } from '../network/network.presenter.ts';
import { rota } from '../rota.ts';
import { exigirContrato } from './comum.ts';
import {
  connectionSchema,
  consultaDeUso,
  corpoDeDesbloqueio,
  exemploConnection,
  exemploTrustUnblock,
  exemploUsage,
  trustUnblockSchema,
  usageSchema,
} from './contracts.schemas.ts';

const comum = {
  params: { id: idNoCaminho },
  permission: { cliente: true },
  group: 'Assinante',
} as const;

/** What a subscriber asks and does about a contract of his. */
export const rotasDosContratosDoAssinante = [
  rota.get({
    ...comum,
    path: '/contracts/{id}/connection',
    summary: 'Lê a conexão e as quedas de um contrato',
    reading: 'person',
    data: connectionSchema,
    example: exemploConnection,
    errors: ['nao_encontrado'],
    async run({ params: { id }, session, domain }) {
      const dono = await exigirContrato(domain, session, id);
      const [conexao, { servidor, aviso }] = await Promise.all([
        domain.conexoes.buscarPorContrato(id),
        domain.linhasDoAssinante.daLinha(id, dono),
      ]);
      exigir(conexao, 'nao_encontrado');
      return {
        data: {
          contract_id: id,
          connection: conexao.conexao,
          source: conexao.fonte,
          drops_7_days: conexao.quedas7Dias,
          drops_30_days: conexao.quedas30Dias,
          server: servidor === null ? null : { name: servidor.nome },
          notice: aviso === null ? null : apresentarAviso(aviso, [id]),
          sessions: conexao.sessoes.map(({ inicio, fim, duracaoSegundos, causa }) => ({
            started_at: toIso(inicio),
            ended_at: toIso(fim),
            duration_seconds: duracaoSegundos,
            cause: causa,
          })),
        },
      };
    },
  }),
  rota.get({
    ...comum,
    path: '/contracts/{id}/usage',
    summary: 'Lê quanto um contrato baixou e enviou num mês',
    description: 'Um byte é do dia em que a rede falou dele. A resposta pode ter até 10 segundos.',
    reading: 'person',
    query: consultaDeUso,
    data: usageSchema,
    example: exemploUsage,
    errors: ['nao_encontrado'],
    async run({ params: { id }, query, session, domain }) {
      await exigirContrato(domain, session, id);
      const uso = await domain.trafego.doMes(id, query.month ?? null);
      if (uso === null) return faltaEm('month', 'deve ser este mês ou um dos 13 anteriores');
      return {
        data: {
          month: uso.mes,
          ...apresentarBytes(totalDe(uso.dias)),
          days: uso.dias.map((dia) => ({ date: dia.dia, ...apresentarBytes(dia) })),
        },
      };
    },
  }),
  rota.post({
    ...comum,
    path: '/contracts/{id}/trust-unblock',
    summary: 'Aplica o desbloqueio de confiança',
    description: 'Libera por alguns dias um contrato bloqueado por falta de pagamento.',
    body: { schema: corpoDeDesbloqueio, required: false },
    data: trustUnblockSchema,
    example: exemploTrustUnblock,
    success: 201,
    errors: [
      'nao_encontrado',
      'desbloqueio_desabilitado',
      'desbloqueio_ativo',
      'contrato_nao_bloqueado',
      'bloqueio_manual',
      'fatura_anterior_em_aberto',
    ],
    async run({ params: { id }, body, session, domain, writes }) {
      await exigirContrato(domain, session, id);
      const { contratoId, dias, ate } = await writes.desbloqueios.aplicar(id, body?.reason || null);
      return { data: { contract_id: contratoId, days: dias, until: ate.toISOString() } };
    },
  }),
];
