import type { Adaptador } from '../psp.types.ts';
import { BB } from './bb.ts';
import { BRADESCO } from './bradesco.ts';
import { EFI } from './efi.ts';
import { INTER } from './inter.ts';
import { ITAU } from './itau.ts';
import { SANTANDER } from './santander.ts';
import { SICOOB } from './sicoob.ts';
import { SICREDI } from './sicredi.ts';

/** A PSP that is as the Banco Central wrote it; whoever configures it says where it is. */
const OUTRO: Adaptador = { nome: 'Outro (API Pix do Banco Central)', base: '', token: '', modo: 'basic' };

/** What is known of each PSP; see docs/psp.md for how surely. */
export const ADAPTADORES: Readonly<Record<string, Adaptador>> = {
  efi: EFI,
  sicoob: SICOOB,
  sicredi: SICREDI,
  bb: BB,
  itau: ITAU,
  inter: INTER,
  bradesco: BRADESCO,
  santander: SANTANDER,
  outro: OUTRO,
};

/** The adapter of a stored name; one that this release does not know is spoken to as the API Pix is written. */
export const adaptadorDe = (nome: string): Adaptador => ADAPTADORES[nome] ?? OUTRO;
