import { exigido, opcional } from '../campos/campos.ts';
import { data, dinheiro, escolha, id, inteiro, lista, ouNulo, simOuNao, texto } from '../campos/leitores.ts';

/**
 * An agreement as it is typed: without `faturas`, all that are overdue of the client. `entrada` is due today, the first instalment on
 * `primeiro_vencimento` and the others monthly. `liberar`, unless it is said otherwise, gives blocked contracts their connection back.
 */
export const CAMPOS_DA_RENEGOCIACAO = {
  cliente_id: exigido(id),
  faturas: opcional(lista(id, 1, 120)),
  parcelas: exigido(inteiro(1, 60)),
  primeiro_vencimento: exigido(data),
  entrada: opcional(dinheiro({ zero: true })),
  desconto: opcional(dinheiro({ zero: true })),
  tipo: opcional(escolha(['pix', 'carteira'])),
  motivo: opcional(ouNulo(texto(1, 500))),
  liberar: opcional(simOuNao),
} as const;

export const CAMPOS_DA_QUEBRA = { motivo: exigido(texto(1, 500)) } as const;
