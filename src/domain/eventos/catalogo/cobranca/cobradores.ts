import { campos, evento, nomes, semDados } from '../evento.ts';

/** What is done about charging accounts: for the audit log. */
export const DOS_COBRADORES = {
  'cobrador.criado': evento({
    descricao: 'Criou-se um cobrador; se é o padrão do provedor.',
    sai: false,
    dados: campos({ padrao: { type: 'boolean' } }),
    exemplo: { padrao: false },
  }),
  'cobrador.alterado': evento({
    descricao: 'Mudaram colunas de um cobrador; `padrao`: passou a ser o padrão do provedor.',
    sai: false,
    dados: campos({ campos: nomes }),
    exemplo: { campos: ['pix_chave'] },
  }),
  'cobrador.desativado': semDados(false, 'Um cobrador deixou de ser usado para o que se emite.'),
} as const;
