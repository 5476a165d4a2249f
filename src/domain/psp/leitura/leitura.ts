import { lerPagina } from '../../../brazil/pix/cobranca/resposta.ts';
import type { ActorDe } from '../../actor.ts';
import type { Provedor } from '../../provedores/provedores.types.ts';
import { lerPix } from '../../recebimentos/leitura.regras.ts';
import type { RecebimentosService } from '../../recebimentos/recebimentos.service.ts';
import type { PixRecebido } from '../../recebimentos/recebimentos.types.ts';
import type { TenantDb } from '../../../platform/mysql/tenant.ts';
import type { ClientePsp } from '../cliente/cliente.ts';
import type { ConvenioComSegredos } from '../convenios/convenios.queries.ts';
import { falhaDe } from '../envio/envio.types.ts';
import type { Falha } from '../envio/envio.types.ts';
import { porSaber } from './conhecidos.queries.ts';

const POR_PAGINA = 100;
/** A list of more pages than these is not believed: whoever answers with it gives us work without end. */
const MAIS_PAGINAS = 2000;

interface LeituraDeps {
  readonly cliente: ClientePsp;
  readonly recebimentos: Pick<RecebimentosService, 'registrar' | 'recusar'>;
  readonly autor: ActorDe<'tarefa'>;
}

interface Janela {
  readonly de: Date;
  readonly ate: Date;
  /** Only those of which something was given back. */
  readonly devolvidos?: boolean;
  /** Is given what the list has, by end-to-end id. */
  readonly vistos?: Set<string>;
}

const falha = (codigo: string): Falha => ({ tipo: 'falha', codigo, esperaMs: null });

/** RFC 3339, to the second. */
const escrever = (instante: Date): string => `${instante.toISOString().slice(0, 19)}Z`;

/** Reads what a PSP has received, and takes each PIX as if it had been told of it by the webhook. */
export function createLeituraDoPsp({ cliente, recebimentos, autor }: LeituraDeps) {
  async function tomar(
    tenant: TenantDb,
    provedor: Provedor,
    itens: readonly unknown[],
    vistos: Set<string> | undefined,
  ): Promise<void> {
    const lidos = itens.map((item, n) => lerPix(item, `pix/${n}`));
    const pix = lidos.filter((um): um is PixRecebido => !('falta' in um));
    for (const { endToEndId } of pix) vistos?.add(endToEndId);
    const novos = new Set(await porSaber(tenant, pix));
    for (const um of lidos) {
      if ('falta' in um) await recebimentos.recusar(autor, provedor, um);
      else if (novos.has(um)) await recebimentos.registrar(autor, provedor, um);
    }
  }

  /** Null once all of the window was read and taken. */
  return async function lerJanela(
    tenant: TenantDb,
    provedor: Provedor,
    c: ConvenioComSegredos,
    { de, ate, devolvidos = false, vistos }: Janela,
  ): Promise<Falha | null> {
    let antes = '';
    for (let pagina = 0; pagina < MAIS_PAGINAS; pagina += 1) {
      const resposta = await cliente.pedir(c, {
        metodo: 'GET',
        recurso: 'pix',
        partes: [],
        consulta: {
          inicio: escrever(de),
          fim: escrever(new Date(Math.ceil(ate.getTime() / 1000) * 1000)),
          ...(devolvidos ? { devolucaoPresente: 'true' } : {}),
          'paginacao.paginaAtual': String(pagina),
          'paginacao.itensPorPagina': String(POR_PAGINA),
        },
      });
      if (!resposta.veio) return falhaDe(resposta);
      // Of a window in which nothing came, some say that there is nothing.
      if (resposta.status === 404) return null;
      if (resposta.status >= 400) return falha(`resposta_${resposta.status}`);
      const lida = lerPagina(resposta.json);
      if (lida === null) return falha('ilegivel');
      if (lida.pix.length === 0) return null;
      const esta = JSON.stringify(lida.pix);
      if (esta === antes) return falha('pagina_repetida');
      antes = esta;
      await tomar(tenant, provedor, lida.pix, vistos);
      // Where nobody says how many pages there are, a full one is followed by another. One that holds more than was asked for is all there is:
      // such a PSP knows of no pages, and would give the same again.
      const acabou = lida.paginas === null ? lida.pix.length !== POR_PAGINA : pagina + 1 >= lida.paginas;
      if (acabou) return null;
    }
    return falha('paginas_demais');
  };
}
