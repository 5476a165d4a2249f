import { createHash, randomBytes } from 'node:crypto';
import { setImmediate as pausa } from 'node:timers/promises';
import { palavrasDe } from '../src/domain/clientes/palavras/palavras.regras.ts';
import { digitosCnpj } from '../src/brazil/pessoa/cpf-cnpj.ts';
import { centavos, escreverDinheiro } from '../src/brazil/dinheiro/dinheiro.ts';
import { toDatabaseTime } from '../src/platform/mysql/database.ts';
import type { Db } from '../src/platform/mysql/database.ts';
import type { Threads } from '../src/platform/threads/threads.ts';
import type { CodigosDePagamento, LoteDeCodigos } from '../workers/threads/codigos-de-pagamento.ts';
import { linhasDeAvisos } from './avisos.ts';
import { EQUIPE } from './assuntos.ts';
import { createCalendario, DIA } from './calendario.ts';
import type { Calendario } from './calendario.ts';
import { gerarChamados } from './chamados.ts';
import { gerarClientes } from './clientes.ts';
import { gerarContratos } from './contratos.ts';
import { gerarConciliacao } from './conciliacao.ts';
import { gerarDesbloqueios } from './desbloqueios.ts';
import { gerarFaturas } from './faturas.ts';
import { createGravador } from './gravador.ts';
import type { FaturaGerada, Linha, LinhaCliente } from './modelo.ts';
import type { PerfilDemo } from './perfis.ts';
import { baixasRecentes } from './pagamentos.ts';
import { gerarPromessas, numerar } from './protocolos.ts';
import { createPessoas, semAcentos } from './pessoas.ts';
import { BLOQUEIO, gerarRadius, grupoDoPlano } from './radius.ts';
import { gerarSessoes } from './sessoes.ts';
import { createSorteio } from './sorteio.ts';
import { gerarTrafego } from './trafego.ts';

const FATURAS_POR_LOTE = 4000;
const PERFIS_DA_EQUIPE = ['administrador', 'atendimento', 'financeiro', 'tecnico'];

/**
 * Makes and writes a whole provider, in the caller's transaction. Resolves to its id and the number of rows of each
 * table.
 */
export async function carregarProvedor(
  trx: Db,
  perfil: PerfilDemo,
  { agora, threads }: { agora: Date; threads: Threads },
): Promise<{ provedorId: number; linhas: Record<string, number> }> {
  const calendario = createCalendario(perfil.fuso, agora);
  const sorteio = createSorteio(perfil.semente);
  const pessoas = createPessoas(sorteio, perfil.semente);
  const deps = { perfil, calendario, sorteio, pessoas };
  const { clientes, telefones } = gerarClientes(deps);
  // The process that this prepares shall give signs of life meanwhile; see gerarFaturas.
  await pausa();
  const contratos = gerarContratos(deps, clientes);
  const { faturas, carnes } = await gerarFaturas(deps, clientes, contratos);
  // The threads work while the database takes in the rest; a failure of theirs before the await below must find a
  // handler.
  const codigos = calcularCodigos(threads, perfil, calendario, faturas);
  codigos.catch(() => undefined);

  const [provedorId = 0] = await trx('provedores').insert({
    nome: perfil.nome,
    panel_host: perfil.panelHost,
    fuso_horario: perfil.fuso,
    cnpj: perfil.cnpjBase + digitosCnpj(perfil.cnpjBase),
    pix_chave: perfil.pix.chave,
    pix_nome: perfil.pix.nome,
    pix_cidade: perfil.pix.cidade,
    demonstracao: 1,
  });
  const gravador = await createGravador(trx, provedorId);
  const linhas: Record<string, number> = {};
  async function gravar(tabela: string, lista: readonly Linha[], referencias = {}): Promise<number[]> {
    linhas[tabela] = lista.length;
    return gravador.doProvedor(tabela, lista, referencias);
  }
  async function gravarSemProvedor(tabela: string, lista: readonly Linha[]): Promise<void> {
    linhas[tabela] = lista.length;
    await gravador.semProvedor(tabela, lista);
  }

  const { regras } = perfil;
  await gravar('regras_cobranca', [
    {
      multa_percentual: escreverDinheiro(centavos(regras.multaPercentual)),
      juros_mensal_percentual: escreverDinheiro(centavos(regras.jurosMensalPercentual)),
      carencia_dias: regras.carenciaDias,
      tolerancia_pix_dias: regras.toleranciaPixDias,
      excedente_vira_credito: regras.excedenteViraCredito ? 1 : 0,
      desbloqueio_habilitado: regras.desbloqueioHabilitado ? 1 : 0,
      desbloqueio_dias: regras.desbloqueioDias,
      promessa_dias: regras.promessaDias,
    },
  ]);
  await gravar('provedores_identidade', [linhaDaIdentidade(perfil)]);
  const pop_id = await gravar('pops', perfil.pops);
  await gravar(
    'provedores_nas',
    perfil.nas.map((nasipaddress, pop) => ({ nasipaddress, pop_id: pop })),
    { pop_id },
  );
  await gravar('usuarios', linhasDaEquipe());
  const planos = await gravar('planos', linhasDePlanos(perfil));
  const idsClientes = await gravar('clientes', clientes);
  const cliente_id = idsClientes;
  await gravar('clientes_telefones', telefones, { cliente_id });
  await gravar(
    'clientes_palavras',
    clientes.flatMap(({ nome, nome_fantasia: fantasia }, cliente) =>
      palavrasDe(nome, fantasia).map((palavra) => ({ palavra, cliente_id: cliente })),
    ),
    { cliente_id },
  );
  const contrato_id = await gravar(
    'contratos',
    contratos.map(({ linha }) => linha),
    { cliente_id, plano_id: planos },
  );
  const { chamados: semNumero, historico } = gerarChamados(deps, clientes, contratos);
  const linhasDosContratos = contratos.map(({ linha }) => linha);
  const { chamados, atendimentos, dias } = numerar(calendario, semNumero, { contratos: linhasDosContratos });
  const chamado_id = await gravar('chamados', chamados, { cliente_id, contrato_id });
  await gravar('chamados_historico', historico, { chamado_id });
  await gravar('atendimentos', atendimentos, { cliente_id, contrato_id, chamado_id });
  await gravar('protocolos_dias', dias);
  await gravar('convites', linhasDeConvites(clientes, agora), { cliente_id, plano_id: planos });

  const prontos = await codigos;
  const conciliacao = gerarConciliacao(faturas, agora);
  const comCodigos = faturas.map(({ linha }, i) => {
    const { pixCopiaCola = null, linhaDigitavel = null, codigoBarras = null } = prontos[i] ?? {};
    const pago = conciliacao.aMais?.fatura === i ? { valor_pago: conciliacao.aMais.valorPago } : {};
    return {
      ...linha,
      ...pago,
      pix_copia_cola: pixCopiaCola,
      linha_digitavel: linhaDigitavel,
      codigo_barras: codigoBarras,
    };
  });
  const carne_id = await gravar('carnes', carnes, { cliente_id });
  const fatura_causa_id = await gravar('faturas', comCodigos, { cliente_id, contrato_id, carne_id });
  await gravar('recebimentos_manuais', baixasRecentes(faturas, agora), { fatura_id: fatura_causa_id });
  const pix_id = await gravar('pix_recebidos', conciliacao.soltos);
  await gravar('pix_devolucoes', [{ ...conciliacao.devolucao, recebido_id: 1 }], { recebido_id: pix_id });
  await gravar('devolucoes_pedidas', [{ ...conciliacao.pedida, pix_id: 1 }], { pix_id });
  if (conciliacao.aMais !== null) {
    const { fatura, pix, lancamento } = conciliacao.aMais;
    await gravar('pix_recebidos', [{ ...pix, fatura_id: fatura }], { fatura_id: fatura_causa_id });
    await gravar('faturas_lancamentos', [{ ...lancamento, fatura_id: fatura }], { fatura_id: fatura_causa_id });
  }
  await gravar('promessas_pagamento', gerarPromessas(calendario, faturas), { cliente_id, contrato_id });
  const cobranca = gerarDesbloqueios(deps, contratos, faturas);
  await gravar('contratos_historico', cobranca.historico, { contrato_id });
  await gravar('desbloqueios_confianca', cobranca.desbloqueios, { contrato_id, fatura_causa_id });

  // Whoever has said what being blocked means (a network of notices, perhaps) keeps it.
  const { groupname } = BLOQUEIO;
  const ditos = ['radgroupcheck', 'radgroupreply'].map((tabela) => trx(tabela).where({ groupname }).select('id'));
  if ((await Promise.all(ditos)).flat().length === 0) await gravarSemProvedor('radgroupcheck', [BLOQUEIO]);
  for (const [tabela, lista] of gerarRadius(perfil, contratos)) await gravarSemProvedor(tabela, lista);
  const sessoes = gerarSessoes(deps, contratos);
  await gravarSemProvedor('radacct', sessoes);
  // To the triggers, all that the open sessions have moved since they began has just been told.
  await trx('trafego_mudancas')
    .whereIn('nasipaddress', [...perfil.nas])
    .delete();
  // The last contract: scenarios are looked for from the first on.
  const { cidade = null, bairro = null } = contratos.at(-1)?.linha ?? {};
  const { avisos, alvos } = linhasDeAvisos({ agora, nas: perfil.nas[0] ?? '', lugar: { cidade, bairro } });
  const aviso_id = await gravar('avisos_de_rede', avisos);
  await gravar('avisos_de_rede_alvos', alvos, { aviso_id });
  const { diario, horario } = gerarTrafego(sessoes, contratos, perfil.fuso, agora);
  await gravar('trafego_diario', diario, { contrato_id });
  await gravar('trafego_horario', horario);
  return { provedorId, linhas };
}

async function calcularCodigos(
  threads: Threads,
  perfil: PerfilDemo,
  { hoje }: Calendario,
  faturas: readonly FaturaGerada[],
): Promise<CodigosDePagamento[]> {
  const { pix: recebedor, banco, regras } = perfil;
  const lotes: Promise<CodigosDePagamento[]>[] = [];
  for (let i = 0; i < faturas.length; i += FATURAS_POR_LOTE) {
    const lote: LoteDeCodigos = {
      recebedor,
      banco,
      regras,
      hoje,
      faturas: faturas.slice(i, i + FATURAS_POR_LOTE).map(({ linha, valor, campoLivre }) => ({
        valor,
        vencimento: linha.vencimento,
        aberta: linha.situacao === 'vencida' || linha.situacao === 'pendente',
        txid: linha.pix_txid,
        campoLivre,
      })),
    };
    lotes.push(threads.run<LoteDeCodigos, CodigosDePagamento[]>('codigos-de-pagamento', lote));
  }
  return (await Promise.all(lotes)).flat();
}

function linhaDaIdentidade({ identidade: { logo, ...resto } }: PerfilDemo): Linha {
  return { ...resto, logo: Buffer.from(logo, 'base64'), logo_tipo: 'image/png' };
}

function linhasDaEquipe(): Linha[] {
  return EQUIPE.map((nome, i) => ({
    nome,
    email: `${semAcentos(nome).replaceAll(' ', '.')}@example.com`,
    perfil: PERFIS_DA_EQUIPE[i] ?? 'atendimento',
  }));
}

function linhasDePlanos(perfil: PerfilDemo): Linha[] {
  return perfil.planos.map(({ nome, download, upload, valor, tecnologia, descricao, ativo }) => ({
    nome,
    download_mbps: download,
    upload_mbps: upload,
    valor: escreverDinheiro(centavos(valor)),
    tecnologia,
    descricao,
    grupo_radius: grupoDoPlano(perfil, nome),
    ativo: ativo ? 1 : 0,
  }));
}

/** An invite of each state; the text of their links exists nowhere. */
function linhasDeConvites(clientes: readonly LinhaCliente[], agora: Date): Linha[] {
  const usadoPor = clientes.findIndex(({ situacao }) => situacao === 'pre_cadastro');
  const em = (dias: number): string => toDatabaseTime(new Date(agora.getTime() + dias * DIA));
  const convite = (situacao: string, criado: number, usado: number | null, plano: number | null): Linha => ({
    token_hash: createHash('sha256').update(randomBytes(32)).digest(),
    plano_id: plano,
    dia_vencimento: plano === null ? null : 10,
    situacao,
    expira_em: em(criado + 7),
    usado_em: usado === null ? null : em(usado),
    cliente_id: usado === null || usadoPor < 0 ? null : usadoPor,
    criado_em: em(criado),
  });
  return [
    convite('expirado', -30, null, 0),
    convite('usado', -4, -3, 1),
    convite('aberto', -2, null, 2),
    convite('aberto', -1, null, null),
  ];
}
