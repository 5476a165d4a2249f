import type { ConfiguracaoNfcom } from '../../../../domain/nfcom/configuracao/configuracao.types.ts';
import type { TipoDeCampo } from '../../formulario/leitura.ts';
import { cepNoCampo, documentoNoCampo, telefoneNoCampo } from '../../formulario/pontuacao.ts';

export const ROTULOS_DO_COMECO = {
  inscricao_estadual: 'Inscrição estadual',
  crt: 'Regime tributário',
  sva_percentual: 'Quanto do preço é SVA (%)',
  icms: 'ICMS da UF (%)',
  serie: 'Série',
  proximo_numero: 'Próximo número',
};

export const ROTULOS = {
  automatica: 'Emitir sozinho as notas das faturas novas, todo dia',
  ambiente: 'Ambiente',
  inscricao_estadual: 'Inscrição estadual',
  crt: 'Regime tributário',
  informacoes: 'Texto que vai em todas as notas',
  serie: 'Série',
  proximo_numero: 'Próximo número',
  sem_boleto: 'Fatura sem boleto',
  linha_fixa: 'Linha digitável das faturas sem boleto',
  cancelamento_horas: 'Horas para cancelar, depois do fim do mês da autorização',
  simultaneas: 'Notas que vão à autoridade ao mesmo tempo',
  esquema: 'Versão do esquema',
  autorizados: 'Quem pode baixar as notas na autoridade (CPF ou CNPJ)',
  cnpj: 'CNPJ',
  razao_social: 'Razão social',
  nome_fantasia: 'Nome fantasia',
  cep: 'CEP',
  logradouro: 'Logradouro',
  numero: 'Número',
  complemento: 'Complemento',
  bairro: 'Bairro',
  cidade: 'Cidade',
  uf: 'UF',
  municipio_codigo: 'Código do município (IBGE)',
  telefone: 'Telefone',
  email: 'E-mail',
  'responsavel.cnpj': 'CNPJ do responsável técnico',
  'responsavel.contato': 'Contato',
  'responsavel.email': 'E-mail do contato',
  'responsavel.telefone': 'Telefone do contato',
  'responsavel.csrt.id': 'Identificador do CSRT',
  'responsavel.csrt.codigo': 'Código do CSRT',
  autorizador: 'Autorizador e endereços (JSON)',
  ibs_cbs: 'Datas e alíquotas de IBS e CBS (JSON)',
  cas_extras: 'Certificados de autoridades que também valem (PEM)',
} as const;

export const CAMPOS_DO_COMECO: Readonly<Record<string, TipoDeCampo>> = {
  inscricao_estadual: 'texto',
  crt: 'texto',
  sva_percentual: 'decimal',
  icms: 'decimal',
  serie: 'texto',
  proximo_numero: 'texto',
};

export const CAMPOS: Readonly<Record<string, TipoDeCampo>> = {
  automatica: 'caixa',
  ambiente: 'texto',
  inscricao_estadual: 'apagavel',
  crt: 'texto',
  informacoes: 'apagavel',
  serie: 'texto',
  proximo_numero: 'texto',
  sem_boleto: 'texto',
  linha_fixa: 'apagavel',
  cancelamento_horas: 'texto',
  simultaneas: 'texto',
  esquema: 'texto',
  autorizados: 'linhas',
  cnpj: 'apagavel',
  razao_social: 'apagavel',
  nome_fantasia: 'apagavel',
  cep: 'apagavel',
  logradouro: 'apagavel',
  numero: 'apagavel',
  complemento: 'apagavel',
  bairro: 'apagavel',
  cidade: 'apagavel',
  uf: 'apagavel',
  municipio_codigo: 'apagavel',
  telefone: 'apagavel',
  email: 'apagavel',
  'responsavel.cnpj': 'texto',
  'responsavel.contato': 'texto',
  'responsavel.email': 'texto',
  'responsavel.telefone': 'texto',
  'responsavel.csrt.id': 'texto',
  'responsavel.csrt.codigo': 'segredo',
  autorizador: 'apagavel',
  ibs_cbs: 'apagavel',
  cas_extras: 'apagavel',
  versao: 'texto',
};

const comPontuacao = (escrever: (guardado: string) => string, valor: string | null): string | null =>
  valor === null ? null : escrever(valor);

/** Written with punctuation or without, it is the same. */
const SEM_PONTUACAO = ['autorizados', 'cnpj', 'cep', 'telefone', 'responsavel.cnpj', 'responsavel.telefone'];

/** Whether what was typed says what stands. */
function mesmo(nome: string, digitado: unknown, atual: unknown): boolean {
  const limpo = (valor: unknown): string =>
    SEM_PONTUACAO.includes(nome) ? emTexto(valor).replaceAll(/[^\n\da-z]/gi, '') : emTexto(valor);
  return limpo(digitado) === limpo(atual);
}

/** The settings by the names of their form. What follows from the registration stands there too: sent back as it is, it is no setting. */
export function camposDa(configuracao: ConfiguracaoNfcom) {
  const { emitente, responsavel, ibsCbs } = configuracao;
  return {
    automatica: configuracao.automatica,
    ambiente: configuracao.ambiente,
    inscricao_estadual: emitente.inscricaoEstadual,
    crt: configuracao.crt,
    informacoes: configuracao.informacoes,
    serie: configuracao.serie,
    proximo_numero: configuracao.proximoNumero,
    sem_boleto: configuracao.semBoleto,
    linha_fixa: configuracao.linhaFixa,
    cancelamento_horas: configuracao.cancelamentoHoras,
    simultaneas: configuracao.simultaneas,
    esquema: configuracao.esquema,
    autorizados: configuracao.autorizados.map(documentoNoCampo).join('\n'),
    cnpj: comPontuacao(documentoNoCampo, emitente.cnpj),
    razao_social: emitente.razaoSocial,
    nome_fantasia: emitente.nomeFantasia,
    cep: comPontuacao(cepNoCampo, emitente.cep),
    logradouro: emitente.logradouro,
    numero: emitente.numero,
    complemento: emitente.complemento,
    bairro: emitente.bairro,
    cidade: emitente.cidade,
    uf: emitente.uf,
    municipio_codigo: emitente.municipioCodigo,
    telefone: comPontuacao(telefoneNoCampo, emitente.telefone),
    email: emitente.email,
    'responsavel.cnpj': comPontuacao(documentoNoCampo, responsavel?.cnpj ?? null),
    'responsavel.contato': responsavel?.contato ?? null,
    'responsavel.email': responsavel?.email ?? null,
    'responsavel.telefone': comPontuacao(telefoneNoCampo, responsavel?.telefone ?? null),
    'responsavel.csrt.id': responsavel?.csrtId ?? null,
    'responsavel.csrt.codigo': null,
    autorizador: configuracao.autorizadorProprio ? JSON.stringify(configuracao.autorizador, null, 1) : null,
    ibs_cbs: configuracao.ibsCbsProprio
      ? JSON.stringify(
          {
            desde: ibsCbs.desde,
            exigido_desde: ibsCbs.exigidoDesde,
            somado_desde: ibsCbs.somadoDesde,
            aliquotas: ibsCbs.aliquotas.map(({ desde, ibsUf, ibsMunicipio, cbs }) => ({
              desde,
              ibs_uf: String(ibsUf / 10_000),
              ibs_municipio: String(ibsMunicipio / 10_000),
              cbs: String(cbs / 10_000),
            })),
          },
          null,
          1,
        )
      : null,
    cas_extras: null,
  };
}

/** Where notes are sent, by which certificates that place is trusted, and whether they are real: who changes one of these proves who he is. */
const COM_PROVA = ['ambiente', 'autorizador', 'cas_extras'];

export const exigemProva = (novos: Readonly<Record<string, unknown>>): boolean =>
  COM_PROVA.some((nome) => Object.hasOwn(novos, nome));

/** An address is one thing: of a part that changed, all of it is said. */
const ENDERECO = ['cep', 'logradouro', 'numero', 'complemento', 'bairro', 'cidade', 'uf'];

/** What of a form differs from what stands: only that is set. */
export function mudados(
  configuracao: ConfiguracaoNfcom,
  dados: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { responsavel, ...simples } = dados;
  const atuais: Readonly<Record<string, unknown>> = camposDa(configuracao);
  const igual = (nome: string, valor: unknown): boolean =>
    mesmo(nome, valor, atuais[nome]) || (nome === 'cas_extras' && valor === null);
  const diferentes = Object.entries(simples).filter(([nome, valor]) => !igual(nome, valor));
  const mudouEndereco = diferentes.some(([nome]) => ENDERECO.includes(nome));
  const doEndereco = mudouEndereco ? Object.entries(simples).filter(([nome]) => ENDERECO.includes(nome)) : [];
  return {
    ...Object.fromEntries([...doEndereco, ...diferentes]),
    ...responsavelMudado(configuracao, atuais, objeto(responsavel)),
  };
}

/** The code of its CSRT is never shown: left empty, it stays. */
function responsavelMudado(
  { responsavel: antes }: ConfiguracaoNfcom,
  atuais: Readonly<Record<string, unknown>>,
  dito: Readonly<Record<string, unknown>>,
): object {
  if (Object.keys(dito).length === 0) return antes === null ? {} : { responsavel: null };
  const { csrt: oCsrt, ...dele } = dito;
  const { id, codigo } = objeto(oCsrt);
  const simples = Object.entries(dele);
  const mudou =
    simples.length < 4 ||
    simples.some(([nome, valor]) => !mesmo(`responsavel.${nome}`, valor, atuais[`responsavel.${nome}`])) ||
    emTexto(id) !== (antes?.csrtId ?? '') ||
    emTexto(codigo) !== '';
  return mudou ? { responsavel: dito } : {};
}

const objeto = (valor: unknown): Readonly<Record<string, unknown>> =>
  typeof valor === 'object' && valor !== null ? Object.fromEntries(Object.entries(valor)) : {};

const emTexto = (valor: unknown): string => {
  if (Array.isArray(valor)) return valor.join('\n');
  if (typeof valor === 'string') return valor.replaceAll('\r\n', '\n').trim();
  return typeof valor === 'number' || typeof valor === 'boolean' ? String(valor) : '';
};
