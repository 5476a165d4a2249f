import type { Command } from 'commander';
import { TERMINAL } from '../../domain/actor.ts';
import type { CadastroDeClientesService } from '../../domain/clientes/cadastro/cadastro.service.ts';
import type { OpcoesDaMudanca } from '../../domain/clientes/cadastro/cadastro.types.ts';
import type { Cliente } from '../../domain/clientes/clientes.types.ts';
import { comando, inteiro, instante, lista } from '../comando.ts';
import type { Sessao } from '../sessao.ts';
import { apresentarCliente } from './apresentar.ts';

const OPCOES: readonly (readonly [grupo: string, opcoes: readonly (readonly [opcao: string, descricao: string])[]])[] =
  [
    [
      'Cadastro:',
      [
        ['--nome <nome>', 'de 2 a 160 caracteres'],
        ['--cpf-cnpj <documento>', 'com pontuação ou sem; os dígitos verificadores são conferidos'],
        ['--tipo <pf|pj>', 'só para conferência: o documento é que diz'],
        ['--nome-fantasia <nome>', 'de pessoa jurídica'],
        ['--email <e-mail>', 'como nome@exemplo.com.br'],
        ['--telefones <lista>', 'com DDD, entre vírgulas, até 5; trocam os que há'],
        ['--data-nascimento <data>', 'AAAA-MM-DD, de pessoa física'],
        ['--situacao <situação>', 'ativo, inativo, observacao ou pre_cadastro'],
        ['--codigo-externo <código>', 'como o cliente se chama em outro sistema, como ixc:123'],
      ],
    ],
    [
      'Endereço:',
      [
        ['--cep <cep>', 'com pontuação ou sem'],
        ['--logradouro <texto>', 'rua ou avenida'],
        ['--numero <texto>', 'número'],
        ['--complemento <texto>', 'complemento'],
        ['--bairro <texto>', 'bairro'],
        ['--cidade <texto>', 'cidade'],
        ['--uf <uf>', 'sigla do estado'],
      ],
    ],
  ];

const DO_ENDERECO = ['cep', 'logradouro', 'numero', 'complemento', 'bairro', 'cidade', 'uf'] as const;

interface Digitado {
  readonly nome?: string;
  readonly cpfCnpj?: string;
  readonly tipo?: string;
  readonly nomeFantasia?: string;
  readonly email?: string;
  readonly telefones?: string;
  readonly dataNascimento?: string;
  readonly situacao?: string;
  readonly codigoExterno?: string;
}

type Opcoes = Digitado &
  Partial<Record<(typeof DO_ENDERECO)[number], string>> & { provedor: number; json?: boolean } & OpcoesDaMudanca;

/** `malha cliente criar|alterar|cancelar|reativar` */
export function comandosDeCadastro(cliente: Command, sessao: Sessao): void {
  const doProvedor = (nome: string, argumento: string, descricao: string): Command =>
    comando(cliente.command(nome))
      .usage(`${argumento}--provedor <id> [opções]`)
      .description(descricao)
      .requiredOption('--provedor <id>', 'provedor dono do cadastro', inteiro)
      .option('--json', 'responde em JSON');
  const deCliente = (nome: string, descricao: string): Command =>
    doProvedor(nome, '<id> ', descricao).argument('<id>', 'id do cliente', inteiro);

  comCampos(doProvedor('criar', '', 'cadastra um cliente; nome e CPF ou CNPJ são obrigatórios')).action(
    async ({ provedor, json, ...digitados }: Opcoes) => {
      await sessao.comContainer(async ({ provedores, changeTenant }) => {
        const dono = await provedores.exigirPorId(provedor);
        const criado = await changeTenant(TERMINAL, dono, async ({ clientes }, escritas) =>
          clientes.buscarPorId(await escritas.clientes.criar(paraDados(digitados))),
        );
        mostrar(json, criado, ({ id, nome }) => `Cliente ${id} cadastrado: ${nome}.`);
      });
    },
  );

  comVersao(
    comCampos(
      deCliente('alterar', 'muda o que for dito, de uma vez ou nada; um valor vazio ("") apaga o que pode faltar'),
    ),
  ).action(async (id: number, { provedor, json, versao, confirmado, ...digitados }: Opcoes) => {
    await mudar(id, { provedor, json }, async (escritas) =>
      escritas.alterar(id, paraDados(digitados), { versao, confirmado }),
    );
  });

  comVersao(deCliente('reativar', 'traz de volta um cliente cancelado; os contratos continuam cancelados')).action(
    async (id: number, { provedor, json, versao, confirmado }: Opcoes) => {
      await mudar(id, { provedor, json }, async (escritas) => escritas.reativar(id, { versao, confirmado }));
    },
  );

  deCliente('cancelar', 'cancela um cliente e os seus contratos; o que ele deve continua devido')
    .option('--motivo <texto>', 'até 500 caracteres')
    .option('--faturas-futuras <manter|cancelar>', 'o que fazer das que ainda não venceram', 'manter')
    .action(async (id: number, opcoes: Opcoes & { motivo?: string; faturasFuturas: string }) => {
      const { provedor, json, motivo, faturasFuturas } = opcoes;
      const dados = { faturas_futuras: faturasFuturas, ...(motivo === undefined ? {} : { motivo }) };
      await sessao.comContainer(async ({ provedores, changeTenant }) => {
        const dono = await provedores.exigirPorId(provedor);
        const feito = await changeTenant(TERMINAL, dono, async (_dominio, { clientes }) =>
          clientes.cancelar(id, dados),
        );
        const dito = `${feito.contratos} contratos e ${feito.faturas} faturas cancelados com ele`;
        sessao.mostrar(json, { id, ...feito }, [
          feito.mudou ? `Cliente ${id} cancelado; ${dito}.` : `Cliente ${id}: já estava cancelado.`,
        ]);
      });
    });

  async function mudar(
    id: number,
    { provedor, json }: { provedor: number; json: boolean | undefined },
    fazer: (escritas: CadastroDeClientesService) => Promise<readonly string[]>,
  ): Promise<void> {
    await sessao.comContainer(async ({ provedores, changeTenant }) => {
      const dono = await provedores.exigirPorId(provedor);
      const [campos, ficou] = await changeTenant(TERMINAL, dono, async ({ clientes }, escritas) => {
        const mudados = await fazer(escritas.clientes);
        return [mudados, await clientes.buscarPorId(id)] as const;
      });
      mostrar(json, ficou, () =>
        campos.length === 0 ? `Cliente ${id}: nada mudou.` : `Cliente ${id} alterado: ${campos.join(', ')}.`,
      );
    });
  }

  function mostrar(json: boolean | undefined, achado: Cliente | null, dizer: (achado: Cliente) => string): void {
    if (achado === null) throw new Error('o cliente que se acabou de gravar não foi achado');
    sessao.mostrar(json, apresentarCliente(achado), [dizer(achado)]);
  }
}

function comCampos(command: Command): Command {
  for (const [grupo, opcoes] of OPCOES) {
    command.optionsGroup(grupo);
    for (const [opcao, descricao] of opcoes) command.option(opcao, descricao);
  }
  return command;
}

function comVersao(command: Command): Command {
  return command
    .optionsGroup('Conferência:')
    .option(
      '--versao <instante>',
      'o atualizado_em que se leu: se alguém mudou o cliente depois, nada é feito',
      instante,
    )
    .option('--confirmado', 'e-mail e telefones foram confirmados com o titular, que já tem outro cadastro');
}

/** What was typed, by the names that the domain reads. */
function paraDados(opcoes: Omit<Opcoes, 'provedor' | 'json'>): Record<string, unknown> {
  const { cpfCnpj, nomeFantasia, dataNascimento, codigoExterno, telefones, nome, tipo, email, situacao } = opcoes;
  const endereco = ditos(Object.fromEntries(DO_ENDERECO.map((parte) => [parte, opcoes[parte]])));
  return ditos({
    nome,
    cpf_cnpj: cpfCnpj,
    tipo,
    nome_fantasia: nomeFantasia,
    email,
    telefones: telefones === undefined ? undefined : lista(telefones).filter((numero) => numero !== ''),
    data_nascimento: dataNascimento,
    situacao,
    codigo_externo: codigoExterno,
    endereco: Object.keys(endereco).length === 0 ? undefined : endereco,
  });
}

const ditos = (campos: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(campos).filter(([, valor]) => valor !== undefined));
