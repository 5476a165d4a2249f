import { createHash } from 'node:crypto';
import { diasEntre, fimDoDiaEm, hojeEm } from '../../../brazil/calendario/datas.ts';
import type { Data } from '../../../brazil/calendario/datas.ts';
import { escreverDinheiro } from '../../../brazil/dinheiro/dinheiro.ts';
import { toDatabaseTime } from '../../../platform/mysql/database.ts';
import { acompanharContratos } from '../../clientes/situacao.service.ts';
import type { Write } from '../../escrita.ts';
import { BUSCA_DE_CLIENTES_TAG, CLIENTES_TAG, PROVEDOR_TAG, clienteTag, contratoTag } from '../../tags.ts';
import { lugarDaSenha } from '../arquivo/arquivo.queries.ts';
import { emPalavra } from '../formatos/valores.regras.ts';
import { lerCliente, tipoDe } from '../linhas/clientes.leitura.ts';
import type { ClienteLido } from '../linhas/clientes.leitura.ts';
import { julgarClientes } from './clientes.julgar.ts';
import type { ClienteNovo } from './clientes.julgar.ts';
import { idsPorCodigo } from './lote.queries.ts';
import type { Assunto, Feita, Gravacao } from './lote.types.ts';

type Nova = Parameters<Assunto<ClienteLido, ClienteNovo>['gravar']>[1][number];

/** What the history says of a contract that came in; an undo deletes no contract of which it says more. */
export const ACAO_DA_IMPORTACAO = 'importado';

/** Clients with their contracts: a line is a contract, and its client where there is none yet. */
export const clientes: Assunto<ClienteLido, ClienteNovo> = {
  ler: lerCliente,

  marcar(marcas, { codigo, contrato: { login } }, registro) {
    const antes = marcas.marcar(`codigo:${codigo}`, registro.linha);
    if (antes !== null) registro.errar('codigo', `repete a linha ${antes}`);
    if (typeof login !== 'string') return;
    const comLogin = marcas.marcar(`login:${emPalavra(login)}`, registro.linha);
    if (comLogin !== null && antes === null) registro.errar('login', `a linha ${comLogin} tem o mesmo`);
  },

  julgar: julgarClientes,

  prever(novas, simulado) {
    const primeiras = novas.filter(({ lido, clienteId, linha }) => {
      const doCodigo = simulado.marcar(`cliente:${lido.codigoCliente}`, linha);
      if (clienteId !== null || doCodigo !== null) return false;
      if (ehCancelado(lido)) return true;
      return simulado.marcar(`documento:${lido.cliente.cpf_cnpj}`, linha) === null;
    });
    const planos = novas.filter(
      ({ plano, linha }) => plano.id === null && simulado.marcar(`plano:${emPalavra(plano.nome)}`, linha) === null,
    );
    return {
      ...contar(novas),
      clientes: primeiras.length,
      telefones: contarTelefones(primeiras),
      planos: planos.length,
    };
  },

  async gravar(w, novas, gravacao) {
    const { marca, agora } = gravacao;
    const planos = await criarPlanos(w, novas);
    const { donos, criados } = reunir(novas);
    const idDoCliente = await inserirClientes(w, criados, marca);
    const clienteDe = (nova: Nova): number =>
      nova.clienteId ?? idDoCliente.get(donos.get(nova)?.lido.codigoCliente ?? '') ?? 0;
    const planoDe = ({ plano }: Nova): number => plano.id ?? planos.ids.get(emPalavra(plano.nome)) ?? 0;

    const contratos = novas.map((nova) => linhaDoContrato(nova, clienteDe(nova), planoDe(nova), marca));
    if (contratos.length > 0) await w.insert('contratos', contratos, { soughtBefore: true });
    const codigos = novas.map(({ lido }) => lido.codigo);
    const idDoContrato = await idsPorCodigo(w, 'contratos', codigos);
    const contratoDe = ({ lido }: Nova): number => idDoContrato.get(lido.codigo) ?? 0;
    await anotar(w, novas.map(contratoDe), agora);
    const desbloqueios = await desbloquear(w, novas, contratoDe, gravacao);
    await guardarSenhas(w, novas, contratoDe, gravacao);
    await acompanharContratos(w, [...new Set(novas.flatMap(({ clienteId }) => clienteId ?? []))], agora);

    w.touch(CLIENTES_TAG, BUSCA_DE_CLIENTES_TAG, ...(planos.linhas.size > 0 ? [PROVEDOR_TAG] : []));
    w.touch(...novas.flatMap((nova) => [contratoTag(contratoDe(nova)), clienteTag(clienteDe(nova))]));
    if (gravacao.avisar) avisarDe(w, novas, criados, clienteDe, contratoDe, planoDe);

    const criadas = new Set(criados);
    const feitas = novas.map((nova): Feita => ({
      linha: nova.linha,
      resumo: nova.resumo,
      plano_id: planos.linhas.has(nova.linha) ? planoDe(nova) : null,
      cliente_id: clienteDe(nova),
      cliente_novo: criadas.has(nova),
      contrato_id: contratoDe(nova),
      impressao: criadas.has(nova) ? impressaoDosTelefones(nova.lido.cliente.telefones ?? []) : null,
    }));
    const contagens = {
      ...contar(novas),
      clientes: criados.length,
      telefones: contarTelefones(criados),
      planos: planos.linhas.size,
      desbloqueios,
    };
    return { feitas, contagens };
  },
};

/** Sixteen bytes of a client's phones, which do not say when they changed. */
export function impressaoDosTelefones(numeros: readonly string[]): Buffer {
  return createHash('sha256').update(numeros.toSorted().join()).digest().subarray(0, 16);
}

const ehCancelado = ({ situacao }: ClienteLido): boolean => situacao.situacao === 'cancelado';
const temDesbloqueio = ({ contrato, situacao }: ClienteLido): boolean =>
  situacao.situacao === 'ativo' && typeof contrato.desbloqueio_ate === 'string';

const contar = (novas: readonly Nova[]) => ({
  contratos: novas.length,
  senhas: novas.filter(({ lido }) => typeof lido.contrato.senha === 'string').length,
  desbloqueios: novas.filter(({ lido }) => temDesbloqueio(lido)).length,
});

const contarTelefones = (novas: readonly Nova[]): number =>
  novas.reduce((soma, { lido }) => soma + (lido.cliente.telefones?.length ?? 0), 0);

/** Which line makes the client of each, among those whose client there is not yet. */
function reunir(novas: readonly Nova[]): { donos: Map<Nova, Nova>; criados: Nova[] } {
  const donos = new Map<Nova, Nova>();
  const criados: Nova[] = [];
  const porCodigo = new Map<string, Nova>();
  const porDocumento = new Map<string, Nova>();
  for (const nova of novas.filter(({ clienteId }) => clienteId === null)) {
    const { codigoCliente, cliente } = nova.lido;
    const dono = porCodigo.get(codigoCliente) ?? porDocumento.get(cliente.cpf_cnpj) ?? nova;
    donos.set(nova, dono);
    if (dono !== nova) continue;
    criados.push(nova);
    porCodigo.set(codigoCliente, nova);
    // A cancelled registration stands beside a new one of the same person.
    if (!ehCancelado(nova.lido)) porDocumento.set(cliente.cpf_cnpj, nova);
  }
  return { donos, criados };
}

async function criarPlanos(w: Write, novas: readonly Nova[]) {
  const porNome = new Map<string, Nova>();
  for (const nova of novas) {
    if (nova.plano.id !== null) continue;
    const nome = emPalavra(nova.plano.nome);
    if (!porNome.has(nome)) porNome.set(nome, nova);
  }
  if (porNome.size === 0) return { ids: new Map<string, number>(), linhas: new Set<number>() };
  const feitos = [...porNome].flatMap(([palavra, { plano, resumo }]) =>
    plano.id === null ? [{ palavra, plano, codigo: `linha:plano:${resumo.toString('hex')}` }] : [],
  );
  await w.insert(
    'planos',
    feitos.map(({ plano, codigo }) => ({
      nome: plano.nome,
      download_mbps: plano.mbps,
      upload_mbps: plano.mbps,
      valor: escreverDinheiro(plano.valor),
      codigo_externo: codigo,
    })),
    { soughtBefore: true },
  );
  const ids = await idsPorCodigo(
    w,
    'planos',
    feitos.map(({ codigo }) => codigo),
  );
  return {
    ids: new Map(feitos.map(({ palavra, codigo }) => [palavra, ids.get(codigo) ?? 0])),
    linhas: new Set([...porNome.values()].map(({ linha }) => linha)),
  };
}

/** Inserts clients with their phones; resolves to their ids by code. */
async function inserirClientes(w: Write, criados: readonly Nova[], marca: string): Promise<Map<string, number>> {
  if (criados.length === 0) return new Map();
  const linhas = criados.map(({ lido: { cliente, codigoCliente, ...lido } }) => ({
    nome: cliente.nome,
    nome_fantasia: cliente.nome_fantasia ?? null,
    tipo: tipoDe(cliente.cpf_cnpj),
    cpf_cnpj: cliente.cpf_cnpj,
    email: cliente.email ?? null,
    situacao: situacaoDoCliente(lido),
    data_nascimento: cliente.data_nascimento ?? null,
    ...colunasDoEndereco(cliente.endereco),
    codigo_externo: codigoCliente,
    criado_em: marca,
    atualizado_em: marca,
  }));
  await w.insert('clientes', linhas, { soughtBefore: true });
  const ids = await idsPorCodigo(
    w,
    'clientes',
    criados.map(({ lido }) => lido.codigoCliente),
  );
  const telefones = criados.flatMap(({ lido: { cliente, codigoCliente } }) =>
    (cliente.telefones ?? []).map((numero) => ({ cliente_id: ids.get(codigoCliente), numero })),
  );
  if (telefones.length > 0) await w.insert('clientes_telefones', telefones);
  return ids;
}

/** As its first contract has it; the ones that follow are judged by what follows a contract's moves. */
function situacaoDoCliente({ situacao, observacao }: Pick<ClienteLido, 'situacao' | 'observacao'>): string {
  if (situacao.situacao === 'cancelado') return 'cancelado';
  if (observacao) return 'observacao';
  if (situacao.situacao === 'bloqueado') return 'bloqueado';
  return situacao.situacao === 'inativo' ? 'inativo' : 'ativo';
}

function linhaDoContrato({ lido, plano }: Nova, clienteId: number, planoId: number, marca: string) {
  const { contrato, cliente, situacao, codigo } = lido;
  const de = (estado: typeof situacao.situacao): string | null => (situacao.situacao === estado ? marca : null);
  return {
    cliente_id: clienteId,
    plano_id: planoId,
    situacao: situacao.situacao,
    tipo_conexao: contrato.tipo_conexao ?? 'pppoe',
    login: contrato.login ?? null,
    mac: contrato.mac ?? null,
    ip: contrato.ip ?? null,
    ipv6_prefixo: contrato.ipv6_prefixo ?? null,
    tipo_cobranca: contrato.tipo_cobranca ?? 'pos_pago',
    dia_vencimento: contrato.dia_vencimento,
    valor: escreverDinheiro(contrato.valor ?? plano.valor),
    ativado_em: contrato.ativado_em ?? null,
    bloqueado_em: de('bloqueado'),
    bloqueio_origem: situacao.origem,
    suspenso_em: de('inativo'),
    cancelado_em: de('cancelado'),
    ...colunasDoEndereco(contrato.endereco_instalacao ?? cliente.endereco),
    codigo_externo: codigo,
    criado_em: marca,
    atualizado_em: marca,
  };
}

function colunasDoEndereco(endereco: ClienteLido['cliente']['endereco']) {
  return {
    cep: endereco?.cep ?? null,
    logradouro: endereco?.logradouro ?? null,
    numero: endereco?.numero ?? null,
    complemento: endereco?.complemento ?? null,
    bairro: endereco?.bairro ?? null,
    cidade: endereco?.cidade ?? null,
    uf: endereco?.uf ?? null,
  };
}

async function anotar(w: Write, contratos: readonly number[], agora: Date): Promise<void> {
  if (contratos.length === 0) return;
  const ocorrido_em = toDatabaseTime(agora);
  const descricao = 'Importado de outro sistema.';
  await w.insert(
    'contratos_historico',
    contratos.map((id) => ({
      contrato_id: id,
      acao: ACAO_DA_IMPORTACAO,
      descricao,
      autor: w.author.name,
      ocorrido_em,
    })),
  );
}

/** Trust unblocks that run; one that is over by now ends by itself, as any other. Resolves to how many. */
async function desbloquear(
  w: Write,
  novas: readonly Nova[],
  contratoDe: (nova: Nova) => number,
  { provedor: { fusoHorario }, agora }: Gravacao,
): Promise<number> {
  const hoje = hojeEm(fusoHorario, agora);
  const linhas = novas
    .filter(({ lido }) => temDesbloqueio(lido))
    .map((nova) => {
      const ate = nova.lido.contrato.desbloqueio_ate as Data;
      return {
        contrato_id: contratoDe(nova),
        dias: Math.max(0, Math.min(90, diasEntre(hoje, ate))),
        motivo: 'Importado de outro sistema.',
        aplicado_em: toDatabaseTime(agora),
        ate: toDatabaseTime(fimDoDiaEm(fusoHorario, ate)),
      };
    });
  if (linhas.length > 0) await w.insert('desbloqueios_confianca', linhas);
  return linhas.length;
}

async function guardarSenhas(
  w: Write,
  novas: readonly Nova[],
  contratoDe: (nova: Nova) => number,
  { segredos, agora }: Gravacao,
): Promise<void> {
  const criado_em = toDatabaseTime(agora);
  const linhas = novas.flatMap((nova) => {
    const { senha } = nova.lido.contrato;
    if (typeof senha !== 'string') return [];
    const contrato_id = contratoDe(nova);
    return [
      { contrato_id, senha: segredos.seal(lugarDaSenha(w.provedorId, contrato_id), Buffer.from(senha)), criado_em },
    ];
  });
  if (linhas.length > 0) await w.insert('importacao_senhas', linhas);
}

function avisarDe(
  w: Write,
  novas: readonly Nova[],
  criados: readonly Nova[],
  clienteDe: (nova: Nova) => number,
  contratoDe: (nova: Nova) => number,
  planoDe: (nova: Nova) => number,
): void {
  const criadas = new Set(criados);
  for (const nova of novas) {
    const cliente = clienteDe(nova);
    const { situacao } = nova.lido.situacao;
    if (criadas.has(nova)) {
      w.emit('cliente.criado', cliente, { cliente, situacao: situacaoDoCliente(nova.lido), origem: 'importacao' });
    }
    w.emit('contrato.criado', contratoDe(nova), { cliente, plano: planoDe(nova), situacao });
  }
}
