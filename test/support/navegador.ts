import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { canInstallPackages, installPackages } from '../../src/platform/private-servers/debian-packages.ts';

const PROGRAMA = '/usr/bin/chromium';

/** A headless Chromium; its package is installed where it is missing and may be installed. */
export async function abrirNavegador(): Promise<Browser> {
  if (!existsSync(PROGRAMA)) await instalar();
  return chromium.launch({
    executablePath: PROGRAMA,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}

async function instalar(): Promise<void> {
  if (!canInstallPackages()) {
    throw new Error(`Falta ${PROGRAMA}: instale o pacote chromium (apt-get install chromium) para rodar este teste.`);
  }
  const pasta = mkdtempSync(join(tmpdir(), 'malha-chromium-'));
  try {
    await installPackages([['chromium']], pasta);
  } finally {
    rmSync(pasta, { recursive: true, force: true });
  }
}
