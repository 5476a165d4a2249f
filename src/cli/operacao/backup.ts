import type { Command } from 'commander';
import { EntradaInvalida } from '../../domain/erros.ts';
import { comando, grupo, instante } from '../comando.ts';
import type { Encerrados } from '../../domain/tarefas/por-enviar.ts';
import type { ComoRestaurar, Copia, Sessao } from '../sessao.ts';
import { contar, numero } from '../texto.ts';

const MIB = 1024 * 1024;

/** `malha backup …` */
export function comandosDeBackup(programa: Command, sessao: Sessao): void {
  const backup = grupo(programa.command('backup')).description('cópias do banco inteiro, feitas com o serviço no ar');

  comando(backup.command('fazer'))
    .usage('<pasta> [opções]')
    .description('grava numa pasta nova o banco inteiro, como estava num só momento, sem parar quem lê nem quem grava')
    .argument('<pasta>', 'a pasta a criar')
    .option('--com-chaves', 'põe também as chaves mestras na pasta; quem a tiver lê todos os segredos guardados')
    .option('--json', 'responde em JSON')
    .action(async (pasta: string, { comChaves, json }: { comChaves?: boolean; json?: boolean }) => {
      const copia = await sessao.copias.fazer(pasta, comChaves === true);
      sessao.mostrar(json, copia, [
        `Backup de ${copia.feito_em} em ${copia.pasta} (${numero(copia.bytes / MIB)} MiB).`,
        copia.log_binario === null
          ? 'O servidor não tem log binário: só se volta a este momento.'
          : `Log binário desde ${copia.log_binario.arquivo}, posição ${copia.log_binario.posicao}.`,
      ]);
      sessao.tela.escrever(`${dasChaves(copia)}\n`);
    });

  comando(backup.command('restaurar'))
    .usage('<pasta> [opções]')
    .description('carrega um backup num banco vazio e, com --logs, o que se gravou depois dele')
    .argument('<pasta>', 'a pasta do backup')
    .option('--logs <pasta>', 'pasta com os logs binários do servidor de que o backup é, do que ele diz em diante')
    .option(
      '--ate <instante>',
      'só o que se gravou até este instante (ISO 8601); sem isto, até o fim dos logs',
      instante,
    )
    .option(
      '--enviar-pendentes',
      'deixa para o worker os e-mails, webhooks e push que esperavam; sem isto, não saem. Use com --logs e sem --ate: depois do fim dos logs nada saiu',
    )
    .option('--json', 'responde em JSON')
    .action(async (pasta: string, { json, ...como }: ComoRestaurar & { json?: boolean }) => {
      const { logs, ate } = como;
      if (ate !== undefined && logs === undefined)
        throw new EntradaInvalida('--ate: só com --logs, que diz onde estão os logs');
      const restaurada = await sessao.copias.restaurar(pasta, como);
      const { encerrados, esquecidos, logs_ate, migradas, segredos_fechados } = restaurada;
      sessao.mostrar(json, restaurada, [
        `Restaurado o backup de ${restaurada.feito_em}${logs === undefined ? '' : ', e o que os logs têm depois dele'}.`,
        ...(logs_ate === null ? [] : [`O último registro dos logs é de ${logs_ate}.`]),
        ...(migradas === 0 ? [] : [`Esquema trazido a esta versão (${contar(migradas, 'migração', 'migrações')}).`]),
        ...doQueEsperava(encerrados),
        ...(esquecidos === null
          ? []
          : [`Esquecido o que se guardava de ${contar(esquecidos, 'provedor', 'provedores')}.`]),
      ]);
      if (esquecidos === null) {
        sessao.tela.escrever('ATENÇÃO: o Redis não respondeu. Rode malha cache esquecer antes de abrir o serviço.\n');
      }
      if (segredos_fechados.length > 0) {
        sessao.tela.escrever(
          `ATENÇÃO: nenhuma chave mestra das configurações abre segredos de ${segredos_fechados.join(', ')}. ` +
            `Ponha em MALHA_CHAVE_MESTRA a que valia (${restaurada.chaves_mestras.ids.join(', ') || 'de nome desconhecido'}).\n`,
        );
      }
    });
}

/** What does not go out although it waited: it went out after the moment of the backup, or a person has it sent. */
function doQueEsperava(encerrados: Encerrados | null): string[] {
  if (encerrados === null || Object.values(encerrados).every((quantos) => quantos === 0)) return [];
  const { emails, webhooks, push, eventos } = encerrados;
  const quais = [
    contar(emails, 'e-mail', 'e-mails'),
    contar(webhooks, 'entrega de webhook', 'entregas de webhooks'),
    contar(push, 'push', 'push'),
    contar(eventos, 'evento por contar', 'eventos por contar'),
  ];
  return [`Esperavam e não saem: ${quais.join(', ')} (com --enviar-pendentes sairiam).`];
}

/** What a person must know who will one day have no more than this backup. */
function dasChaves({ chaves_mestras: { ids, incluidas } }: Copia): string {
  if (incluidas) {
    return 'ATENÇÃO: as chaves mestras estão na pasta (chaves-mestras). Quem a tiver lê todos os segredos guardados.';
  }
  const quais = ids.length === 0 ? 'MALHA_CHAVE_MESTRA não está nas configurações' : `nomes: ${ids.join(', ')}`;
  return (
    `ATENÇÃO: as chaves mestras NÃO estão neste backup (${quais}). Guarde MALHA_CHAVE_MESTRA em outro lugar: ` +
    'sem ela, certificados, senhas e segredos de webhooks e PSP não se leem nunca mais.'
  );
}
