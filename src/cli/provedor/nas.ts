import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { TERMINAL } from '../../domain/actor.ts';
import { EntradaInvalida } from '../../domain/erros.ts';
import { USOS_DE_COA } from '../../domain/rede/rede.types.ts';
import type { Bloqueio, UsoDeCoa } from '../../domain/rede/rede.types.ts';
import { comando, grupo, inteiro } from '../comando.ts';
import { lerSegredo } from '../segredo.ts';
import { bloqueioEmTexto, lerBloqueio } from './bloqueio.ts';
import type { Sessao } from '../sessao.ts';

interface OpcoesDoNas {
  portaCoa?: number;
  nome?: string;
  coa?: UsoDeCoa;
  bloqueio?: { modo: Bloqueio | null };
  portaAte?: string;
  segredo: string;
  json?: boolean;
}

/** `malha provedor nas …` */
export function comandosDeNas(provedor: Command, sessao: Sessao): void {
  const nas = grupo(provedor.command('nas')).description(
    'concentradores (NAS) de um provedor, como o FreeRADIUS os vê',
  );

  comando(nas.command('adicionar'))
    .usage('<provedor> <endereço> [opções]')
    .description('acrescenta um NAS, ou muda a porta e o segredo de um que já está; o segredo não aparece mais')
    .argument('<provedor>', 'id do provedor', inteiro)
    .argument('<endereço>', 'IPv4 do NAS, o mesmo do NAS-IP-Address que ele envia')
    .option(
      '--porta-coa <porta>',
      'porta UDP em que ele recebe CoA-Request e Disconnect-Request; de início, 3799',
      inteiro,
    )
    .option('--nome <nome>', 'nome curto')
    .option('--coa <uso>', 'o que ele muda numa sessão sem derrubá-la: nao, velocidade ou tudo', lerCoa)
    .option(
      '--bloqueio <modo>',
      'como ele bloqueia: grupo, recusa, pool:<nome>, lista:<nome>, ou provedor, como os demais',
      lerBloqueioDoNas,
    )
    .option(
      '--porta-ate <texto>',
      'texto em que acaba o nome da porta no NAS-Port-Id, para achar quedas em massa de uma porta; * se é ele todo; "" deixa de olhar portas',
    )
    .option('--segredo <arquivo>', 'arquivo com o segredo RADIUS, ou - para a entrada padrão', '-')
    .option('--json', 'responde em JSON')
    .action(
      async (
        provedorId: number,
        endereco: string,
        { portaCoa, nome, coa, bloqueio, portaAte, segredo, json }: OpcoesDoNas,
      ) => {
        const novo = {
          endereco,
          ...(portaCoa === undefined ? {} : { portaCoa }),
          nome: nome ?? null,
          ...(coa === undefined ? {} : { coa }),
          ...(bloqueio === undefined ? {} : { bloqueio: bloqueio.modo }),
          ...(portaAte === undefined ? {} : { portaAte: portaAte === '' ? null : portaAte }),
          segredo: await lerSegredo('segredo', segredo, sessao),
        };
        await sessao.comContainer(async ({ nas: servico, provedores }) => {
          await provedores.exigirPorId(provedorId);
          const gravado = await servico.adicionar(TERMINAL, provedorId, novo);
          sessao.mostrar(json, { provedor_id: provedorId, endereco, porta_coa: gravado.portaCoa, novo: gravado.novo }, [
            `NAS ${endereco} ${gravado.novo ? 'acrescentado ao' : 'alterado no'} provedor ${provedorId}. Reinicie o FreeRADIUS para que ele saiba.`,
          ]);
        });
      },
    );

  comando(nas.command('listar'))
    .usage('<provedor> [opções]')
    .description('lista os NAS de um provedor, sem os segredos')
    .argument('<provedor>', 'id do provedor', inteiro)
    .option('--json', 'responde em JSON')
    .action(async (provedorId: number, { json }: { json?: boolean }) => {
      await sessao.comContainer(async ({ nas: servico }) => {
        const todos = await servico.listar(provedorId);
        const valor = todos.map((n) => ({
          endereco: n.endereco,
          porta_coa: n.portaCoa,
          coa: n.coa,
          bloqueio: n.bloqueio === null ? null : bloqueioEmTexto(n.bloqueio),
          nome: n.nome,
          porta_ate: n.portaAte,
          tem_segredo: n.temSegredo,
        }));
        const linhas = todos.map(
          (n) =>
            `${n.endereco}  ${n.portaCoa}  ${n.nome ?? '-'}  ${n.temSegredo ? 'com segredo' : 'sem segredo próprio'}` +
            `  CoA: ${n.coa}  bloqueio: ${n.bloqueio === null ? 'do provedor' : bloqueioEmTexto(n.bloqueio)}`,
        );
        sessao.mostrar(json, valor, linhas);
      });
    });

  comando(nas.command('remover'))
    .usage('<provedor> <endereço> [opções]')
    .description('remove um NAS e o seu segredo; as suas sessões deixam de ser do provedor')
    .argument('<provedor>', 'id do provedor', inteiro)
    .argument('<endereço>', 'IPv4 do NAS')
    .option('--json', 'responde em JSON')
    .action(async (provedorId: number, endereco: string, { json }: { json?: boolean }) => {
      await sessao.comContainer(async ({ nas: servico }) => {
        if (!(await servico.remover(TERMINAL, provedorId, endereco))) {
          throw new EntradaInvalida(`o provedor ${provedorId} não tem o NAS ${endereco}`);
        }
        sessao.mostrar(json, { provedor_id: provedorId, endereco, removido: true }, [
          `NAS ${endereco} removido do provedor ${provedorId}. Reinicie o FreeRADIUS para que ele saiba.`,
        ]);
      });
    });
}

function lerCoa(texto: string): UsoDeCoa {
  const uso = USOS_DE_COA.find((um) => um === texto);
  if (uso === undefined) throw new InvalidArgumentError(`deve ser um de: ${USOS_DE_COA.join(', ')}.`);
  return uso;
}

/** An option's value may not be null itself. */
const lerBloqueioDoNas = (texto: string): { modo: Bloqueio | null } => ({
  modo: texto === 'provedor' ? null : lerBloqueio(texto),
});
