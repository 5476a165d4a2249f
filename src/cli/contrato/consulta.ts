import { Option } from 'commander';
import type { Command } from 'commander';
import type { Dominio } from '../../domain/dominio.ts';
import { Recusa } from '../../domain/erros.ts';
import type { FichaDeContrato } from '../../domain/contratos/ficha/ficha.service.ts';
import type { PedidoDoContrato } from '../../domain/contratos/ficha/rede.queries.ts';
import { SITUACOES_DE_CONTRATO } from '../../domain/contratos/contratos.types.ts';
import type { SituacaoContrato } from '../../domain/contratos/contratos.types.ts';
import { comando, inteiro } from '../comando.ts';
import { doProvedor } from '../formulario.ts';
import type { DoProvedor } from '../formulario.ts';
import { NO_TERMINAL, SEM_RASTRO } from '../leitura.ts';
import type { Sessao } from '../sessao.ts';
import { colunas, contar } from '../texto.ts';

interface DaLista extends DoProvedor {
  readonly situacao?: SituacaoContrato;
  readonly cliente?: number;
  readonly plano?: number;
  readonly login?: string;
  readonly codigoExterno?: string;
  readonly depoisDe?: number;
  readonly limite: number;
}

/** `malha contrato mostrar|listar|historico|rede` */
export function comandosDeConsulta(contrato: Command, sessao: Sessao): void {
  async function ler<T>(provedor: number, fazer: (dominio: Dominio) => Promise<T>, dizer: (lido: T) => void) {
    await sessao.comContainer(async ({ provedores, readTenant }) => {
      const quem = await provedores.exigirPorId(provedor);
      dizer(await readTenant(quem, SEM_RASTRO, NO_TERMINAL, fazer));
    });
  }

  async function exigir({ fichas }: Dominio, id: number): Promise<FichaDeContrato> {
    const ficha = await fichas.buscar(id);
    if (ficha === null) throw new Recusa('nao_encontrado');
    return ficha;
  }

  doProvedor(comando(contrato.command('mostrar')))
    .usage('<id> --provedor <id> [opções]')
    .description('mostra um contrato, sem a senha')
    .argument('<id>', 'id do contrato', inteiro)
    .action(async (id: number, { provedor, json }: DoProvedor) => {
      await ler(
        provedor,
        async (dominio) => exigir(dominio, id),
        (ficha) => sessao.mostrar(json, { provedor_id: provedor, ...ficha }, colunas(emLinhas(ficha))),
      );
    });

  doProvedor(comando(contrato.command('listar')))
    .usage('--provedor <id> [opções]')
    .description('lista contratos, pelo id')
    .addOption(
      new Option('--situacao <situacao>', `um de: ${SITUACOES_DE_CONTRATO.join(', ')}`).choices(SITUACOES_DE_CONTRATO),
    )
    .option('--cliente <id>', 'só os deste cliente', inteiro)
    .option('--plano <id>', 'só os deste plano', inteiro)
    .option('--login <login>', 'só o que tem este login')
    .option('--codigo-externo <código>', 'só o que tem este nome em outro sistema, como ixc:123')
    .option('--depois-de <id>', 'só os de id maior, para continuar uma lista', inteiro)
    .option('--limite <n>', 'quantos, no máximo', inteiro, 100)
    .action(async ({ provedor, json, situacao, cliente, plano, login, codigoExterno, depoisDe, limite }: DaLista) => {
      const filtro = { situacao, clienteId: cliente, planoId: plano, login, codigoExterno, depoisDe };
      await ler(
        provedor,
        async ({ fichas }) => fichas.listar(filtro, Math.min(Math.max(1, limite), 10_000)),
        (todos) =>
          sessao.mostrar(
            json,
            todos,
            colunas(
              todos.map((um) => [
                String(um.id),
                um.situacao,
                um.login ?? '-',
                um.valor,
                um.plano_nome,
                um.cliente_nome,
              ]),
            ),
          ),
      );
    });

  doProvedor(comando(contrato.command('historico')))
    .usage('<id> --provedor <id> [opções]')
    .description('o que aconteceu a um contrato')
    .argument('<id>', 'id do contrato', inteiro)
    .action(async (id: number, { provedor, json }: DoProvedor) => {
      await ler(
        provedor,
        async (dominio) => {
          await exigir(dominio, id);
          return dominio.fichas.historico(id);
        },
        (linhas) =>
          sessao.mostrar(
            json,
            linhas,
            colunas(
              linhas.map((uma) => [uma.ocorrido_em.toISOString(), uma.autor ?? '-', uma.acao, uma.descricao ?? '']),
            ),
          ),
      );
    });

  doProvedor(comando(contrato.command('rede')))
    .usage('<id> --provedor <id> [opções]')
    .description('o que se pediu à rede de um contrato, o mais novo primeiro, e o que foi das suas sessões')
    .argument('<id>', 'id do contrato', inteiro)
    .option('--limite <n>', 'quantos pedidos, no máximo', inteiro, 20)
    .action(async (id: number, { provedor, json, limite }: DoProvedor & { limite: number }) => {
      await ler(
        provedor,
        async (dominio) => {
          await exigir(dominio, id);
          return dominio.fichas.rede(id, Math.min(Math.max(1, limite), 1000));
        },
        (pedidos) =>
          sessao.mostrar(json, pedidos, pedidos.length === 0 ? ['Nada se pediu à rede.'] : pedidos.flatMap(doPedido)),
      );
    });
}

/** A request, and its sessions below it. */
function doPedido({ pedido_em, acao, resultado, aplicado_em, desconexoes }: PedidoDoContrato): string[] {
  const feito = aplicado_em === null ? 'espera' : `${resultado ?? 'aplicado'} em ${aplicado_em.toISOString()}`;
  return [
    `${pedido_em.toISOString()}  ${acao}: ${feito}`,
    ...desconexoes.map(({ nasipaddress, alterar_para, estado, tentativas, causa_erro }) => {
      const como = alterar_para === null ? 'encerrar a sessão' : `alterar a sessão para ${alterar_para}`;
      const causa = causa_erro === null ? '' : `, Error-Cause ${causa_erro}`;
      return `  NAS ${nasipaddress}, ${como}: ${estado}${causa}, ${contar(tentativas, 'tentativa', 'tentativas')}`;
    }),
  ];
}

/** What is known, a line each. */
function emLinhas({ endereco, ...ficha }: FichaDeContrato): string[][] {
  const ditos = Object.entries({ ...ficha, ...endereco }).filter(([, valor]) => valor !== null);
  return ditos.map(([nome, valor]) => [nome, valor instanceof Date ? valor.toISOString() : String(valor)]);
}
