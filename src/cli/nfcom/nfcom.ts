import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import type { Command } from 'commander';
import { TERMINAL } from '../../domain/actor.ts';
import { EntradaInvalida, Recusa } from '../../domain/erros.ts';
import { comando, grupo } from '../comando.ts';
import { ler, mudar } from '../fatura/comum.ts';
import { camposDigitados, comCampos, doProvedor } from '../formulario.ts';
import type { Campos, Digitados, DoProvedor } from '../formulario.ts';
import { lerSegredo } from '../segredo.ts';
import type { Sessao } from '../sessao.ts';
import { colunas, oQueMudou } from '../texto.ts';
import { comandosDoFreio } from './freio.ts';
import { comandosDeNotas } from './notas.ts';
import { comandosDeServicos } from './servicos.ts';

type Opcoes = DoProvedor & Digitados;

const DO_COMECO: Campos = {
  inscricao_estadual: 'inscrição estadual do provedor',
  crt: '1 Simples, 2 Simples acima do sublimite, 3 normal (padrão: 1)',
  sva_percentual: 'quanto de cada preço é SVA, em por cento',
  icms: 'ICMS da UF em por cento, de quem não é do Simples',
  serie: 'de quem já emitiu por outro programa: uma que ele não usa',
  proximo_numero: 'ou, na mesma série, o número depois do último dele',
};

/** Fields of the settings; an empty text clears one that may be empty. */
const DA_CONFIGURACAO: Campos = {
  automatica: 'sim ou nao: emite sozinho as notas das faturas novas',
  ambiente: 'homologacao ou producao',
  serie: 'de 0 a 999',
  proximo_numero: 'só para a frente',
  crt: '1 Simples, 2 Simples acima do sublimite, 3 normal',
  inscricao_estadual: 'inscrição estadual',
  cnpj: 'CNPJ, se não o do provedor',
  razao_social: 'razão social, se não a do provedor',
  nome_fantasia: 'nome fantasia',
  cep: 'CEP',
  logradouro: 'rua; com ele o endereço todo é o daqui',
  numero: 'número',
  complemento: 'complemento',
  bairro: 'bairro',
  cidade: 'cidade',
  uf: 'UF',
  municipio_codigo: 'código do IBGE, se a cidade não bastar',
  telefone: 'telefone',
  email: 'e-mail',
  sem_boleto: 'recusar, ou linha_fixa',
  linha_fixa: 'linha das faturas sem boleto, 47 ou 48 dígitos',
  cancelamento_horas: 'horas para cancelar, depois do mês da autorização',
  simultaneas: 'notas que vão à autoridade ao mesmo tempo, de 1 a 16',
  esquema: 'NT2025.001 ou NT2026.002',
  ibs_cbs: 'datas e alíquotas, em JSON; vazio: as do programa',
  autorizador: 'endereços da autoridade, em JSON; vazio: os da UF',
  informacoes: 'texto de todas as notas',
  responsavel: 'responsável técnico, em JSON; vazio: nenhum',
};

/** Those that may be empty: an empty text is none. */
const APAGAVEIS =
  /^(?!automatica$|ambiente$|serie$|proximo_numero$|crt$|sem_boleto$|cancelamento_horas$|simultaneas$|esquema$)/;

const comNulos = (dados: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(dados).map(([nome, valor]) => [nome, valor === '' && APAGAVEIS.test(nome) ? null : valor]),
  );

/** A PFX with its chain has some KiB. */
const MAIOR_PFX = 64 * 1024;

/** `malha nfcom …` */
export function comandosDeNfcom(programa: Command, sessao: Sessao): void {
  const nfcom = grupo(programa.command('nfcom')).description('notas fiscais de comunicação (NFCom)');

  comCampos(doProvedor(comando(nfcom.command('comecar'))), DO_COMECO)
    .usage('--provedor <id> --inscricao-estadual <ie> [opções]')
    .description('as três perguntas de quem é do Simples; serviços e tributos saem delas')
    .action(async (opcoes: Opcoes) => {
      await mudar(
        sessao,
        opcoes.provedor,
        async (_dominio, { configuracaoNfcom }) => configuracaoNfcom.comecar(camposDigitados(DO_COMECO, opcoes)),
        () => sessao.mostrar(opcoes.json, { provedor_id: opcoes.provedor }, ['Dados fiscais gravados.']),
      );
    });

  comCampos(doProvedor(comando(nfcom.command('configurar'))), DA_CONFIGURACAO)
    .usage('--provedor <id> [opções]')
    .description('muda o que se disser; sem nada, mostra como está e o que falta')
    .action(async (opcoes: Opcoes) => {
      const dados = comNulos(camposDigitados(DA_CONFIGURACAO, opcoes));
      if (Object.keys(dados).length === 0) return mostrarConfiguracao(sessao, opcoes);
      return mudar(
        sessao,
        opcoes.provedor,
        async (_dominio, { configuracaoNfcom }) => configuracaoNfcom.configurar(dados),
        (campos) => sessao.mostrar(opcoes.json, { campos }, [oQueMudou(campos)]),
      );
    });

  doProvedor(comando(nfcom.command('certificado')))
    .usage('[arquivo.pfx] --provedor <id> [opções]')
    .description('guarda o certificado A1; sem arquivo, mostra o que vale')
    .argument('[arquivo]', 'arquivo .pfx ou .p12')
    .option('--senha <arquivo>', 'arquivo com a senha; - lê a entrada padrão', '-')
    .option('--remover', 'esquece o certificado que vale')
    .action(async (arquivo: string | undefined, opcoes: DoProvedor & { senha: string; remover?: boolean }) => {
      if (opcoes.remover === true) {
        return mudar(
          sessao,
          opcoes.provedor,
          async (_dominio, { certificadoNfcom }) => certificadoNfcom.remover(),
          () => sessao.mostrar(opcoes.json, { removido: true }, ['Certificado removido.']),
        );
      }
      if (arquivo !== undefined) await guardarCertificado(sessao, arquivo, opcoes);
      return mostrarCertificado(sessao, opcoes);
    });

  doProvedor(comando(nfcom.command('contingencia')))
    .usage('--provedor <id> (--porque <texto> | --sair) [opções]')
    .description('emite sem resposta da autoridade, ou volta ao normal')
    .option('--porque <texto>', 'justificativa, de 15 a 256 letras')
    .option('--sair', 'volta à emissão normal')
    .action(async (opcoes: DoProvedor & { porque?: string; sair?: boolean }) => {
      const { porque: justificativa, sair = false } = opcoes;
      await mudar(
        sessao,
        opcoes.provedor,
        async (_dominio, { configuracaoNfcom }) =>
          sair ? configuracaoNfcom.sairDaContingencia() : configuracaoNfcom.entrarEmContingencia({ justificativa }),
        () => sessao.mostrar(opcoes.json, { contingencia: !sair }, [sair ? 'Emissão normal.' : 'Em contingência.']),
      );
    });

  doProvedor(comando(nfcom.command('seguir')))
    .usage('--provedor <id> [opções]')
    .description('segue já com o envio que está parado, depois de corrigido o que o parou')
    .action(async (opcoes: DoProvedor) => {
      await mudar(
        sessao,
        opcoes.provedor,
        async (_dominio, { nfcom: pedidos }) => pedidos.retomar(),
        () => sessao.mostrar(opcoes.json, { parado: false }, ['O envio segue.']),
      );
    });

  doProvedor(comando(nfcom.command('autorizadores')))
    .usage('--provedor <id> [opções]')
    .description('quem autoriza as notas do provedor, em que endereços, e como responde')
    .action(async (opcoes: DoProvedor) => {
      await sessao.comContainer(async (servicos) => {
        const [configuracao, fila] = await ler(servicos, opcoes.provedor, async ({ configuracaoNfcom }) =>
          Promise.all([configuracaoNfcom.buscar(), configuracaoNfcom.fila()]),
        );
        const { autorizador, ambiente } = configuracao;
        if (autorizador === null) throw new EntradaInvalida('uf: o provedor não diz a sua');
        const enderecos = Object.entries(autorizador[ambiente]);
        const parada = [
          ...(fila.pausa === null
            ? []
            : [`Pausado desde ${fila.pausa.desde.toISOString()}: ${fila.pausa.porque ?? 'sem motivo'}`]),
          ...(fila.paradaAte === null
            ? []
            : [`Parado até ${fila.paradaAte.toISOString()}: ${fila.motivo ?? fila.codigo ?? ''}`]),
          ...(fila.restos === null
            ? []
            : [`O que ficou de ${fila.restos.ambiente}: até ${fila.restos.ate.toISOString()}: ${fila.restos.motivo}`]),
        ];
        sessao.mostrar(opcoes.json, { nome: autorizador.nome, ambiente, enderecos: autorizador[ambiente], fila }, [
          `${autorizador.nome}, ${ambiente}; última situação ${fila.statusCodigo ?? 'não perguntada'}`,
          ...parada,
          ...colunas(enderecos),
        ]);
      });
    });

  comandosDoFreio(nfcom, sessao);
  comandosDeServicos(nfcom, sessao);
  comandosDeNotas(nfcom, sessao);
}

async function mostrarConfiguracao(sessao: Sessao, opcoes: DoProvedor): Promise<void> {
  await sessao.comContainer(async (servicos) => {
    const [configuracao, pendencias] = await ler(servicos, opcoes.provedor, async ({ configuracaoNfcom }) =>
      Promise.all([configuracaoNfcom.buscar(), configuracaoNfcom.pendencias()]),
    );
    const { emitente, ambiente, serie, proximoNumero, crt, automatica } = configuracao;
    const linhas: readonly (readonly [string, string])[] = [
      ['automatica', automatica ? 'sim' : 'não'],
      ['ambiente', ambiente],
      ['série', String(serie)],
      ['próximo número', String(proximoNumero)],
      ['CRT', String(crt)],
      ...Object.entries<string | null>({ ...emitente }).map(([nome, valor]): [string, string] => [nome, valor ?? '-']),
    ];
    sessao.mostrar(opcoes.json, { ...configuracao, pendencias }, [
      ...colunas(linhas),
      ...pendencias.map(({ mensagem }) => `Falta: ${mensagem}.`),
    ]);
  });
}

async function guardarCertificado(
  sessao: Sessao,
  arquivo: string,
  opcoes: DoProvedor & { readonly senha: string },
): Promise<void> {
  const senha = await lerSegredo('senha', opcoes.senha, sessao);
  const pfx = await buffer(createReadStream(arquivo, { end: MAIOR_PFX })).catch(() => {
    throw new EntradaInvalida(`certificado: não foi possível ler ${arquivo}`);
  });
  await sessao.comContainer(async ({ provedores, changeTenant, lerPfx }) => {
    const lido = await lerPfx(pfx, senha);
    const provedor = await provedores.exigirPorId(opcoes.provedor);
    await changeTenant(TERMINAL, provedor, async (_dominio, { certificadoNfcom }) =>
      certificadoNfcom.guardar({ pfx, senha, lido }),
    );
  });
}

async function mostrarCertificado(sessao: Sessao, opcoes: DoProvedor): Promise<void> {
  await sessao.comContainer(async (servicos) => {
    const certificado = await ler(servicos, opcoes.provedor, async ({ certificadoNfcom }) => certificadoNfcom.buscar());
    if (certificado === null) throw new Recusa('nao_encontrado', { dito: 'o provedor não tem certificado' });
    sessao.mostrar(opcoes.json, certificado, [
      `${certificado.titular}: até ${certificado.validoAte.toISOString()}, faltam ${certificado.diasRestantes} dias.`,
    ]);
  });
}
