import type { Write } from '../escrita.ts';

export type ExportacoesService = ReturnType<typeof createExportacoesService>;

type ListaExportada = 'clientes' | 'auditoria' | 'nfcom' | 'recebimentos' | 'extrato' | 'importacao';

/** Notes that somebody took a list with him. The list itself is read in lots, outside of any write. */
export function createExportacoesService({ w }: { readonly w: Write }) {
  return {
    /** What was exported, and how many rows of it had been handed out when it ended or was broken off. */
    async anotar(oQue: ListaExportada, linhas: number): Promise<void> {
      w.emit('exportacao.feita', null, { o_que: oQue, cliente: null, linhas });
    },
  };
}
