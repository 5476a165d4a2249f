import type { Acao, Contagens, Importacao } from '../../domain/importacoes/importacoes.types.ts';
import { colunas, contar, numero } from '../texto.ts';

/** An import as programs read it. */
export function apresentar(importacao: Importacao) {
  const { id, arquivo, formato, tipo, situacao, acao, avisar, linhas, bytes, leitura, mapa, contagens, motivo } =
    importacao;
  const instante = (quando: Date | null): string | null => quando?.toISOString() ?? null;
  return {
    id,
    arquivo,
    formato,
    tipo,
    situacao,
    acao,
    avisar,
    linhas,
    bytes,
    leitura,
    mapa,
    contagens,
    motivo,
    criado_em: instante(importacao.criadoEm),
    iniciada_em: instante(importacao.iniciadaEm),
    terminada_em: instante(importacao.terminadaEm),
  };
}

/** The same for people. */
export function linhasDe(importacao: Importacao): string[] {
  const { id, arquivo, formato, tipo, situacao, acao, linhas, leitura, mapa, contagens, motivo } = importacao;
  const separador = leitura.separador === '\t' ? 'tabulação' : leitura.separador;
  return [
    `Importação ${id}: ${arquivo}, ${formato}/${tipo}, ${contar(linhas, 'linha', 'linhas')}, ${leitura.codificacao}, separador ${separador}.`,
    `Situação: ${situacao}${acao === null ? '' : `, a ${acao.replace('_', ' ')}`}.`,
    ...(motivo === null ? [] : [`Parou: ${motivo}`]),
    ...(contagens.lidas > 0 ? contagensEmLinhas(contagens) : []),
    'Colunas:',
    ...colunas(leitura.colunas.map((coluna) => [`  ${coluna}`, mapa.colunas[coluna] ?? '-'])),
  ];
}

const DITAS: readonly (readonly [keyof Contagens, string])[] = [
  ['clientes', 'clientes'],
  ['contratos', 'contratos'],
  ['telefones', 'telefones'],
  ['senhas', 'senhas guardadas'],
  ['faturas', 'faturas'],
  ['planos', 'planos criados'],
  ['desbloqueios', 'desbloqueios de confiança'],
];

function contagensEmLinhas(contagens: Contagens): string[] {
  const { lidas, gravadas, ja_estavam: jaEstavam, recusadas, alteradas, valor } = contagens;
  const feitas = DITAS.filter(([nome]) => contagens[nome] !== 0).map(
    ([nome, dito]) => `${numero(Number(contagens[nome]))} ${dito}`,
  );
  return [
    `Linhas: ${contar(lidas, 'lida', 'lidas')}, ${contar(gravadas, 'boa', 'boas')}, ${numero(jaEstavam)} que já ${jaEstavam === 1 ? 'estava' : 'estavam'}, ${contar(recusadas, 'recusada', 'recusadas')}; ${numero(alteradas)} com algo alterado na leitura.`,
    ...(contagens.difere === 0
      ? []
      : [
          `Das que já estavam, ${numero(contagens.difere)} dizem outra coisa que aqui, onde nada mudou: relatorio --detalhes.`,
        ]),
    ...(feitas.length === 0 ? [] : [`${feitas.join(', ')}${valor === '0.00' ? '' : `, ${valor} ao todo`}.`]),
  ];
}

/** What an action came to. */
export function resumo({ id, contagens, motivo }: Importacao, acao: Acao): string[] {
  if (motivo !== null) return [];
  switch (acao) {
    case 'simular':
      return [
        `Importação ${id} simulada; nada se gravou.`,
        ...contagensEmLinhas(contagens),
        ...verRelatorio(id, contagens),
      ];
    case 'executar':
      return [`Importação ${id} executada.`, ...contagensEmLinhas(contagens), ...verRelatorio(id, contagens)];
    case 'desfazer':
      return [
        `Importação ${id} desfeita: ${contar(contagens.desfeitas, 'linha', 'linhas')}; ${contar(contagens.ficaram, 'ficou', 'ficaram')}.`,
        ...(contagens.ficaram > 0 ? [`O que ficou e por quê: malha importar relatorio ${id} --detalhes`] : []),
      ];
    case 'aplicar_rede':
      break;
  }
  return [`${contar(contagens.acessos, 'login foi', 'logins foram')} à rede.`];
}

const verRelatorio = (id: number, { recusadas }: Contagens): string[] =>
  recusadas === 0 ? [] : [`As recusadas, com o motivo: malha importar relatorio ${id}`];
