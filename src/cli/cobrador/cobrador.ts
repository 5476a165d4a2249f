import type { Command } from 'commander';
import { TERMINAL } from '../../domain/actor.ts';
import type { Escritas } from '../../domain/dominio.ts';
import type { Cobrador } from '../../domain/cobradores/leitura.service.ts';
import { comando, grupo, inteiro } from '../comando.ts';
import { NO_TERMINAL, SEM_RASTRO } from '../leitura.ts';
import type { Sessao } from '../sessao.ts';
import { colunas } from '../texto.ts';

/** Fields of an account, by option. */
const OPCOES: readonly (readonly [campo: string, opcao: string, descricao: string])[] = [
  ['cnpj', '--cnpj <cnpj>', 'de quem é a conta, se não é do provedor; o nome dela é então o do beneficiário no boleto'],
  ['pix_chave', '--pix-chave <chave>', 'CPF, CNPJ, e-mail, chave aleatória, ou celular com +55'],
  ['pix_nome', '--pix-nome <nome>', 'quem recebe, até 25 caracteres'],
  ['pix_cidade', '--pix-cidade <cidade>', 'onde, até 15 caracteres'],
  ['boleto_banco', '--boleto-banco <dígitos>', 'o banco dos boletos que levam a agência e a carteira, como 756'],
  [
    'boleto_agencia_codigo',
    '--boleto-agencia-codigo <texto>',
    'agência e código do beneficiário, como o banco os escreve no boleto',
  ],
  ['boleto_carteira', '--boleto-carteira <texto>', 'carteira do boleto'],
  ['codigo_externo', '--codigo-externo <texto>', 'o seu nome em outro sistema'],
];

interface Comuns {
  readonly provedor: number;
  readonly json?: boolean;
}
type Digitados = Comuns & Readonly<Record<string, string | number | boolean | undefined>>;

/** `malha cobrador …` */
export function comandosDeCobrador(programa: Command, sessao: Sessao): void {
  const cobrador = grupo(programa.command('cobrador')).description(
    'contas que cobram (chave PIX e carteira de boletos), de que cada contrato tem uma',
  );

  const deUm = (nome: string, descricao: string): Command =>
    comando(cobrador.command(nome))
      .usage('<id> --provedor <id> [opções]')
      .description(descricao)
      .argument('<id>', 'id do cobrador', inteiro)
      .requiredOption('--provedor <id>', 'id do provedor', inteiro)
      .option('--json', 'responde em JSON');

  async function mudar<Feito>(
    { provedor }: Comuns,
    fazer: (cobradores: Escritas['cobradores']) => Promise<Feito>,
    dizer: (feito: Feito) => void,
  ): Promise<void> {
    await sessao.comContainer(async ({ provedores, changeTenant }) => {
      const dele = await provedores.exigirPorId(provedor);
      dizer(await changeTenant(TERMINAL, dele, async (_, { cobradores }) => fazer(cobradores)));
    });
  }

  const criar = comando(cobrador.command('criar'))
    .usage('--provedor <id> --nome <nome> [opções]')
    .description('cria um cobrador; só há códigos PIX com chave, nome e cidade')
    .requiredOption('--provedor <id>', 'id do provedor', inteiro)
    .requiredOption('--nome <nome>', 'nome da conta')
    .option('--json', 'responde em JSON');
  comOpcoes(criar).action(async (opcoes: Digitados) => {
    await mudar(
      opcoes,
      async (cobradores) => cobradores.criar(camposDe(opcoes)),
      (id) => sessao.mostrar(opcoes.json, { id, provedor_id: opcoes.provedor }, [`Cobrador ${id} criado.`]),
    );
  });

  comOpcoes(
    deUm('alterar', 'muda o que for dito, e nada mais; um valor vazio ("") apaga o que pode faltar').option(
      '--nome <nome>',
      'nome da conta',
    ),
  ).action(async (id: number, opcoes: Digitados) => {
    await mudar(
      opcoes,
      async (cobradores) => cobradores.alterar(id, camposDe(opcoes)),
      (campos) =>
        sessao.mostrar(opcoes.json, { id, provedor_id: opcoes.provedor, mudados: campos }, [
          campos.length === 0 ? `Cobrador ${id}: nada mudou.` : `Cobrador ${id} alterado: ${campos.join(', ')}.`,
        ]),
    );
  });

  /** Of an account, which it either does to or finds done. */
  function acao(
    nome: string,
    descricao: string,
    fazer: (cobradores: Escritas['cobradores'], id: number) => Promise<boolean>,
    dito: string,
  ): void {
    deUm(nome, descricao).action(async (id: number, opcoes: Comuns) => {
      await mudar(
        opcoes,
        async (cobradores) => fazer(cobradores, id),
        (mudou) =>
          sessao.mostrar(opcoes.json, { id, provedor_id: opcoes.provedor, mudou }, [
            mudou ? `Cobrador ${id} ${dito}.` : `Cobrador ${id}: nada mudou.`,
          ]),
      );
    });
  }
  acao(
    'padrao',
    'faz dele o cobrador de quem não escolheu outro; o que já foi emitido continua no seu',
    async (cobradores, id) => cobradores.tornarPadrao(id),
    'é agora o padrão',
  );
  acao(
    'desativar',
    'nada novo se emite por ele; recusado enquanto for o padrão ou o de um contrato',
    async (cobradores, id) => cobradores.desativar(id),
    'desativado',
  );
  acao(
    'reativar',
    'volta a ser usado para o que se emite',
    async (cobradores, id) => cobradores.reativar(id),
    'reativado',
  );

  comando(cobrador.command('listar'))
    .usage('--provedor <id> [opções]')
    .description('lista os cobradores do provedor')
    .requiredOption('--provedor <id>', 'id do provedor', inteiro)
    .option('--json', 'responde em JSON')
    .action(async ({ provedor, json }: Comuns) => {
      await sessao.comContainer(async ({ provedores, readTenant }) => {
        const dele = await provedores.exigirPorId(provedor);
        const todos = await readTenant(dele, SEM_RASTRO, NO_TERMINAL, async ({ cobradores }) => cobradores.listar());
        sessao.mostrar(json, todos.map(apresentar), colunas(todos.map(emTexto)));
      });
    });
}

function comOpcoes(comandoDeCampos: Command): Command {
  for (const [, opcao, descricao] of OPCOES) comandoDeCampos.option(opcao, descricao);
  return comandoDeCampos;
}

/** What was typed, by the names of the fields. */
function camposDe(opcoes: Digitados): Record<string, unknown> {
  const nomes = ['nome', ...OPCOES.map(([campo]) => campo)];
  const digitados = nomes.map((campo) => [
    campo,
    opcoes[campo.replaceAll(/_(\w)/g, (_, letra: string) => letra.toUpperCase())],
  ]);
  return Object.fromEntries(digitados.filter(([, valor]) => valor !== undefined)) as Record<string, unknown>;
}

function apresentar({ criado_em: criadoEm, atualizado_em: atualizadoEm, ...cobrador }: Cobrador) {
  return { ...cobrador, criado_em: criadoEm.toISOString(), atualizado_em: atualizadoEm.toISOString() };
}

const emTexto = ({ id, nome, padrao, ativo, pix_chave: chave, boleto_banco: banco }: Cobrador): string[] => [
  String(id),
  padrao ? 'padrão' : ativo ? 'ativo' : 'inativo',
  nome,
  chave ?? '-',
  banco ?? '-',
];
