import type { Command } from 'commander';
import { TERMINAL } from '../domain/actor.ts';
import type { Escritas } from '../domain/dominio.ts';
import type { Pop } from '../domain/rede/pops/pops.types.ts';
import { comando, grupo, inteiro } from './comando.ts';
import { NO_TERMINAL, SEM_RASTRO } from './leitura.ts';
import type { Sessao } from './sessao.ts';
import { colunas } from './texto.ts';

/** Fields of a POP, by option. */
const OPCOES = [
  ['nome', '--nome <nome>', 'nome do POP, que nenhum outro do provedor tem'],
  ['cidade', '--cidade <cidade>', 'onde fica'],
  ['uf', '--uf <uf>', 'a sigla do estado'],
  ['endereco', '--endereco <texto>', 'rua e número'],
  ['latitude', '--latitude <graus>', 'como --latitude=-22.224512; com a longitude'],
  ['longitude', '--longitude <graus>', 'como --longitude=-45.930111; com a latitude'],
] as const;

interface Comuns {
  readonly provedor: number;
  readonly json?: boolean;
}
type Digitados = Comuns & Partial<Record<(typeof OPCOES)[number][0], string>>;

/** `malha pop …` */
export function comandosDePop(programa: Command, sessao: Sessao): void {
  const pop = grupo(programa.command('pop')).description('POPs: onde ficam os servidores (NAS) da rede');

  async function mudar<Feito>(
    { provedor }: Comuns,
    fazer: (pops: Escritas['pops']) => Promise<Feito>,
    dizer: (feito: Feito) => void,
  ): Promise<void> {
    await sessao.comContainer(async ({ provedores, changeTenant }) => {
      const dele = await provedores.exigirPorId(provedor);
      dizer(await changeTenant(TERMINAL, dele, async (_, { pops }) => fazer(pops)));
    });
  }

  const comOpcoes = (de: Command): Command => {
    for (const [, opcao, descricao] of OPCOES) de.option(opcao, descricao);
    return de;
  };
  const deProvedor = (nome: string, uso: string, descricao: string): Command =>
    comando(pop.command(nome))
      .usage(`${uso} --provedor <id> [opções]`.trim())
      .description(descricao)
      .requiredOption('--provedor <id>', 'id do provedor', inteiro)
      .option('--json', 'responde em JSON');
  const deUm = (nome: string, descricao: string): Command =>
    deProvedor(nome, '<id>', descricao).argument('<id>', 'id do POP', inteiro);

  comOpcoes(deProvedor('criar', '--nome <nome> --cidade <cidade> --uf <uf>', 'cria um POP')).action(
    async (opcoes: Digitados) => {
      await mudar(
        opcoes,
        async (pops) => pops.criar(camposDe(opcoes)),
        ({ id }) => sessao.mostrar(opcoes.json, { id, provedor_id: opcoes.provedor }, [`POP ${id} criado.`]),
      );
    },
  );

  comOpcoes(deUm('alterar', 'muda o que for dito, e nada mais; um valor vazio ("") apaga o que pode faltar')).action(
    async (id: number, opcoes: Digitados) => {
      await mudar(
        opcoes,
        async (pops) => pops.alterar(id, camposDe(opcoes)),
        (campos) =>
          sessao.mostrar(opcoes.json, { id, provedor_id: opcoes.provedor, mudados: campos }, [
            campos.length === 0 ? `POP ${id}: nada mudou.` : `POP ${id} alterado: ${campos.join(', ')}.`,
          ]),
      );
    },
  );

  deUm('remover', 'remove um POP em que não há servidor nem aviso aberto').action(
    async (id: number, opcoes: Comuns) => {
      await mudar(
        opcoes,
        async (pops) => pops.remover(id),
        () =>
          sessao.mostrar(opcoes.json, { id, provedor_id: opcoes.provedor, removido: true }, [`POP ${id} removido.`]),
      );
    },
  );

  deProvedor('nas', '<endereço>', 'diz em que POP fica um servidor (NAS)')
    .argument('<endereço>', 'IPv4 do NAS')
    .option('--pop <id>', 'id do POP; sem isto, em nenhum', inteiro)
    .action(async (endereco: string, { pop: qual, ...comuns }: Comuns & { readonly pop?: number }) => {
      const id = qual ?? null;
      await mudar(
        comuns,
        async (pops) => pops.colocar(endereco, id),
        (mudou) =>
          sessao.mostrar(comuns.json, { provedor_id: comuns.provedor, endereco, pop_id: id, mudou }, [
            `NAS ${endereco}: ${mudou ? (id === null ? 'já não está em POP nenhum' : `está agora no POP ${id}`) : 'nada mudou'}.`,
          ]),
      );
    });

  deProvedor('listar', '', 'lista os POPs, com os servidores de cada um').action(async ({ provedor, json }: Comuns) => {
    await sessao.comContainer(async ({ provedores, readTenant }) => {
      const dele = await provedores.exigirPorId(provedor);
      const todos = await readTenant(dele, SEM_RASTRO, NO_TERMINAL, async ({ rede }) => rede.pops());
      sessao.mostrar(json, todos, colunas(todos.map(emTexto)));
    });
  });
}

/** What was typed; an empty text clears. */
function camposDe(opcoes: Digitados): Record<string, string | null> {
  return Object.fromEntries(
    OPCOES.flatMap(([campo]) => {
      const valor = opcoes[campo];
      return valor === undefined ? [] : [[campo, valor === '' ? null : valor]];
    }),
  );
}

const emTexto = ({ id, nome, cidade, uf, nas }: Pop): string[] => [
  String(id),
  nome,
  `${cidade}/${uf}`,
  nas.length === 0 ? '-' : nas.join(', '),
];
