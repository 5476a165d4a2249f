// Escrito à mão: a biblioteca só lê e gera códigos inteiros, não campos soltos.

/** Campos de um BR Code: id de dois dígitos → valor. */
export type CamposTlv = ReadonlyMap<string, string>;

/**
 * Um campo EMV: id, tamanho em dois dígitos, valor.
 * @throws {RangeError} se o valor for vazio ou passar de 99 caracteres.
 */
export function escreverCampo(id: string, valor: string): string {
  if (valor.length < 1 || valor.length > 99) throw new RangeError(`campo ${id} do PIX precisa de 1 a 99 caracteres`);
  return id + String(valor.length).padStart(2, '0') + valor;
}

/** Lê uma sequência de campos EMV; null se um tamanho estiver errado, sobrar texto ou um id se repetir. */
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
