import { randomBytes } from 'node:crypto';
import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { criarCalendarioBancario } from '../../src/brazil/calendario/calendario-bancario.ts';
import { hojeEm } from '../../src/brazil/calendario/datas.ts';
import { comporPixDinamico } from '../../src/brazil/pix/cobranca/codigo.ts';
import type { Cartorio } from '../autoridade/certificados.ts';
import { emReais, valorNoDia } from './calculo.ts';
import type { CobrancaNoPsp, CorpoDaCobranca } from './calculo.ts';

/** What goes wrong with one request. */
export interface HumorDoPsp {
  readonly atrasoMs?: number;
  /** The connection ends before the request is looked at, or after what it asks for was done. */
  readonly perder?: 'antes' | 'depois';
  /** Answered with this, and nothing done. */
  readonly status?: number;
  readonly depoisDe?: number;
  readonly mudo?: boolean;
  /** What is answered instead of the truth. */
  readonly mentira?: unknown;
}

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

interface PspDeps {
  readonly cartorio: Cartorio;
  readonly agora: () => Date;
  readonly fuso?: string;
  /** Asked of each request: `PUT /cobv/{txid}` and so on, with the last part of its address. */
  readonly humor?: (operacao: string, id: string) => HumorDoPsp;
  /** What the API Pix's own schemas say against a body; null: nothing. */
  readonly conferir?: (operacao: string, lado: 'pedido' | 'resposta', corpo: unknown) => string | null;
}

export const CREDENCIAIS = { client_id: 'demonstracao', client_secret: 'segredo-da-demonstracao' } as const;
const CHAVE_DO_TOKEN = `Basic ${Buffer.from(`${CREDENCIAIS.client_id}:${CREDENCIAIS.client_secret}`).toString('base64')}`;
const DURA_S = 300;

/**
 * A stand-in for a PSP, for demonstrations and tests: OAuth over mTLS, charges with and without due date, what was received, devolutions and
 * the webhook, by the API Pix of the Banco Central 2.9. No money moves.
 */
export async function abrirPsp({
  cartorio,
  agora,
  fuso = 'America/Sao_Paulo',
  humor = () => ({}),
  conferir = () => null,
}: PspDeps) {
  const calendario = criarCalendarioBancario(null);
  const cobrancas = new Map<string, CobrancaNoPsp>();
  const pix = new Map<string, PixNoPsp>();
  const webhooks = new Map<string, { readonly webhookUrl: string; readonly criacao: string }>();
  const tokens = new Map<string, number>();
  /** What is still to be told by the webhook. */
  const porAvisar: PixNoPsp[] = [];
  /** Of each txid, how often it was made. */
  const feitas = new Map<string, number>();
  const foraDoEsquema: string[] = [];
  let locations = 0;
  let pedidosDeToken = 0;
  let devolvidas = 0;

  const problema = (status: number, tipo: string, detail: string) => ({
    status,
    corpo: { type: `https://pix.bcb.gov.br/api/v2/error/${tipo}`, title: tipo, status, detail },
  });

  function escrever({ tipo, txid, corpo, criadaEm, revisao, status, location, idDaLocation }: CobrancaNoPsp): object {
    const base = {
      ...corpo,
      calendario: {
        criacao: criadaEm.toISOString(),
        ...(tipo === 'cob' ? { expiracao: 86_400 } : {}),
        ...corpo.calendario,
      },
      txid,
      revisao,
      status,
      location,
      loc: { id: idDaLocation, location, tipoCob: tipo, criacao: criadaEm.toISOString(), txid },
      pixCopiaECola: comporPixDinamico(location, { nome: 'Provedor', cidade: 'Alfenas' }),
    };
    const recebedor = {
      cnpj: '11222333000181',
      nome: 'Provedor',
      logradouro: 'Rua',
      cidade: 'Alfenas',
      uf: 'MG',
      cep: '37130001',
    };
    return tipo === 'cob' ? base : { ...base, recebedor };
  }

  function daCobranca(metodo: string, tipo: 'cob' | 'cobv', txid: string, corpo: CorpoDaCobranca) {
    const ha = cobrancas.get(txid);
    if (metodo === 'GET') {
      return ha === undefined || ha.tipo !== tipo
        ? problema(404, tipo === 'cob' ? 'CobNaoEncontrada' : 'CobVNaoEncontrada', 'não há')
        : { status: 200, corpo: escrever(ha) };
    }
    if (!/^[a-zA-Z0-9]{26,35}$/.test(txid)) return problema(400, 'CobVOperacaoInvalida', 'txid');
    if (metodo === 'PUT') {
      if (ha !== undefined && ha.status !== 'ATIVA') return problema(400, 'CobVOperacaoInvalida', 'não está ATIVA');
      if (ha === undefined) locations += 1;
      const nova: CobrancaNoPsp = {
        tipo,
        txid,
        corpo,
        criadaEm: ha?.criadaEm ?? agora(),
        revisao: ha === undefined ? 0 : ha.revisao + 1,
        status: 'ATIVA',
        location: ha?.location ?? `pix.demonstracao.example/qr/v2/${randomBytes(16).toString('hex')}`,
        idDaLocation: ha?.idDaLocation ?? locations,
      };
      cobrancas.set(txid, nova);
      feitas.set(txid, (feitas.get(txid) ?? 0) + 1);
      return { status: 201, corpo: escrever(nova) };
    }
    if (ha === undefined) return problema(404, 'CobVNaoEncontrada', 'não há');
    if (ha.status !== 'ATIVA') return problema(400, 'CobVOperacaoInvalida', 'não está ATIVA');
    const { status = ha.status, ...mudancas } = corpo;
    const mudada = { ...ha, status, revisao: ha.revisao + 1, corpo: { ...ha.corpo, ...mudancas } };
    cobrancas.set(txid, mudada);
    return { status: 200, corpo: escrever(mudada) };
  }

  function lista(consulta: URLSearchParams) {
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

  function devolver(metodo: string, endToEndId: string, id: string, corpo: Partial<DevolucaoNoPsp>) {
    const dele = pix.get(endToEndId);
    if (dele === undefined) return problema(404, 'PixNaoEncontrado', 'não há');
    const ja = (dele.devolucoes ?? []).find((uma) => uma.id === id);
    if (metodo === 'GET')
      return ja === undefined ? problema(404, 'PixDevolucaoNaoEncontrada', 'não há') : { status: 200, corpo: ja };
    if (ja !== undefined) return problema(400, 'PixDevolucaoInvalida', 'id repetido');
    const voltou = (dele.devolucoes ?? []).reduce((soma, uma) => soma + Number(uma.valor), 0);
    if (Number(corpo.valor ?? 0) + voltou > Number(dele.valor) + 0.001)
      return problema(400, 'PixDevolucaoInvalida', 'valor');
    devolvidas += 1;
    const nova = {
      id,
      rtrId: `D00000000${String(devolvidas).padStart(23, '0')}`,
      valor: corpo.valor ?? '0.00',
      natureza: corpo.natureza ?? 'ORIGINAL',
      horario: { solicitacao: agora().toISOString() },
      status: 'EM_PROCESSAMENTO',
    };
    dele.devolucoes = [...(dele.devolucoes ?? []), nova];
    return { status: 201, corpo: nova };
  }

  function decidir(metodo: string, partes: readonly string[], consulta: URLSearchParams, corpo: unknown) {
    const [recurso = '', id = '', , devolucao = ''] = partes;
    if (recurso === 'cob' || recurso === 'cobv') return daCobranca(metodo, recurso, id, corpo as CorpoDaCobranca);
    if (recurso === 'pix' && id === '') return lista(consulta);
    if (recurso === 'pix' && devolucao === '') {
      const dele = pix.get(id);
      return dele === undefined ? problema(404, 'PixNaoEncontrado', 'não há') : { status: 200, corpo: dele };
    }
    if (recurso === 'pix') return devolver(metodo, id, devolucao, corpo ?? {});
    if (recurso === 'webhook') {
      if (metodo === 'PUT') {
        webhooks.set(id, { webhookUrl: (corpo as { webhookUrl: string }).webhookUrl, criacao: agora().toISOString() });
        return { status: 200, corpo: null };
      }
      const ha = webhooks.get(id);
      return ha === undefined
        ? problema(404, 'WebhookNaoEncontrado', 'não há')
        : { status: 200, corpo: { chave: id, ...ha } };
    }
    return problema(404, 'NaoEncontrado', 'não há');
  }

  async function responder(pedido: IncomingMessage, resposta: ServerResponse): Promise<void> {
    const socket = pedido.socket as TLSSocket;
    const { pathname, searchParams } = new URL(pedido.url ?? '/', 'https://psp');
    let texto = '';
    for await (const parte of pedido.setEncoding('utf8') as AsyncIterable<string>) texto += parte;
    const dizer = (status: number, corpo: unknown, cabecalhos: Record<string, string> = {}): void => {
      const tipo = status >= 400 ? 'application/problem+json' : 'application/json';
      resposta.writeHead(status, { 'content-type': tipo, ...cabecalhos });
      resposta.end(corpo === null ? '' : JSON.stringify(corpo));
    };
    if (!socket.authorized) return dizer(403, { detail: 'certificado exigido' });
    const metodo = pedido.method ?? 'GET';
    const partes = pathname.split('/').slice(2).map(decodeURIComponent);
    const molde = ['{txid}', '{chave}', '{e2eid}'][
      ['cob', 'webhook', 'pix'].indexOf((partes[0] ?? '').replace('cobv', 'cob'))
    ];
    const operacao =
      pathname === '/oauth/token'
        ? 'POST /oauth/token'
        : `${metodo} /${[partes[0], ...(partes[1] === undefined ? [] : [molde]), ...(partes[2] === undefined ? [] : [partes[2], '{id}'])].join('/')}`;
    const { atrasoMs = 0, perder, status, depoisDe, mudo = false, mentira } = humor(operacao, partes.at(-1) ?? '');
    if (perder === 'antes') return void socket.destroy();
    if (mudo) return;
    if (atrasoMs > 0) await sleep(atrasoMs, undefined, { ref: false });
    if (status !== undefined) {
      return dizer(
        status,
        { title: 'por pedido do teste', status },
        depoisDe === undefined ? {} : { 'retry-after': String(depoisDe) },
      );
    }
    if (operacao === 'POST /oauth/token') {
      pedidosDeToken += 1;
      if (pedido.headers.authorization !== CHAVE_DO_TOKEN) return dizer(401, { error: 'invalid_client' });
      const token = randomBytes(24).toString('base64url');
      tokens.set(token, agora().getTime() + DURA_S * 1000);
      return dizer(200, { access_token: token, token_type: 'Bearer', expires_in: DURA_S, scope: 'cob.write' });
    }
    const token = pedido.headers.authorization?.slice('Bearer '.length) ?? '';
    if ((tokens.get(token) ?? 0) <= agora().getTime()) return dizer(401, { title: 'token' });
    const corpo = texto === '' ? null : (JSON.parse(texto) as unknown);
    const faltaNoPedido = corpo === null ? null : conferir(operacao, 'pedido', corpo);
    if (faltaNoPedido !== null) {
      foraDoEsquema.push(`${operacao}: ${faltaNoPedido}`);
      const { status: recusa, corpo: porque } = problema(400, 'RequisicaoInvalida', faltaNoPedido);
      return dizer(recusa, porque);
    }
    const feita = decidir(metodo, partes, searchParams, corpo);
    if (feita.status < 300 && feita.corpo !== null) {
      const falta = conferir(operacao, 'resposta', feita.corpo);
      if (falta !== null) foraDoEsquema.push(`resposta de ${operacao}: ${falta}`);
    }
    if (perder === 'depois') return void socket.destroy();
    dizer(feita.status, mentira ?? feita.corpo);
  }

  const servidor = createServer(
    {
      key: cartorio.servidor.chavePem,
      cert: cartorio.servidor.certificadoPem,
      ca: cartorio.caPem,
      requestCert: true,
      rejectUnauthorized: false,
    },
    (pedido, resposta) => void responder(pedido, resposta).catch(() => pedido.socket.destroy()),
  );
  await new Promise<void>((pronto) => servidor.listen(0, '127.0.0.1', pronto));
  servidor.unref();
  const onde = servidor.address();
  const porta = typeof onde === 'object' && onde !== null ? onde.port : 0;

  function receber(valor: string, chave: string, mais: Partial<PixNoPsp>): PixNoPsp {
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
  }

  return {
    porta,
    base: `https://127.0.0.1:${porta}/v2`,
    tokenUrl: `https://127.0.0.1:${porta}/oauth/token`,
    cobrancas: cobrancas as ReadonlyMap<string, CobrancaNoPsp>,
    feitas: feitas as ReadonlyMap<string, number>,
    pix: pix as ReadonlyMap<string, PixNoPsp>,
    webhooks,
    foraDoEsquema,
    porAvisar,
    pedidosDeToken: () => pedidosDeToken,

    /** Somebody pays a charge today; null where it cannot be paid. */
    pagar(txid: string): PixNoPsp | null {
      const cobranca = cobrancas.get(txid);
      if (cobranca?.status !== 'ATIVA') return null;
      const valor = valorNoDia(cobranca, hojeEm(fuso, agora()), agora(), calendario);
      if (valor === null) return null;
      cobrancas.set(txid, { ...cobranca, status: 'CONCLUIDA' });
      const { total, multa, juros } = valor;
      const componentesValor = {
        original: { valor: emReais(total - multa - juros) },
        ...(multa > 0 ? { multa: { valor: emReais(multa) } } : {}),
        ...(juros > 0 ? { juros: { valor: emReais(juros) } } : {}),
      };
      return receber(emReais(total), cobranca.corpo.chave, { txid, componentesValor });
    },

    /** Somebody pays a static code, or a key without any. */
    pagarChave: (chave: string, valor: string, txid?: string): PixNoPsp =>
      receber(valor, chave, txid === undefined ? {} : { txid }),

    /** The MED takes a PIX back. */
    tomar(endToEndId: string, valor: string): void {
      const dele = pix.get(endToEndId);
      if (dele === undefined) throw new Error('não há este PIX');
      devolvidas += 1;
      const uma = {
        id: `med${devolvidas}`,
        rtrId: `D00000000${String(devolvidas).padStart(23, '0')}`,
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

    async fechar(): Promise<void> {
      servidor.closeAllConnections();
      await new Promise<void>((pronto) => servidor.close(() => pronto()));
    },
  };
}
