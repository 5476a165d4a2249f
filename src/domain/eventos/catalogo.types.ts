import type { TypeOf } from '../../platform/schema-type.ts';
import { DOS_ASSINANTES } from './catalogo/assinantes.ts';
import { DA_CASA } from './catalogo/casa.ts';
import { DOS_CONTRATOS } from './catalogo/contratos.ts';
import { DOS_CLIENTES } from './catalogo/clientes.ts';
import { DO_DINHEIRO } from './catalogo/cobranca/dinheiro.ts';
import { DOS_BOLETOS } from './catalogo/cobranca/boletos.ts';
import { DOS_COBRADORES } from './catalogo/cobranca/cobradores.ts';
import { DO_PSP } from './catalogo/cobranca/psp.ts';
import { DOS_REGISTROS } from './catalogo/registros.ts';
import { DA_REDE } from './catalogo/rede.ts';
import { DAS_FATURAS } from './catalogo/cobranca/faturas.ts';
import { DAS_IMPORTACOES } from './catalogo/importacoes.ts';
import { DAS_NOTAS } from './catalogo/cobranca/nfcom.ts';
import { DAS_PESSOAS } from './catalogo/pessoas.ts';
import type { TipoDeEvento } from './catalogo/evento.ts';

/** Everything that a write may say happened. A test holds each example, and whatever the tests' own writes emit, against the schemas. */
export const CATALOGO = {
  ...DOS_ASSINANTES,
  ...DOS_CLIENTES,
  ...DOS_CONTRATOS,
  ...DAS_FATURAS,
  ...DO_DINHEIRO,
  ...DA_CASA,
  ...DA_REDE,
  ...DOS_COBRADORES,
  ...DOS_BOLETOS,
  ...DO_PSP,
  ...DOS_REGISTROS,
  ...DAS_IMPORTACOES,
  ...DAS_PESSOAS,
  ...DAS_NOTAS,
} as const satisfies Readonly<Record<string, TipoDeEvento>>;

type Catalogo = typeof CATALOGO;

/** The name of an event. */
type NomeDeEvento = keyof Catalogo;

/** What each event says; null of one that says nothing but that it happened. */
export type DadosDosEventos = {
  readonly [Nome in NomeDeEvento]: Catalogo[Nome]['dados'] extends null ? null : TypeOf<Catalogo[Nome]['dados']>;
};

/** Events of a daily task, which say of which day it is done and how many rows changed. */
export type EventoDoDia = {
  [Nome in NomeDeEvento]: DadosDosEventos[Nome] extends { dia: string; linhas: number } ? Nome : never;
}[NomeDeEvento];
