import type { CodigoDaRecusa, Recusa } from './recusas.ts';
import { cortar, textoDaNota } from './texto.ts';

/** What a text of the note must be, and where it came from. */
interface Texto {
  /** Path in `DadosDaNota`. */
  readonly campo: string;
  /** With its article, as a message begins: 'O nome do cliente'. */
  readonly rotulo: string;
  readonly minimo: number;
  readonly maximo: number;
  /** Refused, not cut, when it is longer: of what would be another thing then. */
  readonly inteiro?: boolean;
  /** Taken out of it: of codes, in which the schema takes none. */
  readonly semBrancos?: boolean;
}

export type Conferencia = ReturnType<typeof criarConferencia>;

/** Collects what is wrong with the data of a note while they are written, so that all is told at once. */
export function criarConferencia() {
  const recusas: Recusa[] = [];

  function recusar(codigo: CodigoDaRecusa, campo: string, mensagem: string): void {
    recusas.push({ codigo, campo, mensagem });
  }

  /** The text in the schema's characters and length; '' and a refusal when there is no such text. */
  function texto(valor: string, { campo, rotulo, minimo, maximo, inteiro, semBrancos }: Texto): string {
    const dobrado = textoDaNota(valor);
    if (dobrado === null) {
      recusar('caractere_invalido', campo, `${rotulo} tem o que a nota não aceita: ${estranhos(valor)}.`);
      return '';
    }
    const limpo = semBrancos === true ? dobrado.replaceAll(' ', '') : dobrado;
    if (limpo.length < minimo) {
      const faltam = minimo === 1 ? 'falta' : `precisa de ${minimo} caracteres ou mais`;
      recusar('texto_curto', campo, `${rotulo} ${faltam}.`);
      return '';
    }
    if (inteiro === true && limpo.length > maximo) {
      recusar('texto_longo', campo, `${rotulo} passa de ${maximo} caracteres.`);
      return '';
    }
    return cortar(limpo, maximo);
  }

  /** The same of a text that may be missing: null when there is none. */
  function textoOpcional(valor: string | null, como: Omit<Texto, 'minimo'>): string | null {
    if (valor === null || valor.trim() === '') return null;
    return texto(valor, { ...como, minimo: 0 });
  }

  /** Whether a condition holds; else refuses. */
  function conferir(certo: boolean, codigo: CodigoDaRecusa, campo: string, mensagem: string): boolean {
    if (!certo) recusar(codigo, campo, mensagem);
    return certo;
  }

  return { recusas, recusar, texto, textoOpcional, conferir };
}

/** The characters for which a text is refused, each once, as the message shows them. */
function estranhos(texto: string): string {
  const tirados = [...new Set(texto.toWellFormed())].filter((letra) => textoDaNota(letra) === null);
  return tirados.length === 0 ? 'letras de outro alfabeto' : tirados.slice(0, 5).join(' ');
}
