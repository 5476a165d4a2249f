import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { gunzipSync } from 'node:zlib';
import type { Cartorio } from './certificados.ts';
import { assinaturaConfere, certificadoDe, conferirNota, textoDe } from './conferencia.ts';
import { consSit, envelope, evento, protocolo, retNFCom, status } from './respostas.ts';
import type { NotaAutorizada } from './respostas.ts';
import { abrirServidorMtls } from './servidor.ts';

/** What goes wrong with one request. */
export interface Humor {
  readonly atrasoMs?: number;
  /** The connection ends before the request is looked at, or after what it asks for was done. */
  readonly perder?: 'antes' | 'depois';
  /** Answered with this, and nothing done. */
  readonly cStat?: string;
  /** Of a note that is new and right: rejected with this, after all else was looked at. */
  readonly rejeitar?: string;
  /** With prefixes, as MG's. */
  readonly prefixos?: boolean;
  /** The answer comes twice in one. */
  readonly duasVezes?: boolean;
  /** Never answered. */
  readonly mudo?: boolean;
  /** Answered as if it were of this key. */
  readonly outraChave?: string;
  /** What the answer becomes on its way. */
  readonly mudar?: (resposta: string) => string;
}

export type Operacao = 'recepcao' | 'consulta' | 'status' | 'evento';

interface AutoridadeDeps {
  readonly cartorio: Cartorio;
  readonly ambiente?: '1' | '2';
  readonly agora: () => Date;
  /** Asked of each request. */
  readonly humor?: (operacao: Operacao, chave: string | null) => Humor;
  /** What a schema says against a note; null: nothing. */
  readonly esquema?: (xml: string) => Promise<string | null>;
  /** A second look at signatures. */
  readonly assinatura?: (xml: string) => Promise<boolean>;
  /** Where it keeps what it authorised, over a restart. */
  readonly arquivo?: string;
}

export type Autoridade = Awaited<ReturnType<typeof abrirAutoridade>>;

const MAIOR_NOTA = 1024 * 1024;
const CAMINHOS: Readonly<Record<string, Operacao>> = {
  '/NFComRecepcao': 'recepcao',
  '/NFComConsulta': 'consulta',
  '/NFComStatusServico': 'status',
  '/NFComRecepcaoEvento': 'evento',
};

/**
 * A stand-in for a tax authority, for demonstrations and tests: mTLS, gzip and Base64, signatures, sums and duplicates by the authority's
 * codes. It has no fiscal value whatsoever.
 */
export async function abrirAutoridade({
  cartorio,
  ambiente = '2',
  agora,
  humor = () => ({}),
  ...deps
}: AutoridadeDeps) {
  const notas = new Map<string, NotaAutorizada>();
  const numeros = new Map<string, string>();
  const recebidas: { readonly chave: string; readonly xml: string; readonly cStat: string }[] = [];
  let ultimo = 0;

  function guardar(nota: NotaAutorizada): void {
    notas.set(nota.chave, nota);
    // UF, CNPJ, model, series and number.
    numeros.set(`${nota.chave.slice(0, 2)}${nota.chave.slice(6, 34)}`, nota.chave);
    ultimo = Math.max(ultimo, Number(nota.protocolo.slice(6)));
  }
  const { arquivo } = deps;
  if (arquivo !== undefined && existsSync(arquivo)) {
    for (const linha of readFileSync(arquivo, 'utf8').split('\n').filter(Boolean))
      guardar(JSON.parse(linha) as NotaAutorizada);
  }
  const lembrar = (nota: NotaAutorizada): void => {
    guardar(nota);
    if (arquivo !== undefined) appendFileSync(arquivo, `${JSON.stringify(nota)}\n`);
  };

  const novoProtocolo = (chave: string): string => {
    ultimo += 1;
    return `3${chave.slice(0, 2)}${chave.slice(2, 4)}0${String(ultimo).padStart(10, '0')}`;
  };

  async function receber(conteudo: string, daConexao: string, porPedido: string | undefined): Promise<string> {
    const rejeitar = (cStat: string, motivo: string, chave = ''): string => {
      recebidas.push({ chave, xml: '', cStat });
      return retNFCom(ambiente, cStat, `Rejeicao: ${motivo}`, null);
    };
    if (!/^[A-Za-z\d+/=\s]+$/.test(conteudo)) return rejeitar('243', 'XML Mal Formado');
    let xml: string;
    try {
      xml = gunzipSync(Buffer.from(conteudo, 'base64')).toString('utf8');
    } catch {
      return rejeitar('244', 'Falha na descompactacao');
    }
    if (Buffer.byteLength(xml) > MAIOR_NOTA) return rejeitar('214', 'Tamanho da mensagem excedeu o limite');
    const chave = /<infNFCom[^>]* Id="NFCom([A-Z0-9]{44})"/.exec(xml)?.[1] ?? '';
    const doEsquema = await deps.esquema?.(xml);
    if (doEsquema !== null && doEsquema !== undefined)
      return rejeitar('215', `Falha no schema XML: ${doEsquema}`, chave);
    const confere = assinaturaConfere(xml, 'infNFCom') && (await (deps.assinatura?.(xml) ?? true));
    if (!confere) return rejeitar('297', 'Assinatura difere do calculado', chave);
    const base = chave.slice(6, 14);
    const doCertificado = certificadoDe(xml)?.subject ?? '';
    if (!doCertificado.includes(`:${base}`) || !daConexao.includes(`:${base}`)) {
      return rejeitar('213', 'CNPJ-Base do Emitente difere do CNPJ-Base do Certificado Digital', chave);
    }
    const igual = notas.get(chave);
    if (igual !== undefined) {
      return rejeitar('204', `Duplicidade de NFCom [nProt:${igual.protocolo}][dhAut:${igual.recebidaEm}]`, chave);
    }
    const doNumero = numeros.get(`${chave.slice(0, 2)}${chave.slice(6, 34)}`);
    if (doNumero !== undefined) {
      return rejeitar('539', `Duplicidade de NFCom, com diferenca na Chave de Acesso [chNFCom:${doNumero}]`, chave);
    }
    const pedida = porPedido === undefined ? null : { cStat: porPedido, motivo: 'Rejeicao: por pedido do teste' };
    const errada = conferirNota(xml, ambiente, agora()) ?? pedida;
    if (errada !== null) {
      recebidas.push({ chave, xml, cStat: errada.cStat });
      return retNFCom(ambiente, errada.cStat, errada.motivo, null);
    }
    const substituida = textoDe(/<gSub>.*?<\/gSub>/s.exec(xml)?.[0] ?? '', 'chNFCom');
    if (substituida !== null) {
      const antes = notas.get(substituida);
      if (antes === undefined) return rejeitar('219', 'NFCom substituida inexistente', chave);
      if (antes.situacao === '101') return rejeitar('210', 'NFCom substituida cancelada', chave);
      if (antes.situacao === '102') return rejeitar('211', 'NFCom ja substituida', chave);
      lembrar({ ...antes, situacao: '102' });
    }
    const nota: NotaAutorizada = {
      chave,
      ambiente,
      protocolo: novoProtocolo(chave),
      digest: textoDe(xml, 'DigestValue') ?? '',
      recebidaEm: emBrasilia(agora()),
      situacao: '100',
      eventos: [],
    };
    lembrar(nota);
    recebidas.push({ chave, xml, cStat: '100' });
    return retNFCom(ambiente, '100', 'Autorizado o uso da NFCom', protocolo(nota));
  }

  function consultar(xml: string): string {
    const nota = notas.get(textoDe(xml, 'chNFCom') ?? '');
    if (nota === undefined) return consSit(ambiente, '217', 'Rejeicao: NFCom nao consta na base de dados', null);
    const ditas = {
      '100': 'Autorizado o uso da NFCom',
      '101': 'Cancelamento de NFCom homologado',
      '102': 'NFCom substituida',
    };
    return consSit(ambiente, nota.situacao, ditas[nota.situacao], nota);
  }

  function registrar(xml: string): string {
    const chave = textoDe(xml, 'chNFCom') ?? '';
    const nota = notas.get(chave);
    const dizer = (cStat: string, motivo: string, prot: string | null) =>
      evento({ ambiente, cStat, motivo, chave, protocolo: prot, em: emBrasilia(agora()) });
    if (!assinaturaConfere(xml, 'infEvento')) return dizer('297', 'Rejeicao: Assinatura difere do calculado', null);
    if (nota === undefined) return dizer('217', 'Rejeicao: NFCom nao consta na base de dados', null);
    if (nota.situacao === '101') return dizer('631', 'Rejeicao: Duplicidade de evento', null);
    if (nota.situacao === '102') return dizer('224', 'Rejeicao: NFCom substituida', null);
    if (textoDe(xml, 'nProt') !== nota.protocolo) return dizer('222', 'Rejeicao: Protocolo difere do cadastrado', null);
    const prot = novoProtocolo(chave);
    const registrado = dizer('135', 'Evento registrado e vinculado a NFCom', prot);
    lembrar({ ...nota, situacao: '101', eventos: [registrado] });
    return registrado;
  }

  async function atender(
    operacao: Operacao,
    corpo: string,
    daConexao: string,
    { cStat, rejeitar }: Humor,
  ): Promise<string> {
    const conteudo = /<nfcomDadosMsg[^>]*>(.*)<\/nfcomDadosMsg>/s.exec(corpo)?.[1] ?? '';
    if (operacao === 'status') {
      const dito = { '108': 'Servico Paralisado Momentaneamente', '109': 'Servico Paralisado sem Previsao' }[
        cStat ?? ''
      ];
      return status(ambiente, cStat ?? '107', dito ?? 'Servico em Operacao');
    }
    if (cStat !== undefined) {
      if (operacao === 'recepcao') return retNFCom(ambiente, cStat, 'Rejeicao: por pedido do teste', null);
      if (operacao === 'consulta') return consSit(ambiente, cStat, 'Rejeicao: por pedido do teste', null);
      return evento({
        ambiente,
        cStat,
        motivo: 'Rejeicao: por pedido do teste',
        chave: '',
        protocolo: null,
        em: emBrasilia(agora()),
      });
    }
    if (operacao === 'recepcao') return receber(conteudo, daConexao, rejeitar);
    return operacao === 'consulta' ? consultar(conteudo) : registrar(conteudo);
  }

  async function responder(pedido: IncomingMessage, resposta: ServerResponse): Promise<void> {
    const socket = pedido.socket as TLSSocket;
    const operacao = CAMINHOS[pedido.url ?? ''];
    if (!socket.authorized) return void resposta.writeHead(403).end('403 - certificado exigido');
    if (operacao === undefined || pedido.method !== 'POST') return void resposta.writeHead(404).end();
    if (pedido.headers['content-type']?.startsWith('application/soap+xml') !== true)
      return void resposta.writeHead(415).end();
    let corpo = '';
    for await (const parte of pedido.setEncoding('utf8') as AsyncIterable<string>) corpo += parte;
    const dela = humor(operacao, textoDe(corpo, 'chNFCom'));
    const { atrasoMs = 0, perder, prefixos = false, duasVezes = false, mudo = false, outraChave, mudar } = dela;
    if (perder === 'antes') return void socket.destroy();
    if (mudo) return;
    if (atrasoMs > 0) await sleep(atrasoMs, undefined, { ref: false });
    const { CN } = socket.getPeerCertificate().subject;
    const dita = await atender(operacao, corpo, String(CN), dela);
    const trocada = dita.replaceAll(/(<chNFCom>)[A-Z0-9]{44}/g, `$1${outraChave ?? ''}`);
    const certa = envelope(outraChave === undefined ? dita : trocada, prefixos);
    const feita = mudar?.(certa) ?? certa;
    if (perder === 'depois') return void socket.destroy();
    resposta.writeHead(200, { 'content-type': 'application/soap+xml; charset=utf-8' });
    resposta.end(duasVezes ? feita + feita : feita);
  }

  const { porta, fechar } = await abrirServidorMtls(cartorio, responder);
  const url = `https://127.0.0.1:${porta}`;
  const enderecos = {
    ...Object.fromEntries(Object.entries(CAMINHOS).map(([caminho, nome]) => [nome, url + caminho])),
    qr: `${url}/QRCode`,
    publica: `${url}/consulta`,
  };

  return {
    porta,
    /** As a provider's settings name an authoriser. */
    autorizador: { nome: 'Demonstração', site: 0, producao: enderecos, homologacao: enderecos },
    /** Every note that came, in its order, with what was answered. */
    recebidas,
    /** What it has authorised, by key. */
    notas: notas as ReadonlyMap<string, NotaAutorizada>,
    fechar,
  };
}

/** As the authority writes instants. */
const emBrasilia = (instante: Date): string =>
  `${new Date(instante.getTime() - 3 * 3_600_000).toISOString().slice(0, 19)}-03:00`;
