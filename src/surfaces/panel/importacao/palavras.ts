import { escreverReais } from '../../../brazil/dinheiro/escrita.ts';
import { lerDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import type { Acao, Contagens, Importacao } from '../../../domain/importacoes/importacoes.types.ts';
import type { Html } from '../../../kit/html/html.ts';
import { etiqueta } from '../componentes/cartao.ts';
import { inteiro } from '../componentes/escrita.ts';

export const FORMATOS_DITOS = { malha: 'Malha', ixc: 'IXC Provedor', mkauth: 'MK-Auth', sgp: 'SGP' } as const;
export const TIPOS_DITOS = { planos: 'planos', clientes: 'clientes e contratos', faturas: 'faturas' } as const;
export const CODIFICACOES_DITAS = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows-1252 (Latin-1)',
  'utf-16le': 'UTF-16',
} as const;

/** A separator as people name it. */
export const separadorDito = (separador: string): string =>
  ({ ';': 'ponto e vírgula', ',': 'vírgula', '\t': 'tabulação', '|': 'barra' })[separador] ?? separador;

/** What an action does while it goes on. */
export const FAZENDO: Readonly<Record<Acao, string>> = {
  simular: 'Lendo e conferindo as linhas, sem gravar nada',
  executar: 'Gravando as linhas boas',
  desfazer: 'Desfazendo',
  aplicar_rede: 'Levando os logins à rede',
};

/** How far an import has come, in a word or two. */
export function situacaoDita({ situacao, acao, motivo }: Importacao): Html {
  if (acao !== null) return etiqueta('em andamento', 'blue');
  if (motivo !== null) return etiqueta('parou', 'red');
  if (situacao === 'executada') return etiqueta('executada', 'green');
  if (situacao === 'em_execucao') return etiqueta('gravada em parte', 'orange');
  if (situacao === 'desfeita') return etiqueta('desfeita', 'secondary');
  return situacao === 'simulada' ? etiqueta('simulada', 'azure') : etiqueta('recebida', 'secondary');
}

/** Lines that an action has come to. */
export function feitasDe({ acao, contagens }: Importacao): number {
  if (acao === 'desfazer') return contagens.desfeitas + contagens.ficaram;
  return acao === 'aplicar_rede' ? contagens.acessos : contagens.lidas;
}

const DITAS: readonly (readonly [keyof Contagens, string])[] = [
  ['lidas', 'Linhas lidas'],
  ['gravadas', 'Linhas boas'],
  ['ja_estavam', 'Já estavam aqui'],
  ['difere', 'Destas, dizem outra coisa'],
  ['recusadas', 'Linhas recusadas'],
  ['alteradas', 'Com algo arrumado na leitura'],
  ['clientes', 'Clientes'],
  ['contratos', 'Contratos'],
  ['telefones', 'Telefones'],
  ['senhas', 'Senhas de acesso guardadas'],
  ['faturas', 'Faturas'],
  ['planos', 'Planos criados'],
  ['desbloqueios', 'Desbloqueios de confiança'],
  ['acessos', 'Logins levados à rede'],
  ['desfeitas', 'Linhas desfeitas'],
  ['ficaram', 'Linhas que ficaram'],
];
const SEMPRE: readonly (keyof Contagens)[] = ['lidas', 'gravadas', 'recusadas'];

/** What became of the lines, as names and numbers; what is none is left out. */
export function contagensDitas(contagens: Contagens): readonly (readonly [string, string | null])[] {
  const ditas = DITAS.map(([nome, dito]): readonly [string, string | null] => {
    const quantas = Number(contagens[nome]);
    return [dito, quantas === 0 && !SEMPRE.includes(nome) ? null : inteiro(quantas)];
  });
  return [
    ...ditas,
    ['Valor das faturas', contagens.valor === '0.00' ? null : escreverReais(lerDinheiro(contagens.valor))],
  ];
}
