import type { Command } from 'commander';
import { grupo } from '../comando.ts';
import type { Sessao } from '../sessao.ts';
import { comandosDeConvenio } from './convenio.ts';
import { comandosDeRemessa } from './remessa.ts';
import { comandosDeRetorno } from './retorno.ts';

/** `malha banco …` */
export function comandosDeBanco(programa: Command, sessao: Sessao): void {
  const banco = grupo(programa.command('banco')).description('convênios bancários, remessas e retornos de boletos');
  comandosDeConvenio(banco, sessao);
  comandosDeRemessa(banco, sessao);
  comandosDeRetorno(banco, sessao);
}
