import { cpfCnpjValido } from '../pessoa/cpf-cnpj.ts';
import { chaveValida } from './base/chave.ts';
import type { Conferencia } from './base/conferencia.ts';
import { dataDe } from './base/data-hora.ts';
import { conferirMunicipio, escreverEndereco } from './endereco.ts';
import type { Assinante, Contingencia, DadosDaNota, Destinatario, Emitente, Finalidade } from './base/nota.types.ts';
import { CODIGO_DA_UF } from './base/ufs.ts';
import { escapar, tag, tagOpcional } from './base/xml.ts';

/** What stands in place of the addressee's name in homologação. */
const NOME_EM_HOMOLOGACAO = 'NFCom EMITIDA EM AMBIENTE DE HOMOLOGACAO - SEM VALOR FISCAL';

const FINALIDADE = { normal: 0, substituicao: 3, ajuste: 4 } as const;
const JUSTIFICATIVA = { minimo: 15, maximo: 256 };

/** ide: what identifies the note. `digito` is the last of its key. */
export function escreverIde(c: Conferencia, dados: DadosDaNota, digito: string): string {
  const { serie, numero, finalidade, contingencia, emitente } = dados;
  conferirIdentificacao(c, dados);
  const programa = c.texto(dados.programa, { campo: 'programa', rotulo: 'O nome do programa', minimo: 1, maximo: 20 });
  const ufEmitente = CODIGO_DA_UF.get(emitente.endereco.uf);
  const municipio = dados.municipioDoServico;
  // The service may be used in another UF than the emitter's, so only the form is known.
  conferirMunicipio(c, municipio, undefined, 'municipioDoServico', 'do serviço');
  return tag(
    'ide',
    tag('cUF', ufEmitente ?? '') +
      tag('tpAmb', dados.ambiente) +
      tag('mod', 62) +
      tag('serie', serie) +
      tag('nNF', numero) +
      tag('cNF', dados.codigoNumerico) +
      tag('cDV', digito) +
      tag('dhEmi', dados.emissao) +
      tag('tpEmis', contingencia === null ? 1 : 2) +
      tag('nSiteAutoriz', dados.siteAutorizador) +
      tag('cMunFG', municipio ?? '') +
      tag('finNFCom', FINALIDADE[finalidade.tipo]) +
      tag('tpFat', 0) +
      tag('verProc', escapar(programa)) +
      (finalidade.tipo === 'ajuste' && finalidade.entrada ? tag('indNotaEntrada', 1) : '') +
      (contingencia === null ? '' : escreverContingencia(c, contingencia, finalidade)),
  );
}

function conferirIdentificacao(c: Conferencia, dados: DadosDaNota): void {
  const { serie, numero, siteAutorizador: site } = dados;
  const entre = (n: number, menor: number, maior: number): boolean =>
    Number.isSafeInteger(n) && n >= menor && n <= maior;
  const errada = (certo: boolean, campo: string, mensagem: string): boolean =>
    c.conferir(certo, 'identificacao_invalida', campo, mensagem);
  errada(entre(serie, 0, 999), 'serie', 'A série vai de 0 a 999.');
  errada(entre(numero, 1, 999_999_999), 'numero', 'O número vai de 1 a 999999999.');
  errada(entre(site, 0, 9), 'siteAutorizador', 'O site autorizador é um algarismo.');
  errada(/^\d{7}$/.test(dados.codigoNumerico), 'codigoNumerico', 'O código numérico tem 7 algarismos.');
  errada(dataDe(dados.emissao) !== null, 'emissao', 'A data e a hora da emissão não são válidas.');
  errada(
    /^https?:\/\/[!-~]+$/.test(dados.enderecoDoQr) && !/[?&<>]/.test(dados.enderecoDoQr),
    'enderecoDoQr',
    'O endereço da consulta por QR code precisa ser um endereço http sem parâmetros.',
  );
}

function escreverContingencia(c: Conferencia, { desde, justificativa }: Contingencia, finalidade: Finalidade): string {
  const { tipo } = finalidade;
  c.conferir(tipo === 'normal', 'finalidade_incoerente', 'contingencia', 'Só uma nota normal é de contingência.');
  c.conferir(dataDe(desde) !== null, 'identificacao_invalida', 'contingencia.desde', 'Falta desde quando.');
  const motivo = c.texto(justificativa, {
    campo: 'contingencia.justificativa',
    rotulo: 'A justificativa da contingência',
    ...JUSTIFICATIVA,
  });
  return tag('dhCont', desde) + tag('xJust', escapar(motivo));
}

export function escreverEmitente(c: Conferencia, emitente: Emitente): string {
  const { cnpj, inscricaoEstadual: ie } = emitente;
  const valido = cnpj.length === 14 && cpfCnpjValido(cnpj);
  c.conferir(valido, 'documento_invalido', 'emitente.cnpj', 'O CNPJ do emitente não é válido.');
  c.conferir(
    /^\d{2,14}$/.test(ie),
    'inscricao_estadual_invalida',
    'emitente.inscricaoEstadual',
    'A inscrição estadual do emitente tem de 2 a 14 algarismos.',
  );
  const nome = c.texto(emitente.razaoSocial, {
    campo: 'emitente.razaoSocial',
    rotulo: 'A razão social do emitente',
    minimo: 2,
    maximo: 60,
  });
  const fantasia = c.textoOpcional(emitente.nomeFantasia, {
    campo: 'emitente.nomeFantasia',
    rotulo: 'O nome fantasia do emitente',
    maximo: 60,
  });
  return tag(
    'emit',
    tag('CNPJ', cnpj) +
      tag('IE', ie) +
      tag('CRT', emitente.crt) +
      tag('xNome', escapar(nome)) +
      tagOpcional('xFant', fantasia) +
      tag('enderEmit', escreverEndereco(c, emitente.endereco, 'emitente.endereco', 'do emitente')),
  );
}

/** In homologação the name is not the client's own; all the same it must be one that a note can have. */
export function escreverDestinatario(c: Conferencia, destinatario: Destinatario, emHomologacao: boolean): string {
  const { documento, indicadorIe, inscricaoEstadual: ie } = destinatario;
  const nome = c.texto(destinatario.nome, {
    campo: 'destinatario.nome',
    rotulo: 'O nome do cliente',
    minimo: 2,
    maximo: 60,
  });
  if (documento === null || documento === '') {
    c.recusar('sem_documento', 'destinatario.documento', 'O cliente não tem CPF nem CNPJ.');
  } else {
    const certo = cpfCnpjValido(documento);
    c.conferir(certo, 'documento_invalido', 'destinatario.documento', 'O CPF ou CNPJ do cliente não é válido.');
  }
  conferirInscricao(c, destinatario);
  const municipal = c.textoOpcional(destinatario.inscricaoMunicipal, {
    campo: 'destinatario.inscricaoMunicipal',
    rotulo: 'A inscrição municipal do cliente',
    maximo: 15,
    inteiro: true,
  });
  return tag(
    'dest',
    tag('xNome', escapar(emHomologacao ? NOME_EM_HOMOLOGACAO : nome)) +
      tag(documento?.length === 11 ? 'CPF' : 'CNPJ', documento ?? '') +
      tag('indIEDest', indicadorIe) +
      tagOpcional('IE', ie) +
      tagOpcional('IM', municipal) +
      tag('enderDest', escreverEndereco(c, destinatario.endereco, 'destinatario.endereco', 'do cliente')),
  );
}

/** Rules 427 to 431: who contributes has a registration, who does not has none. */
function conferirInscricao(c: Conferencia, { indicadorIe, inscricaoEstadual: ie }: Destinatario): void {
  const campo = 'destinatario.inscricaoEstadual';
  const temIe = ie !== null && ie !== '';
  if (indicadorIe === 1) {
    const certa = temIe && /^\d{2,14}$/.test(ie);
    c.conferir(certa, 'inscricao_estadual_invalida', campo, 'Quem contribui com ICMS tem inscrição estadual.');
  } else {
    c.conferir(!temIe, 'inscricao_estadual_invalida', campo, 'Quem não contribui com ICMS não tem inscrição estadual.');
  }
}

export function escreverAssinante(c: Conferencia, assinante: Assinante): string {
  const codigo = c.texto(assinante.codigo, {
    campo: 'assinante.codigo',
    rotulo: 'O código do assinante',
    minimo: 1,
    maximo: 30,
    inteiro: true,
    semBrancos: true,
  });
  const contrato = c.texto(assinante.contrato, {
    campo: 'assinante.contrato',
    rotulo: 'O número do contrato',
    minimo: 1,
    maximo: 20,
    inteiro: true,
    semBrancos: true,
  });
  return tag(
    'assinante',
    tag('iCodAssinante', escapar(codigo)) +
      tag('tpAssinante', assinante.tipo) +
      tag('tpServUtil', assinante.servico) +
      tag('nContrato', escapar(contrato)) +
      tag('dContratoIni', assinante.inicioDoContrato) +
      tagOpcional('dContratoFim', assinante.fimDoContrato),
  );
}

/** gSub, of a substitution alone. */
export function escreverSubstituicao(c: Conferencia, finalidade: Finalidade): string {
  if (finalidade.tipo !== 'substituicao') return '';
  const { chave, motivo } = finalidade;
  const certa = chaveValida(chave);
  c.conferir(certa, 'finalidade_incoerente', 'finalidade.chave', 'A chave da nota substituída não é válida.');
  return tag('gSub', tag('chNFCom', chave) + tag('motSub', motivo));
}
