import { exigido, opcional } from '../campos/campos.ts';
import { escolha, inteiro, lista, ouNulo, texto } from '../campos/leitores.ts';
import { versao } from '../campos/versao.ts';

const MAIS_EVENTOS = 50;
const UMA_SEMANA = 168;

/** A webhook as it is typed. `situacao`: one that was disabled comes back by `ativo`. */
export const CAMPOS_DO_WEBHOOK = {
  url: exigido(texto(1, 2000)),
  eventos: exigido(lista(texto(1, 60), 1, MAIS_EVENTOS)),
  descricao: opcional(ouNulo(texto(1, 200))),
  situacao: opcional(escolha(['ativo', 'pausado'])),
} as const;

export const CAMPOS_DA_ALTERACAO = { ...CAMPOS_DO_WEBHOOK, atualizado_em: opcional(versao) } as const;

/** Hours for which the secret of before signs, too. */
export const CAMPOS_DO_SEGREDO = { manter_horas: opcional(inteiro(0, UMA_SEMANA)) } as const;
