import { bem, exigido, mal, opcional } from '../../campos/campos.ts';
import type { Leitor } from '../../campos/campos.ts';
import { deJson, escolha, inteiro, ouNulo, texto } from '../../campos/leitores.ts';
import { normalizarChavePix } from '../../../brazil/pix/chave-pix.ts';
import { ADAPTADORES } from '../adaptadores/adaptadores.ts';
import { RECURSOS } from '../psp.types.ts';
import type { Caminhos } from '../psp.types.ts';

const LIMITE_DO_ENDERECO = 500;
const LIMITE_DO_SEGREDO = 1000;
const LIMITE_DAS_CAS = 64 * 1024;
/** The API Pix lets it be long; a charge that can be paid for years is no help to anybody. */
const MAIOR_VALIDADE = 365;

const chave: Leitor<string> = (valor) => {
  const lida = typeof valor === 'string' ? normalizarChavePix(valor) : null;
  return lida === null ? mal('deve ser uma chave PIX') : bem(lida);
};

/** What goes into a header or a form. */
const segredo: Leitor<string> = (valor) => {
  const limpo = typeof valor === 'string' ? valor.trim() : '';
  return limpo.length <= LIMITE_DO_SEGREDO && /^[\x21-\x7e]+$/.test(limpo) ? bem(limpo) : mal('não é uma credencial');
};

/** Folders below the base, that lead nowhere else. */
const CAMINHO = /^(?:\/[a-zA-Z0-9_-][a-zA-Z0-9._-]{0,40}){1,6}$/;

/** By resource, as JSON. */
const caminhos: Leitor<Caminhos> = deJson((valor) => {
  const pares = typeof valor === 'object' && valor !== null && !Array.isArray(valor) ? Object.entries(valor) : null;
  const certo = ([nome, onde]: readonly [string, unknown]): boolean =>
    RECURSOS.some((um) => um === nome) && typeof onde === 'string' && CAMINHO.test(onde);
  if (pares?.every(certo) !== true) return mal(`deve ser como {"cob": "/v3/cob"}; recursos: ${RECURSOS.join(', ')}`);
  return bem(Object.fromEntries(pares) as Caminhos);
});

const cas: Leitor<string> = (valor) => {
  const limpo = typeof valor === 'string' ? valor.trim() : '';
  const pem = /^(?:-----BEGIN CERTIFICATE-----[\sA-Za-z0-9+/=]+-----END CERTIFICATE-----\s*)+$/;
  return limpo.length <= LIMITE_DAS_CAS && pem.test(limpo) ? bem(limpo) : mal('deve ser certificados em PEM');
};

/** An agreement with a PSP, as it is typed. What is not said of a new one is the adapter's. */
export const FORMA_DO_CONVENIO = {
  adaptador: exigido(escolha(Object.keys(ADAPTADORES))),
  base: opcional(ouNulo(texto(1, LIMITE_DO_ENDERECO))),
  token_url: opcional(ouNulo(texto(1, LIMITE_DO_ENDERECO))),
  chave: exigido(chave),
  tipo: opcional(escolha(['cobv', 'cob'])),
  validade_dias: opcional(inteiro(0, MAIOR_VALIDADE)),
  client_id: opcional(segredo),
  client_secret: opcional(ouNulo(segredo)),
  chave_do_aplicativo: opcional(ouNulo(segredo)),
  caminhos: opcional(ouNulo(caminhos)),
  cas_extras: opcional(ouNulo(cas)),
};
