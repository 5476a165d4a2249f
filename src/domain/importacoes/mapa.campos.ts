import { bem, lerAlteracao, mal, opcional } from '../campos/campos.ts';
import type { Leitor } from '../campos/campos.ts';
import { escolha, id, lista, ouNulo, simOuNao, texto } from '../campos/leitores.ts';
import { CamposInvalidos } from '../erros.ts';
import type { Falta } from '../erros.ts';
import { CAMPOS, EXIGIDOS, VARIAS } from './formatos/colunas.regras.ts';
import { CODIFICACOES, FORMATOS, TIPOS } from './importacoes.types.ts';
import type { Leitura, Mapa, Tipo } from './importacoes.types.ts';
import { SEPARADORES } from './arquivo/reconhecimento.regras.ts';

/** An object whose keys are the file's own. */
function dicionario<T>(ler: Leitor<T>): Leitor<Readonly<Record<string, T>>> {
  return (valor) => {
    if (typeof valor !== 'object' || valor === null || Array.isArray(valor)) return mal('deve ser um objeto');
    const lidos: [string, T][] = [];
    for (const [chave, dado] of Object.entries(valor)) {
      const lido = ler(dado);
      if (!('valor' in lido)) return mal(`${chave.slice(0, 64)}: ${lido.faltas[0]?.mensagem ?? 'não se lê'}`);
      lidos.push([chave, lido.valor]);
    }
    return lidos.length > MAIS_CHAVES ? mal(`deve ter no máximo ${MAIS_CHAVES} nomes`) : bem(Object.fromEntries(lidos));
  };
}

const MAIS_CHAVES = 20_000;
const MAIS_TOLERADOS = 50;

/** A map as it is typed, by hand or by a panel. */
const CAMPOS_DO_MAPA = {
  colunas: opcional(dicionario(ouNulo(texto(1, 64)))),
  planos: opcional(dicionario(id)),
  plano_padrao: opcional(ouNulo(id)),
  cobrador: opcional(ouNulo(id)),
  criar_planos: opcional(simOuNao),
  cidades: opcional(dicionario(texto(1, 80))),
  tolerar: opcional(lista(texto(1, 64), 0, MAIS_TOLERADOS)),
} as const;

/** How a file is to be read where it is not to be recognised. */
export const CAMPOS_DA_LEITURA = {
  arquivo: opcional(texto(1, 255)),
  formato: opcional(escolha(FORMATOS)),
  tipo: opcional(escolha(TIPOS)),
  codificacao: opcional(escolha(CODIFICACOES)),
  separador: opcional(escolha(SEPARADORES)),
  cabecalho: opcional(simOuNao),
  aspas: opcional(simOuNao),
} as const;

/** Fields without which lines of clients lose the line's access, left out of nothing. */
const INTOLERAVEIS: readonly string[] = [
  'nome',
  'cpf_cnpj',
  'login',
  'senha',
  'plano',
  'situacao',
  'dia_vencimento',
  'valor',
  'vencimento',
];

/**
 * What of a map is to be changed: columns beside those that it has, the rest in place of what it had.
 *
 * @throws CamposInvalidos that names each column that is not of the file, and each field that there is not.
 */
export function mudarMapa(mapa: Mapa, dados: unknown, tipo: Tipo, { colunas: doArquivo }: Leitura): Mapa {
  const lido = lerAlteracao(CAMPOS_DO_MAPA, dados);
  const faltas: Falta[] = [];
  const faltar = (campo: string, mensagem: string): void =>
    void faltas.push({ campo, codigo: 'parametro_invalido', mensagem });
  const colunas = { ...mapa.colunas, ...lido.colunas };
  for (const [coluna, campo] of Object.entries(lido.colunas ?? {})) {
    if (!doArquivo.includes(coluna)) faltar(`colunas.${coluna.slice(0, 64)}`, 'o arquivo não tem esta coluna');
    if (campo === null) continue;
    if (!CAMPOS[tipo].includes(campo))
      faltar(`colunas.${coluna.slice(0, 64)}`, `não há o campo ${campo}; há ${CAMPOS[tipo].join(', ')}`);
  }
  const usados = Object.values(colunas).filter((campo) => campo !== null);
  for (const campo of new Set(usados)) {
    const vezes = usados.filter((um) => um === campo).length;
    if (vezes > 1 && !VARIAS.includes(campo)) faltar('colunas', `${vezes} colunas dão ${campo}; só uma pode`);
  }
  for (const campo of lido.tolerar ?? []) {
    if (INTOLERAVEIS.includes(campo)) faltar('tolerar', `${campo} não pode ficar de fora`);
    else if (!CAMPOS[tipo].includes(campo)) faltar('tolerar', `não há o campo ${campo}`);
  }
  if (faltas.length > 0) throw new CamposInvalidos(faltas);
  return semAusentes({ ...mapa, ...semAusentes(lido), colunas });
}

/** @throws CamposInvalidos where no column gives a field without which no line can be read */
export function conferirMapa(mapa: Mapa, tipo: Tipo): void {
  const dados = Object.values(mapa.colunas);
  const faltam = EXIGIDOS[tipo].filter((campo) => !dados.includes(campo));
  if (faltam.length === 0) return;
  throw new CamposInvalidos(
    faltam.map((campo) => ({
      campo,
      codigo: 'parametro_invalido',
      mensagem: 'nenhuma coluna o dá; diga qual, no mapa',
    })),
  );
}

function semAusentes<T extends object>(dados: T): T {
  return Object.fromEntries(Object.entries(dados).filter(([, valor]) => valor !== undefined)) as T;
}
