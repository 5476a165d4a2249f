import type { Command } from 'commander';
import { NOMES_DOS_BANCOS } from '../../domain/boletos/convenios/convenios.types.ts';
import { comando, grupo, inteiro } from '../comando.ts';
import { ler, mudar } from '../fatura/comum.ts';
import { camposDigitados, comCampos, doProvedor } from '../formulario.ts';
import type { Campos, Digitados, DoProvedor } from '../formulario.ts';
import type { Sessao } from '../sessao.ts';
import { colunas, oQueMudou } from '../texto.ts';

type Opcoes = DoProvedor & Digitados;

const DO_CONVENIO: Campos = {
  nome: 'nome do convênio',
  agencia: 'agência ou cooperativa',
  agencia_dv: 'dígito da agência',
  conta: 'conta corrente',
  conta_dv: 'dígito da conta',
  carteira: 'carteira',
  variacao: 'variação (Banco do Brasil)',
  codigo: 'código que o banco deu: cliente, beneficiário, convênio ou operação',
  codigo_transmissao: 'código de transmissão (Santander)',
  posto: 'posto (Sicredi)',
  juros_ao_mes: 'por cento ao mês, como 1',
  multa: 'por cento, como 2',
  baixa_em_dias: 'dias depois do vencimento em que o banco baixa; vazio: o combinado',
  ajustes: 'o que o banco pede de outro jeito, em JSON',
  proximo_nsa: 'próximo número de arquivo, só para a frente',
  proximo_numero: 'próximo nosso número, só para a frente',
};

const DO_NOVO: Campos = { ...DO_CONVENIO, cobrador_id: 'conta de cobrança', banco: 'três dígitos, como 756' };

/** `malha banco convenio …` */
export function comandosDeConvenio(banco: Command, sessao: Sessao): void {
  const convenio = grupo(banco.command('convenio')).description('convênios de cobrança com bancos');
  comCampos(doProvedor(comando(convenio.command('criar'))), DO_NOVO)
    .usage('--provedor <id> --cobrador-id <id> --banco <dígitos> --nome <nome> [opções]')
    .description('cadastra um convênio, que ainda não emite')
    .option('--teste', 'em homologação: marca os arquivos como teste')
    .action(async (opcoes: Opcoes) => {
      await mudar(
        sessao,
        opcoes.provedor,
        async (_dominio, { convenios }) => convenios.criar(camposDoConvenio(DO_NOVO, opcoes)),
        (id) => sessao.mostrar(opcoes.json, { id }, [`Convênio ${id} criado.`]),
      );
    });
  comCampos(doProvedor(comando(convenio.command('alterar'))), DO_CONVENIO)
    .usage('<id> --provedor <id> [opções]')
    .description('muda o que for dito')
    .argument('<id>', 'id do convênio', inteiro)
    .option('--teste', 'em homologação')
    .option('--producao', 'deixa a homologação')
    .action(async (id: number, opcoes: Opcoes) => {
      await mudar(
        sessao,
        opcoes.provedor,
        async (_dominio, { convenios }) => convenios.alterar(id, camposDoConvenio(DO_CONVENIO, opcoes)),
        (campos) => sessao.mostrar(opcoes.json, { id, campos }, [oQueMudou(campos)]),
      );
    });
  for (const [nome, descricao] of [
    ['ativar', 'passa a registrar os boletos das faturas novas da conta'],
    ['desativar', 'não registra boletos novos; os de antes continuam'],
  ] as const) {
    doProvedor(comando(convenio.command(nome)))
      .usage('<id> --provedor <id> [opções]')
      .description(descricao)
      .argument('<id>', 'id do convênio', inteiro)
      .action(async (id: number, opcoes: DoProvedor) => {
        await mudar(
          sessao,
          opcoes.provedor,
          async (_dominio, { convenios }) => convenios[nome](id),
          (mudou) => sessao.mostrar(opcoes.json, { id, mudou }, [mudou ? `Convênio ${id}: feito.` : 'Nada mudou.']),
        );
      });
  }
  doProvedor(comando(convenio.command('listar')))
    .usage('--provedor <id> [opções]')
    .description('lista os convênios do provedor')
    .action(async (opcoes: DoProvedor) => {
      await sessao.comContainer(async (servicos) => {
        const todos = await ler(servicos, opcoes.provedor, async ({ boletos }) => boletos.convenios());
        sessao.mostrar(
          opcoes.json,
          todos,
          colunas(
            todos.map((um) => [
              String(um.id),
              um.emite === 1 ? 'emite' : '-',
              NOMES_DOS_BANCOS[um.banco],
              `CNAB ${um.formato}`,
              um.nome,
            ]),
          ),
        );
      });
    });
}

/** What was said of an agreement; a flag is told by its name. */
function camposDoConvenio(campos: Campos, opcoes: Opcoes): Record<string, unknown> {
  const dados = camposDigitados(campos, opcoes);
  if (opcoes['teste'] === true) dados['teste'] = true;
  if (opcoes['producao'] === true) dados['teste'] = false;
  return dados;
}
