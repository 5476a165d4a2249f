import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { TERMINAL } from '../../../src/domain/actor.ts';
import type { Rota } from '../../../src/surfaces/panel/rota.ts';
import type { Api } from '../../support/api.ts';
import { envelope, evento } from '../../../seeds/autoridade/respostas.ts';
import { amostra } from '../../support/nfcom/notas.ts';
import { CHAVE_DE_EXEMPLO, nfcomDeExemplo } from '../../support/nfcom/autorizada.ts';
import { criarFabrica } from '../../support/fabrica.ts';
import { povoarRecebimentos } from './povoado-recebimentos.ts';

/** A provider with one row of everything that has a screen. */
export interface Povoado {
  readonly provedorId: number;
  readonly host: string;
  /** What stands for a parameter, by the words of the address before it: `faturas`, `faturas/recebimentos`. */
  readonly ids: Readonly<Record<string, number | string>>;
}

export async function povoar(
  api: Api,
  linha: Readonly<Record<string, unknown>> = {},
  regras: Readonly<Record<string, unknown>> = {},
): Promise<Povoado> {
  const { dono } = api;
  const f = criarFabrica(dono);
  const provedorId = await f.provedor(linha, regras);
  const { panelHost: host } = await api.container.provedores.exigirPorId(provedorId);
  const em = async (tabela: string, colunas: object): Promise<number> => {
    const [id = 0] = await dono(tabela).insert({ provedor_id: provedorId, ...colunas });
    return id;
  };
  const agora = '2026-11-20 12:00:00.000';
  const plano = await f.plano(provedorId);
  const cliente = await f.cliente(provedorId);
  await f.telefone(provedorId, { cliente_id: cliente });
  const contrato = await f.contrato(provedorId, { cliente_id: cliente, plano_id: plano });
  const fatura = await f.fatura(provedorId, { cliente_id: cliente, contrato_id: contrato });
  const nota = await em('nfcom', {
    fatura_id: fatura,
    cliente_id: cliente,
    ambiente: 'homologacao',
    situacao: 'autorizada',
    serie: 1,
    numero: 101,
    chave: CHAVE_DE_EXEMPLO,
    protocolo: '3352600000000001',
    valor: '99.90',
    emitida_em: agora,
    autorizada_em: agora,
    xml_autorizado: nfcomDeExemplo(),
  });
  const registrado = { ambiente: '2', cStat: '135', motivo: 'Evento registrado', chave: CHAVE_DE_EXEMPLO };
  await em('nfcom_eventos', {
    nfcom_id: nota,
    estado: 'registrado',
    justificativa: 'Cobrança feita por engano.',
    xml_assinado: amostra('07-evento-cancelamento.xml'),
    xml_resposta: envelope(
      evento({ ...registrado, protocolo: '3352600000000002', em: '2026-11-20T12:00:00-03:00' }),
      false,
    ),
    pedido_em: agora,
    registrado_em: agora,
  });
  const passo = await em('regua_passos', {
    passo: 'aviso',
    alvo_id: fatura,
    referencia: '2026-11-10 00:00:00.000',
    cliente_id: cliente,
    contrato_id: contrato,
    fatura_id: fatura,
    dia: '2026-11-20',
    valor: '101.90',
    prazo: '2026-12-05',
    titulo: 'Aviso de débito',
    texto: 'O serviço pode ser bloqueado a partir de 05/12/2026.',
    email_estado: 'sem_endereco',
    criado_em: agora,
  });
  const pausa = await em('regua_pausas', {
    cliente_id: cliente,
    contrato_id: contrato,
    so_bloqueio: 1,
    motivo: 'contestou',
    autor: 'Bia',
    criada_em: agora,
  });
  const grupo = await em('nfcom_grupos', {
    nome: 'Comunicação',
    tributos: JSON.stringify({
      icms: { cst: 'simples' },
      pis: null,
      cofins: null,
      icmsForaDaBase: false,
      fust: null,
      funttel: null,
    }),
    atualizado_em: agora,
  });
  const servico = await em('nfcom_servicos', {
    codigo: 'INTERNET',
    descricao: 'Acesso à internet',
    classe: '0400401',
    cfop: '5307',
    grupo_id: grupo,
    atualizado_em: agora,
  });
  const recebido = await povoarRecebimentos(em, { provedorId, cliente, fatura, agora });
  const chamado = await f.chamado(provedorId, { cliente_id: cliente, contrato_id: contrato });
  const faturamento = await em('faturamentos', { dia: '2026-11-20', origem: 'diario', iniciado_em: agora });
  const pedidoDeFaturas = await em('faturamento_pedidos', {
    tipo: 'faturas',
    mes: '2026-12-01',
    autor: 'x',
    pedido_em: agora,
    terminado_em: agora,
  });
  const item = await em('contratos_itens', {
    contrato_id: contrato,
    tipo: 'recorrente',
    descricao: 'IP fixo',
    valor: '20.00',
    de: '2026-11-01',
    criado_em: agora,
  });
  const nas = `198.18.${Math.floor(provedorId / 250) % 250}.${provedorId % 250}`;
  await f.nas(provedorId, nas);
  const convite = await em('convites', { token_hash: Buffer.alloc(32, provedorId % 251), plano_id: plano });
  const conta = await em('cobradores', { nome: 'Banco', padrao: 0 });
  const convenio = await em('convenios_bancarios', {
    cobrador_id: conta,
    nome: 'Sicoob',
    banco: '756',
    formato: '240',
    agencia: '3069',
    agencia_dv: '4',
    conta: '12345678',
    conta_dv: '9',
    carteira: '1',
    codigo: '828190',
  });
  const remessa = await em('remessas', {
    convenio_id: convenio,
    nsa: 1,
    nome: '756-828190-000001.REM',
    dia: '2026-11-20',
    entradas: 1,
    instrucoes: 0,
    total: '99.90',
    criada_em: agora,
  });
  const retorno = await em('retornos', {
    convenio_id: convenio,
    nome: 'cobranca.ret',
    sha256: Buffer.alloc(32, 1),
    linhas: 1,
    partes: 1,
    feitas: 1,
    contas: '{"registrado":1}',
    recebido_em: agora,
    concluido_em: agora,
  });
  for (const dele of [{ remessa_id: remessa }, { retorno_id: retorno }]) {
    await em('arquivos_bancarios', { ...dele, conteudo: gzipSync('arquivo'), criado_em: agora });
  }
  const { id: chave } = await api.criarChave(provedorId);
  const pop = await em('pops', { nome: 'Centro', cidade: 'Alfenas', uf: 'MG' });
  const aviso = await em('avisos_de_rede', {
    tipo: 'interrupcao',
    titulo: 'Fibra rompida',
    texto: 'Volta às 18 h.',
    inicio: agora,
    origem: 'equipe',
    criado_em: agora,
    atualizado_em: agora,
  });
  const perfil = await em('perfis', { nome: 'Estagiários', permissoes: '["inicio.ver"]' });
  const usuario = await em('usuarios', { nome: 'Bia', email: 'bia@malha.test', perfil_id: perfil });
  const fator = await em('usuarios_fatores', {
    usuario_id: usuario,
    tipo: 'totp',
    nome: 'Celular',
    confirmado_em: agora,
  });
  const csv = Readable.from(['nome;download_mbps;valor\nFibra;100;99,90\n']);
  const { id: importacao } = await api.container.importacoes.criar(TERMINAL, provedorId, csv, {
    tipo: 'planos',
    formato: 'malha',
  });
  const { id: webhook } = await api.container.webhooks.criar(TERMINAL, provedorId, {
    url: 'https://crm.malha.test/malha',
    eventos: ['fatura.*'],
  });
  const mensagem = await em('webhook_mensagens', {
    evento_id: null,
    msg_id: '01JD7Q00000000000000000000',
    tipo: 'fatura.paga',
    corpo: '{"type":"fatura.paga"}',
    criada_em: agora,
  });
  const entrega = await em('webhook_entregas', {
    webhook_id: webhook,
    mensagem_id: mensagem,
    tipo: 'fatura.paga',
    estado: 'esgotada',
    tentativas: 1,
    proxima_em: agora,
    criada_em: agora,
  });
  await em('webhook_tentativas', {
    entrega_id: entrega,
    numero: 1,
    em: agora,
    status: 503,
    erro: 'resposta_503',
    duracao_ms: 142,
    resposta: '<b>ocupado</b>',
  });
  return {
    provedorId,
    host,
    ids: {
      'configuracoes/importacao': importacao,
      clientes: cliente,
      contratos: contrato,
      faturas: fatura,
      ...recebido,
      'conta/fatores': fator,
      chamados: chamado,
      nfcom: nota,
      faturamento,
      'faturamento/pedidos': pedidoDeFaturas,
      'contratos/itens': item,
      'configuracoes/bancos': convenio,
      'boletos/convenios': convenio,
      'boletos/remessas': remessa,
      'boletos/retornos': retorno,
      'boletos/faturas': fatura,
      'configuracoes/nfcom/servicos': servico,
      'configuracoes/nfcom/grupos': grupo,
      'regua/registros': passo,
      'regua/pausas': pausa,
      planos: plano,
      convites: convite,
      'rede/pops': pop,
      'rede/avisos': aviso,
      'rede/servidores': nas,
      'configuracoes/cobranca/contas': conta,
      'configuracoes/api': chave,
      'configuracoes/webhooks': webhook,
      'configuracoes/webhooks/entregas': entrega,
      'configuracoes/usuarios': usuario,
      'configuracoes/perfis': perfil,
    },
  };
}

/** Of what a provider has none here, an id that nobody has. */
const NENHUM = 999_999_999;

/** The address of a route, with the rows of a provider in the place of its parameters. */
export function enderecoDe({ caminho }: Pick<Rota, 'caminho'>, { ids }: Povoado): string {
  const antes: string[] = [];
  return caminho
    .split('/')
    .map((parte) => {
      if (!parte.startsWith('{')) {
        if (parte !== '') antes.push(parte);
        return parte;
      }
      if (parte === '{token}' || parte === '{dia}') return parte === '{dia}' ? '2026-11-20' : 'nenhum-token-que-exista';
      return String(ids[antes.join('/')] ?? NENHUM);
    })
    .join('/');
}

/** Whether an address names something that the provider has. */
export const existe = ({ caminho }: Pick<Rota, 'caminho'>, povoado: Povoado): boolean =>
  !enderecoDe({ caminho }, povoado).includes(String(NENHUM)) && !caminho.includes('{token}');
