// Written by hand: the library reads and makes whole codes only, no single fields.

/** Fields of a BR Code: id of two digits → value. */
export type CamposTlv = ReadonlyMap<string, string>;

/**
 * An EMV field: id, length in two digits, value.
 * @throws {RangeError} when the value is empty or longer than 99 characters.
 */
export function escreverCampo(id: string, valor: string): string {
  if (valor.length < 1 || valor.length > 99) throw new RangeError(`campo ${id} do PIX precisa de 1 a 99 caracteres`);
  return id + String(valor.length).padStart(2, '0') + valor;
}

/** Reads a sequence of EMV fields; null when a length is wrong, text is left over or an id comes twice. */
export function lerCampos(texto: string): CamposTlv | null {
  const campos = new Map<string, string>();
  let posicao = 0;
  while (posicao < texto.length) {
    const cabecalho = /^(\d{2})(\d{2})$/.exec(texto.slice(posicao, posicao + 4));
    if (!cabecalho) return null;
    const [, id = '', tamanho] = cabecalho;
    const inicio = posicao + 4;
    posicao = inicio + Number(tamanho);
    if (posicao > texto.length || campos.has(id)) return null;
    campos.set(id, texto.slice(inicio, posicao));
  }
  return campos;
}
