import { randomBytes } from 'node:crypto';
import { problema } from './resposta.ts';
import type { Resposta } from './resposta.ts';

interface DevolucaoNoPsp {
  readonly id: string;
  readonly rtrId: string;
  readonly valor: string;
  readonly natureza: string;
  readonly horario: object;
  readonly status: string;
}

export interface PixNoPsp {
  readonly endToEndId: string;
  readonly txid?: string;
  readonly valor: string;
  readonly horario: string;
  readonly chave: string;
  readonly componentesValor?: object;
  devolucoes?: readonly DevolucaoNoPsp[];
}

/** The PIX that the stand-in has received, and what was given back of them. */
export function criarRecebidos(agora: () => Date) {
  const pix = new Map<string, PixNoPsp>();
  /** What is still to be told by the webhook. */
  const porAvisar: PixNoPsp[] = [];
  let devolvidas = 0;

  function proximoRtrId(): string {
    devolvidas += 1;
    return `D00000000${String(devolvidas).padStart(23, '0')}`;
  }

  function lista(consulta: URLSearchParams): Resposta {
    const de = new Date(consulta.get('inicio') ?? '').getTime();
    const ate = new Date(consulta.get('fim') ?? '').getTime();
    if (Number.isNaN(de) || Number.isNaN(ate)) return problema(400, 'PixConsultaInvalida', 'inicio e fim');
    const porPagina = Number(consulta.get('paginacao.itensPorPagina') ?? 100);
    const paginaAtual = Number(consulta.get('paginacao.paginaAtual') ?? 0);
    const todos = [...pix.values()].filter(({ horario, devolucoes }) => {
      const em = new Date(horario).getTime();
      const serve = consulta.get('devolucaoPresente') !== 'true' || (devolucoes?.length ?? 0) > 0;
      return em >= de && em <= ate && serve;
    });
    return {
      status: 200,
      corpo: {
        parametros: {
          inicio: consulta.get('inicio'),
          fim: consulta.get('fim'),
          paginacao: {
            paginaAtual,
            itensPorPagina: porPagina,
            quantidadeDePaginas: Math.max(1, Math.ceil(todos.length / porPagina)),
            quantidadeTotalDeItens: todos.length,
          },
        },
        pix: todos.slice(paginaAtual * porPagina, (paginaAtual + 1) * porPagina),
      },
    };
  }

  function devolver(metodo: string, dele: PixNoPsp, id: string, corpo: Partial<DevolucaoNoPsp>): Resposta {
    const { devolucoes = [] } = dele;
    const ja = devolucoes.find((uma) => uma.id === id);
    if (metodo === 'GET')
      return ja === undefined ? problema(404, 'PixDevolucaoNaoEncontrada', 'não há') : { status: 200, corpo: ja };
    if (ja !== undefined) return problema(400, 'PixDevolucaoInvalida', 'id repetido');
    const voltou = devolucoes.reduce((soma, uma) => soma + Number(uma.valor), 0);
    if (Number(corpo.valor ?? 0) + voltou > Number(dele.valor) + 0.001)
      return problema(400, 'PixDevolucaoInvalida', 'valor');
    const nova = {
      id,
      rtrId: proximoRtrId(),
      valor: corpo.valor ?? '0.00',
      natureza: corpo.natureza ?? 'ORIGINAL',
      horario: { solicitacao: agora().toISOString() },
      status: 'EM_PROCESSAMENTO',
    };
    dele.devolucoes = [...devolucoes, nova];
    return { status: 201, corpo: nova };
  }

  return {
    todos: pix as ReadonlyMap<string, PixNoPsp>,
    porAvisar,

    /** `/pix`, `/pix/{e2eid}` and `/pix/{e2eid}/devolucao/{id}`; what the address does not have is empty. */
    responder(
      metodo: string,
      { endToEndId, devolucao }: { readonly endToEndId: string; readonly devolucao: string },
      consulta: URLSearchParams,
      corpo: Partial<DevolucaoNoPsp>,
    ): Resposta {
      if (endToEndId === '') return lista(consulta);
      const dele = pix.get(endToEndId);
      if (dele === undefined) return problema(404, 'PixNaoEncontrado', 'não há');
      return devolucao === '' ? { status: 200, corpo: dele } : devolver(metodo, dele, devolucao, corpo);
    },

    receber(valor: string, chave: string, mais: Partial<PixNoPsp>): PixNoPsp {
      const em = agora();
      const dia = em.toISOString().replaceAll(/[-T:]/g, '').slice(0, 12);
      const novo: PixNoPsp = {
        endToEndId: `E00416968${dia}${randomBytes(6).toString('hex').slice(0, 11)}`,
        valor,
        horario: em.toISOString(),
        chave,
        ...mais,
      };
      pix.set(novo.endToEndId, novo);
      // Without a txid, it is told of by the list alone.
      if (novo.txid !== undefined) porAvisar.push(novo);
      return novo;
    },

    /** The MED takes a PIX back. */
    tomar(endToEndId: string, valor: string): void {
      const dele = pix.get(endToEndId);
      if (dele === undefined) throw new Error('não há este PIX');
      const rtrId = proximoRtrId();
      const uma = {
        id: `med${devolvidas}`,
        rtrId,
        valor,
        natureza: 'MED_FRAUDE',
        horario: { solicitacao: agora().toISOString(), liquidacao: agora().toISOString() },
        status: 'DEVOLVIDO',
      };
      dele.devolucoes = [...(dele.devolucoes ?? []), uma];
      if (dele.txid !== undefined) porAvisar.push(dele);
    },

    /** What was asked to be given back is given. */
    liquidar(): void {
      for (const dele of pix.values()) {
        dele.devolucoes = (dele.devolucoes ?? []).map((uma) =>
          uma.status === 'EM_PROCESSAMENTO' ? { ...uma, status: 'DEVOLVIDO' } : uma,
        );
      }
    },
  };
}
