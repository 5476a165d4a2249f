import type { Command } from 'commander';
import { TERMINAL } from '../../domain/actor.ts';
import type { Escritas } from '../../domain/dominio.ts';
import { comando, grupo, inteiro } from '../comando.ts';
import { camposDigitados, comCampos, doProvedor } from '../formulario.ts';
import type { Campos, Digitados, DoProvedor } from '../formulario.ts';
import { lerSegredo } from '../segredo.ts';
import type { Sessao } from '../sessao.ts';
import { CONDICOES, CONFIRMADO, ENDERECO, FATURAS_FUTURAS, LINHA, MOTIVO, VERSAO } from './campos.ts';
import { comandosDeConsulta } from './consulta.ts';

type Opcoes = DoProvedor & Digitados;

/** Staff's moves: what each is called, what it says of itself, and its fields. */
const MOVIMENTOS: readonly (readonly [nome: keyof Escritas['movimentos'], descricao: string, campos: Campos])[] = [
  ['ativar', 'ativa um contrato pendente', VERSAO],
  ['bloquear', 'bloqueia pela equipe; nem pagamento nem desbloqueio de confiança o liberam', { ...MOTIVO, ...VERSAO }],
  ['bloquearPorDebito', 'bloqueia por débito quem deve em atraso; pagar libera', { ...MOTIVO, ...VERSAO }],
  ['liberar', 'libera um bloqueado; o bloqueado por débito, só com motivo', { ...MOTIVO, ...VERSAO }],
  ['suspender', 'suspende a pedido do cliente; não se cobra enquanto isso', { ...MOTIVO, ...VERSAO }],
  ['reativar', 'reativa um suspenso, ou um cancelado há menos de 90 dias', { ...MOTIVO, ...VERSAO }],
  ['cancelar', 'cancela; em 90 dias ainda pode voltar', { ...FATURAS_FUTURAS, ...MOTIVO, ...VERSAO }],
  ['encerrar', 'encerra de vez um cancelado: o login fica livre', VERSAO],
];

const comHifens = (nome: string): string => nome.replace(/[A-Z]/g, (letra) => `-${letra.toLowerCase()}`);

const confirmado = (opcoes: Opcoes): object => (opcoes['confirmado'] === true ? { confirmado: true } : {});

/** `malha contrato …` */
export function comandosDeContrato(programa: Command, sessao: Sessao): void {
  const contrato = grupo(programa.command('contrato')).description('contratos');

  /** Changes the provider in one write. */
  async function mudar<T>(provedor: number, fazer: (escritas: Escritas) => Promise<T>, dizer: (feito: T) => void) {
    await sessao.comContainer(async ({ provedores, changeTenant }) => {
      const quem = await provedores.exigirPorId(provedor);
      dizer(await changeTenant(TERMINAL, quem, async (_dominio, escritas) => fazer(escritas)));
    });
  }

  async function senhaDe(opcoes: Opcoes): Promise<object> {
    const { senha } = opcoes;
    return typeof senha === 'string' ? { senha: await lerSegredo('senha', senha, sessao) } : {};
  }

  const campos = { ...CONDICOES, ...LINHA };
  const enderecoDe = (opcoes: Opcoes): object => {
    const endereco = camposDigitados(ENDERECO, opcoes);
    return Object.keys(endereco).length > 0 ? { endereco_instalacao: endereco } : {};
  };
  const comLinha = (command: Command): Command =>
    comCampos(command, { ...campos, ...ENDERECO }).option(
      '--senha <arquivo>',
      'arquivo com a senha da linha, ou - para a entrada padrão; sem ela, faz-se uma (de IPoE não)',
    );

  comLinha(doProvedor(comando(contrato.command('criar'))))
    .usage('--provedor <id> --cliente <id> --plano <id> --dia-vencimento <dia> [opções]')
    .description('faz um contrato, pendente; o login e a senha aparecem agora, e a senha nunca mais')
    .requiredOption('--cliente <id>', 'cliente', inteiro)
    .requiredOption('--plano <id>', 'plano à venda', inteiro)
    .action(async (opcoes: Opcoes & { cliente: number; plano: number }) => {
      const { provedor, cliente: cliente_id, plano: plano_id, json } = opcoes;
      const dados = { cliente_id, plano_id, ...camposDigitados(campos, opcoes), ...enderecoDe(opcoes) };
      const novo = { ...dados, ...(await senhaDe(opcoes)) };
      await mudar(
        provedor,
        async ({ contratos }) => contratos.criar(novo),
        ({ id, clienteId, situacao, login, senha }) => {
          const valor = { id, provedor_id: provedor, cliente_id: clienteId, situacao, login, senha };
          const dito = `Contrato ${id} criado, ${situacao}.`;
          const linhas =
            senha === null
              ? [`${dito} A linha entra sem senha.`, `login: ${login}`]
              : [`${dito} Guarde a senha agora: ela não será mostrada de novo.`, `login: ${login}`, `senha: ${senha}`];
          sessao.mostrar(json, valor, linhas);
        },
      );
    });

  comLinha(doProvedor(comando(contrato.command('alterar'))))
    .usage('<id> --provedor <id> [opções]')
    .description('altera um contrato; o que não se diz fica como está, e um texto vazio apaga')
    .argument('<id>', 'id do contrato', inteiro)
    .option('--atualizado-em <instante>', VERSAO['atualizado_em'] ?? '')
    .action(async (id: number, opcoes: Opcoes) => {
      const dados = { ...camposDigitados({ ...campos, ...VERSAO }, opcoes), ...enderecoDe(opcoes) };
      const mudanca = { ...dados, ...(await senhaDe(opcoes)) };
      await mudar(
        opcoes.provedor,
        async ({ contratos }) => contratos.alterar(id, mudanca),
        ({ campos: mudados, login, senha }) => {
          const valor = {
            id,
            provedor_id: opcoes.provedor,
            campos: mudados,
            login,
            ...(senha === undefined ? {} : { senha }),
          };
          const dito = mudados.length === 0 ? 'nada mudou' : `mudou ${mudados.join(', ')}`;
          const linhas = [`Contrato ${id}: ${dito}.`, ...(senha === undefined ? [] : [`senha: ${senha}`])];
          sessao.mostrar(opcoes.json, valor, linhas);
        },
      );
    });

  for (const [nome, descricao, doMovimento] of MOVIMENTOS) {
    const movimento = comCampos(doProvedor(comando(contrato.command(comHifens(nome)))), doMovimento)
      .usage('<id> --provedor <id> [opções]')
      .description(descricao)
      .argument('<id>', 'id do contrato', inteiro)
      .action(async (id: number, opcoes: Opcoes) => {
        await mudar(
          opcoes.provedor,
          async ({ movimentos }) =>
            movimentos[nome](id, { ...camposDigitados(doMovimento, opcoes), ...confirmado(opcoes) }),
          ({ clienteId, situacao }) => {
            const valor = { id, provedor_id: opcoes.provedor, cliente_id: clienteId, situacao };
            sessao.mostrar(opcoes.json, valor, [`Contrato ${id}: ${situacao}.`]);
          },
        );
      });
    if (nome === 'ativar' || nome === 'reativar') movimento.option('--confirmado', CONFIRMADO);
  }

  const daTroca = { valor: 'valor mensal, se não for o do plano', ...VERSAO };
  comCampos(doProvedor(comando(contrato.command('trocar-plano'))), daTroca)
    .usage('<id> --provedor <id> --plano <id> [opções]')
    .description('passa um contrato a outro plano que esteja à venda')
    .argument('<id>', 'id do contrato', inteiro)
    .requiredOption('--plano <id>', 'plano novo', inteiro)
    .action(async (id: number, opcoes: Opcoes & { plano: number }) => {
      const dados = { plano_id: opcoes.plano, ...camposDigitados(daTroca, opcoes) };
      await mudar(
        opcoes.provedor,
        async ({ contratos }) => contratos.trocarPlano(id, dados),
        ({ planoId, valor }) => {
          const feito = { id, provedor_id: opcoes.provedor, plano_id: planoId, valor };
          sessao.mostrar(opcoes.json, feito, [`Contrato ${id}: plano ${planoId}, por ${valor}.`]);
        },
      );
    });

  const doTitular = { ...FATURAS_FUTURAS, ...CONDICOES, ...MOTIVO, ...VERSAO };
  comCampos(doProvedor(comando(contrato.command('trocar-titular'))), doTitular)
    .usage('<id> --provedor <id> --cliente <id> --faturas-futuras <manter|cancelar> [opções]')
    .description('cancela de vez o contrato e faz outro, de outro cliente, que fica com o login; o acesso não cai')
    .argument('<id>', 'id do contrato', inteiro)
    .requiredOption('--cliente <id>', 'novo titular', inteiro)
    .option('--confirmado', CONFIRMADO)
    .action(async (id: number, opcoes: Opcoes & { cliente: number }) => {
      const dados = { cliente_id: opcoes.cliente, ...camposDigitados(doTitular, opcoes), ...confirmado(opcoes) };
      await mudar(
        opcoes.provedor,
        async ({ contratos }) => contratos.trocarTitular(id, dados),
        ({ anterior, id: novo, clienteId, situacao, login }) => {
          const feito = { anterior, id: novo, provedor_id: opcoes.provedor, cliente_id: clienteId, situacao, login };
          sessao.mostrar(opcoes.json, feito, [
            `Contrato ${anterior} cancelado em definitivo; o novo é o ${novo}, do cliente ${clienteId}: ${situacao}.`,
          ]);
        },
      );
    });

  comandosDeConsulta(contrato, sessao);
}
