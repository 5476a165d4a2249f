import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { TERMINAL } from '../../domain/actor.ts';
import { emTexto } from '../../domain/rede/configuracao/configuracao.regras.ts';
import type { RedeDoProvedor } from '../../domain/rede/configuracao/configuracao.types.ts';
import type { Bloqueio } from '../../domain/rede/rede.types.ts';
import { comando, grupo, inteiro } from '../comando.ts';
import type { Sessao } from '../sessao.ts';
import { bloqueioEmTexto, lerBloqueio } from './bloqueio.ts';

interface Opcoes {
  bloqueio?: Bloqueio;
  atributo?: string[];
  atributosPadrao?: boolean;
  semAtributos?: boolean;
  enderecos?: boolean;
  prenderMac?: boolean;
  quedaMinimo?: number;
  quedaPercentual?: number;
  sim?: boolean;
  json?: boolean;
}

/** `malha provedor rede …` */
export function comandosDeRede(provedor: Command, sessao: Sessao): void {
  const rede = grupo(provedor.command('rede')).description(
    'o que a rede de um provedor ouve de planos, linhas e bloqueios',
  );

  comando(rede.command('mostrar'))
    .usage('<provedor> [opções]')
    .description('mostra o que está configurado')
    .argument('<provedor>', 'id do provedor', inteiro)
    .option('--json', 'responde em JSON')
    .action(async (provedorId: number, { json }: { json?: boolean }) => {
      await sessao.comContainer(async ({ rede: servico, provedores }) => {
        await provedores.exigirPorId(provedorId);
        const valor = apresentar(provedorId, await servico.buscar(provedorId));
        const { atributos, ...resto } = valor;
        sessao.mostrar(json, valor, [
          ...Object.entries(resto).map(
            ([nome, dito]) => `${nome}  ${dito === true ? 'sim' : dito === false ? 'nao' : dito}`,
          ),
          ...(atributos.length === 0 ? ['atributos  -'] : atributos.map((linha) => `atributo  ${linha}`)),
        ]);
      });
    });

  comando(rede.command('configurar'))
    .usage('<provedor> [opções]')
    .description('muda o que for dito, de uma vez ou nada; quem está bloqueado passa a sê-lo do modo novo')
    .argument('<provedor>', 'id do provedor', inteiro)
    .option('--bloqueio <modo>', 'grupo, recusa, pool:<nome> ou lista:<nome>', lerBloqueio)
    .option(
      '--atributo <linha>',
      "resposta dos planos, como 'Filter-Id := {download_mbps}M'; tantas vezes quantas forem",
      (linha: string, antes: string[] | undefined) => [...(antes ?? []), linha],
    )
    .option('--atributos-padrao', 'as respostas que o Malha traz')
    .option('--sem-atributos', 'nenhuma: os grupos dos planos são do operador')
    .option('--enderecos <sim|nao>', 'dar a cada login o IP fixo e o prefixo IPv6 do contrato', simOuNao)
    .option('--prender-mac <sim|nao>', 'aceitar cada login PPPoE só do MAC do contrato', simOuNao)
    .option('--queda-minimo <linhas>', 'quantas linhas que caem juntas, no mínimo, abrem um aviso', inteiro)
    .option(
      '--queda-percentual <porcento>',
      'e quantas de cem das que estavam online no servidor, ou na porta',
      inteiro,
    )
    .option('--sim', 'liga endereços ou MACs de uma base que já os tem; sem isto, só diz a quantos toca')
    .option('--json', 'responde em JSON')
    .action(async (provedorId: number, opcoes: Opcoes) => {
      const dados = emCampos(opcoes);
      await sessao.comContainer(async ({ rede: servico, provedores }) => {
        await provedores.exigirPorId(provedorId);
        const efeito = opcoes.sim === true ? null : await servico.efeito(provedorId, dados);
        if (efeito !== null && efeito.linhas > 0) {
          sessao.mostrar(opcoes.json, { provedor_id: provedorId, mudados: [], efeito }, [
            `Logins que passariam a ter linhas: ${efeito.linhas}, com ${efeito.sessoes} sessões abertas.`,
            `Sessões com outro endereço, que cairiam: ${efeito.enderecos_diferentes}.`,
            `Sessões com outro MAC, que cairiam e não voltariam: ${efeito.macs_diferentes}.`,
            'Nada mudou. Para configurar, repita com --sim.',
          ]);
          return;
        }
        const mudados = await servico.configurar(TERMINAL, provedorId, dados);
        sessao.mostrar(opcoes.json, { provedor_id: provedorId, mudados }, [
          mudados.length === 0
            ? `Provedor ${provedorId}: nada mudou.`
            : `Rede do provedor ${provedorId} configurada: ${mudados.join(', ')}.`,
        ]);
      });
    });

  comando(rede.command('aplicar'))
    .usage('<provedor> [opções]')
    .description(
      'põe na rede todos os logins como estão os seus contratos; só cai a sessão de quem estava de outro modo',
    )
    .argument('<provedor>', 'id do provedor', inteiro)
    .option('--json', 'responde em JSON')
    .action(async (provedorId: number, { json }: { json?: boolean }) => {
      await sessao.comContainer(async ({ rede: servico, provedores }) => {
        await provedores.exigirPorId(provedorId);
        const contratos = await servico.aplicarTudo(TERMINAL, provedorId);
        sessao.mostrar(json, { provedor_id: provedorId, contratos }, [
          `${contratos} logins do provedor ${provedorId} pedidos à rede.`,
        ]);
      });
    });
}

/** By the names of the domain's form; what is not named stays. */
function emCampos(opcoes: Opcoes): object {
  const { bloqueio, atributo, atributosPadrao, semAtributos, enderecos, prenderMac } = opcoes;
  const { quedaMinimo, quedaPercentual } = opcoes;
  const atributos = semAtributos === true ? [] : atributosPadrao === true ? null : atributo;
  return {
    ...(bloqueio === undefined ? {} : { bloqueio: bloqueio.tipo, bloqueio_nome: bloqueio.nome }),
    ...(atributos === undefined ? {} : { atributos }),
    ...(enderecos === undefined ? {} : { enderecos }),
    ...(prenderMac === undefined ? {} : { prender_mac: prenderMac }),
    ...(quedaMinimo === undefined ? {} : { queda_minimo: quedaMinimo }),
    ...(quedaPercentual === undefined ? {} : { queda_percentual: quedaPercentual }),
  };
}

function apresentar(provedorId: number, { bloqueio, atributos, enderecos, prenderMac, quedas }: RedeDoProvedor) {
  return {
    provedor_id: provedorId,
    bloqueio: bloqueioEmTexto(bloqueio),
    enderecos,
    prender_mac: prenderMac,
    queda_minimo: quedas.minimo,
    queda_percentual: quedas.percentual,
    atributos: atributos.map(emTexto),
  };
}

function simOuNao(texto: string): boolean {
  if (texto === 'sim') return true;
  if (texto === 'nao' || texto === 'não') return false;
  throw new InvalidArgumentError('deve ser sim ou nao.');
}
