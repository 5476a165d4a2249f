import type { EstadoDaDesconexao, ResultadoDoPedido } from '../rede/rede.types.ts';

/**
 * What the network made of a trust unblock. `aplicada`: the login is released, and no session of before
 * goes on. `sem_resposta`: a NAS said nothing, and a session goes on as it was. `sem_efeito`: a NAS refused or cannot be asked, or the
 * contract has no login.
 */
export const SITUACOES_NA_REDE = ['pendente', 'aplicada', 'sem_resposta', 'sem_efeito'] as const;
export type SituacaoNaRede = (typeof SITUACOES_NA_REDE)[number];

export interface RedeDoDesbloqueio {
  readonly situacao: SituacaoNaRede;
  /** Since when. */
  readonly em: Date;
}

/** A request to the network, with one of the sessions that it changes or ends; null where it has none. */
export interface PassoNaRede {
  readonly pedidoId: number;
  readonly pedidoEm: Date;
  /** Null while it waits. */
  readonly aplicadoEm: Date | null;
  readonly resultado: ResultadoDoPedido | null;
  readonly sessao: {
    readonly id: number;
    readonly estado: EstadoDaDesconexao;
    readonly concluidaEm: Date | null;
    /** Whether the NAS holds it open still: one that has ended was built anew, whatever was answered. */
    readonly segue: boolean;
  } | null;
}

const DA_SESSAO: Readonly<Record<Exclude<EstadoDaDesconexao, 'superada'>, SituacaoNaRede>> = {
  pendente: 'pendente',
  aceita: 'aplicada',
  encerrada: 'aplicada',
  recusada: 'sem_efeito',
  sem_resposta: 'sem_resposta',
  sem_segredo: 'sem_efeito',
  sem_nas: 'sem_efeito',
};

/**
 * What became of a release, by the requests of its contract from it on, by their ids, each with its sessions. Where a later request has
 * overtaken it, or one of its sessions, that one says it. Null where none is there any more.
 */
export function situacaoNaRede(passos: readonly PassoNaRede[]): RedeDoDesbloqueio | null {
  const dele = passos.find(({ resultado }) => resultado !== 'superado');
  if (dele === undefined) return null;
  const { pedidoId, pedidoEm, aplicadoEm, resultado } = dele;
  if (aplicadoEm === null) return { situacao: 'pendente', em: pedidoEm };
  if (resultado === 'sem_login' || resultado === 'sem_nas') return { situacao: 'sem_efeito', em: aplicadoEm };

  const sessoes = new Set(
    passos.flatMap((passo) => (passo.pedidoId === pedidoId && passo.sessao ? [passo.sessao.id] : [])),
  );
  const ditas = [...sessoes].map((id): RedeDoDesbloqueio => {
    const dela = passos.flatMap(({ sessao, pedidoEm: em }) =>
      sessao?.id === id && sessao.estado !== 'superada' ? [{ ...sessao, estado: sessao.estado, pedidoEm: em }] : [],
    );
    // What a server has done stays done; else what was asked of it last says it.
    const dita = dela.find(({ estado }) => DA_SESSAO[estado] === 'aplicada') ?? dela.at(-1);
    if (dita === undefined) return { situacao: 'aplicada', em: aplicadoEm };
    const situacao = DA_SESSAO[dita.estado];
    return {
      situacao: situacao === 'pendente' || dita.segue ? situacao : 'aplicada',
      em: dita.concluidaEm ?? dita.pedidoEm,
    };
  });
  // The worst of its sessions.
  for (const situacao of ['pendente', 'sem_resposta', 'sem_efeito', 'aplicada'] as const) {
    const iguais = ditas.filter((dita) => dita.situacao === situacao);
    if (iguais.length > 0) return { situacao, em: new Date(Math.max(...iguais.map(({ em }) => em.getTime()))) };
  }
  return { situacao: 'aplicada', em: aplicadoEm };
}
