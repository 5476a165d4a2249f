import { readdirSync } from 'node:fs';
import test from 'ava';
import { CATALOGO } from '../../../src/domain/eventos/catalogo.types.ts';
import { faltaDoEvento } from '../../support/eventos.ts';

// Every event that a test's writes emit is held against the catalogue when its database is closed: see support/banco.ts.

for (const [tipo, { descricao, exemplo }] of Object.entries(CATALOGO)) {
  test(`${tipo}: o exemplo é do esquema, e a descrição diz algo`, (t) => {
    t.is(faltaDoEvento(tipo, exemplo), null);
    t.regex(descricao, /^\p{Lu}.{15,}\.$/u);
    // What the table holds, and what the audit log is read by.
    t.regex(tipo, /^[a-z_]{1,40}\.[a-z_]+$/);
    t.true(tipo.length <= 60);
  });
}

test('cada evento é de um só arquivo do catálogo, e cada arquivo está nele', async (t) => {
  const pasta = new URL('../../../src/domain/eventos/catalogo/', import.meta.url);
  const nomes: string[] = [];
  for (const arquivo of readdirSync(pasta, { recursive: true, encoding: 'utf8' }).filter((nome) =>
    /(?<!\.types|\.d)\.[jt]s$/.test(nome),
  )) {
    const modulo = (await import(new URL(arquivo, pasta).href)) as Readonly<Record<string, object>>;
    for (const [exportado, parte] of Object.entries(modulo)) {
      if (/^D(?:E|AS?|OS?)_[A-Z_]+$/.test(exportado)) nomes.push(...Object.keys(parte));
    }
  }
  // A spread would hide that a second file has the name too.
  t.deepEqual(nomes.toSorted(), Object.keys(CATALOGO).toSorted());
});

test('o que não é do catálogo, falta ou sobra é achado', (t) => {
  t.is(faltaDoEvento('nada.disto', null), 'não está no catálogo');
  t.is(faltaDoEvento('chave.criada', {}), 'não leva dados');
  t.regex(faltaDoEvento('contrato.liberado', {}) ?? '', /required property 'cliente'/);
  t.regex(
    faltaDoEvento('contrato.liberado', { cliente: 1, por: 'manual', fatura: 1, nome: 'Maria' }) ?? '',
    /additional properties/,
  );
  t.regex(faltaDoEvento('contrato.liberado', null) ?? '', /must be object/);
});
