import { deleteSlice, digestOf, insertLiterals } from '../../../platform/mysql/copy/copy.ts';
import type { Slice } from '../../../platform/mysql/copy/copy.ts';
import { shapeOf } from '../../../platform/mysql/copy/shape.ts';
import type { Shape } from '../../../platform/mysql/copy/shape.ts';
import { ID, expressions, rowsOf } from '../../../platform/mysql/columns.ts';
import type { Db } from '../../../platform/mysql/database.ts';
import { isDuplicate } from '../../../platform/refusal.ts';
import { EntradaInvalida } from '../../erros.ts';
import { enderecosDosNas, exigirLogins } from '../alheios.ts';
import { PROPRIAS, fatiasDe } from '../fatias.ts';
import { gravarGrupos, nomesDe } from '../grupos.ts';
import { loginsDe } from '../logins.ts';
import { anotarNaCelula, avisarDeTudo, foiImportado, situacaoEm, sozinho } from '../situacao.ts';
import type { Lado } from '../situacao.ts';
import { bancoDe } from './exportacao.service.ts';
import { createSomador, lerRegistros } from './formato.ts';
import type { Cabecalho } from './cabecalho.ts';
import type { Parte, Soma } from './formato.ts';

/** Opens the file from its beginning, line by line. */
export type Abrir = () => AsyncIterable<string>;

/** A provider's file that was read to its end and is whole. */
export interface Conferido {
  readonly cabecalho: Cabecalho;
  readonly somas: readonly Soma[];
}

const ENDERECO = expressions<{ nasipaddress: string }>({ nasipaddress: 'nasipaddress' });

/** Triggers write of what is loaded after; the turn after puts that right. */
const MAIS_VOLTAS = 8;
const LINHAS_POR_VEZ = 2000;
const BYTES_POR_VEZ = 8 * 1024 * 1024;
/** Whose rows they are these say by login or NAS alone, and no trigger writes them: what is there already is another's. */
const SEM_INQUILINO: readonly string[] = ['nas', 'radcheck', 'radreply', 'radusergroup'];

/** Reads a file to its end. @throws EntradaInvalida, with the line or the table, where it is torn or not as it was written */
export async function conferirArquivo(abrir: Abrir): Promise<Conferido> {
  let cabecalho: Cabecalho | undefined;
  let somas: readonly Soma[] = [];
  const lidas: Soma[] = [];
  let atual: { readonly parte: Parte; readonly somador: ReturnType<typeof createSomador> } | undefined;
  const fechar = (): void => {
    if (atual !== undefined) lidas.push(atual.somador.soma(atual.parte.tabela));
  };
  for await (const registro of lerRegistros(abrir())) {
    if (registro.tipo === 'cabecalho') ({ cabecalho } = registro);
    else if (registro.tipo === 'linha') atual?.somador.somar(registro.literal);
    else {
      fechar();
      if (registro.tipo === 'fim') ({ somas } = registro);
      else atual = { parte: registro.parte, somador: createSomador() };
    }
  }
  for (let n = 0; n < Math.max(somas.length, lidas.length); n += 1) {
    if (!iguais(lidas[n], somas[n])) {
      throw new EntradaInvalida(
        `arquivo: as linhas de ${somas[n]?.tabela ?? lidas[n]?.tabela} não são as que foram exportadas`,
      );
    }
  }
  if (cabecalho === undefined) throw new EntradaInvalida('arquivo: está vazio');
  return { cabecalho, somas };
}

const iguais = (uma: Soma | undefined, outra: Soma | undefined): boolean =>
  uma?.tabela === outra?.tabela && uma?.linhas === outra?.linhas && uma?.digest === outra?.digest;

/**
 * Loads a provider from a file, in one transaction: whatever is wrong with it, nothing of it is written. The provider is only read and nothing
 * acts for it until somebody has it taken over; see `assumir`.
 *
 * @param dono - by the schema's owner
 * @throws EntradaInvalida where the provider, its host, a NAS or a number of its exists here, or the schema is another
 */
export async function importarProvedor(dono: Db, conferido: Conferido, abrir: Abrir): Promise<void> {
  await sozinho(dono, conferido.cabecalho.provedor, async (lado) => importarSo(lado, conferido, abrir));
}

async function importarSo({ db, lease }: Lado, { cabecalho, somas }: Conferido, abrir: Abrir): Promise<void> {
  const { provedor, nas, grupos } = cabecalho;
  await conferirDestino(db, cabecalho);
  await db.transaction(
    async (trx) => {
      await trx.raw('SET SESSION foreign_key_checks = 0');
      try {
        const { fatias, filas } = await fatiasDe(trx, provedor, nas);
        const todas: Fatia[] = [];
        for (const fatia of [...fatias, ...filas]) {
          todas.push({ fatia, forma: await shapeOf(trx, fatia.table, PROPRIAS[fatia.table] ?? []) });
        }
        await carregar(trx, todas, somas, abrir);
        await conferirNomes(trx, cabecalho);
        await exigirLogins(trx, provedor, await loginsDe(trx, provedor));
        await gravarGrupos(trx, grupos, provedor);
        // Whole, unlike a copy that a move has begun.
        const mudados = await trx('provedores').where({ id: provedor }).update({ mudanca: 'chegou' });
        if (mudados === 0) throw new EntradaInvalida('arquivo: o provedor não está nele');
        await anotarNaCelula(trx, provedor, 'provedor.importado');
        await avisarDeTudo(trx, provedor);
      } finally {
        await trx.raw('SET SESSION foreign_key_checks = 1');
      }
      await lease.confirm(trx);
    },
    { isolationLevel: 'read committed' },
  );
}

/** What the file says of its NASes and groups is what follows from the rows that it brings: else it would change what is another's. */
async function conferirNomes(trx: Db, { provedor, nas, grupos }: Cabecalho): Promise<void> {
  const enderecos = await enderecosDosNas(trx, provedor);
  if (enderecos.toSorted().join() !== [...nas].toSorted().join())
    throw new EntradaInvalida('arquivo: os NAS da linha 1 são outros');
  const { proprios, todos } = await nomesDe(trx, provedor);
  const dele = new Set(todos);
  const alheios = [
    ...grupos.proprios.filter((nome) => !proprios.has(nome)),
    ...grupos.todos.filter((nome) => !dele.has(nome)),
  ];
  if (alheios.length > 0) throw new EntradaInvalida(`arquivo: o grupo ${alheios[0]} não é deste provedor`);
}

interface Fatia {
  readonly fatia: Slice;
  readonly forma: Shape;
}

async function conferirDestino(db: Db, { provedor, host, banco, migracao, nas }: Cabecalho): Promise<void> {
  const aqui = await bancoDe(db);
  if (aqui.banco !== banco) throw new EntradaInvalida(`arquivo: é de ${banco}, e aqui há ${aqui.banco}`);
  if (aqui.migracao !== migracao) {
    throw new EntradaInvalida(
      `arquivo: o esquema é o de ${migracao}, e aqui é o de ${aqui.migracao}: use a mesma versão`,
    );
  }
  const [tem] = await rowsOf(db('provedores').where({ id: provedor }).orWhere({ panel_host: host }), ID);
  if (tem !== undefined) {
    const parado = (await situacaoEm(db, provedor))?.mudanca === 'chegou' && (await foiImportado(db, provedor));
    if (parado) throw new EntradaInvalida(`o provedor ${provedor} já foi carregado e está parado: assuma-o`);
    throw new EntradaInvalida(`aqui já há o provedor ${provedor}, ou outro com o host ${host}`);
  }
  for (const tabela of ['provedores_nas', 'radacct'] as const) {
    const [um] = await rowsOf(
      db(tabela)
        .whereIn('nasipaddress', [...nas])
        .limit(1),
      ENDERECO,
    );
    if (um !== undefined) throw new EntradaInvalida(`${tabela}: aqui já há o NAS ${um.nasipaddress}, ou sessões dele`);
  }
}

/** Loads what differs, turn by turn, until nothing does: then every slice is the same by count and digest. */
async function carregar(trx: Db, todas: readonly Fatia[], somas: readonly Soma[], abrir: Abrir): Promise<void> {
  for (let volta = 1; volta <= MAIS_VOLTAS; volta += 1) {
    let mudou = false;
    let partes = 0;
    let atual: { readonly uma: Fatia; readonly difere: boolean } | undefined;
    let esperam: string[] = [];
    let bytes = 0;
    const gravar = async (): Promise<void> => {
      const { fatia, forma } = atual?.uma ?? {};
      if (fatia !== undefined && forma !== undefined && esperam.length > 0) await inserir(trx, fatia, forma, esperam);
      [esperam, bytes] = [[], 0];
    };
    for await (const registro of lerRegistros(abrir())) {
      if (registro.tipo === 'linha') {
        if (atual?.difere !== true) continue;
        esperam.push(registro.literal);
        bytes += registro.literal.length;
        if (esperam.length >= LINHAS_POR_VEZ || bytes >= BYTES_POR_VEZ) await gravar();
      } else {
        await gravar();
        atual = undefined;
        if (registro.tipo !== 'parte') continue;
        const { parte, tabela, colunas } = registro.parte;
        const uma = todas[partes];
        // Each once, in their order: what is missing would be nobody's, such as the keys of a number that no provider has yet.
        if (parte !== partes || uma?.fatia.table !== tabela || uma.forma.columns.join() !== colunas.join()) {
          throw new EntradaInvalida(`arquivo: ${tabela} não é aqui o que é lá; use a mesma versão`);
        }
        partes += 1;
        const { n, digest } = await digestOf(trx, uma.fatia, uma.forma);
        const difere = !iguais({ tabela, linhas: n, digest: digest ?? '0' }, somas[parte]);
        atual = { uma, difere };
        if (!difere) continue;
        mudou = true;
        if (volta === 1 && n > 0 && SEM_INQUILINO.includes(tabela)) {
          throw new EntradaInvalida(`${tabela}: aqui já há um login ou NAS deste provedor, que é de outro`);
        }
        if (n > 0) await deleteSlice(trx, uma.fatia);
      }
    }
    const falta = todas[partes];
    if (falta !== undefined) throw new EntradaInvalida(`arquivo: falta a parte de ${falta.fatia.table}`);
    if (!mudou) return;
  }
  throw new Error('o que se carregou não fica igual ao arquivo');
}

async function inserir(trx: Db, fatia: Slice, forma: Shape, literais: readonly string[]): Promise<void> {
  try {
    // Nobody has it here: a number or host that is another's is an error, and nothing of his is changed.
    await insertLiterals(trx, { ...fatia, inPlace: false }, forma, literais);
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    throw new EntradaInvalida(
      `${fatia.table}: aqui já há linhas com números deste provedor; cada célula numera à sua maneira, veja docs/celulas.md`,
    );
  }
}
