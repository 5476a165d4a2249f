import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';
import { programa } from './programas.ts';

/** A headless Chromium. */
export async function abrirNavegador(): Promise<Browser> {
  return chromium.launch({
    executablePath: await programa('chromium'),
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
