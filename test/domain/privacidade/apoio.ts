import { randomBytes } from 'node:crypto';
import type { Api } from '../../support/api.ts';
import type { Fabrica } from '../../support/fabrica.ts';

/** In every text that is the person's own. */
const NOME = 'Zenobia';
const DOCUMENTO = '98765432100';
export const MARCA = new RegExp(`${NOME}|${DOCUMENTO}`, 'i');

/** Tables that a client's, a contract's, an invoice's or a ticket's id leads to, or a login, and those of clients and of imported files. */
export async function tabelasDeTitular(api: Api): Promise<string[]> {
  const [tabelas = []] = await api.dono.raw<{ tabela: string }[][]>(
    `SELECT DISTINCT c.table_name AS tabela FROM information_schema.columns c
       JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
      WHERE c.table_schema = DATABASE() AND t.table_type = 'BASE TABLE'
        AND (c.column_name IN ('cliente_id', 'contrato_id', 'fatura_id', 'chamado_id', 'recebido_id', 'login', 'username', 'acesso_id', 'sessao_id', 'dispositivo_id')
             OR c.table_name IN ('app_acessos', 'clientes', 'importacao_arquivos'))`,
  );
  return tabelas.map(({ tabela }) => tabela).toSorted();
}

/** A cancelled client with something everywhere, whose own texts all bear the mark: cancelled and last charged in November of 2026. */
export async function criarTitular(api: Api, fabrica: Fabrica, provedor: number) {
  const plano = await fabrica.plano(provedor);
  const cliente = await fabrica.cliente(provedor, {
    nome: `${NOME} da Silva`,
    cpf_cnpj: DOCUMENTO,
    email: `${NOME}@example.com`,
    data_nascimento: '1980-01-31',
    logradouro: `Rua ${NOME}`,
    codigo_externo: `ixc:${NOME}${provedor}`,
    situacao: 'cancelado',
  });
  await api.dono('app_documentos').insert({ provedor_id: provedor, cpf_cnpj: DOCUMENTO });
  await fabrica.telefone(provedor, { cliente_id: cliente });
  const agora = '2026-11-19 12:00:00.000';
  await api.dono('correio_pedidos').insert({
    provedor_id: provedor,
    origem: 'seguranca',
    chave: `titular.${cliente}`,
    cliente_id: cliente,
    para: `${NOME}@example.com`,
    assunto: `Senha do app de ${NOME}`,
    texto: `Olá, ${NOME}.`,
    proxima_em: agora,
    expira_em: agora,
    criado_em: agora,
  });
  const [acesso_id] = await api.dono('app_acessos').insert({ provedor_id: provedor, cpf_cnpj: DOCUMENTO });
  const [sessao_id] = await api.dono('app_sessoes').insert({
    provedor_id: provedor,
    acesso_id,
    aparelho: `Telefone de ${NOME}`,
    rede: '203.0.113.9',
    criada_em: agora,
    limite_em: agora,
    usada_em: '2026-11-19',
    vale_ate: agora,
  });
  await api.dono('app_tokens').insert({
    provedor_id: provedor,
    sessao_id,
    geracao: 1,
    nonce: randomBytes(32),
    refresh_hash: randomBytes(32),
    access_hash: randomBytes(32),
    criado_em: agora,
    access_ate: agora,
    refresh_ate: agora,
  });
  const [dispositivo_id] = await api.dono('push_dispositivos').insert({
    provedor_id: provedor,
    acesso_id,
    sessao_id,
    tipo: 'fcm',
    token_hash: randomBytes(32),
    token: Buffer.from('x'),
    plataforma: 'android',
    silenciados: '[]',
    visto_em: agora,
    criado_em: agora,
  });
  await api.dono('push_envios').insert({
    provedor_id: provedor,
    dispositivo_id,
    tipo: 'mensagem',
    chave: 'mensagem:1',
    titulo: 'Mensagem',
    texto: `Olá, ${NOME}`,
    dados: '{}',
    dia: '2026-11-19',
    proxima_em: agora,
    expira_em: agora,
    criado_em: agora,
  });
  await api.dono('app_codigos').insert({
    provedor_id: provedor,
    acesso_id,
    canal: 'email',
    codigo_hmac: randomBytes(32),
    criado_em: agora,
    expira_em: agora,
  });
  await api.dono('clientes_emails_anteriores').insert({
    provedor_id: provedor,
    cliente_id: cliente,
    email: `${NOME}.antes@example.com`,
    trocado_em: agora,
  });
  const login = `${NOME}${provedor}`;
  const contrato = await fabrica.contrato(provedor, {
    cliente_id: cliente,
    plano_id: plano,
    situacao: 'cancelado',
    login,
    ip: '100.64.3.9',
    motivo: `${NOME} mudou-se`,
    logradouro: `Rua ${NOME}`,
    codigo_externo: `ixc:c${NOME}${provedor}`,
    cancelado_em: '2026-11-01 15:00:00.000',
    criado_em: '2025-01-10 12:00:00.000',
  });
  // The line's password, as FreeRADIUS has it and as an import brought it.
  await api.dono('radcheck').insert({ username: login, attribute: 'Cleartext-Password', op: ':=', value: `${NOME}!9` });
  await api.dono('radusergroup').insert({ username: login, groupname: 'retirado', priority: 0 });
  await api.dono('importacao_senhas').insert({
    provedor_id: provedor,
    contrato_id: contrato,
    senha: Buffer.from(NOME),
    criado_em: '2026-11-01 15:00:00.000',
  });
  await api.dono('contratos_historico').insert({
    provedor_id: provedor,
    contrato_id: contrato,
    acao: 'cancelado',
    descricao: `Cancelado. Motivo: ${NOME} mudou-se`,
  });
  await fabrica.desbloqueio(provedor, {
    contrato_id: contrato,
    motivo: `${NOME} prometeu`,
    ate: '2026-11-04 02:59:59.999',
    encerrado_em: '2026-11-04 02:59:59.999',
  });
  const paga = await fabrica.fatura(provedor, {
    cliente_id: cliente,
    contrato_id: contrato,
    situacao: 'paga',
    descricao: `Mudança de ${NOME}`,
    valor_pago: '99.90',
    pago_em: '2026-11-09 12:00:00.000',
    codigo_externo: `ixc:f${NOME}${provedor}`,
  });
  await api.dono('nfcom').insert({
    provedor_id: provedor,
    fatura_id: paga,
    cliente_id: cliente,
    ambiente: 'producao',
    situacao: 'autorizada',
    valor: '99.90',
    emitida_em: '2026-11-09 12:00:00.000',
    motivo: `Autorizado o uso, ${NOME}`,
    xml_autorizado: `<xNome>${NOME}</xNome>`,
  });
  await api.dono('nfcom_clientes').insert({
    provedor_id: provedor,
    cliente_id: cliente,
    inscricao_estadual: '0012345678901',
  });
  // What was cancelled asked for nothing, however late it was due.
  await fabrica.fatura(provedor, {
    cliente_id: cliente,
    situacao: 'cancelada',
    vencimento: '2030-01-10',
    motivo: `${NOME} pediu`,
  });
  await fabrica.fatura(provedor, { cliente_id: cliente, situacao: 'paga', vencimento: '2020-01-10' });
  const [recebido = 0] = await api.dono('pix_recebidos').insert({
    provedor_id: provedor,
    fatura_id: paga,
    end_to_end_id: `E${String(provedor).padStart(31, '0')}`,
    valor: '99.90',
    pago_em: '2026-11-09 12:00:00.000',
    criado_em: '2026-11-09 12:00:00.000',
  });
  const comum = { provedor_id: provedor, autor: 'equipe' };
  const em = '2026-11-09 12:00:00.000';
  await api.dono('recebimentos_manuais').insert({
    ...comum,
    fatura_id: paga,
    forma: 'dinheiro',
    valor: '1.00',
    pago_em: em,
    criado_em: em,
    observacao: `${NOME} pagou no balcão`,
  });
  const [cobrador] = await api.dono('cobradores').insert({ provedor_id: provedor, nome: 'Banco', padrao: 0 });
  await api.dono('boletos_recebidos').insert({
    provedor_id: provedor,
    fatura_id: paga,
    cobrador_id: cobrador,
    chave: '001',
    nosso_numero: '1',
    valor: '1.00',
    pago_no_dia: '2026-11-09',
    pago_em: em,
    linha: 1,
    criado_em: em,
  });
  await api.dono('devolucoes_pedidas').insert({
    ...comum,
    meio: 'pix',
    pix_id: recebido,
    fatura_id: paga,
    devolucao: 'a'.repeat(32),
    valor: '1.00',
    situacao: 'nao_realizada',
    motivo: `${NOME} pediu`,
    pedida_em: em,
  });
  await api.dono('faturas_ajustes').insert({
    ...comum,
    fatura_id: paga,
    tipo: 'desconto',
    valor: '1.00',
    dado_em: em,
    criado_em: em,
    motivo: `${NOME} pediu`,
  });
  const [renegociacao] = await api.dono('renegociacoes').insert({
    ...comum,
    cliente_id: cliente,
    devido: '99.90',
    desconto: '0.00',
    criada_em: em,
    motivo: `${NOME} pediu`,
  });
  await api
    .dono('renegociacoes_faturas')
    .insert({ provedor_id: provedor, renegociacao_id: renegociacao, fatura_id: paga, papel: 'origem' });
  const chamados: number[] = [];
  for (const fechado_em of ['2020-05-01 12:00:00.000', '2026-11-02 12:00:00.000']) {
    const chamado = await fabrica.chamado(provedor, {
      cliente_id: cliente,
      contrato_id: contrato,
      situacao: 'solucionado',
      assunto: `${NOME} sem conexão`,
      descricao: `${NOME} diz que caiu`,
      solucao: `Falou-se com ${NOME}`,
      fechado_em,
    });
    await fabrica.historico(provedor, { chamado_id: chamado, descricao: `${NOME} ligou` });
    chamados.push(chamado);
  }
  return { cliente, contrato, plano, paga, recebido, chamados, login, documento: DOCUMENTO };
}
