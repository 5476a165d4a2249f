import { DO_ACESSO } from './partes/acesso.ts';
import { DOS_ATENDIMENTOS } from './partes/atendimentos.ts';
import { DO_CADASTRO } from './partes/cadastro.ts';
import { DOS_CHAMADOS } from './partes/chamados.ts';
import { DOS_CONTRATOS } from './partes/contratos.ts';
import { DAS_FATURAS } from './partes/faturas.ts';
import { DAS_NOTAS } from './partes/nfcom.ts';
import { DOS_TEXTOS } from './partes/textos.ts';
import type { Parte } from './apagamento.types.ts';

/**
 * All that is erased of a person, in the order of locks. Who the person is goes last, once nothing of what is kept has to say whose it is
 * (see apagar.ts). A new subject adds its part here, or its tables below; a test holds it.
 */
export const PARTES: readonly Parte[] = [
  DO_CADASTRO,
  DO_ACESSO,
  DOS_CONTRATOS,
  DAS_FATURAS,
  DAS_NOTAS,
  DOS_CHAMADOS,
  DOS_ATENDIMENTOS,
  DOS_TEXTOS,
];

/** Tables that point to a person's rows and hold nothing that says who it is: why nothing of them is erased. */
export const FORA_DO_APAGAMENTO: Readonly<Record<string, string>> = {
  acessos_a_dados: 'só diz quem da equipe viu os dados, e sai em um ano',
  auditoria: 'diz por ids o que se fez, e de onde, para que se possa provar',
  boletos: 'só tem valores, datas e o nosso número, sem o pagador',
  boletos_recebidos: 'só tem valores, dias e o nosso número, sem o pagador',
  carnes: 'só diz quantas parcelas',
  conexoes: 'só diz quando a linha foi ouvida',
  conexoes_pendentes: 'é uma fila',
  convites: 'só diz que foi usado, e o link não existe mais',
  faturamento_cobrancas: 'só diz de que se fez cada cobrança',
  faturas_lancamentos: 'só tem valores',
  importacao_arquivos: 'está cifrado, e sai em 7 dias',
  nfcom_partes: 'só diz como o preço de um contrato se reparte',
  pix_devolucoes: 'só tem valores e códigos do Banco Central',
  pix_recebidos: 'só tem valores e códigos do Banco Central, sem o pagador',
  promessas_pagamento: 'só diz até que dia se prometeu pagar',
  psp_cobrancas: 'só tem valores e códigos do Banco Central, sem o pagador',
  quedas_diarias: 'só conta quedas, e sai em 400 dias',
  radacct: 'é do FreeRADIUS, que Malha só lê: apaga-o quem o opera',
  radacct_mudancas: 'é uma fila',
  radpostauth: 'é do FreeRADIUS, que Malha não lê: apaga-o quem o opera',
  rede_desconexoes: 'é uma fila, e sai em 90 dias',
  registros_conexao: 'a lei manda guardá-los um ano (Marco Civil da Internet, art. 13), e saem então',
  registros_portas: 'idem',
  renegociacoes_faturas: 'só tem ids',
  rede_pedidos: 'é uma fila, e sai em 90 dias',
  requisicoes_idempotentes: 'é a resposta que já se deu, e sai em 24 horas',
  retornos_linhas: 'só tem valores, datas e o nosso número, sem o pagador',
  sessoes_encerradas: 'é uma fila, e sai em 35 dias',
  trafego_diario: 'só conta bytes, e sai em 400 dias',
  trafego_mudancas: 'é uma fila',
};
