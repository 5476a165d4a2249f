import type { Command } from 'commander';
import { grupo } from '../comando.ts';
import type { Sessao } from '../sessao.ts';
import { comandosDeCadastro } from './cadastro.ts';
import { comandosDeConsulta } from './consulta.ts';
import { comandoDasPalavras } from './palavras.ts';
import { comandosDoTitular } from './titular.ts';

/** `malha cliente …` */
export function comandosDeCliente(programa: Command, sessao: Sessao): void {
  const cliente = grupo(programa.command('cliente')).description('cadastros de clientes');
  comandosDeCadastro(cliente, sessao);
  comandosDeConsulta(cliente, sessao);
  comandosDoTitular(cliente, sessao);
  comandoDasPalavras(cliente, sessao);
}
