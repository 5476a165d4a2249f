import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import type { Command } from 'commander';
import { TERMINAL } from '../../domain/actor.ts';
import { EntradaInvalida } from '../../domain/erros.ts';
import { comando, grupo, inteiro } from '../comando.ts';
import { ler } from '../fatura/comum.ts';
import { camposDigitados, comCampos, doProvedor } from '../formulario.ts';
import type { Campos, Digitados, DoProvedor } from '../formulario.ts';
import { lerSegredo } from '../segredo.ts';
import type { Sessao } from '../sessao.ts';
import { colunas } from '../texto.ts';

type Opcoes = DoProvedor & Digitados & { readonly conta: number };

const DO_CONVENIO: Campos = {
  adaptador: 'efi, sicoob, sicredi, bb, itau, inter, bradesco, santander ou outro',
  base: 'endereço da API Pix, se não o do adaptador',
  token_url: 'endereço do token, se não o do adaptador',
  chave: 'chave PIX que recebe',
  tipo: 'cobv (com vencimento) ou cob',
  validade_dias: 'dias depois do vencimento em que ainda se paga',
  client_id: 'identificação que o PSP deu',
  caminhos: 'onde está cada recurso, em JSON; vazio: o do adaptador',
};
const MAIOR_PFX = 64 * 1024;

const daConta = (command: Command): Command =>
  doProvedor(command).requiredOption('--conta <id>', 'conta de cobrança', inteiro);

/** `malha psp …` */
export function comandosDePsp(programa: Command, sessao: Sessao): void {
  const psp = grupo(programa.command('psp')).description('cobranças PIX em um PSP, por conta de cobrança');

  comCampos(daConta(comando(psp.command('configurar'))), DO_CONVENIO)
    .usage('--provedor <id> --conta <id> [opções]')
    .description('faz ou muda o convênio de uma conta com um PSP')
    .option('--segredo <arquivo>', 'arquivo com o client_secret; - lê a entrada padrão')
    .option('--chave-do-aplicativo <arquivo>', 'arquivo com a chave do aplicativo (BB)')
    .action(async (opcoes: Opcoes & { segredo?: string; chaveDoAplicativo?: string }) => {
      const { segredo, chaveDoAplicativo: aplicativo } = opcoes;
      const dados = {
        ...camposDigitados(DO_CONVENIO, opcoes),
        ...(segredo === undefined ? {} : { client_secret: await lerSegredo('segredo', segredo, sessao) }),
        ...(aplicativo === undefined
          ? {}
          : { chave_do_aplicativo: await lerSegredo('chave-do-aplicativo', aplicativo, sessao) }),
      };
      await sessao.comContainer(async (servicos) => {
        const id = await servicos.psp.configurar(TERMINAL, opcoes.provedor, opcoes.conta, dados);
        sessao.mostrar(opcoes.json, { id }, [`Convênio ${id} gravado.`]);
      });
    });

  daConta(comando(psp.command('certificado')))
    .usage('<arquivo.pfx> --provedor <id> --conta <id> [opções]')
    .description('guarda o certificado de cliente que o PSP deu')
    .argument('<arquivo>', 'arquivo .pfx ou .p12')
    .option('--senha <arquivo>', 'arquivo com a senha; - lê a entrada padrão', '-')
    .action(async (arquivo: string, opcoes: Opcoes & { senha: string }) => {
      const senha = await lerSegredo('senha', opcoes.senha, sessao);
      const pfx = await buffer(createReadStream(arquivo, { end: MAIOR_PFX })).catch(() => {
        throw new EntradaInvalida(`certificado: não foi possível ler ${arquivo}`);
      });
      await sessao.comContainer(async ({ psp: convenios, lerPfx }) => {
        const lido = await lerPfx(pfx, senha);
        await convenios.guardarCertificado(TERMINAL, opcoes.provedor, opcoes.conta, lido);
        sessao.mostrar(opcoes.json, { valido_ate: lido.validoAte }, [`Vale até ${lido.validoAte.toISOString()}.`]);
      });
    });

  for (const [nome, descricao, ativo] of [
    ['ativar', 'passa a cobrar pelo PSP as faturas da conta', true],
    ['desativar', 'deixa de cobrar pelo PSP, e retira o que lá está', false],
  ] as const) {
    daConta(comando(psp.command(nome)))
      .description(descricao)
      .action(async (opcoes: Opcoes) => {
        await sessao.comContainer(async (servicos) => {
          const mudou = await servicos.psp.ativar(TERMINAL, opcoes.provedor, opcoes.conta, ativo);
          sessao.mostrar(opcoes.json, { ativo, mudou }, [mudou ? 'Feito.' : 'Já estava assim.']);
        });
      });
  }

  daConta(comando(psp.command('testar')))
    .description('pede ao PSP o que recebeu na última hora; código de saída 1 se não der certo')
    .action(async (opcoes: Opcoes) => {
      await sessao.comContainer(async (servicos) => {
        const teste = await servicos.psp.testar(opcoes.provedor, opcoes.conta);
        sessao.mostrar(opcoes.json, teste, [teste.certo ? 'Certo.' : `Não: ${teste.codigo}: ${teste.motivo}`]);
        if (!teste.certo) sessao.terminarCom(1);
      });
    });

  daConta(comando(psp.command('webhook')))
    .description('registra no PSP um endereço novo, a que ele avisa os PIX')
    .action(async (opcoes: Opcoes) => {
      await sessao.comContainer(async (servicos) => {
        const provedor = await servicos.provedores.exigirPorId(opcoes.provedor);
        const teste = await servicos.psp.registrarWebhook(TERMINAL, provedor, opcoes.conta);
        sessao.mostrar(opcoes.json, teste, [teste.certo ? 'Registrado.' : `Não: ${teste.codigo}: ${teste.motivo}`]);
        if (!teste.certo) sessao.terminarCom(1);
      });
    });

  daConta(comando(psp.command('tentar')))
    .description('tenta agora o que o PSP recusou ou não respondeu')
    .action(async (opcoes: Opcoes) => {
      await sessao.comContainer(async (servicos) => {
        await servicos.psp.tentarDeNovo(TERMINAL, opcoes.provedor, opcoes.conta);
        sessao.mostrar(opcoes.json, { pedido: true }, ['Pedido.']);
      });
    });

  doProvedor(comando(psp.command('mostrar')))
    .description('os convênios de um provedor, o que espera e o que o PSP recusou')
    .action(async (opcoes: DoProvedor) => {
      await sessao.comContainer(async (servicos) => {
        const todos = await ler(servicos, opcoes.provedor, async ({ psp: leitura }) =>
          Promise.all(
            (await leitura.convenios()).map(async (um) => ({
              ...um,
              contagem: await leitura.contagem(um.id),
              recusadas: await leitura.recusadas(um.id),
            })),
          ),
        );
        sessao.mostrar(
          opcoes.json,
          todos,
          todos.flatMap((um) => [
            `Conta ${um.cobradorId}: ${um.nome}, ${um.ativo ? 'ativo' : 'parado'}; webhook ${um.webhook ?? 'não registrado'}`,
            ...colunas([
              ['lido até', um.lidoAte?.toISOString() ?? 'nunca'],
              ['parada', um.parada === null ? 'não' : `${um.parada.codigo} até ${um.parada.ate.toISOString()}`],
              ...Object.entries(um.contagem).map(([estado, quantas]): [string, string] => [estado, String(quantas)]),
            ]),
            ...um.recusadas.map(
              ({ faturaId, codigo, motivo }) => `Fatura ${faturaId}: ${codigo ?? ''}: ${motivo ?? ''}`,
            ),
          ]),
        );
      });
    });
}
