import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import type { Command } from 'commander';
import { centavos, escreverDinheiro } from '../../brazil/dinheiro/dinheiro.ts';
import { TERMINAL } from '../../domain/actor.ts';
import { EntradaInvalida } from '../../domain/erros.ts';
import { opcaoDe } from '../../domain/provedores/configuracao/configuracao.regras.ts';
import type { Campo, Mudancas } from '../../domain/provedores/configuracao/configuracao.regras.ts';
import type { Configuracao, Configurado } from '../../domain/provedores/configuracao/configuracao.types.ts';
import { avisosDasRegras } from '../../domain/provedores/configuracao/limites.regras.ts';
import { LOGO_MAXIMO_DE_BYTES } from '../../domain/provedores/configuracao/logo.regras.ts';
import { comando, inteiro } from '../comando.ts';
import type { Sessao } from '../sessao.ts';

const OPCOES: readonly (readonly [grupo: string, opcoes: readonly (readonly [opcao: string, descricao: string])[]])[] =
  [
    [
      'Provedor:',
      [
        ['--nome <nome>', 'nome do provedor'],
        ['--razao-social <nome>', 'nome de quem recebe, no boleto'],
        ['--cnpj <cnpj>', 'com pontuação ou sem'],
        ['--fuso <fuso>', 'fuso horário IANA, que decide que dia é hoje'],
      ],
    ],
    [
      'PIX (só há códigos com as três):',
      [
        ['--pix-chave <chave>', 'CPF, CNPJ, e-mail, chave aleatória, ou celular com +55'],
        ['--pix-nome <nome>', 'quem recebe, até 25 caracteres'],
        ['--pix-cidade <cidade>', 'onde, até 15 caracteres'],
      ],
    ],
    [
      'Cobrança:',
      [
        ['--multa <percentual>', 'de 0 a 2,00'],
        ['--juros <percentual>', 'ao mês, de 0 a 1,00; até 2,00 com --confirmar-juros'],
        ['--confirmar-juros', 'aceita juros acima de 1,00 ao mês, e o registra na auditoria'],
        ['--carencia <dias>', 'dias de atraso sem encargos, de 0 a 365'],
        ['--tolerancia-pix <dias>', 'dias antes do pagamento cujo valor ainda quita, de 0 a 7'],
        ['--excedente-credito <sim|nao>', 'o que se pagou a mais vira crédito da próxima fatura, por si'],
        ['--aviso-dias <dias>', 'quantos dias antes do vencimento a fatura se anuncia, de 0 (no dia) a 30'],
        ['--desbloqueio <sim|nao>', 'desbloqueio em confiança'],
        ['--desbloqueio-dias <dias>', 'quanto dura, de 1 a 90'],
        ['--promessa-dias <dias>', 'até quantos dias à frente vale uma promessa de pagamento, de 0 (nenhuma) a 30'],
        ['--banco <dígitos>', 'o banco dos boletos que levam a agência e a carteira, como 756'],
        ['--agencia-codigo <texto>', 'agência e código do beneficiário, como o banco os escreve no boleto'],
        ['--carteira <texto>', 'carteira do boleto'],
      ],
    ],
    [
      'API, de cada chave com restrições:',
      [
        ['--buscas-em-vao-por-hora <n>', 'buscas que não acham ninguém, de 1 a 100000; vazio: 30'],
        ['--clientes-por-hora <n>', 'clientes diferentes, de 1 a 100000; vazio: 300'],
      ],
    ],
    [
      'Endereço, no boleto:',
      [
        ['--cep <cep>', 'com pontuação ou sem'],
        ['--logradouro <texto>', 'rua ou avenida'],
        ['--numero <texto>', 'número'],
        ['--complemento <texto>', 'complemento'],
        ['--bairro <texto>', 'bairro'],
        ['--cidade <texto>', 'cidade'],
        ['--uf <uf>', 'sigla do estado, cujos feriados valem para encargos e bloqueios'],
      ],
    ],
    [
      'Páginas e boletos:',
      [
        ['--cor <cor>', "como '#164a8a', entre aspas"],
        ['--logo <arquivo>', 'PNG sem entrelaçamento ou JPEG, de até 32 KiB e 1024 × 1024 pixels'],
        ['--telefone <telefone>', 'com DDD'],
        ['--whatsapp <telefone>', 'com DDD'],
        ['--email <e-mail>', 'de atendimento'],
        ['--site <site>', 'host com caminho ou sem, como exemplo.com.br'],
      ],
    ],
  ];

type Opcoes = Omit<Mudancas, 'logo'> & { logo?: string; json?: boolean };

/** `malha provedor configurar` and `malha provedor mostrar` */
export function comandosDeConfiguracao(provedor: Command, sessao: Sessao): void {
  const configurar = comando(provedor.command('configurar'))
    .usage('<id> [opções]')
    .description('muda o que for dito, de uma vez ou nada; um valor vazio ("") apaga o que pode faltar')
    .argument('<id>', 'id do provedor', inteiro)
    .option('--json', 'responde em JSON');
  for (const [grupo, opcoes] of OPCOES) {
    configurar.optionsGroup(grupo);
    for (const [opcao, descricao] of opcoes) configurar.option(opcao, descricao);
  }
  configurar.action(async (id: number, { json, logo, ...digitados }: Opcoes) => {
    const mudancas = logo === undefined ? digitados : { ...digitados, logo: await lerArquivo(logo) };
    await sessao.comContainer(async ({ configuracao }) => {
      const feito = await configuracao.configurar(TERMINAL, id, mudancas);
      const ficou = await configuracao.buscar(id);
      const avisos = ficou === null ? [] : avisosDasRegras(ficou.provedor.regras);
      const valor = { id, mudados: feito.mudados.map(opcaoDe), pix_falta: feito.pixFalta.map(opcaoDe), avisos };
      sessao.mostrar(json, valor, [...linhasDe(id, feito), ...avisos.map(emAviso)]);
    });
  });

  comando(provedor.command('mostrar'))
    .usage('<id> [opções]')
    .description('mostra tudo o que um provedor tem configurado')
    .argument('<id>', 'id do provedor', inteiro)
    .option('--json', 'responde em JSON')
    .action(async (id: number, { json }: { json?: boolean }) => {
      await sessao.comContainer(async ({ configuracao }) => {
        const encontrada = await configuracao.buscar(id);
        if (encontrada === null) throw new EntradaInvalida(`provedor ${id} não existe`);
        const valor = apresentar(encontrada);
        const avisos = avisosDasRegras(encontrada.provedor.regras);
        const largura = Math.max(...Object.keys(valor).map((nome) => nome.length));
        const linhas = Object.entries(valor).map(([nome, dito]) => `${nome.padEnd(largura)}  ${emTexto(dito)}`);
        sessao.mostrar(json, { ...valor, avisos }, [...linhas, ...avisos.map(emAviso)]);
      });
    });
}

/** A file's first bytes, one more than a logo may have; null for no file. */
async function lerArquivo(caminho: string): Promise<Buffer | null> {
  if (caminho === '') return null;
  try {
    return await buffer(createReadStream(caminho, { end: LOGO_MAXIMO_DE_BYTES }));
  } catch {
    throw new EntradaInvalida(`logo: não foi possível ler o arquivo ${caminho}`);
  }
}

function linhasDe(id: number, { mudados, pixFalta }: Configurado): string[] {
  const lista = (campos: readonly Campo[]): string => campos.map(opcaoDe).join(', ');
  return [
    mudados.length === 0 ? `Provedor ${id}: nada mudou.` : `Provedor ${id} configurado: ${lista(mudados)}.`,
    ...(pixFalta.length === 0 ? [] : [`O PIX fica desligado enquanto faltar: ${lista(pixFalta)}.`]),
  ];
}

const emAviso = (aviso: string): string => `Aviso: ${aviso}.`;

type Dito = string | number | boolean | null | { readonly tipo: string; readonly bytes: number };

/** By the names of the columns, which are those of the audit log too. */
function apresentar({ provedor, identidade, conta, avisoDias }: Configuracao): Readonly<Record<string, Dito>> {
  const { regras } = provedor;
  const { pix, boleto } = conta;
  const { endereco, logo, suporte } = identidade;
  return {
    id: provedor.id,
    nome: provedor.nome,
    razao_social: identidade.razaoSocial,
    cnpj: provedor.cnpj,
    panel_host: provedor.panelHost,
    fuso_horario: provedor.fusoHorario,
    pix: conta.recebedor !== null,
    pix_chave: pix.chave,
    pix_nome: pix.nome,
    pix_cidade: pix.cidade,
    multa_percentual: escreverDinheiro(centavos(regras.multaPercentual)),
    juros_mensal_percentual: escreverDinheiro(centavos(regras.jurosMensalPercentual)),
    carencia_dias: regras.carenciaDias,
    tolerancia_pix_dias: regras.toleranciaPixDias,
    excedente_vira_credito: regras.excedenteViraCredito,
    aviso_dias: avisoDias,
    desbloqueio_habilitado: regras.desbloqueioHabilitado,
    desbloqueio_dias: regras.desbloqueioDias,
    promessa_dias: regras.promessaDias,
    buscas_em_vao_por_hora: provedor.buscas.emVaoPorHora,
    clientes_por_hora: provedor.buscas.clientesPorHora,
    boleto_banco: boleto.banco,
    boleto_agencia_codigo: boleto.agenciaCodigo,
    boleto_carteira: boleto.carteira,
    cep: endereco.cep,
    logradouro: endereco.logradouro,
    numero: endereco.numero,
    complemento: endereco.complemento,
    bairro: endereco.bairro,
    cidade: endereco.cidade,
    uf: endereco.uf,
    cor: identidade.cor,
    logo: logo === null ? null : { tipo: logo.tipo, bytes: logo.bytes.length },
    telefone: suporte.telefone,
    whatsapp: suporte.whatsapp,
    email: suporte.email,
    site: suporte.site,
  };
}

function emTexto(dito: Dito): string {
  if (dito === null) return '-';
  if (typeof dito === 'boolean') return dito ? 'sim' : 'nao';
  return typeof dito === 'object' ? `${dito.tipo}, ${dito.bytes} bytes` : String(dito);
}
