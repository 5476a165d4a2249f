import { pagina } from '../rota.ts';
import type { Rota } from '../rota.ts';
import { CADASTRO } from './cadastro/cadastro.rotas.ts';
import { telaDoContrato } from './detalhe.ts';
import { CONSULTA_DA_LISTA, telaDaLista } from './lista.ts';
import { MOVIMENTOS } from './movimentos.rotas.ts';
import { NOVO } from './cadastro/novo.rotas.ts';
import { PROMESSA } from './promessa.rotas.ts';
import { TITULAR } from './cadastro/titular.rotas.ts';

export const CONTRATOS: readonly Rota[] = [
  pagina('/contratos', {
    permissao: 'clientes.ver',
    consulta: CONSULTA_DA_LISTA,
    mostrar: async (chamada) => ({ tela: await telaDaLista(chamada) }),
  }),
  pagina('/contratos/{id}', {
    permissao: 'clientes.ver',
    mostrar: async (chamada) => ({ tela: await telaDoContrato(chamada) }),
  }),
  ...NOVO,
  ...MOVIMENTOS,
  ...PROMESSA,
  ...CADASTRO,
  ...TITULAR,
];
