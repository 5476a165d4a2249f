import type { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { Actor, Procedencia } from '../../domain/actor.ts';
import type { Forma, ValoresDe } from '../../domain/campos/campos.ts';
import type { Dominio, Escritas } from '../../domain/dominio.ts';
import type { PermissaoPainel } from '../../domain/usuarios/permissoes.regras.ts';
import type { Html } from '../../kit/html/html.ts';
import type { EstadoDoFormulario } from './formulario/estado.ts';
import type { TipoDeCampo } from './formulario/leitura.ts';
import type { Feito } from './moldura/feitos.ts';
import type { UploadedFile } from '../../platform/http/upload.ts';
import type { Servicos } from './servicos.ts';
import type { Sessao, Visita } from './sessao.ts';

/** What a screen shows; the frame around it is the surface's. */
export interface Tela {
  readonly titulo: string;
  /** The entry of the menu that is marked; see moldura/menu.ts. */
  readonly menu?: string;
  /** Ways back, from the outermost: text and address below `/painel`. */
  readonly migalhas?: readonly (readonly [texto: string, caminho: string])[];
  /** Buttons beside the heading. */
  readonly acoes?: Html | null;
  readonly corpo: Html;
  /** Scripts that this screen alone needs, by their names in ativos/. */
  readonly scripts?: readonly 'uplot'[];
}

/** What comes of a request. */
export type Desfecho =
  | { readonly tela: Tela; readonly status?: number; readonly sessao?: string | null }
  /** Goes on to another screen (an address below `/painel`), with a message that something was done. */
  | { readonly ir: string; readonly feito?: Feito; readonly sessao?: string | null }
  | {
      readonly arquivo: {
        readonly nome: string;
        readonly tipo: string;
        readonly corpo: Readable | Buffer | (() => Promise<Buffer>);
      };
    }
  /** A part of a page without the frame, such as the results of the search. */
  | {
      readonly parte: Html;
      readonly status?: number;
      readonly sessao?: string | null;
      /** An event that the page hears. */
      readonly gatilho?: 'sessao-renovada';
    }
  /** The request is answered on its socket, which stays open. */
  | { readonly tomar: (ctx: Context) => void | Promise<void> };

type NomesEm<Caminho extends string> = Caminho extends `${string}{${infer Nome}}${infer Resto}`
  ? Nome | NomesEm<Resto>
  : never;

/** Names of parameters of an address that are texts; all others are ids. */
export const TEXTOS = ['token', 'tipo', 'recurso', 'nome', 'dia', 'endereco'] as const;
type Texto = (typeof TEXTOS)[number];

type ParametrosDe<Caminho extends string> = {
  readonly [Nome in NomesEm<Caminho>]: Nome extends Texto ? string : number;
};

/** A request whose session, permission and address are in order. */
export interface Chamada<Parametros = unknown, Consulta = unknown, Quem = Sessao> {
  readonly parametros: Parametros;
  readonly consulta: Consulta;
  readonly sessao: Quem;
  readonly servicos: Servicos;
  /** Reads of the session's provider. A form that is shown again has it too. */
  readonly dominio: Dominio;
  readonly agora: Date;
  /** The address below `/painel`, with its query. */
  readonly endereco: string;
  /** Scheme and host that the browser asked, such as `https://painel.exemplo.com.br`. */
  readonly origem: string;
  readonly deOnde: Procedencia;
  readonly agente: string;
  /** The id of the part of a page that htmx puts the answer into; empty where it is none. */
  readonly parte: string;
}

/** A request to change something; what was typed is not judged yet. */
export interface ChamadaDeAcao<Parametros = unknown, Consulta = unknown, Quem = Sessao> extends Omit<
  Chamada<Parametros, Consulta, Quem>,
  'dominio'
> {
  readonly ator: Actor;
  /** What was typed, by the names that the domain's forms have. */
  readonly dados: Readonly<Record<string, unknown>>;
  /** The file that came with the form, which is removed afterwards; null where none was chosen, or the form has none. */
  readonly arquivo: UploadedFile | null;
  /** Reads outside of any change. */
  readonly ler: <V>(trabalho: (dominio: Dominio) => Promise<V>) => Promise<V>;
  /** Changes something as one write. It may run several times; only the last run takes effect. */
  readonly mudar: <V>(trabalho: (dominio: Dominio, escritas: Escritas) => Promise<V>) => Promise<V>;
}

/** Who may ask: anybody, whoever has given the password and may lack the second factor, or whoever has signed in. */
export type Acesso = 'publico' | 'sem_fator' | 'completo';

interface Base {
  readonly caminho: string;
  /** Any of these is enough. Null: whoever has signed in, for what is his own. */
  readonly permissao: PermissaoPainel | readonly PermissaoPainel[] | null;
  /** All of these are asked for besides. */
  readonly tambem: readonly PermissaoPainel[];
  readonly acesso: Acesso;
  readonly consulta: Forma;
}

export interface Pagina extends Base {
  readonly metodo: 'GET';
  readonly mostrar: (chamada: Chamada) => Promise<Desfecho>;
}

/** A form that a file comes with. */
interface DoArquivo {
  readonly campo: string;
  /** Bytes. */
  readonly maximo: number;
}

/**
 * Whether a password or second factor is asked for that was given at most ten minutes ago. `fator`: of who has a second factor, that or a
 * recovery code alone will do.
 */
export type ProvaPedida = boolean | 'fator';

/** Whether the proof is asked for of what was typed, where only some of a form's changes need one. */
type ProvaConforme = (chamada: Pick<ChamadaDeAcao, 'dados' | 'ler'>) => Promise<boolean>;

export interface Acao extends Base {
  readonly metodo: 'POST';
  readonly campos: Readonly<Record<string, TipoDeCampo>>;
  readonly arquivo: DoArquivo | null;
  readonly prova: ProvaPedida | ProvaConforme;
  /** The form, shown again with what was typed and what is wrong; null for a button, whose refusal is a message. */
  readonly formulario: ((chamada: Chamada, estado: EstadoDoFormulario) => Promise<Tela>) | null;
  readonly fazer: (chamada: ChamadaDeAcao) => Promise<Desfecho>;
}

export type Rota = Pagina | Acao;

/** Of an address that takes no parameters. */
type SemConsulta = Readonly<Record<string, never>>;

interface DefinicaoDaPagina<Caminho extends string, Consulta extends Forma, Quem> {
  readonly permissao: Base['permissao'];
  readonly tambem?: Base['tambem'];
  readonly consulta?: Consulta;
  readonly mostrar: (chamada: Chamada<ParametrosDe<Caminho>, ValoresDe<Consulta>, Quem>) => Promise<Desfecho>;
}

interface DefinicaoDaAcao<Caminho extends string, Consulta extends Forma, Quem> {
  readonly permissao: Base['permissao'];
  readonly tambem?: Base['tambem'];
  readonly consulta?: Consulta;
  readonly campos?: Acao['campos'];
  /** A file cannot wait in a page while somebody proves who he is: what has one asks for no proof. */
  readonly arquivo?: DoArquivo;
  readonly prova?: ProvaPedida | ProvaConforme;
  readonly formulario?: (
    chamada: Chamada<ParametrosDe<Caminho>, ValoresDe<Consulta>, Quem>,
    estado: EstadoDoFormulario,
  ) => Promise<Tela>;
  readonly fazer: (chamada: ChamadaDeAcao<ParametrosDe<Caminho>, ValoresDe<Consulta>, Quem>) => Promise<Desfecho>;
}

/** Declares pages and changes for those who have so much access. What the handlers are given is typed by address and query. */
function declarar<Quem>(acesso: Acesso) {
  return {
    /** A page, at an address below `/painel`. */
    pagina: <const Caminho extends string, const Consulta extends Forma = SemConsulta>(
      caminho: Caminho,
      { permissao, tambem, consulta, mostrar }: DefinicaoDaPagina<Caminho, Consulta, Quem>,
    ): Pagina => ({
      metodo: 'GET',
      acesso,
      caminho,
      permissao,
      tambem: tambem ?? [],
      consulta: consulta ?? {},
      // Address and query are read by what was declared before it is called, so the narrower type is true.
      mostrar: mostrar as Pagina['mostrar'],
    }),

    /** A change, at an address below `/painel`. */
    acao: <const Caminho extends string, const Consulta extends Forma = SemConsulta>(
      caminho: Caminho,
      {
        permissao,
        tambem,
        consulta,
        campos,
        arquivo,
        prova,
        formulario,
        fazer,
      }: DefinicaoDaAcao<Caminho, Consulta, Quem>,
    ): Acao => ({
      metodo: 'POST',
      acesso,
      caminho,
      permissao,
      tambem: tambem ?? [],
      consulta: consulta ?? {},
      campos: campos ?? {},
      arquivo: arquivo ?? null,
      prova: prova ?? false,
      formulario: (formulario as Acao['formulario']) ?? null,
      fazer: fazer as Acao['fazer'],
    }),
  };
}

export const { pagina, acao } = declarar<Sessao>('completo');
/** For whoever has given the password, and lacks the second factor. */
export const semFator = declarar<Sessao>('sem_fator');
/** For anybody. */
export const publico = declarar<Visita>('publico');
