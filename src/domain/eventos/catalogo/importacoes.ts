import { campos, evento, nomes, quantos } from './evento.ts';

/** What lines made. `de` and `ate` are lines of the file, by which `importacao_linhas` says the ids. */
const contagens = {
  clientes: quantos,
  contratos: quantos,
  faturas: quantos,
  planos: quantos,
  recusadas: quantos,
} as const;
const EXEMPLO = { clientes: 480, contratos: 500, faturas: 0, planos: 2, recusadas: 7 };

/** What happens with files from other systems. Who had asked for it is the author of `importacao.pedida`. */
export const DAS_IMPORTACOES = {
  'importacao.criada': evento({
    descricao: 'Recebeu-se um arquivo de outro sistema.',
    sai: false,
    dados: campos({ formato: { type: 'string' }, tipo: { type: 'string' }, linhas: quantos }),
    exemplo: { formato: 'ixc', tipo: 'clientes', linhas: 80_000 },
  }),
  'importacao.mapeada': evento({
    descricao: 'Mudou o que cada coluna de um arquivo é, ou o que vale para as suas linhas.',
    sai: false,
    dados: campos({ campos: nomes }),
    exemplo: { campos: ['colunas', 'plano_padrao'] },
  }),
  'importacao.pedida': evento({
    descricao: 'Mandou-se simular, executar, desfazer ou aplicar à rede uma importação.',
    sai: false,
    dados: campos({ acao: { enum: ['simular', 'executar', 'desfazer', 'aplicar_rede'] }, avisar: { type: 'boolean' } }),
    exemplo: { acao: 'executar', avisar: false },
  }),
  'importacao.simulada': evento({
    descricao: 'Uma importação foi simulada: nada se gravou.',
    sai: false,
    dados: campos(contagens),
    exemplo: EXEMPLO,
  }),
  'importacao.lote_gravado': evento({
    descricao: 'Gravaram-se linhas de um arquivo.',
    sai: false,
    dados: campos({ de: quantos, ate: quantos, ...contagens }),
    exemplo: { de: 2, ate: 501, ...EXEMPLO },
  }),
  'importacao.executada': evento({
    descricao: 'Terminou de gravar-se um arquivo de outro sistema.',
    sai: false,
    dados: campos(contagens),
    exemplo: EXEMPLO,
  }),
  'importacao.lote_desfeito': evento({
    descricao: 'Apagou-se o que linhas de um arquivo tinham gravado, e ninguém tocou desde então.',
    sai: false,
    dados: campos({ de: quantos, ate: quantos, desfeitas: quantos, ficaram: quantos }),
    exemplo: { de: 2, ate: 501, desfeitas: 498, ficaram: 2 },
  }),
  'importacao.desfeita': evento({
    descricao: 'Terminou de desfazer-se uma importação.',
    sai: false,
    dados: campos({ desfeitas: quantos, ficaram: quantos }),
    exemplo: { desfeitas: 79_990, ficaram: 10 },
  }),
  'importacao.rede_aplicada': evento({
    descricao: 'Logins importados foram para a rede, com as suas senhas e bloqueios.',
    sai: false,
    dados: campos({ de: quantos, ate: quantos, acessos: quantos }),
    exemplo: { de: 2, ate: 501, acessos: 500 },
  }),
} as const;
