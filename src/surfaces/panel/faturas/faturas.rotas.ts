import { opcional } from '../../../domain/campos/campos.ts';
import { id } from '../../../domain/campos/leitores.ts';
import { pagina } from '../rota.ts';
import type { Rota } from '../rota.ts';
import { AJUSTES_DA_FATURA } from './ajustes.rotas.ts';
import { AVISO_DA_FATURA } from './aviso.rotas.ts';
import { CREDITO } from './credito.rotas.ts';
import { telaDaFatura } from './detalhe/detalhe.ts';
import { CONSULTA_DA_LISTA, telaDaLista } from './lista.ts';
import { MUDANCAS_DA_FATURA } from './mudancas.rotas.ts';
import { NOVA_FATURA } from './nova.rotas.ts';
import { RECEBIMENTOS } from './recebimentos.rotas.ts';

export const FATURAS: readonly Rota[] = [
  pagina('/faturas', {
    permissao: 'faturas.ver',
    consulta: CONSULTA_DA_LISTA,
    mostrar: async (chamada) => ({ tela: await telaDaLista(chamada) }),
  }),
  pagina('/faturas/{id}', {
    permissao: 'faturas.ver',
    consulta: { antes: opcional(id) },
    mostrar: async (chamada) => ({ tela: await telaDaFatura(chamada) }),
  }),
  ...NOVA_FATURA,
  ...MUDANCAS_DA_FATURA,
  ...RECEBIMENTOS,
  ...AJUSTES_DA_FATURA,
  ...CREDITO,
  ...AVISO_DA_FATURA,
];
