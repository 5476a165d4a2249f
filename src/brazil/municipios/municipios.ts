import { CENTRO_OESTE } from './centro-oeste.ts';
import { NORDESTE } from './nordeste.ts';
import { NORTE } from './norte.ts';
import { SUDESTE } from './sudeste.ts';
import { SUL } from './sul.ts';

/** IBGE's number of each UF. */
export const NUMERO_DA_UF: Readonly<Record<string, string>> = {
  RO: '11',
  AC: '12',
  AM: '13',
  RR: '14',
  PA: '15',
  AP: '16',
  TO: '17',
  MA: '21',
  PI: '22',
  CE: '23',
  RN: '24',
  PB: '25',
  PE: '26',
  AL: '27',
  SE: '28',
  BA: '29',
  MG: '31',
  ES: '32',
  RJ: '33',
  SP: '35',
  PR: '41',
  SC: '42',
  RS: '43',
  MS: '50',
  MT: '51',
  GO: '52',
  DF: '53',
};

/** Names that are not, or no longer, those of IBGE, and that addresses have. */
const OUTROS_NOMES: Readonly<Record<string, readonly string[]>> = {
  '1502954': ['Eldorado dos Carajás'],
  '1506500': ['Santa Isabel do Pará'],
  '2306306': ['Itapagé'],
  '2405306': ['Boa Saúde'],
  '2401305': ['Campo Grande'],
  '2410306': ['Presidente Juscelino'],
  '2606903': ['Iguaraci'],
  '2613107': ['São Caitano'],
  '3530805': ['Moji Mirim'],
  '3550001': ['São Luís do Paraitinga'],
  '5107008': ['Poxoréo'],
};

interface Municipio {
  /** IBGE's seven digits. */
  readonly codigo: string;
  readonly nome: string;
  readonly uf: string;
}

/** A city's name as names are compared: without accents, spaces, hyphens and apostrophes, in capital letters. */
export function nomeComparado(cidade: string): string {
  return cidade
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .replace(/[^A-Z\d]/g, '');
}

/** As above, and without the prepositions in which names are written differently: São João del Rei, Santa Bárbara d'Oeste. */
const semParticulas = (cidade: string): string =>
  nomeComparado(
    cidade
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .replace(/\b(?:d[aeo]s?|del|d)\b['’` ]?/giu, ' '),
  );

interface Indice {
  readonly porCodigo: ReadonlyMap<string, Municipio>;
  /** By UF and compared name. */
  readonly porNome: ReadonlyMap<string, Municipio>;
  /** Null where several municipalities of the UF would be meant. */
  readonly porNomeSolto: ReadonlyMap<string, Municipio | null>;
}

let indice: Indice | undefined;

/** Made at the first question: most processes ask none. */
function indexar(): Indice {
  const porCodigo = new Map<string, Municipio>();
  const porNome = new Map<string, Municipio>();
  const porNomeSolto = new Map<string, Municipio | null>();
  const dados = { ...NORTE, ...NORDESTE, ...SUDESTE, ...SUL, ...CENTRO_OESTE };
  for (const [uf, numero] of Object.entries(NUMERO_DA_UF)) {
    for (const texto of (dados[numero] ?? '').split(';')) {
      const municipio = { codigo: `${numero}${texto.slice(0, 5)}`, nome: texto.slice(5), uf };
      porCodigo.set(municipio.codigo, municipio);
      const nomes = [municipio.nome.replace(/ \(.*$/, ''), ...(OUTROS_NOMES[municipio.codigo] ?? [])];
      for (const nome of nomes) {
        porNome.set(`${uf}${nomeComparado(nome)}`, municipio);
        const solto = `${uf}${semParticulas(nome)}`;
        const outro = porNomeSolto.get(solto);
        porNomeSolto.set(solto, outro === undefined || outro?.codigo === municipio.codigo ? municipio : null);
      }
    }
  }
  return { porCodigo, porNome, porNomeSolto };
}

/** The municipality of a code; null where there is none of it. */
export function municipioDoCodigo(codigo: string): Municipio | null {
  indice ??= indexar();
  return indice.porCodigo.get(codigo) ?? null;
}

/** The municipality of a city as an address names it, with its UF; null where there is none of that name, or more than one. */
export function acharMunicipio(cidade: string | null, uf: string | null): Municipio | null {
  if (cidade === null || uf === null) return null;
  indice ??= indexar();
  const nome = cidade.replace(/\s*[-/(]\s*[A-Z]{2}\)?\s*$/u, '');
  return (
    indice.porNome.get(`${uf}${nomeComparado(nome)}`) ?? indice.porNomeSolto.get(`${uf}${semParticulas(nome)}`) ?? null
  );
}
