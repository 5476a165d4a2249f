import type { Command } from 'commander';
import { normalizarCpfCnpj } from '../../brazil/pessoa/cpf-cnpj.ts';
import { normalizarTelefone, ultimosOito } from '../../brazil/pessoa/telefone.ts';
import { SITUACOES_DE_CLIENTE, buscaUmaPessoa } from '../../domain/clientes/clientes.types.ts';
import type { FiltroClientes } from '../../domain/clientes/clientes.types.ts';
import { CamposInvalidos, Recusa } from '../../domain/erros.ts';
import type { Falta } from '../../domain/erros.ts';
import { comando, inteiro } from '../comando.ts';
import { NO_TERMINAL, SEM_RASTRO } from '../leitura.ts';
import type { Sessao } from '../sessao.ts';
import { colunas, contar } from '../texto.ts';
import { apresentarCliente, linhaDoCliente, linhasDoCliente } from './apresentar.ts';

const LIMITE = 20;
const MAIOR_LIMITE = 100;
const MAIOR_PAGINA = 1_000_000;

interface Filtros {
  readonly cpfCnpj?: string;
  readonly telefone?: string;
  readonly situacao?: string;
  readonly codigoExterno?: string;
  readonly login?: string;
  readonly limite: number;
  readonly pagina: number;
}

/** `malha cliente mostrar` and `malha cliente listar` */
export function comandosDeConsulta(cliente: Command, sessao: Sessao): void {
  comando(cliente.command('mostrar'))
    .usage('<id> --provedor <id> [opções]')
    .description('mostra um cliente e os seus contratos')
    .argument('<id>', 'id do cliente', inteiro)
    .requiredOption('--provedor <id>', 'provedor dono do cadastro', inteiro)
    .option('--json', 'responde em JSON')
    .action(async (id: number, { provedor, json }: { provedor: number; json?: boolean }) => {
      await sessao.comContainer(async ({ provedores, readTenant }) => {
        const dono = await provedores.exigirPorId(provedor);
        const achado = await readTenant(dono, SEM_RASTRO, NO_TERMINAL, async ({ clientes }) =>
          clientes.buscarPorId(id),
        );
        if (achado === null) throw new Recusa('nao_encontrado');
        sessao.mostrar(json, apresentarCliente(achado), linhasDoCliente(achado));
      });
    });

  comando(cliente.command('listar'))
    .usage('--provedor <id> [opções]')
    .description('lista clientes, por id')
    .requiredOption('--provedor <id>', 'provedor dono dos cadastros', inteiro)
    .option('--cpf-cnpj <documento>', 'com pontuação ou sem')
    .option('--telefone <telefone>', 'com DDD; compara os últimos 8 dígitos')
    .option('--situacao <situação>', SITUACOES_DE_CLIENTE.join(', '))
    .option('--codigo-externo <código>', 'nome em outro sistema, como ixc:123')
    .option('--login <login>', 'o dono do contrato que o tem')
    .option('--limite <n>', `quantos, até ${MAIOR_LIMITE}`, inteiro, LIMITE)
    .option('--pagina <n>', 'qual parte da lista', inteiro, 1)
    .option('--json', 'responde em JSON')
    .action(async ({ provedor, json, ...filtros }: Filtros & { provedor: number; json?: boolean }) => {
      const filtro = lerFiltro(filtros);
      const { limite: porPagina, pagina } = filtros;
      const whole = !buscaUmaPessoa(filtro);
      await sessao.comContainer(async ({ provedores, readTenant }) => {
        const dono = await provedores.exigirPorId(provedor);
        const { itens, total } = await readTenant(dono, SEM_RASTRO, { ...NO_TERMINAL, whole }, async ({ clientes }) =>
          clientes.listar(filtro, { pagina, porPagina }),
        );
        sessao.mostrar(json, { total, clientes: itens.map(apresentarCliente) }, [
          ...colunas(itens.map(linhaDoCliente)),
          `${contar(total, 'cliente', 'clientes')} ao todo.`,
        ]);
      });
    });
}

/** @throws CamposInvalidos that names all faulty options: a filter that cannot be read must not list everyone */
function lerFiltro({ cpfCnpj, telefone, situacao, codigoExterno, login, limite, pagina }: Filtros): FiltroClientes {
  const faltas: Falta[] = [];
  function ler<T>(
    campo: string,
    dito: string | undefined,
    como: (dito: string) => T | null | undefined,
    falta: Omit<Falta, 'campo'>,
  ): T | undefined {
    const lido = dito === undefined ? undefined : (como(dito) ?? null);
    if (lido !== null) return lido;
    faltas.push({ campo, ...falta });
    return undefined;
  }
  const exigirAte = (campo: string, dito: number, maior: number): void => {
    if (dito >= 1 && dito <= maior) return;
    faltas.push({ campo, codigo: 'parametro_invalido', mensagem: `deve ser de 1 a ${maior}` });
  };
  const filtro: FiltroClientes = {
    codigoExterno,
    login,
    cpfCnpj: ler('cpf_cnpj', cpfCnpj, normalizarCpfCnpj, {
      codigo: 'cpf_cnpj_invalido',
      mensagem: 'informe um CPF (11 dígitos) ou CNPJ (14 posições)',
    }),
    ultimosOito: ler(
      'telefone',
      telefone,
      (dito) => {
        const digitos = normalizarTelefone(dito);
        return digitos === null ? null : ultimosOito(digitos);
      },
      { codigo: 'telefone_invalido', mensagem: 'informe DDD e número, como 35999990001' },
    ),
    situacao: ler('situacao', situacao, (dita) => SITUACOES_DE_CLIENTE.find((uma) => uma === dita), {
      codigo: 'parametro_invalido',
      mensagem: `deve ser um de: ${SITUACOES_DE_CLIENTE.join(', ')}`,
    }),
  };
  exigirAte('limite', limite, MAIOR_LIMITE);
  exigirAte('pagina', pagina, MAIOR_PAGINA);
  if (faltas.length > 0) throw new CamposInvalidos(faltas);
  return filtro;
}
