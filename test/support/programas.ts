import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canInstallPackages, installPackages } from '../../src/platform/private-servers/debian-packages.ts';
import { findBinary } from '../../src/platform/private-servers/find-binary.ts';

/** The programs that only tests run, each with the Debian package it is in. */
const PACOTES = {
  chromium: 'chromium',
  pdftoppm: 'poppler-utils',
  pdftotext: 'poppler-utils',
  zbarimg: 'zbar-tools',
} as const;

/**
 * The path of a program; its package is installed where it is missing and may be installed. Test files that run at the
 * same time may all ask: the one that comes second waits for apt.
 */
export async function programa(nome: keyof typeof PACOTES): Promise<string> {
  const achado = findBinary([nome]);
  if (achado !== undefined) return achado;
  const pacote = PACOTES[nome];
  if (!canInstallPackages()) {
    throw new Error(`Falta ${nome}: instale o pacote ${pacote} (apt-get install ${pacote}) para rodar este teste.`);
  }
  const pasta = mkdtempSync(join(tmpdir(), 'malha-programa-'));
  try {
    await installPackages([[pacote]], pasta);
  } finally {
    rmSync(pasta, { recursive: true, force: true });
  }
  const instalado = findBinary([nome]);
  if (instalado === undefined) throw new Error(`O pacote ${pacote} foi instalado, mas não trouxe ${nome}.`);
  return instalado;
}
