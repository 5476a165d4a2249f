import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canInstallPackages, installPackages } from '../../src/local/binaries/debian-packages.ts';
import { findBinary } from '../../src/local/binaries/find-binary.ts';

/** The programs that only tests run, each with the Debian packages it needs. */
const PACOTES = {
  buildah: ['buildah'],
  chromium: ['chromium'],
  freeradius: ['freeradius', 'freeradius-mysql'],
  'mariadb-dump': ['mariadb-client'],
  mmdebstrap: ['mmdebstrap'],
  pdftoppm: ['poppler-utils'],
  pdftotext: ['poppler-utils'],
  promtool: ['prometheus'],
  radclient: ['freeradius-utils'],
  unzip: ['unzip'],
  xmllint: ['libxml2-utils'],
  xmlsec1: ['xmlsec1'],
  zbarimg: ['zbar-tools'],
} as const;

type Nome = keyof typeof PACOTES;
const pedidos = new Map<Nome, Promise<string>>();

/**
 * The path of a program; its package is installed where it is missing and may be installed, once for all tests of a file. Test files that run
 * at the same time may all ask: the one that comes second waits for apt.
 */
export async function programa(nome: Nome): Promise<string> {
  const pedido = pedidos.get(nome) ?? achar(nome);
  pedidos.set(nome, pedido);
  return pedido;
}

async function achar(nome: Nome): Promise<string> {
  const achado = findBinary([nome]);
  if (achado !== undefined) return achado;
  const pacotes = PACOTES[nome].join(' ');
  if (!canInstallPackages()) {
    throw new Error(`Falta ${nome}: apt-get install ${pacotes} para rodar este teste.`);
  }
  const pasta = mkdtempSync(join(tmpdir(), 'malha-programa-'));
  try {
    await installPackages(
      PACOTES[nome].map((pacote) => [pacote]),
      pasta,
    );
  } finally {
    rmSync(pasta, { recursive: true, force: true });
  }
  const instalado = findBinary([nome]);
  if (instalado === undefined) throw new Error(`${pacotes}: instalado, mas não trouxe ${nome}.`);
  return instalado;
}
