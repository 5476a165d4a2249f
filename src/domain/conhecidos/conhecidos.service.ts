import { ocultador } from '../../brazil/pessoa/mascaras.ts';
import type { Conhecido } from '../../brazil/pessoa/mascaras.ts';
import type { Trail } from '../../platform/cache/trail.ts';
import type { TenantDb } from '../../platform/mysql/tenant.ts';
import { clienteTag } from '../tags.ts';
import { createConhecidosQueries } from './conhecidos.queries.ts';
import type { Registro } from './conhecidos.queries.ts';

export type ConhecidosService = ReturnType<typeof createConhecidosService>;

export interface ConhecidosDeps {
  readonly tenant: TenantDb;
  readonly trail: Trail;
}

const ditos = (...valores: readonly (string | null | undefined)[]): string[] =>
  valores.filter((valor) => valor !== null && valor !== undefined && valor !== '') as string[];

/** Hides in a text what is shaped like a document, a phone or an e-mail, whosever it is. */
export const ocultarDeNinguem = ocultador(null);

/** What the provider knows of its clients, by which they are recognized in texts. */
export function createConhecidosService({ tenant, trail }: ConhecidosDeps) {
  const queries = createConhecidosQueries(tenant);
  return {
    /** Of each of these clients that there is, in three statements. */
    async de(ids: readonly number[]): Promise<ReadonlyMap<number, Conhecido>> {
      if (ids.length === 0) return new Map();
      trail.dependsOn(...ids.map((id) => clienteTag(id)));
      const pessoas = await queries.pessoas(ids);
      const telefones = await queries.telefones(ids);
      const contratos = await queries.contratos(ids);
      return new Map(
        pessoas.map((pessoa) => {
          const seus = contratos.filter(({ cliente_id }) => cliente_id === pessoa.id);
          return [
            pessoa.id,
            {
              nomes: ditos(pessoa.nome, pessoa.nome_fantasia),
              documentos: [pessoa.cpf_cnpj],
              telefones: telefones.filter(({ cliente_id }) => cliente_id === pessoa.id).map(({ numero }) => numero),
              ceps: ditos(pessoa.cep, ...seus.map(({ cep }) => cep)),
              emails: ditos(pessoa.email),
              logradouros: ditos(pessoa.logradouro, ...seus.map(({ logradouro }) => logradouro)),
              logins: ditos(...seus.map(({ login }) => login)),
              enderecosDeRede: ditos(...seus.flatMap(({ mac, ip }) => [mac, ip])),
              nascimentos: ditos(pessoa.data_nascimento),
            },
          ];
        }),
      );
    },

    /** Of each of these clients that there is, what hides from a text all that is known of him. */
    async ocultadores(ids: readonly number[]): Promise<ReadonlyMap<number, (texto: string) => string>> {
      return new Map([...(await this.de(ids))].map(([id, conhecido]) => [id, ocultador(conhecido)]));
    },

    /** The clients whom records are of, of those that there are; in one statement. */
    async donosDe(registro: Registro, ids: readonly number[]): Promise<number[]> {
      const donos = await queries.donos(registro, ids);
      // Who is found so is answered for in what was kept.
      trail.dependsOn(...donos.map((dono) => clienteTag(dono)));
      return donos;
    },
  };
}
