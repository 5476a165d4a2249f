import { create } from 'qrcode';

/** White modules on each side of a QR code (ISO/IEC 18004, section 6.3.8). */
export const MARGEM_DO_QR = 4;

/** A run of dark modules in one row; rows and columns count from 0, without the margin. */
export interface Traco {
  readonly linha: number;
  readonly coluna: number;
  readonly largura: number;
}

/**
 * A text as a QR code of error correction M: the modules of a side, and the dark ones as runs, row by row. Drawn so, a code has no seams
 * and takes a third of the bytes that its single modules would.
 */
export function qrCode(texto: string): { readonly lado: number; readonly tracos: readonly Traco[] } {
  const { modules } = create(texto, { errorCorrectionLevel: 'M' });
  const tracos: Traco[] = [];
  for (let linha = 0; linha < modules.size; linha += 1) {
    for (let coluna = 0; coluna < modules.size; coluna += 1) {
      const inicio = coluna;
      while (coluna < modules.size && modules.get(linha, coluna) !== 0) coluna += 1;
      if (coluna > inicio) tracos.push({ linha, coluna: inicio, largura: coluna - inicio });
    }
  }
  return { lado: modules.size, tracos };
}
