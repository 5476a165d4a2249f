import type { Command } from 'commander';
import { escreverDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import { comando, grupo, inteiro } from '../comando.ts';
import { ler, mudar } from '../fatura/comum.ts';
import { camposDigitados, comCampos, doProvedor } from '../formulario.ts';
import type { Campos, Digitados, DoProvedor } from '../formulario.ts';
import type { Sessao } from '../sessao.ts';
import { colunas, oQueMudou } from '../texto.ts';

type Opcoes = DoProvedor & Digitados;

/** Fields of the settings; an empty text clears one that may be empty. */
const DA_REGUA: Campos = {
  ativa: 'sim ou nao; ligada, começa no dia seguinte',
  confirmado: 'sim: ligada de novo, os avisos de antes deixam de valer',
  hora: 'hora do provedor em que começa, de 8 a 19',
  lembrete_dias: 'dias antes de vencer, de 1 a 30; vazio: não lembra',
  no_vencimento: 'sim ou nao: lembra no dia do vencimento',
  aviso_dias: 'dias depois de vencida, de 1 a 90',
  bloqueio_dias: 'dias depois do aviso, de 15 a 365; vazio: não bloqueia',
  segundo_aviso_dias: 'dias depois do bloqueio; vazio: não rescinde',
  rescisao_dias: 'dias depois do bloqueio, de 60 a 730',
  rescinde: 'sim ou nao: cancela sem perguntar à equipe',
  vesperas: 'sim ou nao: bloqueia também em véspera e em dia sem banco',
  sem_entrega: 'sim ou nao: bloqueia também sem prova da entrega do aviso',
  minimo: 'não bloqueia por menos, em reais',
};
const SIM_OU_NAO = new Set(['ativa', 'confirmado', 'no_vencimento', 'rescinde', 'vesperas', 'sem_entrega']);
const APAGAVEIS = new Set(['lembrete_dias', 'bloqueio_dias', 'segundo_aviso_dias']);

const DA_PAUSA: Campos = {
  motivo: 'por que se para',
  ate: 'até o dia, AAAA-MM-DD; sem isto, até que alguém retome',
};

const comoDominio = (dados: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(dados).map(([nome, valor]) => {
      if (SIM_OU_NAO.has(nome)) return [nome, valor === 'sim' ? true : valor === 'nao' ? false : valor];
      return [nome, APAGAVEIS.has(nome) && valor === '' ? null : valor];
    }),
  );

/** `malha regua …` */
export function comandosDeRegua(programa: Command, sessao: Sessao): void {
  const regua = grupo(programa.command('regua')).description(
    'régua de cobrança: lembretes, avisos, bloqueio, rescisão',
  );

  comCampos(doProvedor(comando(regua.command('configurar'))), DA_REGUA)
    .usage('--provedor <id> [opções]')
    .description('muda o que se disser; sem nada, mostra como está')
    .action(async (opcoes: Opcoes) => {
      const dados = comoDominio(camposDigitados(DA_REGUA, opcoes));
      if (Object.keys(dados).length === 0) return mostrar(sessao, opcoes);
      return mudar(
        sessao,
        opcoes.provedor,
        async (_dominio, escritas) => escritas.regua.configurar(dados),
        (campos) => sessao.mostrar(opcoes.json, { campos }, [oQueMudou(campos)]),
      );
    });

  doProvedor(comando(regua.command('previsao')))
    .usage('--provedor <id> [opções]')
    .description('quem a régua bloquearia amanhã, e quem não, e por quê')
    .action(async ({ provedor, json }: DoProvedor) => {
      await sessao.comContainer(async (servicos) => {
        const previsao = await ler(servicos, provedor, async (dominio) => dominio.regua.previsao());
        sessao.mostrar(json, previsao, [
          `Em ${previsao.dia}:`,
          ...colunas(previsao.contagem.map(({ espera, quantos }) => [espera ?? 'bloqueia', String(quantos)])),
          ...(previsao.mais ? ['Há mais do que se olharam.'] : []),
          'Os mais novos de cada:',
          ...colunas(
            previsao.previstos.map(({ faturaId, contratoId, valor, espera }) => [
              `fatura ${faturaId}`,
              contratoId === null ? '-' : `contrato ${contratoId}`,
              escreverDinheiro(valor),
              espera ?? 'bloqueia',
            ]),
          ),
        ]);
      });
    });

  const pausar = (nome: 'contrato' | 'cliente'): void => {
    comCampos(doProvedor(comando(regua.command(`pausar-${nome}`))), DA_PAUSA)
      .usage('<id> --provedor <id> --motivo <texto> [opções]')
      .description(`para a régua para um ${nome}`)
      .argument('<id>', `id do ${nome}`, inteiro)
      .option('--so-bloqueio', 'só não bloqueia nem rescinde: as mensagens seguem')
      .action(async (id: number, opcoes: Opcoes & { readonly soBloqueio?: boolean }) => {
        const dados = { ...camposDigitados(DA_PAUSA, opcoes), so_bloqueio: opcoes.soBloqueio === true };
        await mudar(
          sessao,
          opcoes.provedor,
          async (_dominio, escritas) =>
            nome === 'contrato' ? escritas.regua.pausarContrato(id, dados) : escritas.regua.pausarCliente(id, dados),
          (pausa) => sessao.mostrar(opcoes.json, { pausa }, [`Pausa ${pausa} anotada.`]),
        );
      });
  };
  pausar('contrato');
  pausar('cliente');

  doProvedor(comando(regua.command('retomar')))
    .usage('<pausa> --provedor <id> [opções]')
    .description('acaba com uma pausa')
    .argument('<pausa>', 'id da pausa', inteiro)
    .action(async (id: number, opcoes: DoProvedor) => {
      await mudar(
        sessao,
        opcoes.provedor,
        async (_dominio, escritas) => escritas.regua.retomar(id),
        () => sessao.mostrar(opcoes.json, { pausa: id }, [`A pausa ${id} acabou.`]),
      );
    });
}

async function mostrar(sessao: Sessao, { provedor, json }: DoProvedor): Promise<void> {
  await sessao.comContainer(async (servicos) => {
    const {
      textos,
      versao: _versao,
      ...regras
    } = await ler(servicos, provedor, async (dominio) => dominio.regua.regua());
    const linhas = Object.entries<string | number | boolean | null>(regras).map(([nome, valor]): [string, string] => [
      nome,
      valor === null ? 'não' : String(valor),
    ]);
    sessao.mostrar(json, { ...regras, textos }, colunas(linhas));
  });
}
