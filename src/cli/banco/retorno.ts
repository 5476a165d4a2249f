import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { TERMINAL } from '../../domain/actor.ts';
import { EntradaInvalida } from '../../domain/erros.ts';
import { comando, grupo, inteiro } from '../comando.ts';
import { ler } from '../fatura/comum.ts';
import { doProvedor } from '../formulario.ts';
import type { DoProvedor } from '../formulario.ts';
import type { Sessao } from '../sessao.ts';
import { colunas } from '../texto.ts';

/** `malha banco retorno …` */
export function comandosDeRetorno(banco: Command, sessao: Sessao): void {
  const retorno = grupo(banco.command('retorno')).description('arquivos de retorno dos bancos');
  doProvedor(comando(retorno.command('arquivo')))
    .usage('<arquivo> --provedor <id> [opções]')
    .description('recebe um arquivo de retorno e o aplica; o mesmo arquivo não conta duas vezes')
    .argument('<arquivo>', 'arquivo do banco, como veio')
    .option('--convenio <id>', 'de que convênio é, onde o arquivo serve a mais de um', inteiro)
    .action(async (arquivo: string, opcoes: DoProvedor & { readonly convenio?: number }) => {
      const bytes = await readFile(arquivo).catch(() => {
        throw new EntradaInvalida(`arquivo: não foi possível ler ${arquivo}`);
      });
      await sessao.comContainer(async (servicos) => {
        const { arquivosDeRetorno } = servicos;
        const nome = arquivo.split('/').at(-1) ?? arquivo;
        const { provedor, convenio = null } = opcoes;
        const { id, repetido } = await arquivosDeRetorno.receber(TERMINAL, provedor, bytes, nome, convenio);
        const { signal } = new AbortController();
        await arquivosDeRetorno.processar(TERMINAL, opcoes.provedor, id, { signal });
        const feito = await ler(servicos, opcoes.provedor, async ({ retornos }) => retornos.retorno(id));
        sessao.mostrar(opcoes.json, { id, repetido, linhas: feito.linhas, contas: feito.contas }, [
          repetido
            ? `Este arquivo já tinha sido recebido: é o retorno ${id}.`
            : `Retorno ${id}: ${feito.linhas} linhas.`,
          ...colunas(Object.entries(feito.contas).map(([nomeDaConta, quantas]) => [nomeDaConta, String(quantas)])),
        ]);
      });
    });
  doProvedor(comando(retorno.command('linhas')))
    .usage('<id> --provedor <id> [opções]')
    .description('o que cada linha de um retorno fez')
    .argument('<id>', 'id do retorno', inteiro)
    .option('--depois <linha>', 'a partir da linha seguinte a esta', inteiro, 0)
    .action(async (id: number, opcoes: DoProvedor & { readonly depois: number }) => {
      await sessao.comContainer(async (servicos) => {
        const { linhas } = await ler(servicos, opcoes.provedor, async ({ retornos }) =>
          retornos.linhas(id, null, opcoes.depois),
        );
        sessao.mostrar(
          opcoes.json,
          linhas,
          colunas(
            linhas.map(({ linha, movimento, resultado, numero, fatura_id: fatura, valor }) => [
              String(linha),
              movimento,
              resultado,
              numero,
              String(fatura ?? '-'),
              valor,
            ]),
          ),
        );
      });
    });
}
