import { ocultarDeNinguem } from '../../domain/conhecidos/conhecidos.service.ts';
import type { Registro } from '../../domain/conhecidos/conhecidos.queries.ts';
import type { Dominio } from '../../domain/dominio.ts';
import { Recusa } from '../../domain/erros.ts';
import type { Provedor } from '../../domain/provedores/provedores.types.ts';
import type { Of, People } from '../../kit/http/restriction.ts';
import type { Rights } from '../../kit/rights/rights.ts';
import type { SurfaceTypes } from '../../kit/http/route.ts';
import { Failure } from '../../kit/reply/failure.ts';
import type { Hide } from '../../kit/reply/veil.ts';
import { tenantSlot } from '../../platform/gate/keys.ts';
import type { Looks } from '../../platform/gate/looks.ts';

interface OfClients extends SurfaceTypes {
  readonly domain: Dominio;
  readonly session: { readonly provedor: Provedor; readonly reader: string; readonly rights: Rights };
}

/** What a path names the client of, by its first part. */
const RECORDS: Readonly<Record<string, Registro>> = {
  clientes: 'clientes',
  contratos: 'contratos',
  faturas: 'faturas',
  chamados: 'chamados',
};

/** What a query or a body names him by, or several of them. */
const FIELDS: readonly (readonly [field: string, record: Registro])[] = [
  ['cliente_id', 'clientes'],
  ['client_id', 'clientes'],
  ['cliente_ids', 'clientes'],
  ['contrato_id', 'contratos'],
  ['contract_id', 'contratos'],
  ['contrato_ids', 'contratos'],
];

/** Refusals that say that somebody, or what is his, is not there. */
const NOBODY = ['nao_encontrado', 'contrato_invalido'];

/** The clients whom answers are about, for keys that are kept from something. */
export function createPeople<T extends OfClients>(looks: Pick<Looks, 'count'>): People<T> {
  return {
    async ownersOf({ conhecidos }, request) {
      const owners = new Set<number>();
      for (const [record, ids] of namedIn(request)) {
        for (const owner of await conhecidos.donosDe(record, ids)) owners.add(owner);
      }
      return [...owners];
    },

    async hiderOf({ conhecidos }, people) {
      const hiders = await conhecidos.ocultadores(people);
      const hide = (id: number): Hide => hiders.get(id) ?? ocultarDeNinguem;
      return (whose) =>
        whose.length === 0 ? ocultarDeNinguem : (text) => whose.reduce((hidden, id) => hide(id)(hidden), text);
    },

    async count({ provedor, reader, rights: { restricted } }, people) {
      if (restricted === null) return { allowed: true, waitMs: 0 };
      return looks.count(tenantSlot(provedor.id), reader, restricted, people);
    },

    refuses: (error) => codeOf(error) !== null,

    toldBy(error) {
      const code = codeOf(error);
      if (code === null) return null;
      if (NOBODY.includes(code)) return [];
      const other = error instanceof Recusa && code === 'cliente_duplicado' ? error.detalhe.registroId : undefined;
      return other === undefined ? null : [other];
    },
  };
}

function codeOf(error: unknown): string | null {
  if (error instanceof Recusa) return error.motivo;
  return isFailure(error) ? error.refusal : null;
}

const isFailure = (error: unknown): error is Failure => error instanceof Failure;

function namedIn({ path, params, query, body }: Of): [Registro, readonly number[]][] {
  const ofPath = RECORDS[path.split('/')[1] ?? ''];
  const ids = numbersIn(params, 'id');
  if (ofPath !== undefined && ids.length > 0) return [[ofPath, ids]];
  return FIELDS.flatMap(([field, record]) => {
    const given = [...numbersIn(query, field), ...numbersIn(body, field)];
    return given.length > 0 ? [[record, given]] : [];
  });
}

function numbersIn(from: unknown, name: string): number[] {
  if (from === null || typeof from !== 'object') return [];
  const value: unknown = new Map<string, unknown>(Object.entries(from)).get(name);
  return (Array.isArray(value) ? value : [value]).filter((one): one is number => typeof one === 'number');
}
